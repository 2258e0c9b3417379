"""What every seat reads after a move, in the game and in its AEC environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.conformance.play import Trace, look, refusal, replayed
from games.conformance.subject import Subject
from games.game import Seat, TextGame

MAX_VIEWS = 12
"""positions that are followed after a move"""


@dataclass(frozen=True, slots=True)
class PositionView:
    """The texts that each seat reads at one moment, and its secrets."""

    turn: int
    acting: tuple[Seat, ...]
    texts: Mapping[Seat, str]
    secrets: Mapping[Seat, tuple[str, ...]]
    disclosed: Mapping[Seat, str]
    sealed: bool = False
    """whether the changed move is not played yet, because seats that act at once have not all chosen"""


def game_views(subject: Subject, trace: Trace, turn: int, move: Mapping[Seat, str]) -> list[PositionView]:
    """Returns the positions after `move` at a turn of a recorded match, with the recorded moves from then on.

    They end with the match, or where a recorded move is not possible.
    """
    game = replayed(subject.fresh, trace, turn)
    views: list[PositionView] = []
    for at, later in enumerate([move, *trace.moves[turn + 1 : turn + MAX_VIEWS]], turn):
        what = f"apply({dict(later)!r:.200}) (seed {trace.seed}, turn {at})"
        if (at > turn and set(game.acting) != set(later)) or refusal(game, later, "illegal", what):
            break
        views.append(_view(game, at + 1, trace.seed))
    return views


def env_views(subject: Subject, trace: Trace, turn: int, move: Mapping[Seat, str]) -> list[PositionView]:
    """Returns what the environment shows after each of its steps: infos, and observations while a move is open."""
    game = subject.fresh()
    env: Any = subject.aec(game)
    env.reset(seed=trace.seed)
    for recorded in trace.moves[:turn]:
        for seat in game.acting:
            env.step(recorded[seat])
    views: list[PositionView] = []
    for at, later in enumerate([move, *trace.moves[turn + 1 : turn + MAX_VIEWS]], turn):
        if set(game.acting) != set(later):
            break
        for left, seat in enumerate(game.acting, 1 - len(game.acting)):
            env.step(later[seat])
            if any(env.terminations.values()):
                return views
            views.append(_env_view(env, game, at + (left == 0), sealed=left < 0 and at == turn))
    return views


def _view(game: TextGame, turn: int, seed: int) -> PositionView:
    position = look(game, turn, seed)
    texts = {
        seat: f"{text}\n{position.phases[seat]}\n{_listed(position.legal[seat])}"
        for seat, text in position.texts.items()
    }
    return PositionView(turn, position.acting, texts, position.secrets, _disclosed(game))


def _listed(legal: tuple[str, ...] | None) -> str:
    return "any text" if legal is None else "\n".join(legal)


def _env_view(env: Any, game: TextGame, turn: int, sealed: bool) -> PositionView:
    seats = tuple(game.spec.seats)
    texts = {s: repr(env.infos[s]) + (f"\n{env.observe(s)}" if sealed else "") for s in seats if s in env.infos}
    secrets = {seat: tuple(s for s in game.secrets(seat) if s.strip()) for seat in seats}
    return PositionView(turn, game.acting, texts, secrets, _disclosed(game), sealed)


def _disclosed(game: TextGame) -> dict[Seat, str]:
    return {seat: game.disclosure(seat) for seat in game.spec.seats}


def pairs(one: list[PositionView], other: list[PositionView]) -> Iterator[tuple[PositionView, PositionView]]:
    """Yields the moments of two replays until the match ends or different seats act."""
    for a, b in zip(one, other, strict=False):
        if a.acting != b.acting or not a.acting:
            return
        yield a, b
