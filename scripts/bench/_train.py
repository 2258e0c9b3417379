"""Shared by the training scripts: a run in its own folder, and snapshots measured side by side."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from _bench import cpu_seconds

from arena.evaluation import Evaluation
from league.config.toml_file import read_toml
from league.config.training import TrainingConfig, parse_training
from league.records.metrics_file import read_metrics
from league.training.evaluate import evaluate_player
from league.training.run import run_training


def merged(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with some of them changed, tables inside tables too."""
    out = copy.deepcopy(dict(data))
    for key, value in changes.items():
        out[key] = merged(out.get(key, {}), value) if isinstance(value, Mapping) else value
    return out


def train(file: Path, folder: Path, changes: Mapping[str, Any]) -> tuple[TrainingConfig, list[dict[str, Any]], float]:
    """Train or resume a file in `folder`; return its settings, the rows of metrics.jsonl and CPU seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    own = {"db": f"sqlite:///{folder}/arena.db", "folder": str(folder / "run"), "trackers": []}
    config = parse_training(merged(read_toml(file, "training"), {**changes, **own}), file)
    began = cpu_seconds()
    run_training(config, file, board="plain")
    return config, read_metrics(config.place), cpu_seconds() - began


def measure(
    config: TrainingConfig, steps: Sequence[int], matches: int, against: Sequence[str], seed: int
) -> dict[int, Evaluation]:
    """Snapshots of a training against the same anchors on the same seeds."""
    game = config.games[0].id
    return {
        step: evaluate_player(f"{config.name}@{step}", game, matches=matches, against=against, seed=seed, db=config.db)
        for step in steps
    }


def seat_rows(reports: Mapping[int, Evaluation]) -> list[tuple[Any, ...]]:
    """Return a row per snapshot, anchor and seat, to print below `HEAD`."""
    return [
        (step, s.anchor, s.role, s.matches, s.rate, f"{s.low:.3f} to {s.high:.3f}", s.score, f"{s.illegal:.1%}")
        for step, report in reports.items()
        for s in report.seats
    ]


HEAD = ("after", "against", "seat", "matches", "win rate", "95%", "mean return", "illegal")
