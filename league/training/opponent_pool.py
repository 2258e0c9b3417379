"""The opponents of the live policy: itself, its snapshots and the anchors. Decides which one it meets next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.randomness import RandomStream
from league.config.training import OpponentsConfig, SnapshotConfig
from league.matchmaking.pfsp_weights import Kind, weights


class Snapshot(msgspec.Struct, frozen=True):
    """A frozen version of the live policy, as checkpoints list it."""

    name: str
    step: int
    """training steps before it was frozen"""
    version: int


class OpponentRecord:
    """The live policy's recent results against one opponent: an exponential average over matches.

    `decay` is per match: with 0.99 the average covers about the last 100 matches. The rate starts at 0.5.
    """

    __slots__ = ("decay", "games", "points", "seen")

    def __init__(self, decay: float = 0.99) -> None:
        self.decay = decay
        self.points = 0.0
        """decayed sum of results: 1 for a win, 0.5 for a draw"""
        self.games = 0.0
        """decayed number of matches"""
        self.seen = 0
        """number of matches, not decayed"""

    def add(self, result: float) -> None:
        """Count a match: 1 if the live policy won, 0.5 for a draw, 0 if it lost."""
        self.points = self.decay * self.points + result
        self.games = self.decay * self.games + 1.0
        self.seen += 1

    @property
    def rate(self) -> float:
        """The live policy's win rate in (0, 1). The prior is one match, half won and half lost."""
        return (self.points + 0.5) / (self.games + 1.0)

    def to_list(self) -> list[float]:
        """Points, games and matches seen, as plain JSON."""
        return [self.points, self.games, self.seen]

    @classmethod
    def from_list(cls, state: Sequence[float], decay: float = 0.99) -> OpponentRecord:
        """Restore what `to_list` returned."""
        record = cls(decay)
        record.points, record.games, record.seen = float(state[0]), float(state[1]), int(state[2])
        return record


class OpponentPool:
    """Snapshots and anchors, with the live policy's record against each of them in training.

    `anchors` maps each game to the anchors that can play it.
    """

    def __init__(self, opponents: OpponentsConfig, rule: SnapshotConfig, anchors: Mapping[str, Sequence[str]]) -> None:
        self._config, self._rule = opponents, rule
        self._anchors = {game: tuple(names) for game, names in anchors.items()}
        self.snapshots: list[Snapshot] = []
        self.candidate: Snapshot | None = None
        """a snapshot that the promotion test has not decided on yet"""
        self._refused_step, self._games_before = -1, 0
        """step of the last refused candidate, and matches against the newest snapshot before that refusal"""
        self._records: dict[tuple[str, str], OpponentRecord] = {}

    def record(self, game: str, opponent: str) -> OpponentRecord:
        """The live policy's record in a game against an opponent."""
        return self._records.setdefault((game, opponent), OpponentRecord(self._config.decay))

    def sample(self, game: str, stream: RandomStream, sampled: set[str]) -> str | None:
        """The next opponent, or None for self-play. First samples the kind by its share, then one opponent of it.

        A kind without opponents (no snapshot yet, no anchor for the game) leaves its share to the others. `sampled`
        collects the snapshots of this step; once it holds `opponents.loaded` of them, no other snapshot is sampled.
        """
        snapshots = self._eligible_snapshots()
        if len(sampled) >= self._config.loaded:
            snapshots = [s for s in snapshots if s.name in sampled]
        anchors = self._anchors.get(game, ())
        c = self._config
        shares = [c.self_play, c.snapshots if snapshots else 0.0, c.anchors if anchors else 0.0]
        kind = stream.weighted(shares) if sum(shares) > 0 else 0
        if kind == 0:
            return None
        if kind == 2:
            return stream.choice(anchors)
        rates = [self.record(game, s.name).rate for s in snapshots]
        name = sample_by_rate([s.name for s in snapshots], rates, c.pfsp, stream)
        sampled.add(name)
        return name

    def _eligible_snapshots(self) -> list[Snapshot]:
        """The first snapshot and the newest ones, `opponents.pool` in all."""
        if len(self.snapshots) <= self._config.pool:
            return self.snapshots
        return [self.snapshots[0], *self.snapshots[len(self.snapshots) - self._config.pool + 1 :]]

    def due(self, step: int) -> bool:
        """Whether a snapshot is due after `step` steps: by `every`, or because the policy beats the newest one."""
        if not self.snapshots:
            return True
        newest, rule = self.snapshots[-1], self._rule
        if step <= max(newest.step, self._refused_step):
            return False
        if rule.every and step % rule.every == 0:
            return True
        if rule.win_rate is None:
            return False
        records = self._records_against(newest)
        games = sum(r.seen for r in records)
        rate = sum(r.rate * r.seen for r in records) / games if games else 0.0
        return games - self._games_before >= rule.games and rate >= rule.win_rate

    def add(self, snapshot: Snapshot) -> None:
        """Add a snapshot as an opponent."""
        self.snapshots.append(snapshot)
        self._games_before = 0

    def decide(self, accepted: bool) -> None:
        """Add the candidate or refuse it. After a refusal, the next one needs as many steps or matches as the first."""
        candidate, self.candidate = self.candidate, None
        if candidate is None:
            raise ValueError("there is no candidate to decide on")
        if accepted:
            self.add(candidate)
        else:
            self._refused_step = candidate.step
            self._games_before = sum(r.seen for r in self._records_against(self.snapshots[-1]))

    def _records_against(self, snapshot: Snapshot) -> list[OpponentRecord]:
        """The live policy's records against a snapshot, one per game."""
        return [r for (_, opponent), r in self._records.items() if opponent == snapshot.name]

    def state_dict(self) -> dict[str, Any]:
        """The state as plain JSON."""
        return {
            "snapshots": [msgspec.to_builtins(s) for s in self.snapshots],
            "records": [[*key, *record.to_list()] for key, record in self._records.items()],
            "candidate": None if self.candidate is None else msgspec.to_builtins(self.candidate),
            "refused": [self._refused_step, self._games_before],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        self.snapshots = [msgspec.convert(s, Snapshot) for s in state["snapshots"]]
        self.candidate = msgspec.convert(state.get("candidate"), Snapshot | None)
        self._refused_step, self._games_before = state.get("refused", (-1, 0))
        decay = self._config.decay
        self._records = {(game, name): OpponentRecord.from_list(rest, decay) for game, name, *rest in state["records"]}


def sample_by_rate(names: Sequence[str], rates: Sequence[float], kind: Kind, stream: RandomStream) -> str:
    """One opponent, sampled by PFSP from the live policy's win rates against all of them."""
    return names[stream.weighted(weights(rates, kind).tolist())]
