"""Good answers of earlier steps, trained on again."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from arena.learner.config import ReplayConfig
from arena.learner.samples import TurnSample
from games.randomness import RandomStream, derive


class ReplayBuffer:
    """The newest `size` samples of the policy whose reward is above `above`."""

    def __init__(self, config: ReplayConfig, seed: int) -> None:
        self._config, self._seed = config, seed
        self._kept: deque[TurnSample] = deque(maxlen=config.size)

    def __len__(self) -> int:
        return len(self._kept)

    def draw(self, count: int, step: int) -> list[TurnSample]:
        """Different samples, `share` times `count` of them or as many as there are, marked as replayed.

        The choice depends on the seed and on `step`.
        """
        wanted = min(len(self._kept), round(self._config.share * count))
        order = RandomStream(derive(self._seed, "replay", step)).shuffled(range(len(self._kept)))
        return [replace(self._kept[i], replayed=True) for i in sorted(order[:wanted])]

    def add(self, samples: Sequence[TurnSample]) -> None:
        """Keep the good ones among new samples."""
        if self._config.share > 0:
            self._kept.extend(s for s in samples if s.reward > self._config.above and s.decided())

    def state_dict(self) -> list[dict[str, Any]]:
        """The samples as plain JSON, oldest first."""
        return [{k: v for k, v in asdict(s).items() if not k.startswith("_")} for s in self._kept]

    def load_state_dict(self, state: Sequence[Mapping[str, Any]]) -> None:
        """Restore the samples."""
        self._kept.clear()
        self._kept.extend(_sample(row) for row in state)


def _sample(row: Mapping[str, Any]) -> TurnSample:
    """A sample from JSON, whose lists become tuples again."""
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    if fields["allowed"] is not None:
        fields["allowed"] = tuple(None if each is None else tuple(each) for each in fields["allowed"])
    return TurnSample(**fields)
