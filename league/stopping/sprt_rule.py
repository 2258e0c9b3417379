"""The stop rule that tests whether one player of a run is stronger than another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games import InputError
from league.config.tournament import SprtConfig
from league.outcomes.table import OutcomeTable
from league.outcomes.units import RatedUnit
from league.ratings import GameInfo
from league.records.leaderboard import Leaderboard
from league.records.matches import Result
from league.records.run_spec import RunSpec
from league.sprt import Estimate, Gate, pair_category

if TYPE_CHECKING:
    from league.matchmaking.planner import Planner


class Sprt:
    """A sequential test of two players. Its gate counts their pairs in plan order."""

    def __init__(self, config: SprtConfig, games: Mapping[str, GameInfo]) -> None:
        self.player, self.against = config.player, config.against
        self.gate = Gate(config)
        self._games = games
        self._outcomes = OutcomeTable(games, whole_pairings=True)
        self.repeated = 0
        """pairs that repeat earlier ones and do not count"""
        self._estimate: Estimate | None = None
        """the estimate once the test has a verdict"""

    def add(self, result: Result) -> None:
        """Add the next result of the plan."""
        info = self._games[result.game]
        if info.size != 2 or {s.player for s in result.seats} != {self.player, self.against}:
            return
        self._outcomes.add([result])
        rows = self._outcomes.rows()
        if not len(rows.index) or rows.index[-1] != result.index:
            return  # the pairing lacks a match
        if rows.since[-1] > result.index:
            self._count_repeat()
        else:
            self._count(rows.units[rows.unit[-1]], int(rows.task[-1]))
        again = rows.since[:-1] == result.index  # the new pair differs from them
        for unit, task in zip(rows.unit[:-1][again].tolist(), rows.task[:-1][again].tolist(), strict=True):
            self.repeated -= 1
            self._count(rows.units[unit], task)

    def _count(self, unit: RatedUnit, task: int) -> None:
        """Count a pair that is evidence."""
        if (category := pair_category(unit, self.player)) is not None:
            self.gate.update(category, task)

    def _count_repeat(self) -> None:
        """Count a pair that repeats earlier ones move for move, which is no new evidence."""
        self.repeated += 1
        if self.gate.pairs + self.repeated >= self.gate.config.max_pairs:
            self.gate.give_up()

    def verdict(self, snapshot: Leaderboard) -> str | None:
        """Returns the verdict in a line, or None while the test is open. It does not depend on `snapshot`."""
        return self.progress(snapshot) if self.gate.verdict else None

    def progress(self, snapshot: Leaderboard | None = None) -> str:
        """Returns `SPRT new against old: accept after 61 pairs; LLR: ...`."""
        gate = self.gate
        return f"SPRT {self.player} against {self.against}: {gate.verdict or 'open'} after {gate.pairs:,} pairs; {gate}"

    def lines(self) -> list[str]:
        """Returns the pairs by category and, after the verdict, the strength, corrected for early stopping."""
        ll, ld, even, wd, ww = self.gate.counts
        repeated = f"; {self.repeated:,} more repeat these move for move" if self.repeated else ""
        out = [f"pairs LL {ll}, LD {ld}, WL or DD {even}, WD {wd}, WW {ww}{repeated}"]
        if self._estimate is None and self.gate.verdict:
            self._estimate = self.gate.estimate()
        if (estimate := self._estimate) is not None:
            out.append(
                f"{self.player} over {self.against}: {estimate} "
                "normalised Elo, 95%, median-unbiased for a test that stopped early"
            )
        return out

    def to_json(self) -> dict[str, Any]:
        """Returns the state of the test as JSON values, with an estimate even while the test is open."""
        gate, estimate = self.gate, self.gate.estimate()
        return {
            "player": self.player,
            "against": self.against,
            "verdict": gate.verdict,
            "pairs": gate.pairs,
            "tasks": gate.tasks,
            "counts": list(gate.counts),
            "repeated": self.repeated,
            "llr": gate.llr,
            "bounds": list(gate.bounds),
            "nelo0": gate.config.nelo0,
            "nelo1": gate.config.nelo1,
            "estimate": None if estimate is None else estimate._asdict(),
        }


def check_sprt(spec: RunSpec, planner: Planner) -> None:
    """Raises InputError if no game or no pairing of the run can decide its test of two players."""
    sprt = spec.stop.sprt
    if sprt is None:
        return
    games, plays = spec.games, spec.plays
    common = [game for game in games if all(game in plays[name] for name in (sprt.player, sprt.against))]
    if not any(games[game].size == 2 and games[game].rated for game in common):
        raise InputError(
            f"stop.sprt: {sprt.player!r} and {sprt.against!r} share no rated game of two sides (both play "
            f"{', '.join(common) or 'nothing'}); add one, or remove stop.sprt"
        )
    if not planner.pairs(sprt.player, sprt.against):
        raise InputError(
            f"stop.sprt counts pairs of matches with exchanged seats, but pairing = {spec.pairing!r} never pairs "
            f'{sprt.player!r} and {sprt.against!r} that way; write pairing = "round-robin", name two other players, or '
            "remove stop.sprt"
        )
