"""A training on the board: counts, ratings, curves, the gate's test."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.runner import Plays
from league.board import Board, Panel, Progress
from league.board.state import Status
from league.crews import cluster_panels
from league.standings import MatchCounts
from league.training.config import TrainingConfig
from league.training.panels import History
from league.training.promotion import Promotion
from league.training.rated import RatedLeague

REFRESH = 0.25
"""seconds between two looks at the training"""
PACE = 50
"""newest steps that the remaining time is estimated from"""


class Display:
    """Looks at a training and tells the board. `matches`: how many are planned by now, and by the end."""

    def __init__(
        self,
        config: TrainingConfig,
        board: Board,
        league: RatedLeague,
        promotion: Promotion | None,
        runner: Plays,
        matches: Callable[[], tuple[int, int]],
    ) -> None:
        self._config, self._board, self._league = config, board, league
        self._promotion, self._runner, self._matches = promotion, runner, matches
        self._timing: Mapping[str, float] = {}
        self._seconds: deque[float] = deque(maxlen=PACE)
        self._written = 0.0
        """tokens of the live policy, since this process began"""

    def begin(self, rows: Sequence[dict[str, Any]]) -> None:
        """With the rows of metrics.jsonl that there are."""
        # Matches end in bursts, one for each step: only their mean rate over many steps says anything.
        self._progress = Progress(self._config.name, window=math.inf)
        self._history = History(rows, self._league.games)

    def add(self, step: int, figures: Mapping[str, float], timing: Mapping[str, float]) -> None:
        """A step was taken."""
        self._written += figures.get("answers", 0) * figures.get("length", 0.0)
        self._timing = timing
        self._seconds.append(timing["seconds"])
        self._history.add({"step": step, **figures})

    def newest(self) -> dict[str, float]:
        """The newest value of every figure."""
        return {key: values[-1] for key, values in self._history.columns().items()}

    def update(self, status: Status) -> None:
        """Show how things are."""
        matches, total = self._matches()
        counts = MatchCounts(matches, matches, 0, self._runner.in_flight, total)
        panels = self._history.panels(self._config.steps, self._config.alarms, self._timing)
        panels += cluster_panels(self._runner)
        if self._promotion is not None and self._promotion.test is not None:
            panels += (Panel("promotion", (self._promotion.test.told(), *self._promotion.test.lines())),)
        state = self._progress.state(
            self._league.standings(counts),
            status=status,
            panels=panels,
            tokens=round(self._written),
            to_go=self._to_go(),
        )
        self._board.update(state)

    def _to_go(self) -> float | None:
        """Seconds to the last step at the pace of the newest ones, evaluations included; None before two steps."""
        if len(self._seconds) < 2:
            return None
        return (self._config.steps - self._history.step) * sum(self._seconds) / len(self._seconds)

    async def refresh(self, status: Callable[[], Status]) -> None:
        """Until it is cancelled."""
        while True:
            self.update(status())
            await asyncio.sleep(REFRESH)
