"""Shows a match in the terminal: while it is played, or a recorded one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import games
from arena import players
from arena.api import Seated, play_seated, seated_players
from arena.cli.out import say, say_json
from arena.match import Decision, Episode, encode
from arena.players import Player, View
from arena.players.human import Human
from games import GameSpec, IllegalAction, InputError, TextGame
from games.errors import InfrastructureError
from games.sanitize import one_line

_SEATED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.+)", re.DOTALL)


class MatchPrinter(Player):
    """Wraps a player and prints its observations and decisions; with `secretly` only its actions.

    If the reader of standard output has gone, it sets `broken_pipe` and makes the match void: that is not a failure of
    the player.
    """

    broken_pipe: BrokenPipeError | None = None

    def __init__(self, inner: Player, show: bool, secretly: bool = False) -> None:
        self.inner, self.show, self.secretly = inner, show, secretly
        self.name, self.waits, self.outside = inner.name, inner.waits, inner.outside
        self.remembers, self.trainable = inner.remembers, inner.trainable

    def act(self, view: View) -> Decision:
        """Returns the inner player's decision, printed."""
        return self._print(view, self.inner.act(view))

    async def act_async(self, view: View) -> Decision:
        """Returns the inner player's decision, printed."""
        return self._print(view, await self.inner.act_async(view))

    def _print(self, view: View, decision: Decision) -> Decision:
        if not self.show:
            return decision
        if self.secretly:
            lines = [one_line(f"-- turn {view.turn + 1}, {view.seat} ({self.name}) plays: {decision.action}")]
        else:
            lines = list(_turn_lines(view.turn, view.seat, self.name, decision, view.game))
        try:
            say("\n".join(lines))
        except BrokenPipeError as error:
            self.broken_pipe = error
            raise InfrastructureError("nobody reads the output any more") from error
        return decision


def _turn_lines(turn: int, seat: str, name: str, decision: Decision, game: TextGame) -> Iterable[str]:
    yield one_line(f"-- turn {turn + 1}, {seat} ({name}) sees:")
    yield from ("   " + line for line in game.observe(seat).text.splitlines())
    if decision.text is not None and decision.text != decision.action:
        yield f"   writes: {one_line(decision.text, 400)}"
    if decision.action is None:
        yield f"   {decision.category}: {one_line(decision.reason)}"
    else:
        yield "   plays: " + "\n      ".join(decision.action.splitlines() or [""])


def play_match(
    game_id: str, words: list[str], seed: int | None, *, as_json: bool, make: Callable[[str], Player] = players.make
) -> None:
    """Play and print one match. `words` are player ids or `seat=player`; `make` creates players from their ids.

    The default seed is 0, or random if an endpoint plays. Raises InputError if game, players and seats do not fit.
    """
    game = games.make(game_id)
    with seated_players(game, _seated(game.spec, words), make) as by_seat:
        # A human at the terminal must not see the other seats' observations there.
        secretly = any(isinstance(player, Human) for player in by_seat.values())
        printers = {seat: MatchPrinter(player, not as_json, secretly) for seat, player in by_seat.items()}
        episode = play_seated(game, printers, seed)
    for printer in printers.values():
        if printer.broken_pipe:
            raise printer.broken_pipe
    if as_json:
        say_json(encode(episode).decode())
    else:
        say("\n".join(outcome_lines(episode)))
    if episode.status == "void":
        raise games.ArenaError(f"the match is void: {episode.reason}")


def _seated(spec: GameSpec, words: Sequence[str]) -> Seated:
    """Returns seat -> player id if the words are `seat=player`, else the words. Raises InputError."""
    named = [(m[1], m[2]) if (m := _SEATED.match(word)) else ("", word) for word in words]
    if not any(seat for seat, _ in named):
        return words
    form = " ".join(f"{seat}=PLAYER" for seat in spec.seats)
    for seat, name in named:
        if seat not in spec.seats:
            what = f"seat {seat!r}" if seat else f"{name!r} without a seat"
            raise InputError(f"{spec.id} has no {what}; its seats: {form}")
    chosen = dict(named)
    if len(chosen) < len(named) or len(chosen) < len(spec.seats):
        raise InputError(f"every seat of {spec.id} needs one player: {form}")
    return chosen


def outcome_lines(episode: Episode) -> Iterable[str]:
    """Yields the status of a match and the return of each seat."""
    yield one_line(f"== {episode.status}{': ' + episode.reason if episode.reason else ''}")
    for seat, name in episode.seats.items():
        ended = {episode.forfeited_by: "  (forfeited)", episode.voided_by: "  (made the match void)"}.get(seat, "")
        score = "no return" if episode.status == "void" else f"{episode.returns[seat]:+g}"
        yield f"   {one_line(f'{seat} ({name})')}: {score}{ended}"


def replay_lines(episode: Episode) -> Iterable[str]:
    """Yields a recorded match, turn by turn. Plays the game again from its seed and the recorded actions."""
    game = games.make(episode.game)
    game.load_task(episode.task)
    game.reset(episode.seed)
    turns = iter(enumerate(episode.turns))
    yield one_line(f"== {episode.match}: {episode.game}, seed {episode.seed}")
    for _ in range(len(episode.turns)):
        together = [next(turns, None) for _ in game.acting]
        actions = {}
        for item in together:
            if item is None:
                break
            index, turn = item
            for attempt in turn.attempts:
                player = "random opening" if turn.opening else turn.player
                yield from _turn_lines(index, turn.seat, player, attempt, game)
            if turn.substituted:
                yield f"   random legal action instead: {one_line(turn.action)}"
            actions[turn.seat] = turn.action
        if not actions:
            break
        try:
            game.apply(actions)
        except IllegalAction as error:
            raise games.ArenaError(f"{episode.match} does not fit {episode.game}: {error}") from error
    for attempt in episode.failure:
        yield from _turn_lines(len(episode.turns), episode.offender, episode.seats[episode.offender], attempt, game)
    yield from outcome_lines(episode)
