"""The game under test: fresh copies of it, the matches played of it, the time left."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.conformance.play import Fault, OutOfTime, Trace, record
from games.conformance.report import Finding
from games.game import GameSpec, TextGame
from games.randomness import derive
from games.registry import make

if TYPE_CHECKING:
    from games.aec import TextGameEnv

MAX_DECISIONS = 4000
"""decisions of all matches together, so that long games do not take the time of many"""
MAX_FAULTS = 3


@dataclass
class Subject:
    """What every check is given."""

    fresh: Callable[[], TextGame]
    aec: Callable[[TextGame], TextGameEnv]
    episodes: int
    seed: int
    deadline: float
    spec: GameSpec = field(init=False)
    traces: list[Trace] = field(default_factory=list)
    faults: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.spec = self.fresh().spec

    @property
    def late(self) -> bool:
        """Whether the time is spent."""
        return time.monotonic() > self.deadline

    def seeds(self, label: str, n: int) -> Iterator[int]:
        """Up to `n` match seeds while there is time; the first comes always."""
        for i in range(n):
            if i and self.late:
                return
            yield derive(self.seed, label, i) >> 32

    def play_matches(self, share: float) -> None:
        """Play the matches that all checks look at, within a share of the time; faults go under their own check.

        Each match has a game of its own: what one leaves behind for the next is for the check `reset` alone.
        """
        until = time.monotonic() + share * (self.deadline - time.monotonic())
        decisions = 0
        for seed in self.seeds("match", self.episodes):
            if decisions > MAX_DECISIONS or (decisions and time.monotonic() > until):
                break
            try:
                trace = record(self.fresh(), seed, self.deadline)
            except Fault as fault:
                self.faults.append(Finding(fault.check, str(fault)))
                if len(self.faults) == MAX_FAULTS:
                    break
                continue
            except OutOfTime:
                break
            self.traces.append(trace)
            decisions += sum(map(len, trace.moves))

    def spread(self, n: int) -> list[tuple[Trace, int]]:
        """About `n` positions where somebody acts: first, last and between, of different matches."""
        chosen: dict[tuple[int, int], tuple[Trace, int]] = {}
        for i, trace in enumerate(self.traces[:n]):
            last = len(trace.moves) - 1
            for turn in {0, last, (i * 7919) % (last + 1)} if last >= 0 else ():
                chosen[trace.seed, turn] = (trace, turn)
        return list(chosen.values())[:n]


def source(game: str | TextGame | Callable[[], TextGame]) -> Callable[[], TextGame]:
    """How to get fresh copies of what `check_game` was given."""
    if isinstance(game, str):
        return lambda: make(game)
    if not isinstance(game, TextGame):
        return game
    try:
        return _copies(copy.deepcopy(game))
    except Exception:  # noqa: BLE001  C++ objects refuse to be copied in many ways
        return lambda: make(game.spec.id)


def _copies(pristine: TextGame) -> Callable[[], TextGame]:
    return lambda: copy.deepcopy(pristine)
