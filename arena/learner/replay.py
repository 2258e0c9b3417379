"""Answers of earlier steps, trained on again."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from typing import Any

from arena.learner.config import ReplayConfig
from arena.learner.samples import TurnSample
from games.randomness import RandomStream, derive
from roles.reward_kind import NeededKind

Task = tuple[str, ...]
"""(game, role, phase, task)"""


class ReplayBuffer:
    """The newest `size` samples of the policy that were right or won; or, by task, samples to compare with."""

    def __init__(self, config: ReplayConfig, seed: int) -> None:
        self._config, self._seed = config, seed
        self._kept: deque[TurnSample] = deque(maxlen=config.size)
        self._first: dict[Task, list[TurnSample]] = {}
        self._last: dict[Task, list[TurnSample]] = {}

    def __len__(self) -> int:
        return len(self._kept) + len(self._first) + len(self._last)

    @property
    def needs_kind(self) -> NeededKind | None:
        """The kind of reward that it needs."""
        return "verdict" if self.active and not self._temporal else None

    @property
    def active(self) -> bool:
        """Whether it keeps anything."""
        return self._config.share > 0 or self._temporal

    @property
    def _temporal(self) -> bool:
        return self._config.keep == "temporal"

    def draw(self, new: Sequence[TurnSample], step: int) -> list[TurnSample]:
        """Returns samples to train on beside the new ones, marked as replayed.

        newest: different samples, `share` times as many as new ones or as many as there are; the choice depends on the
        seed and on `step`. temporal: for each group of new samples those kept of its task, as members of the group.
        """
        if self._temporal:
            return self._compared(new)
        count = min(len(self._kept), round(self._config.share * len(new)))
        order = RandomStream(derive(self._seed, "replay", step)).shuffled(range(len(self._kept)))
        return [replace(self._kept[i], replayed=True) for i in sorted(order[:count])]

    def _compared(self, new: Sequence[TurnSample]) -> list[TurnSample]:
        out = []
        for group in dict.fromkeys(s.group for s in new):
            task = _task(group)
            for name, kept in (("first", self._first), ("last", self._last)):
                for sample in kept.get(task, ()):
                    out.append(replace(sample, group=group, trajectory=("replay", name), replayed=True))
        return out

    def add(self, samples: Sequence[TurnSample]) -> None:
        """Keep the good ones among new samples; or the worst one of a new task and the best one of each task."""
        decided = [s for s in samples if s.decided()]
        if not self._temporal:
            if self._config.share > 0:
                self._kept.extend(s for s in decided if s.score is not None and s.score > 0.5)
            return
        by_task: dict[Task, list[TurnSample]] = {}
        for sample in decided:
            if _task(sample.group):
                by_task.setdefault(_task(sample.group), []).append(sample)
        for task, answers in by_task.items():
            worst, best = (choose(answers, key=lambda s: s.reward) for choose in (min, max))
            self._first.setdefault(task, _turns(answers, worst))
            self._last.pop(task, None)  # so that the newest tasks are at the end
            self._last[task] = _turns(answers, best)
        for kept in (self._first, self._last):
            while len(kept) > self._config.size:
                del kept[next(iter(kept))]

    def state_dict(self) -> Any:
        """Returns the samples as plain JSON, oldest first; by task a dict of two such lists."""
        if self._temporal:
            return {"first": _rows(chain(*self._first.values())), "last": _rows(chain(*self._last.values()))}
        return _rows(self._kept)

    def load_state_dict(self, state: Any) -> None:
        """Restore the samples; a buffer of the other kind starts empty."""
        self._kept.clear()
        if isinstance(state, Mapping):
            self._first, self._last = {}, {}
            for kept, name in ((self._first, "first"), (self._last, "last")):
                for sample in map(_sample, state[name]):
                    kept.setdefault(_task(sample.group), []).append(sample)
        else:
            self._kept.extend(map(_sample, state))


def _task(group: tuple[str, ...]) -> Task:
    """Returns what a group, (game, role, phase, group, task), was asked, whatever its match; () if it is not known."""
    return (*group[:3], group[4]) if len(group) == 5 and group[4] else ()


def _turns(samples: Sequence[TurnSample], of: TurnSample) -> list[TurnSample]:
    """Returns the turns of the answer that a sample belongs to; a part of it has another probability than the whole."""
    return [s for s in samples if (s.trajectory, s.group) == (of.trajectory, of.group)]


def _rows(samples: Any) -> list[dict[str, Any]]:
    return [{k: v for k, v in asdict(s).items() if not k.startswith("_")} for s in samples]


def _sample(row: Mapping[str, Any]) -> TurnSample:
    """Returns a sample from JSON, whose lists become tuples again."""
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    if fields["allowed"] is not None:
        fields["allowed"] = tuple(None if each is None else tuple(each) for each in fields["allowed"])
    return TurnSample(**fields)
