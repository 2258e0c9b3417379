"""Who plays the seats of a policy's matches: the policy itself, its partners, and the opponent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from games import GameSpec
from league.records.game_info import GameInfo
from league.records.player_ref import PlayerRef
from league.training.opponent_pool import Opponent
from league.training.participants.policy_id import PolicyId
from league.training.plan import PolicyPlan, TrainingPlan


def _always(policy: PolicyId, role: str, step: int) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays the matches of a policy. Seats of roles that it does not play are played by its partners."""

    plan: TrainingPlan
    policy: PolicyPlan
    trains: Callable[[PolicyId, str, int], bool] = _always
    """(policy, role, step) -> whether the phase of the step trains them"""

    def seats(self, spec: GameSpec, step: int) -> dict[str, PlayerRef]:
        """Returns seat -> the live policy that plays it without an opponent, learning or frozen."""
        return {seat: self._live(role, step) for seat, role in spec.seats.items()}

    def _live(self, role: str, step: int) -> PlayerRef:
        policy = self.player_of(role)
        return replace(policy.ref, frozen=not self.trains(policy.id, role, step))

    def seats_against(self, spec: GameSpec, opponent: Opponent) -> dict[str, str]:
        """Returns seat -> the opponent, or where it does not play the role, the policy that does, frozen."""
        rival = None if opponent.policy is None else self.plan.policies.get(opponent.policy)
        return {
            seat: opponent.name
            if rival is None or role in rival.roles
            else self.plan.players.of(replace(self.player_of(role).ref, frozen=True))
            for seat, role in spec.seats.items()
        }

    def player_of(self, role: str) -> PolicyPlan:
        """Returns the policy that plays a role in these matches: this one, or the first main that plays the role."""
        if role in self.policy.roles:
            return self.policy
        return next(each for each in self.plan.policies.values() if role in each.roles and not each.exploits)


def sides_of(spec: GameSpec, partners: bool) -> Sequence[tuple[str, ...]]:
    """Returns the seats that are given together.

    In a game of one team another player is a partner (if `partners`), in every other seat; in a game of strangers the
    opponent also takes the seats beside the first one of a team.
    """
    sides = GameInfo.of(spec).taken
    return [(seat,) for seat in sides[0]] if len(sides) == 1 and partners else sides


def meets(policy: PolicyPlan, other: PolicyPlan, spec: GameSpec, partners: bool) -> bool:
    """Returns whether `other` can play a seat of a game on another side than a policy, or beside it in a team."""
    if not policy.plays(spec) or not other.plays(spec):
        return False
    sides, others = (_sides(each, spec, partners) for each in (policy, other))
    return any(a != b for a in sides for b in others)


def _sides(policy: PolicyPlan, spec: GameSpec, partners: bool) -> list[tuple[str, ...]]:
    return [side for side in sides_of(spec, partners) if any(spec.seats[seat] in policy.roles for seat in side)]


def uncovered(policy: PolicyPlan, all: Sequence[PolicyPlan]) -> str:
    """Returns a role of a policy's games that neither it nor a main plays; "" if there is none."""
    mains = frozenset[str]().union(*(each.roles for each in all if not each.exploits))
    played = [role for spec in policy.specs.values() for role in spec.seats.values()]
    return next((role for role in played if role not in policy.roles and role not in mains), "")
