"""Puts the policies of a training together: trainers, opponents, evaluation, promotion, resets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from arena.evaluation.probes import GameProbe
from arena.players import Player
from arena.players.by_role import WHOLE
from arena.runner import Runner
from league.store import Store
from league.training.cast import Cast, meets
from league.training.evaluate import PolicyEvaluator
from league.training.opponent_pool import OpponentPool
from league.training.participants.players import LivePlayer
from league.training.participants.policy_id import PolicyId
from league.training.plan import PolicyPlan, TrainingPlan
from league.training.policies.phases import PhaseSchedule
from league.training.policies.resets import ResetRule
from league.training.policies.trained_policies import TrainedPolicies
from league.training.policies.trained_policy import TrainedPolicy
from league.training.policy_trainer import PolicyTrainer
from league.training.promotion import Promotion
from league.training.rated_league import RatedLeague
from league.training.stored_runs import TrainingRuns


def open_policies(
    plan: TrainingPlan,
    trainers: Mapping[PolicyId, PolicyTrainer],
    anchors: Mapping[str, Sequence[Player]],
    league: RatedLeague,
    runner: Runner,
    store: Store,
    runs: TrainingRuns,
) -> TrainedPolicies:
    """Returns the policies of a training. `anchors` maps each game to the anchors that can play it."""
    names = {game: [anchor.name for anchor in able] for game, able in anchors.items()}
    pools, phases = opponent_pools(plan, names), PhaseSchedule(plan.phases, plan.repeat_phases)
    states, teams = [], set[tuple[PolicyId, ...]]()
    for id, policy in plan.policies.items():
        cast = cast_of(plan, policy, phases)
        team = tuple(cast.player_of(role).id for spec in policy.specs.values() for role in spec.seats.values())
        evaluated, rule = policy.evaluated and team not in teams, policy.snapshots.gate
        teams.add(team)
        able = {game: anchors[game] for game in policy.specs}
        states.append(
            TrainedPolicy(
                trainer=trainers[id],
                pool=pools[id],
                cast=cast,
                player=_team_player(cast, trainers),
                evaluator=PolicyEvaluator(plan, policy, able) if evaluated else None,
                probes=_probes(policy, plan.evaluation.probes if evaluated else 0),
                promotion=Promotion(plan, policy, rule, store, runs.gate, runner) if rule and runs.gate else None,
                reset=None if policy.reset is None else ResetRule(policy.reset, pools[id], list(policy.specs)),
            )
        )
    return TrainedPolicies(states, phases)


def _probes(policy: PolicyPlan, matches: int) -> list[GameProbe]:
    return [p for game in policy.specs if (p := GameProbe.of(game, matches)) is not None] if matches else []


def opponent_pools(plan: TrainingPlan, anchors: Mapping[str, Sequence[str]]) -> dict[PolicyId, OpponentPool]:
    """Returns the opponents of each policy. `anchors` maps each game to the names of the anchors that can play it."""
    pools = {
        id: OpponentPool(
            policy.opponents,
            policy.snapshots,
            {game: anchors.get(game, ()) for game in policy.specs},
            id,
            plan.players.of(replace(policy.ref, frozen=True, opponent=True)),
            [game for game, spec in policy.specs.items() if spec.strangers],
        )
        for id, policy in plan.policies.items()
    }
    for id, policy in plan.policies.items():
        others = [PolicyId(name) for name in policy.opponents.of] if id.name else [id]
        pools[id].rivals = {
            game: [pools[other] for other in others if meets(policy, plan.policies[other], spec, plan.partners)]
            for game, spec in policy.specs.items()
        }
    return pools


def cast_of(plan: TrainingPlan, policy: PolicyPlan, phases: PhaseSchedule) -> Cast:
    """Returns who plays the matches of a policy."""
    return Cast(plan, policy, lambda id, role, step: phases.trains(id.name, role))


def _team_player(cast: Cast, trainers: Mapping[PolicyId, PolicyTrainer]) -> Player:
    """Returns the live policy in all seats of its games; its partners play the roles that it does not."""
    policy, name = cast.policy, cast.plan.players.of(cast.policy.ref)
    played = {role: cast.player_of(role).id for spec in policy.specs.values() for role in spec.seats.values()}
    if set(played.values()) == {policy.id}:
        return trainers[policy.id].players()[name]
    parts = {}
    for role, id in played.items():
        models = trainers[id].models
        parts[role] = (models.get(role) or models[WHOLE]).player
    return LivePlayer(name, parts)
