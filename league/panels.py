"""What a board shows under the table: why a run stops, who played it, who beats whom; of a training, its curves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from league.board import Panel
from league.faults import Account, Deviation, Workers
from league.metagame import Payoff, heat_map_panel
from league.ratings import CountTable
from league.records import Result
from league.standings import Standing
from league.stopping import Stopping
from league.stored import rated_games
from league.strikes import counted

SMALL = 12
"""players up to which the heat map is shown unasked, where there is room"""
SHOWN = 8
"""workers that have a line"""
_AGAIN = 1.05
"""Workers are compared again once there are so many times as many results."""


class RunPanels:
    """The panels of a stored run. `add` each result once, in any order; `struck` workers count for nothing.

    `metagame`: whether the heat map is shown; None: where the window has room and the players are few.
    """

    def __init__(
        self, config: Mapping[str, Any], struck: Collection[str] = (), metagame: bool | None = None, width: int = 100
    ) -> None:
        self._config, self._struck, self._metagame, self._width = config, struck, metagame, width
        games = rated_games(config)
        self.stopping = Stopping(config, struck)
        """the stop rules, as far as they have come"""
        self._workers = Workers(games)
        if metagame is None and len(config["plays"]) > SMALL:
            self._metagame = False
        self._counts = CountTable(games, list(config["plays"])) if self._metagame is not False else None
        self._heat: Panel | None = None
        self._results = self._judged = 0
        self._deviations: list[Deviation] = []

    def add(self, results: Iterable[Result]) -> None:
        """Take in results."""
        results = list(results)
        self._results += len(results)
        self.stopping.add(results)
        self._workers.add(results)
        if self._counts is not None and results:
            self._counts.add(counted(results, self._struck))
            self._heat = None

    def panels(self, standings: Sequence[Standing]) -> tuple[Panel, ...]:
        """What there is to show now; the heat map has its rows in the order of `standings`."""
        from league.training.watching import panels_for

        found = list(panels_for(self._config))
        if self.stopping:
            found.append(Panel("stop rules", self.stopping.lines()))
        if lines := self._worker_lines():
            found.append(Panel("workers", lines))
        if heat := self._heat_map(standings):
            found.append(heat)
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """`stop` (None without rules) and `workers`, each with its account and whether it deviates or is struck out."""
        by_worker = {d.worker: d for d in self._deviating()}
        return {
            "stop": self.stopping.to_json() if self.stopping else None,
            "workers": [
                {"worker": name, **vars(account), "struck": name in self._struck, **_verdict(by_worker.get(name))}
                for name, account in sorted(self._workers.accounts.items())
            ],
        }

    def _deviating(self) -> list[Deviation]:
        if self._results > self._judged * _AGAIN:
            self._deviations, self._judged = self._workers.deviations(), self._results
        return self._deviations

    def _worker_lines(self) -> tuple[str, ...]:
        """One per worker, suspects first; none where one alone played everything."""
        accounts = self._workers.accounts
        if len(accounts) < 2 and not self._struck:
            return ()
        suspects = {d.worker: d for d in self._deviating() if d.deviates}
        order = sorted(accounts, key=lambda name: (name not in suspects, name not in self._struck, name))
        lines = []
        for name in order[:SHOWN]:
            state = "  STRUCK OUT" if name in self._struck else ""
            lines.append(f"{name or 'not named'}: {_account(accounts[name])}{state}")
            if name in suspects and not state:
                lines.append(_accusation(suspects[name]))
        if len(order) > SHOWN:
            lines.append(f"{len(order) - SHOWN} more; `arena board --json` shows all")
        return tuple(lines)

    def _heat_map(self, standings: Sequence[Standing]) -> Panel | None:
        if self._counts is None:
            return None
        if self._heat is None:
            payoff = Payoff.of(self._counts.counts()).played()
            order = [row.player for row in standings if row.player in payoff.players]
            if len(order) < 2:
                return None
            panel = heat_map_panel(payoff.ordered(order), self._width)
            self._heat = msgspec.structs.replace(panel, optional=self._metagame is None)
        return self._heat


def _account(account: Account) -> str:
    parts = [f"{account.matches:,} matches"]
    parts += [f"{n:,} {word}" for n, word in ((account.void, "void"), (account.truncated, "cut off")) if n]
    parts += [f"{account.forfeits:,} forfeits"] if account.forfeits else []
    parts += [f"{times:,} {category}" for category, times in sorted(account.faults.items())]
    return ", ".join(parts)


def _accusation(found: Deviation) -> str:
    return (
        f"  its results are not those of the others: {found.player} {found.score:+.2f} a match, p = {found.p:.1g} over "
        f"{found.matches:,} matches; `arena strike --worker {found.worker}` leaves them out"
    )


def _verdict(found: Deviation | None) -> dict[str, Any]:
    if found is None:
        return {"deviates": False, "p": None, "player": None, "score": None}
    return {"deviates": found.deviates, "p": found.p, "player": found.player, "score": found.score}
