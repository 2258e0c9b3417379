"""Starts or resumes a training: resolves its plan and opens what the loop needs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, closing
from itertools import chain
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import games
from arena import event_loop, players
from arena.gc_thresholds import rare_collections
from arena.inference.prompt_date import pinned
from arena.learner import checkpoint
from arena.players import Player
from games import InputError
from league.board import open_board
from league.config.database_url import DatabaseUrl
from league.config.training import TrainingConfig, load_training, parse_training
from league.runs.game_ids import stored_run
from league.store import Store
from league.tournament.backends import give_secret
from league.training.imitation import check_source
from league.training.loop import Training, TrainingResult
from league.training.participants.policy_id import PolicyId
from league.training.plan import TrainingPlan
from league.training.policy_trainer import PolicyTrainer
from league.training.resolve import resolve
from league.training.resources.machine import fitted_here
from league.training.stored_runs import refuse_other_runs, start_runs
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
    plan = fitted_here(plan_of(config, file, trust=trust))
    _create_folder(plan.folder)
    with ExitStack() as stack:
        anchors = open_anchors(plan, stack)
        store = stack.enter_context(Store.open(config.db))
        _refuse_unknown_checkpoints(plan, store)
        if stored_run(store, plan.name) is None:
            check_source(plan, store)
        trainers = open_trainers(plan, stack)
        _check_players(trainers)
        _remember(store, plan, [game.id for game in config.games])
        runs = start_runs(store, stack, plan.runs)
        for run in runs.all():
            warn_of_changes(store, run)
            stack.callback(warn_of_changes, store, run)  # remembers the end
        give_secret(anchors.values(), store.secret(runs.rated))
        stack.enter_context(pinned(store.day(runs.rated)))
        display = stack.enter_context(open_board(board))
        display.attach(PlayerHistory(store, runs.rated))
        training = Training(plan, anchors, trainers, store, runs, display)
        stack.callback(training.close)
        stack.enter_context(rare_collections())
        return event_loop.run(training.run(file))


def plan_of(config: TrainingConfig, file: str | Path, *, trust: bool = False) -> TrainingPlan:
    """Returns the plan of a training, as its store resumes or starts it; writes nothing. Raises InputError."""
    with ExitStack() as stack:
        store = _existing_store(config.db)
        if store is not None:
            stack.enter_context(store)
        plan = resolve(config, store, file, trust=trust)
        if store is not None:
            refuse_other_runs(store, plan.runs)
    return plan


def _existing_store(db: DatabaseUrl) -> Store | None:
    """Returns the store; None if there is none yet, or it has a fault, which opening it later reports."""
    try:
        return Store.open(db, read_only=True)
    except InputError:
        return None


def open_trainers(plan: TrainingPlan, stack: ExitStack) -> dict[PolicyId, PolicyTrainer]:
    """Returns the trainer of each policy; they are closed with the stack."""
    return {id: stack.enter_context(closing(PolicyTrainer(plan, policy))) for id, policy in plan.policies.items()}


def _check_players(trainers: Mapping[PolicyId, PolicyTrainer]) -> None:
    """Raise InputError for a policy that cannot choose among the actions of a game of its own."""
    for trainer in trainers.values():
        for game in map(games.make, trainer.plan.specs):
            for model in trainer.models.values():
                if why := model.player.supports(game):
                    raise InputError(f"{trainer.plan.ref.policy} cannot play {game.spec.id}: {why}")


def open_anchors(plan: TrainingPlan, stack: ExitStack) -> dict[str, Player]:
    """Returns the anchors by name; they are closed with the stack."""
    anchors = {name: players.make(id, name) for name, id in plan.anchors.items()}
    for player in anchors.values():
        stack.callback(player.close)
    return anchors


def _remember(store: Store, plan: TrainingPlan, written: list[str]) -> None:
    """Note what the user who starts the training allows; `written`: the games as the file has them."""
    used = [of_player(id) for id in plan.anchors.values()]
    used += [of_game(id) for id in dict.fromkeys([*written, *plan.specs])]
    for policy in plan.policies.values():
        used += [of_roles(policy.role_ids.values()), of_model(policy.policy.model)]
    TrustGate(store).remember(chain.from_iterable(used), [plan.folder])


def _refuse_unknown_checkpoints(plan: TrainingPlan, store: Store) -> None:
    """Raise InputError if the folder is that of a training in another database, whose weights this one must not get."""
    if stored_run(store, plan.name) is None and checkpoint.paths(plan.folder / "checkpoints"):
        raise InputError(
            f"{plan.folder} holds checkpoints of a training that is not in this database; set db to the database of "
            f'that training, or folder = "..." to another folder, or delete {plan.folder} to begin again'
        )


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
