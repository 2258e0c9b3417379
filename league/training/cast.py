"""Who plays the seats of a learner's matches: the learner itself, its partners, and the opponent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from arena.players.by_role import WHOLE
from games import GameSpec
from league.config.learners import ResetConfig
from league.config.training import TrainingConfig
from league.records.game_info import GameInfo
from league.records.player_ref import PlayerRef
from league.training.opponent_pool import Opponent
from league.training.participants.freezes import learns
from league.training.participants.learner_id import LearnerId
from league.training.participants.player_names import PlayerNames


@dataclass(frozen=True, slots=True)
class LearnerSettings:
    """What a learner is before it has weights: the training's settings with its own tables, its games and roles."""

    id: LearnerId
    config: TrainingConfig
    specs: Mapping[str, GameSpec]
    """its games by id"""
    roles: frozenset[str]
    """the roles that it plays"""
    names: PlayerNames
    """the names of all learners as players"""
    reset: ResetConfig | None = None
    exploits: bool = False
    """whether it is an exploiter, which partners no other learner"""
    evaluated: bool = True

    @property
    def ref(self) -> PlayerRef:
        """What stands behind the players of its policy, as the first copy that learns."""
        return PlayerRef(self.id.prefixed(self.config.name))

    @property
    def policies(self) -> tuple[str, ...]:
        """The keys of its policies: its roles, or WHOLE alone."""
        played = {role for spec in self.specs.values() for role in spec.seats.values() if role in self.roles}
        return tuple(sorted(played)) if self.config.policy.per_role else (WHOLE,)

    def plays(self, spec: GameSpec) -> bool:
        """Whether it plays a seat of a game."""
        return spec.id in self.specs and not self.roles.isdisjoint(spec.seats.values())


def _always(learner: LearnerId, role: str, step: int) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays the matches of the learner `own`. Seats of roles that it does not play are played by its partners."""

    own: LearnerSettings
    learners: Mapping[LearnerId, LearnerSettings]
    """all learners, in the order of the file"""
    trains: Callable[[LearnerId, str, int], bool] = _always
    """(learner, role, step) -> whether the phase of the step trains them"""

    def seats(self, spec: GameSpec, step: int) -> dict[str, PlayerRef]:
        """Seat -> the live policy that plays it without an opponent, learning or frozen."""
        return {seat: self._live(spec, role, step) for seat, role in spec.seats.items()}

    def _live(self, spec: GameSpec, role: str, step: int) -> PlayerRef:
        learner = self.player_of(role)
        trained = learns(self.own.config, spec.id, role, step) and self.trains(learner.id, role, step)
        return replace(learner.ref, frozen=not trained)

    def seats_against(self, spec: GameSpec, opponent: Opponent) -> dict[str, str]:
        """Seat -> the opponent, or the learner that plays the seat's role, frozen, if the opponent does not play it."""
        rival = None if opponent.learner is None else self.learners.get(opponent.learner)
        return {
            seat: opponent.name
            if rival is None or role in rival.roles
            else self.own.names.of(replace(self.player_of(role).ref, frozen=True))
            for seat, role in spec.seats.items()
        }

    def player_of(self, role: str) -> LearnerSettings:
        """The learner that plays a role in this learner's matches: itself, or the first main that plays it."""
        if role in self.own.roles:
            return self.own
        return next(each for each in self.learners.values() if role in each.roles and not each.exploits)


def sides_of(spec: GameSpec, config: TrainingConfig) -> Sequence[tuple[str, ...]]:
    """The seats that are given together. In a game of one team another player is a partner, in every other seat; in a
    game of strangers the opponent also takes the seats beside the first one of a team.
    """
    sides = GameInfo.of(spec).taken
    return [(seat,) for seat in sides[0]] if len(sides) == 1 and config.partners is not False else sides


def meets(learner: LearnerSettings, other: LearnerSettings, spec: GameSpec) -> bool:
    """Whether another learner can play a seat of a game on another side than a learner, or beside it in a team."""
    if not learner.plays(spec) or not other.plays(spec):
        return False
    own, rival = (_sides(each, spec) for each in (learner, other))
    return any(a != b for a in own for b in rival)


def _sides(learner: LearnerSettings, spec: GameSpec) -> list[tuple[str, ...]]:
    return [side for side in sides_of(spec, learner.config) if any(spec.seats[seat] in learner.roles for seat in side)]


def uncovered(learner: LearnerSettings, all: Sequence[LearnerSettings]) -> str:
    """A role of a learner's games that neither it nor a main plays; "" if there is none."""
    mains = frozenset[str]().union(*(each.roles for each in all if not each.exploits))
    played = [role for spec in learner.specs.values() for role in spec.seats.values()]
    return next((role for role in played if role not in learner.roles and role not in mains), "")
