"""One match in the terminal, shown as it is played; also the replay of a recorded one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable

import games
from arena import players
from arena.cli.out import say, say_json
from arena.match import Decision, Episode, MatchPlan, encode, play, play_async
from arena.players import Player, View
from arena.players.human import Human
from arena.players.seeds import seed_for
from games import GameSpec, IllegalAction, InputError, TextGame
from games.errors import InfrastructureError
from games.text import one_line

_SEATED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.+)", re.DOTALL)


class Shown(Player):
    """Wraps a player and prints what it sees and answers; `secretly`, only what it plays.

    Where nobody reads that any more, the match cannot go on and `unread` says so: it is no fault of the player.
    """

    unread: BrokenPipeError | None = None

    def __init__(self, inner: Player, show: bool, secretly: bool = False) -> None:
        self.inner, self.show, self.secretly = inner, show, secretly
        self.name, self.waits = inner.name, inner.waits
        self.remembers, self.trainable = inner.remembers, inner.trainable

    def act(self, view: View) -> Decision:
        """The inner player's decision, printed."""
        return self._tell(view, self.inner.act(view))

    async def act_async(self, view: View) -> Decision:
        """The inner player's decision, printed."""
        return self._tell(view, await self.inner.act_async(view))

    def _tell(self, view: View, decision: Decision) -> Decision:
        if not self.show:
            return decision
        if self.secretly:
            lines = [one_line(f"-- turn {view.turn + 1}, {view.seat} ({self.name}) plays: {decision.action}")]
        else:
            lines = list(_turn_lines(view.turn, view.seat, self.name, decision, view.game))
        try:
            say("\n".join(lines))
        except BrokenPipeError as error:
            self.unread = error
            raise InfrastructureError("nobody reads the match any more") from error
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
    game_id: str, names: list[str], seed: int | None, *, as_json: bool, make: Callable[[str], Player] = players.make
) -> None:
    """Play and print one match; `make` knows the players' names. Without `seed` it is 0, or drawn where an endpoint
    plays. Raises InputError where they do not fit the game.
    """
    game = games.make(game_id)
    seats = list(game.spec.seats)
    names = _by_seat(game.spec, names)
    made = [_fitting(make(name), game) for name in names]
    # A human at the terminal must not read the others' cards there.
    secretly = any(isinstance(player, Human) for player in made)
    seated = {seat: Shown(player, not as_json, secretly) for seat, player in zip(seats, made, strict=True)}
    if seed is None:
        seed = seed_for(made)
    plan = MatchPlan(f"play-{seed}", game.spec.id, seed, {seat: p.name for seat, p in seated.items()})
    try:
        if any(p.waits for p in seated.values()):
            episode = asyncio.run(play_async(game, plan, seated))
        else:
            episode = play(game, plan, seated)
    finally:
        for shown in seated.values():
            shown.inner.close()
    for shown in seated.values():
        if shown.unread:
            raise shown.unread
    if as_json:
        say_json(encode(episode).decode())
    else:
        say("\n".join(outcome_lines(episode)))
    if episode.status == "void":
        raise games.ArenaError(f"the match is void: {episode.reason}")


def _by_seat(spec: GameSpec, names: list[str]) -> list[str]:
    """The players in seat order, from one for all seats, one for each, or `seat=player` words. Raises InputError."""
    seats = list(spec.seats)
    named = [(m[1], m[2]) if (m := _SEATED.match(name)) else ("", name) for name in names]
    if not any(seat for seat, _ in named):
        if len(names) not in (1, len(seats)):
            raise InputError(
                f"{spec.id} has {len(seats)} seats ({', '.join(seats)}), {len(names)} players were given; "
                f"give {len(seats)}, or one for all"
            )
        return names * (len(seats) if len(names) == 1 else 1)
    for seat, name in named:
        if seat not in seats:
            what = f"seat {seat!r}" if seat else f"{name!r} without a seat"
            raise InputError(f"{spec.id} has no {what}; its seats: {', '.join(f'{s}=PLAYER' for s in seats)}")
    chosen = dict(named)
    if len(chosen) < len(named) or len(chosen) < len(seats):
        raise InputError(f"every seat of {spec.id} needs one player: {' '.join(f'{s}=PLAYER' for s in seats)}")
    return [chosen[seat] for seat in seats]


def _fitting(player: Player, game: TextGame) -> Player:
    if why := player.supports(game):
        raise InputError(f"{player.name} cannot play {game.spec.id}: {why}")
    return player


def outcome_lines(episode: Episode) -> Iterable[str]:
    """How a match ended, seat by seat."""
    yield one_line(f"== {episode.status}{': ' + episode.reason if episode.reason else ''}")
    for seat, name in episode.seats.items():
        forfeited = "  (forfeited)" if seat == episode.forfeited_by else ""
        yield f"   {one_line(f'{seat} ({name})')}: {episode.returns[seat]:+g}{forfeited}"


def replay_lines(episode: Episode) -> Iterable[str]:
    """A recorded match, turn by turn: the game is played again from its seed and the recorded actions."""
    game = games.make(episode.game)
    game.given(episode.task)
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
            raise games.ArenaError(f"{episode.match} no longer fits {episode.game}: {error}") from error
    for attempt in episode.failure:
        yield from _turn_lines(
            len(episode.turns), episode.forfeited_by, episode.seats[episode.forfeited_by], attempt, game
        )
    yield from outcome_lines(episode)
