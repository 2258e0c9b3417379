"""The learners that a training file asks for, resolved and checked before anything is loaded."""

from __future__ import annotations

from collections.abc import Mapping

from games import GameSpec, InputError
from league.config.learners import OWN_TABLES, LearnerTable
from league.config.training import TrainingConfig
from league.tasks.curricula import most_copies
from league.training.cast import LearnerSettings, uncovered
from league.training.participants.freezes import game_id
from league.training.participants.learner_id import ONLY, LearnerId
from league.training.participants.player_names import PlayerNames
from league.training.promotion import game_weights
from roles.registry import chosen


def learner_settings(config: TrainingConfig, specs: Mapping[str, GameSpec]) -> dict[LearnerId, LearnerSettings]:
    """The learners of a training by id, in the order of the file; one without `[[learners]]`.

    Raises InputError for games and roles that the training does not have, and for a role that nobody plays.
    """
    ids = [LearnerId(learner.name) for learner in config.learners] or [ONLY]
    anchors = [anchor.name for anchor in config.anchors]
    names = PlayerNames([id.prefixed(config.name) for id in ids], most_copies(config), anchors)
    if not config.learners:
        return {ONLY: LearnerSettings(ONLY, config, specs, _roles(specs), names)}
    found = [_settings(learner, config, specs, names) for learner in config.learners]
    for each in found:
        if role := uncovered(each, found):
            raise InputError(
                f"learner {each.id.name!r}: no learner of kind main plays the role {role!r} of its games; add it to "
                "roles of one, or leave out roles"
            )
    return {each.id: each for each in found}


def _settings(
    learner: LearnerTable, config: TrainingConfig, specs: Mapping[str, GameSpec], names: PlayerNames
) -> LearnerSettings:
    where = f"learner {learner.name!r}: "
    ids = learner.games or tuple(specs)
    own = {id: spec for id, spec in specs.items() if id in ids}
    if unknown := sorted(set(learner.roles) - (known := _roles(own))):
        raise InputError(f"{where}no game of it has a role {unknown[0]!r}; its roles: {', '.join(sorted(known))}")
    games = tuple(game for game, id in zip(config.games, specs, strict=True) if id in own)
    tables = {name: getattr(learner, name) for name in OWN_TABLES}
    settings = config.model_copy(update={**tables, "games": games})
    if settings.snapshots.gate is not None:
        game_weights(settings, own)
    return LearnerSettings(
        id=LearnerId(learner.name),
        config=settings,
        specs=own,
        roles=frozenset(learner.roles) or known,
        names=names,
        reset=learner.reset,
        exploits=learner.kind != "main",
        evaluated=learner.evaluate,
    )


def resolve_learner_games(config: TrainingConfig, specs: Mapping[str, GameSpec]) -> TrainingConfig:
    """The settings with each game of a learner replaced by its id in `specs`. Raises InputError for one not played."""

    def resolved(learner: LearnerTable) -> LearnerTable:
        ids = tuple(game_id(text, specs, f"learner {learner.name!r}: games") for text in learner.games)
        return learner.model_copy(update={"games": ids})

    return config.model_copy(update={"learners": tuple(map(resolved, config.learners))})


def check_roles(config: TrainingConfig, specs: Mapping[str, GameSpec]) -> None:
    """Raise InputError for a role of `[roles]` or `[[phases]]` that no game has, and for an unknown id in `[roles]`."""
    played = _roles(specs)
    for where, named in (("roles", config.roles), ("phases", [r for phase in config.phases for r in phase.roles])):
        if unknown := sorted(set(named) - played):
            raise InputError(f"{where}: no game here has a role {unknown[0]!r}; its roles: {', '.join(sorted(played))}")
    for name, id in config.roles.items():
        chosen(id, {name})


def _roles(specs: Mapping[str, GameSpec]) -> frozenset[str]:
    return frozenset(role for spec in specs.values() for role in spec.seats.values())
