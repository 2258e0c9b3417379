"""Start a training, or go on with one: what it needs is made and opened here, and closed again."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import NamedTemporaryFile

import games
from arena import players, running
from arena.collector import rare_collections
from arena.players import Player
from games import GameSpec, InputError, chance, plugins
from league.board import open_board
from league.crews import give_secret
from league.entry import refuse_equal
from league.game_ids import kept_ids, stored_run
from league.names import settled
from league.ratings import draws
from league.store import Run, Store
from league.training.config import TrainingConfig
from league.training.freezes import settled_freezes
from league.training.learning import Learner
from league.training.loop import Runs, Trained, Training
from league.training.promotion import weights
from league.training.rated import stored_settings
from league.trust import Gate, of_game, of_model, of_player


def run_training(config: TrainingConfig, file: str | Path = "", *, board: str = "auto", trust: bool = False) -> Trained:
    """Train, or go on with a training. `board`: auto, live, plain or off; `trust`: as in `run_tournament`.

    Raises InputError before anything is played where the file, the store or the players are wrong.
    """
    for path in config.plugins:
        plugins.load_file(Path(file).parent / Path(path).expanduser())
    config, named = settled(config, trust=trust)
    made = [chance.settled(games.make(g.id)) for g in config.games]
    refuse_equal([g.id for g in config.games], [spec.id for spec in made])
    specs = {spec.id: spec for spec in made}
    draws.check(config.ratings, specs)
    config = settled_freezes(config, specs)
    if config.snapshots.gate is not None:
        weights(config, specs)
    _make(config.place)
    with ExitStack() as stack:
        anchors = _anchors(config, stack)
        store = stack.enter_context(Store.open(config.db))
        config = _seeded(config, anchors.values(), store)
        learner = stack.enter_context(contextlib.closing(Learner(config, specs)))
        config, specs = _as_stored(store, config, specs)
        things = [of_player(a.player) for a in config.anchors] + [of_game(g.id) for g in config.games]
        Gate(store).remember(chain.from_iterable([*things, of_model(config.policy.model)]), [config.place])
        runs = _runs(store, stack, config, specs, named)
        give_secret(anchors.values(), store.secret(runs.rated))
        work = Training(config, specs, anchors, learner, store, runs, stack.enter_context(open_board(board)))
        stack.callback(work.close)
        stack.enter_context(rare_collections())
        return running.run(work.run(file))


def _as_stored(
    store: Store, config: TrainingConfig, specs: Mapping[str, GameSpec]
) -> tuple[TrainingConfig, dict[str, GameSpec]]:
    """The settings and games under the ids that a training which goes on was started with."""
    kept = kept_ids(stored_run(store, config.name), specs)
    frozen = [f.model_copy(update={"game": kept.get(f.game or "", f.game)}) for f in config.freeze]
    renamed = (replace(spec, id=kept.get(spec.id, spec.id)) for spec in specs.values())
    return config.model_copy(update={"freeze": tuple(frozen)}), {spec.id: spec for spec in renamed}


def _seeded(config: TrainingConfig, anchors: Iterable[Player], store: Store) -> TrainingConfig:
    """The settings with the run's seed. With an anchor behind an endpoint and no seed in the file one is drawn when the
    training begins: whoever serves the model must not find it by trying.
    """
    if "seed" in config.model_fields_set or not any(anchor.outside for anchor in anchors):
        return config
    found = [run.seed for run in store.runs() if run.name == config.name]
    return config.model_copy(update={"seed": found[0] if found else secrets.randbits(63)})


def _make(folder: Path) -> None:
    """The run's folder. Raises InputError where nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f'the training cannot write to its folder {folder}: {error.strerror}; set folder = "..." in the training '
            "file to a folder that can be written"
        ) from None


def _runs(
    store: Store, stack: ExitStack, config: TrainingConfig, specs: Mapping[str, GameSpec], named: Mapping[str, str]
) -> Runs:
    def start(name: str) -> Run:
        settings = stored_settings(config, specs, name) | ({"named": named} if named else {})
        run = store.start_run(name, settings)
        stack.enter_context(store.exclusive(run))
        return run

    return Runs(
        kept=start(f"{config.name}.training") if config.record else None,
        gate=start(f"{config.name}.gate") if config.snapshots.gate else None,
        rated=start(config.name),  # last: boards show the newest run
    )


def _anchors(config: TrainingConfig, stack: ExitStack) -> dict[str, Player]:
    made = {a.name: players.make(a.player, a.name) for a in config.anchors}
    for player in made.values():
        stack.callback(player.close)
    return made
