"""The tables of a training file that say whom the policy meets: opponents, anchors, snapshots."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from arena.settings import Settings
from league.config.tournament import GateConfig

PfspKind = Literal["variance", "linear", "linear-capped", "squared", "uniform"]
"""how the win rate against an opponent weights the chance to meet it: league.matchmaking.pfsp_weights"""


class OpponentsConfig(Settings):
    """Which opponents the live policy meets. `self`, `snapshots`, `anchors`, `live` and `nash` are relative shares."""

    self_play: float | None = Field(default=None, ge=0, alias="self")
    """Share of the matches against the live policy itself. Default: 1; in a game of strangers this share is instead
    against the first snapshots, which know no code that a policy agrees on with itself."""
    snapshots: float = Field(default=0.0, ge=0)
    """Share against snapshots: its own, and those of the policies in `of`."""
    anchors: float = Field(default=0.0, ge=0)
    """Share against the anchors."""
    live: float = Field(default=0.0, ge=0)
    """Share of the newest weights of the other policies in `of`; they do not learn from these matches.
    A policy that beats it in nine matches of ten meets its snapshots instead."""
    nash: float = Field(default=0.0, ge=0)
    """Share against players drawn from the Nash mix of the league: its snapshots and anchors by the mean returns of
    their rated matches (PSRO), computed again whenever a snapshot joins. All of them then play each other."""
    of: tuple[str, ...] = ()
    """The policies whose snapshots, and live weights, are met. Default: all; of a main-exploiter, the mains."""
    pfsp: PfspKind = "variance"
    """How win rates weight the choice of a snapshot: see league.matchmaking.pfsp_weights."""
    pool: int = Field(default=20, ge=1)
    """The number of snapshots of a policy that are met: the newest ones and the first."""
    loaded: int = Field(default=8, ge=1)
    """At most this many different snapshots are met in one step and kept in memory."""

    @model_validator(mode="after")
    def _some(self) -> OpponentsConfig:
        if (
            1.0 if self.self_play is None else self.self_play
        ) + self.snapshots + self.anchors + self.live + self.nash <= 0:
            raise ValueError("self, snapshots, anchors and nash are all 0; at least one share must be above 0")
        return self


class AnchorConfig(Settings):
    """A fixed player to measure against, and an opponent if the share `opponents.anchors` is above 0."""

    name: str = Field(min_length=1, max_length=64)
    """Its name on boards and in the store."""
    player: str
    """A player id, such as `random`, or a snapshot of another training in the same store."""


class SnapshotConfig(Settings):
    """When a snapshot of the live policy joins the league, and its rated matches."""

    every: int | None = Field(default=100, ge=1)
    """Steps between two snapshots. The last step of a training leaves one too."""
    matches: int = Field(default=20, ge=0)
    """Rated matches per seat against each anchor and each of the last `versus` snapshots; 0 rates no snapshot."""
    versus: int = Field(default=3, ge=0)
    """The number of previous snapshots in rated matches. With `opponents.nash`, all that `opponents.pool` keeps."""
    gate: GateConfig | None = None
    """A snapshot joins, as an opponent and in the ratings, only if a sequential test accepts it against the newest one.
    `gate = {}` uses the defaults, which look for 50 normalised Elo. Default: every snapshot joins."""
