"""Panels of a run: stop rules, workers, who beats whom, and the curves of a training."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from league.board import Panel
from league.metagame import PayoffMatrix, heat_map_panel
from league.ratings import CountTable
from league.records.leaderboard import Standing
from league.records.matches import Result
from league.records.run_spec import RunSpec
from league.runs.worker_audit import Account, Deviation, WorkerAudit
from league.stopping.monitor import StopMonitor
from league.views.player_monitor import PlayerMonitor, VoidMonitor
from league.views.wording_gaps import WordingGap, gap_rows

SMALL = 12
"""the most players for which the heat map is shown by default, if there is room"""
MOST_WORKERS = 8
"""the most workers that have a line"""
_AGAIN = 1.05
"""Workers are compared again once the number of results has grown by this factor."""


class RunPanels:
    """The panels of a run. `add` each result once, in any order.

    `metagame`: whether to show the heat map; None: if the window has room and there are at most SMALL players.
    """

    def __init__(self, spec: RunSpec, metagame: bool | None = None, width: int = 100) -> None:
        self._spec, self._metagame, self._width = spec, metagame, width
        self.stopping = StopMonitor(spec)
        """the stop rules and their progress"""
        self._workers = WorkerAudit(spec.games)
        self._players = PlayerMonitor()
        self._voids = VoidMonitor()
        if metagame is None and len(spec.plays) > SMALL:
            self._metagame = False
        self._counts = CountTable(spec.games, list(spec.plays)) if self._metagame is not False else None
        self._heat: tuple[Panel, ...] | None = None
        self.gaps: tuple[WordingGap, ...] = ()
        """what was measured of the players in other wordings"""
        self._results = self._compared = 0
        self._deviations: list[Deviation] = []

    def add(self, results: Iterable[Result]) -> None:
        """Add results."""
        results = list(results)
        self._results += len(results)
        self.stopping.add(results)
        self._workers.add(results)
        self._players.add(results)
        self._voids.add(results)
        if self._counts is not None and results:
            self._counts.add(results)
            self._heat = None

    def panels(self, standings: Sequence[Standing]) -> tuple[Panel, ...]:
        """Returns the current panels; the rows of the heat map are in the order of `standings`."""
        from league.views.training_reader import panels_for

        panels = list(panels_for(self._spec))
        if alarms := (*self._players.alarms(), *self._voids.alarms()):
            panels.insert(0, Panel("alarms", alarms, warns=True))
        if self.stopping:
            panels.append(Panel("stop rules", self.stopping.lines(), wraps=True, leads=self.stopping.sprt is not None))
        if self.gaps:
            panels.append(Panel("invariance gap", tuple(gap.line for gap in self.gaps), wraps=True))
        if lines := self._worker_lines():
            panels.append(Panel("workers", lines))
        return (*panels, *self._heat_maps(standings))

    def to_json(self) -> dict[str, Any]:
        """`stop` (None without rules), `workers` (the account of each, and whether it deviates),
        `alarms`, `violations` by round, each player's `percentiles` over the games, its `void_phases`: the matches
        that it made void, by phase, and `wordings`: how much its strength depends on the wording of a game.
        """
        from league.views.training_reader import alarms_for

        by_worker = {d.worker: d for d in self._deviating()}
        return {
            "stop": self.stopping.to_json() if self.stopping else None,
            "workers": [
                {"worker": name, **vars(account), **_verdict(by_worker.get(name))}
                for name, account in sorted(self._workers.accounts.items())
            ],
            "alarms": [*self._players.alarms(), *self._voids.alarms(), *alarms_for(self._spec)],
            "violations": self._players.violations(),
            "percentiles": self._players.percentiles(),
            "void_phases": self._voids.phases(),
            "wordings": gap_rows(self.gaps),
        }

    def _deviating(self) -> list[Deviation]:
        if self._results > self._compared * _AGAIN:
            self._deviations, self._compared = self._workers.deviations(), self._results
        return self._deviations

    def _worker_lines(self) -> tuple[str, ...]:
        """Returns a line per worker, suspects first; none if a single worker played all matches."""
        accounts = self._workers.accounts
        if len(accounts) < 2:
            return ()
        suspects = {d.worker: d for d in self._deviating() if d.deviates}
        order = sorted(accounts, key=lambda name: (name not in suspects, name))
        lines = []
        for name in order[:MOST_WORKERS]:
            lines.append(f"{name or 'unnamed'}: {_account(accounts[name])}")
            if name in suspects:
                lines.append(_accusation(suspects[name]))
        if len(order) > MOST_WORKERS:
            lines.append(f"{len(order) - MOST_WORKERS} more; `arena board --json` shows all")
        return tuple(lines)

    def _heat_maps(self, standings: Sequence[Standing]) -> tuple[Panel, ...]:
        """Returns a panel for each game: points of different games do not add up."""
        if self._counts is not None and self._heat is None:
            counts, panels = self._counts.counts(), list[Panel]()
            for game in counts.games:
                payoff = PayoffMatrix.of(counts.only(game)).played()
                order = [row.player for row in standings if row.player in payoff.players]
                if len(order) > 1:
                    named = game if len(self._spec.games) > 1 else ""
                    panel = heat_map_panel(payoff.ordered(order), self._width, named)
                    panels.append(msgspec.structs.replace(panel, optional=self._metagame is None))
            self._heat = tuple(panels)
        return self._heat or ()


def _account(account: Account) -> str:
    parts = [f"{account.matches:,} matches"]
    parts += [f"{n:,} {word}" for n, word in ((account.void, "void"), (account.truncated, "cut off")) if n]
    parts += [f"{account.forfeits:,} forfeits"] if account.forfeits else []
    parts += [f"{times:,} {category}" for category, times in sorted(account.faults.items())]
    return ", ".join(parts)


def _accusation(deviation: Deviation) -> str:
    return (
        f"  its results differ from those of the other workers: {deviation.player} {deviation.score:+.2f} a match, "
        f"p = {deviation.p:.1g} over {deviation.matches:,} matches"
    )


def _verdict(deviation: Deviation | None) -> dict[str, Any]:
    if deviation is None:
        return {"deviates": False, "p": None, "player": None, "score": None}
    return {"deviates": deviation.deviates, "p": deviation.p, "player": deviation.player, "score": deviation.score}
