"""Some matches of a run, turn by turn."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import games
from arena.match import Decision, Episode
from games import TextGame
from league.store import Run, Store
from league.trust import allow_game
from league.views.match_list import MatchFilter, MatchRow, match_rows

log = logging.getLogger(__name__)

CHARACTERS = 4000
"""the longest text of a sample match; more is cut"""


@dataclass(frozen=True)
class SampleTurn:
    """One turn of a sample match."""

    seat: str
    player: str
    sees: str
    """what the seat read; "" if the game cannot be played here"""
    failed: tuple[Decision, ...]
    """the attempts that failed"""
    text: str
    """what the player wrote, if it differs from the action"""
    action: str


@dataclass(frozen=True)
class SampleMatch:
    """One match of a report."""

    row: MatchRow
    turns: tuple[SampleTurn, ...]


def sample_matches(store: Store, run: Run, n: int, *, trust: bool = False) -> tuple[SampleMatch, ...]:
    """At most `n` matches: of each game in turn one of median length, a forfeit, a long one, and one cut off."""
    rows = [row for row in match_rows(store, run, MatchFilter()) if row.status != "void"]
    by_game: dict[str, list[MatchRow]] = {}
    for row in rows:
        by_game.setdefault(row.game, []).append(row)
    chosen = [row for kind in zip_longest(*map(_kinds, by_game.values())) for row in kind if row is not None]
    chosen = list({row.match: row for row in chosen}.values())[:n]
    return tuple(_sample(store, run, row, trust) for row in chosen)


def _kinds(rows: Sequence[MatchRow]) -> Iterator[MatchRow | None]:
    finished = sorted((row for row in rows if row.status == "finished"), key=lambda row: row.turns)
    yield finished[len(finished) // 2] if finished else None
    for status in ("forfeit", "truncated"):
        yield next((row for row in rows if row.status == status), None)
    yield finished[-1] if finished else None


def _sample(store: Store, run: Run, row: MatchRow, trust: bool) -> SampleMatch:
    episode = store.episode(row.match, run)
    try:
        allow_game(store, run.spec, episode.game, trust)
        seen = list(_observed(games.make(episode.game), episode))
    except Exception as error:  # noqa: BLE001  not allowed, a damaged record, or a plugin that fails: show no observations
        log.warning("match %s is shown without observations: %s", row.match, error)
        seen = []
    return SampleMatch(row, tuple(_turns(episode, seen)))


def _observed(game: TextGame, episode: Episode) -> Iterator[str]:
    """What the acting seat reads before each turn, and before a forfeit."""
    game.load_task(episode.task)
    game.reset(episode.seed)
    turns = iter(episode.turns)
    told = 0
    while told < len(episode.turns):
        together = [turn for _, turn in zip(game.acting, turns, strict=False)]
        yield from (game.observe(turn.seat).text for turn in together)
        told += len(together)
        if not together:
            return
        game.apply({turn.seat: turn.action for turn in together})
    if episode.forfeited_by:
        yield game.observe(episode.forfeited_by).text


def _turns(episode: Episode, seen: Sequence[str]) -> Iterator[SampleTurn]:
    for i, turn in enumerate(episode.turns):
        last = turn.attempts[-1] if turn.attempts else None
        wrote = last.text if last is not None and last.text not in (None, turn.action) and not turn.substituted else ""
        yield SampleTurn(
            seat=turn.seat,
            player=turn.player or "random opening",
            sees=_cut(seen[i] if i < len(seen) else ""),
            failed=tuple(a for a in turn.attempts if a.category != "ok"),
            text=_cut(wrote or ""),
            action=_cut(turn.action),
        )
    if seat := episode.forfeited_by:
        sees = seen[len(episode.turns)] if len(seen) > len(episode.turns) else ""
        yield SampleTurn(seat, episode.seats[seat], _cut(sees), episode.failure, "", "")


def _cut(text: str) -> str:
    return text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]} ... ({len(text):,} characters)"
