"""The game under test: fresh copies, the matches played, the time left."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.conformance.play import OutOfTime, Trace, Violation, record
from games.conformance.report import Finding
from games.game import GameSpec, TextGame
from games.randomness import derive
from games.registry import make

if TYPE_CHECKING:
    from games.aec import TextGameEnv

MAX_DECISIONS = 4000
"""of all matches together; limits the time that long games take"""
MAX_VIOLATIONS = 3


@dataclass
class Subject:
    """The input of every check."""

    fresh: Callable[[], TextGame]
    aec: Callable[[TextGame], TextGameEnv]
    episodes: int
    seed: int
    deadline: float
    spec: GameSpec = field(init=False)
    traces: list[Trace] = field(default_factory=list)
    violations: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.spec = self.fresh().spec

    @property
    def late(self) -> bool:
        """Whether the time limit is reached."""
        return time.monotonic() > self.deadline

    def seeds(self, label: str, n: int) -> Iterator[int]:
        """Yields up to `n` match seeds until the time limit, at least one."""
        for i in range(n):
            if i and self.late:
                return
            yield derive(self.seed, label, i) >> 32

    def play_matches(self, share: float) -> None:
        """Play the matches that all checks use, within a share of the remaining time.

        Each match uses a fresh game: only the check `reset` looks for state that survives a match.
        """
        until = time.monotonic() + share * (self.deadline - time.monotonic())
        decisions = 0
        for seed in self.seeds("match", self.episodes):
            if decisions > MAX_DECISIONS or (decisions and time.monotonic() > until):
                break
            try:
                trace = record(self.fresh(), seed, self.deadline)
            except Violation as violation:
                self.violations.append(Finding(violation.check, str(violation)))
                if len(self.violations) == MAX_VIOLATIONS:
                    break
                continue
            except OutOfTime:
                break
            self.traces.append(trace)
            decisions += sum(map(len, trace.moves))

    def spread(self, n: int) -> list[tuple[Trace, int]]:
        """Returns about `n` positions with acting seats from different matches: first, last and in between."""
        chosen: dict[tuple[int, int], tuple[Trace, int]] = {}
        for i, trace in enumerate(self.traces[:n]):
            last = len(trace.moves) - 1
            for turn in {0, last, (i * 7919) % (last + 1)} if last >= 0 else ():
                chosen[trace.seed, turn] = (trace, turn)
        return list(chosen.values())[:n]


def source(game: str | TextGame | Callable[[], TextGame]) -> Callable[[], TextGame]:
    """Returns a function that makes fresh copies of the argument of `check_game`."""
    if isinstance(game, str):
        return lambda: make(game)
    if not isinstance(game, TextGame):
        return game
    try:
        return _copies(copy.deepcopy(game))
    except Exception:  # noqa: BLE001  C++ objects that cannot be copied raise many types of errors
        return lambda: make(game.spec.id)


def _copies(pristine: TextGame) -> Callable[[], TextGame]:
    return lambda: copy.deepcopy(pristine)
