"""Some matches of a run, turn by turn."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from markupsafe import Markup

from arena.match import match_html
from league.reports.sample_turns import SampleTurn, readings, sample_turns
from league.store import Run, Store
from league.views.match_list import MatchFilter, MatchRow, match_rows

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SampleMatch:
    """One match of a report."""

    row: MatchRow
    turns: tuple[SampleTurn, ...]
    unread: str
    """why the turns are without what the seats read; "" if they have it"""
    stepper: Markup
    """the positions as HTML that one can step through; empty if the game cannot be played here"""


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
        read, unread = readings(store, run, episode, trust), ""  # asks whether the game may be made
        stepper = Markup(match_html(episode))
    except Exception as error:  # noqa: BLE001  not allowed, a damaged record, or a plugin that fails: show no observations
        log.warning("match %s is shown without observations: %s", row.match, error)
        read, unread, stepper = [], " ".join(str(error).split()) or type(error).__name__, Markup()
    return SampleMatch(row, tuple(sample_turns(episode, read)), unread, stepper)
