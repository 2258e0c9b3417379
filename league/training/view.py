"""A training on the board: match counts, ratings, curves and the promotion test."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from league.board import Board, Panel, Progress
from league.board.state import Status
from league.records.leaderboard import MatchCounts
from league.tournament.backends import cluster_panels
from league.training.plan import TrainingPlan
from league.training.promotion import Promotion
from league.training.rated_league import RatedLeague
from league.training.rollouts import Rollouts
from league.views.training_panels import MetricsHistory, alarms

REFRESH = 0.25
"""seconds between two updates of the board"""
PACE = 50
"""number of newest steps from which the remaining time is estimated"""


class TrainingView:
    """Collects a training's state and updates the board.

    `matches` returns the number of training matches planned so far, and by the end. `rows` are those of metrics.jsonl.
    `activity` returns what takes time between matches, such as an evaluation.
    """

    def __init__(
        self,
        plan: TrainingPlan,
        board: Board,
        league: RatedLeague,
        promotions: Sequence[Promotion],
        rollouts: Rollouts,
        matches: Callable[[], tuple[int, int]],
        rows: Sequence[Mapping[str, Any]],
        activity: Callable[[], str] = lambda: "",
    ) -> None:
        self._plan, self._board, self._league = plan, board, league
        self._promotions, self._rollouts, self._matches = promotions, rollouts, matches
        self._activity = activity
        self._timing: Mapping[str, float] = {}
        self._seconds: deque[float] = deque(maxlen=PACE)
        self._tokens = 0.0
        """tokens the live policy wrote since this process started"""
        # Matches end in bursts, one per step, so only their mean rate over many steps is meaningful.
        self._progress = Progress(plan.name, window=math.inf)
        self._history = MetricsHistory(rows, league.games)

    def add(self, step: int, metrics: Mapping[str, float], timing: Mapping[str, float]) -> None:
        """Add a finished step."""
        self._tokens += metrics.get("answers", 0) * metrics.get("length", 0.0)
        self._timing = timing
        self._seconds.append(timing["seconds"])
        self._history.add({"step": step, **metrics})

    def alarms(self) -> list[str]:
        """Returns what is wrong at the newest step, one line for each problem with its cause."""
        return alarms(self._history)

    def newest(self) -> dict[str, float]:
        """Returns the newest value of every metric."""
        return {key: values[-1] for key, values in self._history.columns().items()}

    def update(self, status: Status) -> None:
        """Update the board."""
        matches, total = self._matches()
        playing = sum(runner.in_flight for runner in {self._rollouts.runner, self._rollouts.rated})
        counts = MatchCounts(matches, matches, 0, playing, total)
        panels = self._history.panels(self._plan.steps, self._timing)
        panels += cluster_panels(self._rollouts.runner)
        tests = [promotion.test for promotion in self._promotions if promotion.test is not None]
        panels += tuple(Panel("promotion", (test.progress(), *test.lines())) for test in tests)
        state = self._progress.state(
            self._league.standings(counts),
            status=status,
            panels=panels,
            tokens=round(self._tokens),
            to_go=self._remaining_seconds(),
            activity=self._activity(),
        )
        self._board.update(state)

    def _remaining_seconds(self) -> float | None:
        """Seconds to the last step at the pace of the newest ones, evaluations included; None before two steps."""
        if len(self._seconds) < 2:
            return None
        return (self._plan.steps - self._history.step) * sum(self._seconds) / len(self._seconds)

    async def refresh(self, status: Callable[[], Status]) -> None:
        """Update the board at intervals until the task is cancelled."""
        while True:
            self.update(status())
            await asyncio.sleep(REFRESH)
