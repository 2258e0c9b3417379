"""Starts or resumes a training: checks the settings and opens what the loop needs."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import games
from arena import event_loop, players
from arena.gc_thresholds import rare_collections
from arena.learner import checkpoint
from arena.players import Player
from games import GameSpec, InputError, chance, plugins
from league.board import open_board
from league.config.training import TrainingConfig, load_training, parse_training
from league.ratings import check_game_names
from league.runs.game_ids import kept_ids, stored_run
from league.runs.stored_players import resolve_players
from league.store import Store
from league.tasks.curricula import curriculum_of
from league.tournament.backends import give_secret
from league.tournament.lineup import refuse_equal
from league.training.cast import LearnerSettings
from league.training.learner import Learner
from league.training.learners.learner_settings import check_roles, learner_settings, resolve_learner_games
from league.training.learners.reward_needs import check_reward_kinds
from league.training.loop import Training, TrainingResult
from league.training.participants.freezes import resolve_freezes
from league.training.participants.learner_id import LearnerId
from league.training.promotion import game_weights
from league.training.stored_runs import refuse_other_runs, start_runs, with_old_defaults
from league.trust import TrustGate, of_game, of_model, of_player, of_roles, warn_of_changes
from league.views.player_history import PlayerHistory


def run_training(
    config: TrainingConfig | Mapping[str, Any] | str | Path,
    file: str | Path = "",
    *,
    board: str = "auto",
    trust: bool = False,
) -> TrainingResult:
    """Start a training, or resume it from its newest checkpoint.

    `config` may be the settings, a dict of them or the path of a training file. `file` is the path of the file that
    settings come from: plugins are relative to it, and messages name it. `board` is auto, live, plain or off. `trust`
    is as in `run_tournament`. Raises InputError before any match if the settings, the store or the players are invalid.
    """
    if isinstance(config, str | Path):
        file = file or config
        config = load_training(config)
    elif not isinstance(config, TrainingConfig):
        config = parse_training(config)
    config, specs, named = prepare(config, file, trust=trust)
    _refuse_other_runs(config)
    _create_folder(config.place)
    with ExitStack() as stack:
        anchors = open_anchors(config, stack)
        store = stack.enter_context(Store.open(config.db))
        _refuse_unknown_checkpoints(config, store)
        config = with_old_defaults(_with_seed(config, anchors.values(), store), store)
        config, specs = _with_stored_ids(store, config, specs)
        settings = learner_settings(config, specs)
        trainers = open_trainers(settings, stack)
        models = [of_model(each.config.policy.model) for each in settings.values()]
        ids = dict.fromkeys([*(game.id for game in config.games), *specs])  # as written, and as the store has them
        used = [of_player(a.player) for a in config.anchors] + [of_game(id) for id in ids]
        used += [of_roles(each.config.roles.values()) for each in settings.values()]
        TrustGate(store).remember(chain.from_iterable([*used, *models]), [config.place])
        runs = start_runs(store, stack, config, specs, named)
        for run in runs.all():
            warn_of_changes(store, run)
            stack.callback(warn_of_changes, store, run)  # remembers the end
        give_secret(anchors.values(), store.secret(runs.rated))
        display = stack.enter_context(open_board(board))
        display.attach(PlayerHistory(store, runs.rated))
        training = Training(config, specs, anchors, settings, trainers, store, runs, display)
        stack.callback(training.close)
        stack.enter_context(rare_collections())
        return event_loop.run(training.run(file))


def prepare(
    config: TrainingConfig, file: str | Path, *, trust: bool = False
) -> tuple[TrainingConfig, dict[str, GameSpec], dict[str, str]]:
    """Load the plugins of a file, and resolve stored players and games; writes nothing.

    Returns the resolved settings, the games by id, and player -> stored name. Raises InputError.
    """
    for path in config.plugins:
        plugins.load_file(Path(file).parent / Path(path).expanduser())
    _check_curriculum(config)
    config, named = resolve_players(config, trust=trust)
    specs = _make_games(config)
    check_roles(config, specs)
    config = resolve_learner_games(resolve_freezes(config, specs), specs)
    for own in learner_settings(config, specs).values():
        check_reward_kinds(own)
    return config, specs, named


def _check_curriculum(config: TrainingConfig) -> None:
    """Raise InputError if the curriculum cannot be made, or sets temperatures of players that it does not reach."""
    apart = [
        f"overlap = {config.overlap}" if config.overlap else "",
        'workers = "ray"' if config.workers == "ray" else "",
        *(
            'engine = "vllm"'
            for policy in (config.policy, *(each.policy for each in config.learners))
            if policy.engine == "vllm"
        ),
    ]
    if curriculum_of(config.tasks).temperatures and any(apart):
        raise InputError(
            f"the curriculum {config.tasks.curriculum} changes the sampling temperature between steps, which needs "
            f"rollouts in this process on the trainer's weights; leave out {next(filter(None, apart))}"
        )


def _make_games(config: TrainingConfig) -> dict[str, GameSpec]:
    """The games of a training by id. Raises InputError if the settings of ratings or gate do not fit them."""
    made = [chance.spec_with_chance(games.make(g.id)) for g in config.games]
    refuse_equal([g.id for g in config.games], [spec.id for spec in made])
    specs = {spec.id: spec for spec in made}
    check_game_names(config.ratings, specs)
    if config.snapshots.gate is not None and not config.learners:
        game_weights(config, specs)
    return specs


def _with_stored_ids(
    store: Store, config: TrainingConfig, specs: Mapping[str, GameSpec]
) -> tuple[TrainingConfig, dict[str, GameSpec]]:
    """The settings and games under the ids that a resumed training was started with."""
    kept = kept_ids(stored_run(store, config.name), specs)
    frozen = [f.model_copy(update={"game": kept.get(f.game or "", f.game)}) for f in config.freeze]
    renamed = (replace(spec, id=kept.get(spec.id, spec.id)) for spec in specs.values())
    learners = [
        each.model_copy(update={"games": tuple(kept.get(game, game) for game in each.games)})
        for each in config.learners
    ]
    update = {"freeze": tuple(frozen), "learners": tuple(learners)}
    return config.model_copy(update=update), {spec.id: spec for spec in renamed}


def _with_seed(config: TrainingConfig, anchors: Iterable[Player], store: Store) -> TrainingConfig:
    """The settings with the run's seed.

    If an anchor plays through an endpoint and the file has no seed, the first start draws one at random: the operator
    of the endpoint must not be able to guess it.
    """
    if "seed" in config.model_fields_set or not any(anchor.outside for anchor in anchors):
        return config
    found = [run.seed for run in store.runs() if run.name == config.name]
    return config.model_copy(update={"seed": found[0] if found else secrets.randbits(63)})


def open_trainers(settings: Mapping[LearnerId, LearnerSettings], stack: ExitStack) -> dict[LearnerId, Learner]:
    """The trainers of each learner; they are closed with the stack."""
    made: dict[LearnerId, Learner] = {}
    for id, own in settings.items():
        made[id] = stack.enter_context(contextlib.closing(Learner(own)))
    return made


def _refuse_unknown_checkpoints(config: TrainingConfig, store: Store) -> None:
    """Raise InputError if the folder is that of a training in another database, whose weights this one must not get."""
    if stored_run(store, config.name) is None and checkpoint.paths(config.place / "checkpoints"):
        raise InputError(
            f"{config.place} holds checkpoints of a training that is not in this database; set db to the database of "
            f'that training, or folder = "..." to another folder, or delete {config.place} to begin again'
        )


def _refuse_other_runs(config: TrainingConfig) -> None:
    """Raises InputError, before anything is created, if the store has other runs by the names of this training's."""
    try:
        store = Store.open(config.db, make=False)
    except InputError:  # there is no store yet; opening it later reports any other fault
        return
    with store:
        refuse_other_runs(store, config)


def _create_folder(folder: Path) -> None:
    """Create the training's folder. Raises InputError if it cannot be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f'the training cannot write to its folder {folder}: {error.strerror}; set folder = "..." in the training '
            "file to a writable folder"
        ) from None


def open_anchors(config: TrainingConfig, stack: ExitStack) -> dict[str, Player]:
    """The anchors by name; they are closed with the stack."""
    made = {a.name: players.make(a.player, a.name) for a in config.anchors}
    for player in made.values():
        stack.callback(player.close)
    return made
