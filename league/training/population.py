"""Who there is to play against: the live policy itself, its frozen snapshots and the fixed anchors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.randomness import Stream
from league.training.config import OpponentsConfig, SnapshotConfig
from league.training.opponents import Record, draw


class Snapshot(msgspec.Struct, frozen=True):
    """A frozen version of the live policy: a player of the league."""

    name: str
    step: int
    """training steps it has had"""
    version: int


class Population:
    """Snapshots, anchors, and how the live policy did against each of them in training.

    `anchors` maps each game to the anchors that can play it.
    """

    def __init__(self, opponents: OpponentsConfig, rule: SnapshotConfig, anchors: Mapping[str, Sequence[str]]) -> None:
        self._opponents, self._rule = opponents, rule
        self._anchors = {game: tuple(names) for game, names in anchors.items()}
        self.snapshots: list[Snapshot] = []
        self.candidate: Snapshot | None = None
        """frozen, and not admitted yet"""
        self._tried, self._games_before = -1, 0
        """step of the last candidate that was refused, and matches against the newest snapshot until then"""
        self._records: dict[tuple[str, str], Record] = {}

    def record(self, game: str, opponent: str) -> Record:
        """The live policy's record in a game against an opponent."""
        return self._records.setdefault((game, opponent), Record(self._opponents.decay))

    def opponent(self, game: str, stream: Stream, drawn: set[str]) -> str | None:
        """Whom to meet next, None for itself: a kind by its share, then one of the kind.

        A kind that has nobody (no snapshot yet, no anchor for the game) leaves its share to the others. `drawn` are
        the snapshots of this step so far; once they are `loaded` many, no further one comes in.
        """
        pool = self._pool()
        if len(drawn) >= self._opponents.loaded:
            pool = [s for s in pool if s.name in drawn]
        anchors = self._anchors.get(game, ())
        o = self._opponents
        shares = [o.self_play, o.snapshots if pool else 0.0, o.anchors if anchors else 0.0]
        kind = stream.weighted(shares) if sum(shares) > 0 else 0
        if kind == 0:
            return None
        if kind == 2:
            return stream.choice(anchors)
        rates = [self.record(game, s.name).rate for s in pool]
        name = draw([s.name for s in pool], rates, o.pfsp, stream)
        drawn.add(name)
        return name

    def _pool(self) -> list[Snapshot]:
        """The snapshots that are met: the newest `pool` of them and always the first."""
        if len(self.snapshots) <= self._opponents.pool:
            return self.snapshots
        return [self.snapshots[0], *self.snapshots[len(self.snapshots) - self._opponents.pool + 1 :]]

    def due(self, step: int) -> bool:
        """Whether the live policy after `step` steps should be frozen: by steps, or because it beats the newest."""
        if not self.snapshots:
            return True
        newest, rule = self.snapshots[-1], self._rule
        if step <= max(newest.step, self._tried):
            return False
        if rule.every and step % rule.every == 0:
            return True
        if rule.win_rate is None:
            return False
        records = self._against(newest)
        games = sum(r.seen for r in records)
        rate = sum(r.rate * r.seen for r in records) / games if games else 0.0
        return games - self._games_before >= rule.games and rate >= rule.win_rate

    def add(self, snapshot: Snapshot) -> None:
        """Take in a new snapshot."""
        self.snapshots.append(snapshot)
        self._games_before = 0

    def settle(self, accepted: bool) -> None:
        """Take in the candidate, or refuse it; the next one comes after as many steps or matches as the first."""
        candidate, self.candidate = self.candidate, None
        if candidate is None:
            raise ValueError("there is no candidate to decide on")
        if accepted:
            self.add(candidate)
        else:
            self._tried = candidate.step
            self._games_before = sum(r.seen for r in self._against(self.snapshots[-1]))

    def _against(self, snapshot: Snapshot) -> list[Record]:
        """The live policy's records against a snapshot, game by game."""
        return [r for (_, opponent), r in self._records.items() if opponent == snapshot.name]

    def state_dict(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        return {
            "snapshots": [msgspec.to_builtins(s) for s in self.snapshots],
            "records": [[*key, *record.state()] for key, record in self._records.items()],
            "candidate": None if self.candidate is None else msgspec.to_builtins(self.candidate),
            "refused": [self._tried, self._games_before],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` gave."""
        self.snapshots = [msgspec.convert(s, Snapshot) for s in state["snapshots"]]
        self.candidate = msgspec.convert(state.get("candidate"), Snapshot | None)
        self._tried, self._games_before = state.get("refused", (-1, 0))
        decay = self._opponents.decay
        self._records = {(game, name): Record.of(rest, decay) for game, name, *rest in state["records"]}
