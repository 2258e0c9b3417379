"""The learners of a training by name, and the names under which their policies play.

A training file without `[[learners]]` has one learner without a name, whose policy plays as `live`. The policy of a
learner `main` plays as `live.main`. Behind that name stands how it takes part in a match.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from league.records.player_ref import PlayerRef

LIVE = "live"
"""the policy of the only learner in seats whose role learns; in a group the copies are `live#1`, `live#2`, ..."""
FROZEN = "live.frozen"
"""the same policy in seats whose role is frozen"""


class LearnerId(msgspec.Struct, frozen=True):
    """A learner of a training. "" is the only one of a file without `[[learners]]`."""

    name: str = ""

    @property
    def live(self) -> str:
        """The name of its policy where it learns from the match."""
        return f"{LIVE}.{self.name}" if self.name else LIVE

    @property
    def frozen(self) -> str:
        """The name of its policy where it plays as in `live` but does not learn."""
        return f"{self.live}.frozen"

    @property
    def opponent(self) -> str:
        """The name of its policy where it is the opponent of another learner, and does not learn."""
        return f"{self.live}.opponent"

    def learning(self, group: int) -> list[str]:
        """The names under which it learns, one per copy of a match."""
        return [copy_name(self.live, copy) for copy in range(group)]

    def is_own(self, player: str) -> bool:
        """Whether a player of a match is this learner, learning or frozen, in a match of its own or of a partner."""
        return base_name(player) in (self.live, self.frozen)

    def labelled(self, metrics: Mapping[str, float]) -> dict[str, float]:
        """Metrics with the learner's name behind the name of the metric: `reward/main/GAME/ROLE`, `entropy/main`."""
        return {self._key(key): value for key, value in metrics.items()} if self.name else dict(metrics)

    def _key(self, key: str) -> str:
        parts = key.split("/")
        place = 2 if parts[0] == "probe" else 1
        return "/".join([*parts[:place], self.name, *parts[place:]])

    def grouped(self, policy: str, name: str) -> str:
        """The name of a policy's tensor group in a checkpoint, such as `LEARNER.ROLE.weights`."""
        return ".".join([*filter(None, (self.name, policy)), name])

    def prefixed(self, name: str) -> str:
        """The name of something of the training that each learner has, such as NAME.LEARNER for a training NAME."""
        return f"{name}.{self.name}" if self.name else name

    def snapshot(self, training: str, step: int) -> PlayerRef:
        """The reference of its snapshot after so many steps of a training."""
        return PlayerRef(self.prefixed(training), frozen=True, step=step)


ONLY = LearnerId()
"""the learner of a training file without `[[learners]]`"""


def copy_name(base: str, copy: int) -> str:
    """The name of one copy of a live policy. Copies use different random numbers on the same seed."""
    return f"{base}#{copy}" if copy else base


def base_name(name: str) -> str:
    """A player's name without its copy number."""
    return name.partition("#")[0]


def is_live(player: str) -> bool:
    """Whether a player is the live policy of a learner, in whatever way."""
    base = base_name(player)
    return base == LIVE or base.startswith(f"{LIVE}.")


def is_rival(player: str) -> bool:
    """Whether a player is an opponent in its match: neither the learner whose match it is nor a partner of it."""
    base = base_name(player)
    return not is_live(player) or (base.startswith(f"{LIVE}.") and base.endswith(".opponent"))
