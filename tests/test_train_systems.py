"""The trials of scripts/bench/train_systems.py name files, games and settings that exist."""

import importlib
import sys
from pathlib import Path

import games
from arena.learner.losses import ids
from games.naming import parse_name
from league.config.toml_file import read_toml
from league.config.training import parse_training

BENCH = Path(__file__).parents[1] / "scripts" / "bench"


def test_every_trial_is_a_valid_training(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    before = set(sys.modules)
    trials = importlib.import_module("train_systems").TRIALS
    merged = importlib.import_module("_train").merged
    for name, trial in trials.items():
        file = BENCH.parent / "examples" / f"{trial.file}.toml"
        found = parse_training(merged(read_toml(file, "training"), trial.changes), file)
        assert not trial.first or trial.first in trials, name
        if "starling" not in name:
            assert [games.make(game.id) for game in found.games], name
        assert parse_name(found.loss.name).base in ids(), name
        assert (parse_name(found.loss.name).base == "temporal") == (found.replay.keep == "temporal"), name
    for module in set(sys.modules) - before:  # the scripts' modules have short names
        if module.startswith(("_", "train_")):
            del sys.modules[module]
