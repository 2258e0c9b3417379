"""Puts the learners of a training together: settings, trainers, opponents, evaluation, promotion, resets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from arena.evaluation.probes import GameProbe
from arena.players import Player
from arena.players.by_role import WHOLE
from arena.runner import Runner
from league.config.training import TrainingConfig
from league.store import Store
from league.training.cast import Cast, LearnerSettings, meets
from league.training.evaluate import PolicyEvaluator
from league.training.learner import Learner
from league.training.learners.learner_state import LearnerState
from league.training.learners.learners import Learners
from league.training.learners.phases import PhaseSchedule
from league.training.learners.resets import ResetRule
from league.training.opponent_pool import OpponentPool
from league.training.participants.learner_id import LearnerId
from league.training.participants.players import LivePlayer
from league.training.promotion import Promotion
from league.training.rated_league import ExpectedReturns, RatedLeague
from league.training.stored_runs import TrainingRuns


def open_learners(
    config: TrainingConfig,
    trainers: Mapping[LearnerId, Learner],
    settings: Mapping[LearnerId, LearnerSettings],
    anchors: Mapping[str, Sequence[Player]],
    league: RatedLeague,
    runner: Runner,
    store: Store,
    runs: TrainingRuns,
) -> Learners:
    """The learners of a training. `anchors` maps each game to the anchors that can play it."""
    names = {game: [anchor.name for anchor in able] for game, able in anchors.items()}
    pools, phases = opponent_pools(settings, names), PhaseSchedule(config.phases, config.repeat_phases)
    states, teams = [], set[tuple[LearnerId, ...]]()
    for id, own in settings.items():
        cast = cast_of(own, settings, phases)
        team = tuple(cast.player_of(role).id for spec in own.specs.values() for role in spec.seats.values())
        evaluated, rule = own.evaluated and team not in teams, own.config.snapshots.gate
        teams.add(team)
        asked = config.evaluation.probes if evaluated else 0
        states.append(
            LearnerState(
                settings=own,
                trainers=trainers[id],
                pool=pools[id],
                cast=cast,
                player=_team_player(own, cast, trainers),
                expected=ExpectedReturns(league, own, pools),
                evaluator=PolicyEvaluator(own.config, own.specs, _of(own, anchors)) if evaluated else None,
                probes=[p for game in own.specs if (p := GameProbe.of(game, asked)) is not None] if asked else [],
                promotion=Promotion(own.config, rule, store, runs.gate, runner, own.specs)
                if rule and runs.gate
                else None,
                reset=None if own.reset is None else ResetRule(own.reset, pools[id], list(own.specs)),
            )
        )
    return Learners(config, states, phases)


def opponent_pools(
    settings: Mapping[LearnerId, LearnerSettings], anchors: Mapping[str, Sequence[str]]
) -> dict[LearnerId, OpponentPool]:
    """The opponents of each learner. `anchors` maps each game to the names of the anchors that can play it."""
    pools = {
        id: OpponentPool(
            own.config.opponents,
            own.config.snapshots,
            {game: anchors.get(game, ()) for game in own.specs},
            id,
            own.names.of(replace(own.ref, frozen=True, opponent=True)),
        )
        for id, own in settings.items()
    }
    for id, own in settings.items():
        met = [LearnerId(name) for name in own.config.opponents.of] if id.name else [id]
        pools[id].rivals = {
            game: [pools[other] for other in met if meets(own, settings[other], spec)]
            for game, spec in own.specs.items()
        }
    return pools


def cast_of(own: LearnerSettings, settings: Mapping[LearnerId, LearnerSettings], phases: PhaseSchedule) -> Cast:
    """Who plays the matches of a learner."""
    return Cast(own, settings, lambda id, role, step: phases.trains(id.name, role))


def _team_player(own: LearnerSettings, cast: Cast, trainers: Mapping[LearnerId, Learner]) -> Player:
    """The live policy of a learner in all seats of its games; its partners play the roles that it does not."""
    played = {role: cast.player_of(role).id for spec in own.specs.values() for role in spec.seats.values()}
    if set(played.values()) == {own.id}:
        return trainers[own.id].players()[own.names.of(own.ref)]
    parts = {}
    for role, learner in played.items():
        policies = trainers[learner].policies
        parts[role] = (policies.get(role) or policies[WHOLE]).player
    return LivePlayer(own.names.of(own.ref), parts)


def _of(own: LearnerSettings, anchors: Mapping[str, Sequence[Player]]) -> dict[str, Sequence[Player]]:
    return {game: anchors[game] for game in own.specs}
