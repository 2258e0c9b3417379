"""Turns the settings of a training file into its plan, once, and refuses what does not fit together."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import games
from arena import players
from arena.inference.thinking import default_tokens
from arena.learner import LoraConfig, TrainerConfig
from games import GameSpec, InputError, chance, plugins
from games.forfeit import check_forfeits
from games.naming import parse_name
from games.randomness import derive
from league.config.policies import PolicyTable
from league.config.tournament import OPERATION
from league.config.training import TrainingConfig
from league.ratings import check_game_names
from league.records.player_ref import PlayerRef
from league.records.run_spec import RunKind, RunSpec
from league.runs.game_ids import kept_ids, stored_run
from league.runs.stored_players import snapshot_folder, stored_ids
from league.store import Run, Store
from league.tasks import curricula
from league.tournament.lineup import refuse_equal
from league.training.cast import uncovered
from league.training.nash_mix import no_mix
from league.training.participants.policy_id import PlayerNames, PolicyId
from league.training.plan import PolicyPlan, TrainingPlan
from league.training.policies.reward_needs import check_reward_kinds, check_reward_range
from league.training.promotion import gate_weights
from league.training.stored_runs import run_specs
from roles.registry import chosen


def resolve(
    config: TrainingConfig, store: Store | None = None, file: str | Path = "", *, trust: bool = False
) -> TrainingPlan:
    """Returns the plan of a training; loads the plugins of its file and writes nothing.

    `store`: that of the training, None if there is none yet. Raises InputError.
    """
    for path in config.plugins:
        plugins.load_file(Path(file).parent / Path(path).expanduser())
    _check_curriculum(config)
    if config.imitation is not None and config.learner.processes > 1:
        raise InputError("[imitation] needs processes = 1 under [learner]; train the snapshot of such a run further")
    written = {anchor.name: anchor.player for anchor in config.anchors}
    stored = stored_ids(written, config.db, config.name, trust=trust)
    run = None if store is None else stored_run(store, config.name)
    specs, kept = _games(config, run)
    _check_roles(config, specs)
    seed = _seed(config, written | stored, run)
    policies = {
        id: _policy(id, table, config, seed, specs, kept, trust)
        for id, table in ((PolicyId(table.name if table else ""), table) for table in config.policies or [None])
    }
    _check_policies(list(policies.values()))
    names = {name: written[name] for name in stored}
    games_of = {id.name: list(policy.specs) for id, policy in policies.items()}
    runs = run_specs(config, specs, seed, written | stored, names, games_of)
    return _plan(config, specs, seed, written | stored, policies, runs)


def _plan(
    config: TrainingConfig,
    specs: Mapping[str, GameSpec],
    seed: int,
    anchors: Mapping[str, str],
    policies: Mapping[PolicyId, PolicyPlan],
    runs: Mapping[RunKind, RunSpec],
) -> TrainingPlan:
    copies = curricula.most_copies(config.tasks, config.group)
    return TrainingPlan(
        name=config.name,
        folder=config.place,
        seed=seed,
        steps=config.steps,
        group=config.group,
        concurrency=config.concurrency,
        overlap=config.overlap,
        in_flight=config.in_flight,
        on_ray=config.workers == "ray",
        ray=config.ray,
        learner=config.learner,
        imitation=config.imitation,
        partners=config.partners,
        specs=specs,
        anchors=anchors,
        phases=config.phases,
        repeat_phases=config.repeat_phases,
        tasks=config.tasks,
        evaluation=config.evaluation,
        checkpoint=config.checkpoint,
        trackers=config.trackers,
        illegal=config.illegal,
        ratings=config.ratings,
        policies=policies,
        players=PlayerNames([policy.ref.policy for policy in policies.values()], copies, anchors),
        runs=runs,
        settings=config.model_dump(mode="json", by_alias=True, exclude=set(OPERATION)) | {"seed": seed},
    )


def _check_curriculum(config: TrainingConfig) -> None:
    """Raise InputError for a curriculum that sets temperatures out of its reach, or an oracle of several policies."""
    apart = [
        f"overlap = {config.overlap}" if config.overlap else "",
        'workers = "ray"' if config.workers == "ray" else "",
        *(
            'engine = "vllm"'
            for policy in (config.policy, *(each.policy for each in config.policies))
            if policy.engine == "vllm"
        ),
    ]
    if config.tasks.ladder == "oracle" and config.policies:
        raise InputError("ladder = 'oracle' measures one policy; leave out [[policies]], or write ladder = 'frontier'")
    if curricula.make(config.tasks.curriculum).temperatures and any(apart):
        raise InputError(
            f"the curriculum {config.tasks.curriculum} changes the sampling temperature between steps, which needs "
            f"rollouts in this process on the trainer's weights; leave out {next(filter(None, apart))}"
        )


def _games(config: TrainingConfig, run: Run | None) -> tuple[dict[str, GameSpec], dict[str, str]]:
    """Returns the games by id, and id -> the id that a resumed training keeps for the same game."""
    boards = [games.make(game.id) for game in config.games]
    made = [chance.spec_with_chance(board) for board in boards]
    refuse_equal([game.id for game in config.games], [spec.id for spec in made])
    for board in boards:
        check_forfeits(board)
    kept = kept_ids(run, [spec.id for spec in made])
    renamed = [replace(spec, id=kept.get(spec.id, spec.id)) for spec in made]
    specs = {spec.id: spec for spec in renamed}
    check_game_names(config.ratings, specs)
    return specs, kept


def _check_roles(config: TrainingConfig, specs: Mapping[str, GameSpec]) -> None:
    """Raise InputError for a role of `[roles]` or `[[phases]]` that no game has, and for an unknown id in `[roles]`."""
    played = _roles(specs)
    for where, names in (("roles", config.roles), ("phases", [r for phase in config.phases for r in phase.roles])):
        if unknown := sorted(set(names) - played):
            raise InputError(f"{where}: no game here has a role {unknown[0]!r}; its roles: {', '.join(sorted(played))}")
    for name, id in config.roles.items():
        chosen(id, {name})


def _seed(config: TrainingConfig, anchors: Mapping[str, str], run: Run | None) -> int:
    """Returns the seed.

    If an anchor plays through an endpoint and the file has no seed, the first start draws one at random: the operator
    of the endpoint must not be able to guess it.
    """
    if "seed" in config.model_fields_set or not any(map(_is_outside, anchors.values())):
        return config.seed
    return secrets.randbits(63) if run is None else run.seed


def _is_outside(id: str) -> bool:
    if parse_name(id).base == "llm":
        return False  # it plays in this process, and making it loads a model
    with closing(players.make(id)) as player:
        return player.outside


def _policy(
    id: PolicyId,
    table: PolicyTable | None,
    config: TrainingConfig,
    seed: int,
    specs: Mapping[str, GameSpec],
    kept: Mapping[str, str],
    trust: bool,
) -> PolicyPlan:
    """Returns a policy; `table` None: the only one, with the settings of the file."""
    where, source = f"policy {id.name!r}: ", table or config
    ids = [game_id(text, specs, kept, f"{where}games") for text in table.games] if table else []
    games_played = {id: spec for id, spec in specs.items() if not ids or id in ids}
    folder = snapshot_folder(source.policy.model, config.db, trust=trust)
    model, teacher = folder or source.policy.model, snapshot_folder(source.loss.teacher, config.db, trust=trust)
    roles, chosen_roles = _roles(games_played), frozenset(table.roles if table else ())
    if unknown := sorted(chosen_roles - roles):
        raise InputError(f"{where}no game of it has a role {unknown[0]!r}; its roles: {', '.join(sorted(roles))}")
    return PolicyPlan(
        id=id,
        ref=PlayerRef(id.prefixed(config.name)),
        specs=games_played,
        weights={id: game.weight for id, game in zip(specs, config.games, strict=True) if id in games_played},
        roles=chosen_roles or roles,
        role_ids=config.roles,
        matches_per_step=source.matches_per_step,
        policy=source.policy.model_copy(update={"model": model}),
        parent="" if folder is None else source.policy.model,
        trainer=trainer_config(config, table, seed, model, teacher),
        advantage=source.advantage,
        returns=config.returns,
        opponents=source.opponents,
        snapshots=source.snapshots,
        reset=table.reset if table else None,
        exploits=table is not None and table.kind != "main",
        evaluated=table is None or table.evaluate,
    )


def game_id(text: str, specs: Mapping[str, GameSpec], kept: Mapping[str, str], where: str) -> str:
    """Returns the id of a played game, however `text` writes it. Raises InputError; `where` names the setting.

    `kept` maps ids to those that a resumed training keeps for the same games.
    """
    id = kept.get(text, text)
    if id not in specs:
        with suppress(InputError):
            id = games.make(text).spec.id
        id = kept.get(id, id)
    if id not in specs:
        raise InputError(f"{where}: {text!r} is not a game of this training; its games: {', '.join(specs)}")
    return id


def _check_policies(policies: Sequence[PolicyPlan]) -> None:
    for policy in policies:
        if role := uncovered(policy, policies):
            raise InputError(
                f"policy {policy.id.name!r}: no policy of kind main plays the role {role!r} of its games; add it to "
                "roles of one, or leave out roles"
            )
        if policy.snapshots.gate is not None:
            gate_weights(policy)
        for spec in policy.specs.values() if policy.opponents.nash else ():
            if why := no_mix(spec):
                raise InputError(f"opponents.nash: {spec.id} has no Nash mix of players, because {why}; set nash to 0")
        check_reward_kinds(policy)
        check_reward_range(policy)


def trainer_config(
    config: TrainingConfig,
    table: PolicyTable | None = None,
    seed: int | None = None,
    model: str = "",
    teacher: str | None = None,
) -> TrainerConfig:
    """Returns the settings of a policy's trainer, with the defaults that depend on other tables.

    `model` and `teacher`: the folders of models that the settings give by the names of snapshots.
    """
    source = table or config
    policy, loss, optimizer = source.policy, source.loss, source.optimizer
    normaliser = loss.normaliser or 1.0
    if loss.normaliser is None and policy.decode == "free":
        normaliser = float(policy.max_tokens or default_tokens(model or policy.model, policy.decode, policy.think))
    horizon = optimizer.horizon
    if horizon is None:  # in optimizer steps
        scheduled = optimizer.schedule in ("linear", "cosine")
        horizon = config.steps * optimizer.epochs * optimizer.minibatches if scheduled else 1000
    return TrainerConfig(
        loss=loss.model_copy(update={"normaliser": normaliser, "teacher": teacher or loss.teacher}),
        optimizer=optimizer.model_copy(update={"horizon": horizon}),
        replay=source.replay,
        lora=LoraConfig(rank=policy.lora, alpha=policy.lora) if policy.lora else None,
        recompute_old=config.overlap > 0 if config.recompute_old is None else config.recompute_old,
        seed=derive(config.seed if seed is None else seed, "trainer") % (1 << 31),
    )


def _roles(specs: Mapping[str, GameSpec]) -> frozenset[str]:
    return frozenset(role for spec in specs.values() for role in spec.seats.values())
