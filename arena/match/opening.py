"""Random openings. Without them, deterministic players repeat the same match in a game without chance.

An opening is drawn from the seed of the match. The matches of a pairing share the seed, so every rotation of the seats
starts from the same position. One move is one action of each acting seat. The episode records the moves as turns
without a player: they count for nobody, and the learner ignores them.
"""

from __future__ import annotations

from arena.records import Decision, MatchPlan, Turn
from games import InputError, TextGame
from games.randomness import RandomStream, derive

DRAWS = 32
"""tries at one length of opening before a shorter one is tried"""


def play_opening(game: TextGame, plan: MatchPlan) -> list[Turn]:
    """Play the plan's opening in a game that was just reset. Returns its turns.

    An opening that ends the match or uses up its turns is drawn again, after `DRAWS` draws with one move less, so that
    the players always have a decision to make. Raises InputError at a free-text turn.
    """
    return [turn for move in _play_moves(game, plan) for turn in move]


def check_opening(game: TextGame, moves: int) -> None:
    """Raises InputError if the game has no openings of this length: free text, or matches that end earlier.

    Resets the game.
    """
    game.load_task("")
    game.reset(0)
    most = len(_play_moves(game, MatchPlan("", game.spec.id, 0, {}, opening=moves)))
    if most < moves:
        fewer = f"write at most {most}, or leave this game out" if most else "leave openings out, or this game"
        raise InputError(f"openings = {moves}: {game.spec.id} is over by then; {fewer}")


def _play_moves(game: TextGame, plan: MatchPlan) -> list[list[Turn]]:
    """Play an opening. Returns the turns of each move."""
    for length in range(min(plan.opening, game.spec.max_turns), 0, -1):
        for attempt in range(DRAWS):
            moves = _play_random(game, RandomStream(derive(plan.seed, "opening", length, attempt)), length)
            if game.acting and sum(map(len, moves)) < game.spec.max_turns:
                return moves
            game.load_task(plan.task)
            game.reset(plan.seed)
    return []


def _play_random(game: TextGame, stream: RandomStream, length: int) -> list[list[Turn]]:
    moves: list[list[Turn]] = []
    while game.acting and len(moves) < length:
        move: list[Turn] = []
        for seat in game.acting:
            legal = game.legal(seat)
            if not legal:
                raise InputError(
                    f"{game.spec.id} takes free text at move {len(moves) + 1}, and an opening is drawn from a list of "
                    "legal moves; leave openings out, or this game"
                )
            action = stream.choice(legal)
            move.append(Turn(seat, game.spec.seats[seat], game.phase(seat), "", action, (Decision(action),)))
        game.apply({turn.seat: turn.action for turn in move})
        moves.append(move)
    return moves
