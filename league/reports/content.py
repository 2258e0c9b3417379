"""Everything that a report of a run shows, as data. The formats render the same data."""

from __future__ import annotations

import logging
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from itertools import zip_longest
from pathlib import Path

from markupsafe import Markup

from arena.match import match_html
from league.board import Panel
from league.board.findings import findings
from league.board.standing_columns import REPEATED
from league.board.state import Status
from league.config.database_url import DatabaseUrl
from league.metagame import PayoffMatrix, payoffs
from league.records.leaderboard import Leaderboard, Standing
from league.records.metrics_file import read_metrics
from league.records.run_spec import RunSpec
from league.reports.columns import StandingsTable, standings_table
from league.reports.reproduce import Reproduction, reproduction
from league.reports.sample_turns import SampleTurn, readings, sample_turns
from league.store import Run, Store
from league.trust import readable
from league.views.listing import MatchFilter, MatchRow, match_rows
from league.views.report import read_board
from league.views.training_panels import MetricsHistory

PACKAGES = ("numpy", "open_spiel", "pettingzoo", "scipy", "torch", "transformers", "vllm", "openai")
"""packages whose versions are told, where they are installed"""

MOST_PLAYERS = 64
"""the most players of the matrix of who beats whom: its size grows with their square"""


ABOUT_RATINGS = (
    "Points of 100 are what a player is expected to make against the reference player, a draw half a point. Points and "
    "ratings are fitted to all results at once; they are in their interval with 95% probability under the model. All "
    "ranges of ranks hold together with 95% probability; rows with overlapping ranges may be equal. P best is the "
    "probability of being the best of the players that are not retired."
)
"""what the columns of a fitted table mean"""


@dataclass(frozen=True)
class TrainingCurve:
    """One metric of a training over its steps."""

    label: str
    points: tuple[tuple[int, float], ...]
    """(step, value)"""


@dataclass(frozen=True)
class GameTable:
    """The standings in one game, and in each of its roles."""

    game: str
    rows: tuple[Standing, ...]
    roles: dict[str, tuple[Standing, ...]]


@dataclass(frozen=True)
class ReportContent:
    """The content of a report."""

    run: Run
    spec: RunSpec
    db: DatabaseUrl | str
    status: Status
    leaderboard: Leaderboard
    games: tuple[GameTable, ...]
    payoffs: dict[str, PayoffMatrix]
    """for each game in which two players met, of its first MOST_PLAYERS players, in the order of its standings"""
    panels: tuple[Panel, ...]
    """what the board says besides tables and curves: stop rules, workers, alarms"""
    notes: tuple[str, ...]
    """warnings about the standings"""
    curves: tuple[TrainingCurve, ...]
    samples: tuple[SampleMatch, ...]
    reproduction: Reproduction
    head: str
    """digest of the last result"""
    versions: dict[str, str]
    """of this machine, which may be another one than that of the run"""
    written: str
    """UTC, ISO 8601"""
    lead: str = ""
    """what stands above everything else, line by line: the ranking of a model"""

    @property
    def table(self) -> StandingsTable:
        """The leaderboard, with the points in each game."""
        return standings_table(self.leaderboard.standings, {table.game: table.rows for table in self.games})

    @property
    def findings(self) -> tuple[str, ...]:
        """What the leaderboard says, in at most three sentences."""
        return findings(self.leaderboard.standings)

    @property
    def about_ratings(self) -> str:
        """What the ratings, intervals and ranges of ranks are."""
        if any(row.bt_rating not in (None, row.rating) for row in self.leaderboard.standings):
            return (
                f"Order, ratings and intervals are those of the rating method {self.spec.ratings.method}; P best is of "
                "the batch fit of TrueSkill's model, which `arena board` shows beside them."
            )
        return ABOUT_RATINGS


def gather(db: DatabaseUrl | str, name: str | None = None, *, samples: int = 6, trust: bool = False) -> ReportContent:
    """Read a run. `samples`: how many matches are shown turn by turn. `trust` as in `read_board`. Raises InputError."""
    board = read_board(db, name, trust=trust)
    with Store.open(db, read_only=True) as store:
        run = store.run(name)
        panels = board.panels.panels(board.snapshot.standings)
        return ReportContent(
            run=run,
            spec=run.spec,
            db=store.url,
            status=board.status,
            leaderboard=board.snapshot,
            games=tuple(
                GameTable(game, rows, board.snapshot.roles.get(game, {})) for game, rows in board.snapshot.games.items()
            ),
            payoffs=_payoffs(store, run, board.snapshot.games),
            panels=tuple(panel for panel in panels if panel.title in ("stop rules", "workers", "alarms")),
            notes=tuple(_notes(board.snapshot)),
            curves=_curves(readable(store, run.spec)),
            samples=sample_matches(store, run, samples, trust=trust),
            reproduction=reproduction(run),
            head=board.head,
            versions=_versions(),
            written=datetime.now(UTC).isoformat(timespec="seconds"),
        )


def _payoffs(store: Store, run: Run, tables: Mapping[str, Sequence[Standing]]) -> dict[str, PayoffMatrix]:
    out = {}
    for game, matrix in payoffs(store, run).items():
        matrix = matrix.played()
        order = [row.player for row in tables.get(game, ()) if row.player in matrix.players][:MOST_PLAYERS]
        if len(order) > 1:
            out[game] = matrix.ordered(order)
    return out


def _notes(board: Leaderboard) -> list[str]:
    several = board.several_games
    notes = [board.prior] if board.prior else []
    notes += [f"{game}: {line}" for game, line in board.game_prior.items() if several]
    notes += [f"{game}: {line}" for game, lines in board.anchors.items() for line in lines]
    groups = (
        "some groups of players never met: each is ranked by itself, and no rank or probability compares two groups"
    )
    notes += [groups] if board.pools else []
    notes += [f"{game}: {groups}" for game in board.game_pools if several]
    if board.apart:
        notes.append(f"these players share no game with some other player and have no rank: {', '.join(board.apart)}")
    for game, repeated in board.repetition.items():
        if repeated.share < REPEATED:
            continue
        notes.append(f"{repeated.share:.0%} of the matches of {game} repeat earlier ones and count once as evidence")
    for game, cycle in board.cycles.items():
        circle = " > ".join(cycle.players)
        notes.append(f"players of {game} beat each other in circles (p = {cycle.p_value:.2g}): {circle}")
    return notes


def _curves(spec: RunSpec) -> tuple[TrainingCurve, ...]:
    """Returns the metrics of a training whose folder may be read; () for a tournament."""
    if spec.kind == "tournament" or not spec.folder:
        return ()
    rows = read_metrics(Path(spec.folder))
    curves = []
    for key, label in MetricsHistory(rows, spec.written_games).labelled():
        points = tuple((int(row["step"]), float(row[key])) for row in rows if isinstance(row.get(key), int | float))
        curves.append(TrainingCurve(label, points))
    return tuple(curves)


def _versions() -> dict[str, str]:
    versions = {"selfplay-arena": metadata.version("selfplay-arena"), "python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return versions | {"system": platform.platform()}


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
