"""Random openings: without them deterministic players of a game without chance play the same match again and again.

An opening is drawn from the match's seed, which all matches of a pairing share, so every rotation of the seats starts
from the same position. One move is one action of each seat that acts: where several act at once, all of them. The moves
stand in the episode as turns without a player; they are nobody's turns, tokens or faults, and nobody learns from them.
"""

from __future__ import annotations

from arena.match.records import Decision, MatchPlan, Turn
from games import InputError, TextGame
from games.randomness import Stream, derive

DRAWS = 32
"""openings of a length that are tried before it is shortened by one move"""


def play_opening(game: TextGame, plan: MatchPlan) -> list[Turn]:
    """Play the opening of a plan in a game that was just reset, and return its turns.

    An opening after which nobody is left to act, or no turn is left, is drawn again, and one move shorter if `DRAWS` of
    them were; so the players always have something to decide. Raises InputError at a turn that takes free text.
    """
    for length in range(min(plan.opening, game.spec.max_turns), 0, -1):
        for attempt in range(DRAWS):
            turns = _drawn(game, Stream(derive(plan.seed, "opening", length, attempt)), length)
            if game.acting and len(turns) < game.spec.max_turns:
                return turns
            game.given(plan.task)
            game.reset(plan.seed)
    return []


def _drawn(game: TextGame, stream: Stream, length: int) -> list[Turn]:
    turns: list[Turn] = []
    for _ in range(length):
        actions: dict[str, str] = {}
        for seat in game.acting:
            legal = game.legal(seat)
            if not legal:
                raise InputError(
                    f"{game.spec.id} takes free text at move {len(turns) + 1}, and an opening is drawn from a list of "
                    "legal moves; leave openings out, or this game"
                )
            actions[seat] = stream.choice(legal)
            action, role = actions[seat], game.spec.seats[seat]
            turns.append(Turn(seat, role, game.phase(seat), "", action, (Decision(action),)))
        if not actions:
            break
        game.apply(actions)
    return turns


def check_opening(game: TextGame, moves: int) -> None:
    """Raise InputError if no opening of so many moves can be drawn: free text, or matches that end before. The game is
    reset.
    """
    game.given("")
    game.reset(0)
    plan = MatchPlan("", game.spec.id, 0, {}, opening=moves)
    found = play_opening(game, plan)
    if (most := _moves(game, found)) < moves:
        fewer = f"write at most {most}, or leave this game out" if most else "leave openings out, or this game"
        raise InputError(f"openings = {moves}: {game.spec.id} is over by then; {fewer}")


def _moves(game: TextGame, turns: list[Turn]) -> int:
    """How many moves these turns are, turns of seats that act at once being one."""
    game.given("")
    game.reset(0)
    moves = 0
    while turns:
        together = turns[: len(game.acting)]
        game.apply({turn.seat: turn.action for turn in together})
        turns, moves = turns[len(together) :], moves + 1
    return moves
