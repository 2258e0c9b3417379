"""The matches of one step: which wait for a slot, and which have ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from arena.match import Episode, MatchPlan
from arena.runner.packing import PackedEpisode, PackedMatch
from arena.runner.retries import RetryQueue
from games.errors import RunPaused
from league.records.matches import PlannedMatch
from league.training.policy_trainer import Published


@dataclass(eq=False)
class RolloutBatch:
    """The matches of one step and the weights that the live policies play them with. Make it in an event loop."""

    step: int
    planned: Sequence[PlannedMatch]
    weights: Published | None
    """None: the trainer's own weights, or the newest (`in_flight`)"""
    temperature: float | None = None
    """at which the policies sample; None: their own"""
    episodes: asyncio.Future[list[Episode]] = field(init=False)
    """in plan order, once all have ended"""

    def __post_init__(self) -> None:
        self.episodes = asyncio.get_running_loop().create_future()
        self.plans = {each.match.id: each.match for each in self.planned}
        self._waiting = list(reversed(self.plans.values()))
        self._retries, self._reasons = RetryQueue(), set[str]()
        self._ended: dict[str, Episode | PackedMatch] = {}
        self._stored: set[str] = set()

    @property
    def complete(self) -> bool:
        """Whether every match has ended."""
        return len(self._ended) == len(self.plans)

    def joins(self, other: RolloutBatch) -> bool:
        """Returns whether its matches may be played beside those of another batch."""
        return self.weights is other.weights and self.temperature == other.temperature

    def take(self, room: int) -> list[MatchPlan]:
        """Remove and return at most `room` matches to play, interrupted ones first."""
        taken = self._retries.take(room)
        return taken + [self._waiting.pop() for _ in range(min(room - len(taken), len(self._waiting)))]

    def add(self, match: Episode | PackedMatch, log: Callable[[str], None]) -> None:
        """Keep a match that ended. A void one waits to be played again as long as it has attempts; logs why."""
        if match.status != "void" or not self._retries.add(self.plans[match.match]):
            self._ended[match.match] = match
        elif match.reason not in self._reasons:  # once per step, not once for each of hundreds of matches
            self._reasons.add(match.reason)
            log(f"{match.match} is played again: {match.reason}")

    def restore(self, episodes: Sequence[Episode], stored: Collection[PlannedMatch]) -> None:
        """Keep the episodes of matches that ended before a resume; the store holds those of `stored`."""
        self._ended |= {episode.match: episode for episode in episodes}
        self._stored |= {each.match.id for each in stored}
        self._waiting = [plan for plan in self._waiting if plan.id not in self._ended]

    def played(self) -> list[Episode]:
        """Returns the episodes so far, in plan order."""
        ended = [self._ended[id] for id in self.plans if id in self._ended]
        return [each.kept if isinstance(each, PackedMatch) else each for each in ended]

    def unstored(self) -> list[tuple[PlannedMatch, Episode | PackedEpisode]]:
        """Returns the matches that ended and that the store does not hold, as they were packed, in plan order."""
        fresh = [(each, self._ended[each.match.id]) for each in self.planned if each.match.id not in self._stored]
        return [(planned, each.packed if isinstance(each, PackedMatch) else each) for planned, each in fresh]

    def end(self, log: Callable[[str], None]) -> None:
        """Hand the episodes over and log how many are void. If all are, whoever waits for them raises RunPaused."""
        episodes, step = self.played(), self.step + 1
        self.weights = None
        void = [e for e in episodes if e.status == "void"]
        if void and len(void) == len(episodes):
            pause = RunPaused(
                f"all {len(void)} matches of step {step} are void: {void[0].reason}; fix the cause and run the same "
                "command again"
            )
            self.episodes.set_exception(pause)
            return
        if void:
            log(f"{len(void)} of the {len(episodes)} matches of step {step} are void: {void[0].reason}")
        self.episodes.set_result(episodes)
