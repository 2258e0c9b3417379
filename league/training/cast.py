"""Who plays the seats of a learner's matches: the learner itself, its partners, and the opponent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.players.by_role import WHOLE
from games import GameSpec
from league.config.learners import ResetConfig
from league.config.training import TrainingConfig
from league.records.game_info import GameInfo
from league.training.opponent_pool import Opponent
from league.training.participants.freezes import learns
from league.training.participants.learner_id import ONLY, LearnerId


@dataclass(frozen=True, slots=True)
class LearnerSettings:
    """What a learner is before it has weights: the training's settings with its own tables, its games and roles."""

    id: LearnerId
    config: TrainingConfig
    specs: Mapping[str, GameSpec]
    """its games by id"""
    roles: frozenset[str]
    """the roles that it plays"""
    reset: ResetConfig | None = None
    exploits: bool = False
    """whether it is an exploiter, which partners no other learner"""
    evaluated: bool = True

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

    config: TrainingConfig
    own: LearnerId = ONLY
    learners: Mapping[LearnerId, LearnerSettings] = field(default_factory=dict)
    """all learners, in the order of the file; {}: `own` is the only one"""
    trains: Callable[[LearnerId, str, int], bool] = _always
    """(learner, role, step) -> whether the phase of the step trains them"""

    def seats(self, spec: GameSpec, step: int) -> dict[str, str]:
        """Seat -> the live policy that plays it without an opponent, learning or frozen."""
        out = {}
        for seat, role in spec.seats.items():
            learner = self.player_of(role)
            trained = learns(self.config, spec.id, role, step) and self.trains(learner, role, step)
            out[seat] = learner.live if trained else learner.frozen
        return out

    def seats_against(self, spec: GameSpec, opponent: Opponent) -> dict[str, str]:
        """Seat -> the opponent, or the learner that plays the seat's role, frozen, if the opponent does not play it."""
        rival = None if opponent.learner is None else self.learners.get(opponent.learner)
        return {
            seat: opponent.name if rival is None or role in rival.roles else self.player_of(role).frozen
            for seat, role in spec.seats.items()
        }

    def player_of(self, role: str) -> LearnerId:
        """The learner that plays a role in this learner's matches: itself, or the first main that plays it."""
        if not self.learners or role in self.learners[self.own].roles:
            return self.own
        return next(id for id, learner in self.learners.items() if role in learner.roles and not learner.exploits)


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
