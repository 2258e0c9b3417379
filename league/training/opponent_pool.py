"""The opponents of a policy: itself, snapshots, other policies and anchors. Decides which one it meets next."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from games import InputError
from games.randomness import RandomStream
from league.config.opponents import OpponentsConfig, SnapshotConfig
from league.matchmaking.pfsp_weights import Kind, weights
from league.records.player_ref import PlayerRef
from league.training.participants.policy_id import ONLY, PolicyId

_LIVE_ABOVE = 0.1
"""a policy is met live only if the win rate against it is above this; otherwise its snapshots are met"""


class Snapshot(msgspec.Struct, frozen=True):
    """A frozen version of a policy's policy, as checkpoints list it."""

    name: str
    step: int
    """training steps before it was frozen"""
    version: int
    policy: PolicyId = ONLY

    def ref(self, training: str) -> PlayerRef:
        """Returns its reference in a training."""
        return self.policy.snapshot(training, self.step)


class Opponent(msgspec.Struct, frozen=True):
    """An opponent that was sampled: an anchor, or a policy of a policy."""

    name: str
    """its name as a player"""
    policy: PolicyId | None = None
    """whose snapshot or live policy it is; None: an anchor"""
    step: int | None = None
    """the step of the snapshot; None: none"""


class OpponentPool:
    """The snapshots of a policy, and its record in training against each opponent.

    `anchors` maps each game to the anchors that can play it. `rivals` maps each game to the policies whose snapshots
    and live policies this policy meets in it; by default only itself. `live` names its policy as a live opponent.
    `strangers`: the games in which, without a share `self` in the file, the first snapshots are met in place of itself.
    """

    def __init__(
        self,
        opponents: OpponentsConfig,
        rule: SnapshotConfig,
        anchors: Mapping[str, Sequence[str]],
        policy: PolicyId = ONLY,
        live: str = "",
        strangers: Collection[str] = (),
    ) -> None:
        self._strangers = frozenset(strangers) if opponents.self_play is None else frozenset[str]()
        self._config, self._rule, self.policy, self.live = opponents, rule, policy, live
        self._anchors = {game: tuple(names) for game, names in anchors.items()}
        self.rivals: Mapping[str, Sequence[OpponentPool]] = {}
        self.snapshots: list[Snapshot] = []
        self.candidate: Snapshot | None = None
        """a snapshot that the promotion test has not decided on yet"""
        self._refused_step = -1
        """step of the last refused candidate"""
        self._records: dict[tuple[str, str], OpponentRecord] = {}
        self.mixes: dict[str, dict[str, float]] = {}
        """game -> the share of each player in the Nash mix; follows from the rated matches, so it is not saved"""

    def record(self, game: str, opponent: str) -> OpponentRecord:
        """Returns the live policy's record in a game against an opponent."""
        return self._records.setdefault((game, opponent), OpponentRecord())

    def sample(self, game: str, stream: RandomStream, sampled: set[str]) -> Opponent | None:
        """Returns the next opponent, None for self-play. Samples the kind by its share, then one of it.

        A kind without opponents (no snapshot yet, no anchor for the game) leaves its share to the others. `sampled`
        collects the snapshots of this step; once it holds `opponents.loaded` of them, no other snapshot is sampled.
        """
        c = self._config
        snapshots, anchors = self._eligible(self._pools(game), sampled), self._anchors.get(game, ())
        others = [rival for rival in self._pools(game) if rival is not self]
        shares = [
            1.0 if c.self_play is None else c.self_play,
            c.snapshots if snapshots else 0.0,
            c.anchors if anchors else 0.0,
        ]
        shares += [c.live if others else 0.0, c.nash if game in self.mixes else 0.0]
        kind = stream.weighted(shares) if sum(shares) > 0 else 0
        if kind == 0:
            return self._stranger(game, stream, sampled)
        if kind == 2:
            return Opponent(stream.choice(anchors))
        if kind == 4:
            return self._of_mix(game, stream, sampled)
        if kind == 3:
            rival = stream.choice(others)
            eligible = self._eligible([rival], sampled)
            if not eligible or self.record(game, rival.live).rate > _LIVE_ABOVE:
                return Opponent(rival.live, rival.policy)
            snapshots = eligible
        rates = [self.record(game, s.name).rate for s in snapshots]
        name = sample_by_rate([s.name for s in snapshots], rates, c.pfsp, stream)
        sampled.add(name)
        snapshot = next(s for s in snapshots if s.name == name)
        return Opponent(name, snapshot.policy, snapshot.step)

    def _stranger(self, game: str, stream: RandomStream, sampled: set[str]) -> Opponent | None:
        """Returns the first snapshot of a policy to meet in a game of strangers; None for self-play elsewhere."""
        first = [pool.snapshots[0] for pool in self._pools(game) if pool.snapshots] if game in self._strangers else []
        if not first:
            return None
        snapshot = stream.choice(first)
        sampled.add(snapshot.name)
        return Opponent(snapshot.name, snapshot.policy, snapshot.step)

    def members(self, game: str) -> list[str]:
        """Returns the players of a game between which the Nash mix is computed: anchors and snapshots."""
        return [*self._anchors.get(game, ()), *(s.name for s in first_and_newest(self.snapshots, self._config.pool))]

    def _of_mix(self, game: str, stream: RandomStream, sampled: set[str]) -> Opponent:
        """Returns a player of the Nash mix; once no more snapshots may be loaded, one that already plays."""
        mix, snapshots = self.mixes[game], {s.name: s for s in self.snapshots}
        loaded = {n: w for n, w in mix.items() if n in sampled or n not in snapshots}
        allowed = loaded if loaded and len(sampled) >= self._config.loaded else mix
        name = list(allowed)[stream.weighted(list(allowed.values()))]
        if name not in snapshots:
            return Opponent(name)
        sampled.add(name)
        return Opponent(name, snapshots[name].policy, snapshots[name].step)

    def targets(self, game: str) -> list[str]:
        """Returns the opponents that this policy must beat in a game: live policies, or else snapshots."""
        if self._config.live > 0:
            return [rival.live for rival in self._pools(game) if rival is not self]
        return [s.name for s in self._eligible(self._pools(game), set())]

    def _pools(self, game: str) -> Sequence[OpponentPool]:
        return self.rivals.get(game, ()) if self.rivals else (self,)

    def _eligible(self, pools: Sequence[OpponentPool], sampled: set[str]) -> list[Snapshot]:
        """Of each policy the first snapshot and the newest ones, `opponents.pool` in all, if they may be loaded."""
        eligible = [s for pool in pools for s in first_and_newest(pool.snapshots, self._config.pool)]
        return [s for s in eligible if s.name in sampled] if len(sampled) >= self._config.loaded else eligible

    def changed(self, step: int) -> bool:
        """Returns whether the policy after `step` steps is neither the newest snapshot nor a refused candidate."""
        return not self.snapshots or step > max(self.snapshots[-1].step, self._refused_step)

    def is_due(self, step: int) -> bool:
        """Returns whether a snapshot is due after `step` steps."""
        if not self.snapshots:
            return True
        return self.changed(step) and bool(self._rule.every) and step % (self._rule.every or 1) == 0

    def add(self, snapshot: Snapshot) -> None:
        """Add a snapshot as an opponent."""
        self.snapshots.append(snapshot)

    def decide(self, accepted: bool) -> None:
        """Add the candidate or refuse it. After a refusal, the next one needs as many steps as the first."""
        candidate, self.candidate = self.candidate, None
        if candidate is None:
            raise ValueError("there is no candidate to decide on")
        if accepted:
            self.add(candidate)
        else:
            self._refused_step = candidate.step

    def forget(self, opponent: str | None = None) -> None:
        """Drop the records against an opponent whose policy was replaced, or all because this policy was."""
        self._records = {key: r for key, r in self._records.items() if opponent is not None and key[1] != opponent}

    def state_dict(self) -> dict[str, Any]:
        """Returns the state as plain JSON."""
        return {
            "snapshots": [msgspec.to_builtins(s) for s in self.snapshots],
            "records": [[*key, *record.to_list()] for key, record in self._records.items()],
            "candidate": None if self.candidate is None else msgspec.to_builtins(self.candidate),
            "refused": self._refused_step,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        self.snapshots = [msgspec.convert(s, Snapshot) for s in state["snapshots"]]
        self.candidate = msgspec.convert(state.get("candidate"), Snapshot | None)
        for snapshot in (*self.snapshots, *filter(None, [self.candidate])):
            if "/" in snapshot.name or snapshot.name in ("", ".", ".."):  # it names a folder
                raise InputError(f"the checkpoint names a snapshot {snapshot.name!r:.80}; that is no name of a folder")
        self._refused_step = int(state["refused"])
        self._records = {(game, name): OpponentRecord.from_list(rest) for game, name, *rest in state["records"]}


def first_and_newest(snapshots: Sequence[Snapshot], count: int) -> Sequence[Snapshot]:
    """Returns the first snapshot and the newest ones, `count` in all."""
    if len(snapshots) <= count:
        return snapshots
    return [snapshots[0], *snapshots[len(snapshots) - count + 1 :]]


def sample_by_rate(names: Sequence[str], rates: Sequence[float], kind: Kind, stream: RandomStream) -> str:
    """Returns one opponent, sampled by PFSP from the live policy's win rates against all of them."""
    return names[stream.weighted(weights(rates, kind).tolist())]


_DECAY = 0.99
"""of the average, per match"""


class OpponentRecord:
    """The live policy's recent results against one opponent: an exponential average over matches.

    The average covers about the last 100 matches. The rate starts at 0.5.
    """

    __slots__ = ("games", "matches", "points")

    def __init__(self) -> None:
        self.points = 0.0
        """decayed sum of results: 1 for a win, 0.5 for a draw"""
        self.games = 0.0
        """decayed number of matches"""
        self.matches = 0
        """number of matches, not decayed"""

    def add(self, result: float) -> None:
        """Count a match: 1 if the live policy won, 0.5 for a draw, 0 if it lost."""
        self.points = _DECAY * self.points + result
        self.games = _DECAY * self.games + 1.0
        self.matches += 1

    @property
    def rate(self) -> float:
        """The live policy's win rate in (0, 1). The prior is one match, half won and half lost."""
        return (self.points + 0.5) / (self.games + 1.0)

    def to_list(self) -> list[float]:
        """Points, games and matches seen, as plain JSON."""
        return [self.points, self.games, self.matches]

    @classmethod
    def from_list(cls, state: Sequence[float]) -> OpponentRecord:
        """Restore what `to_list` returned."""
        record = cls()
        record.points, record.games, record.matches = float(state[0]), float(state[1]), int(state[2])
        return record
