"""Shared by the training scripts: a run in its own folder, and snapshots measured side by side."""

from __future__ import annotations

import argparse
import copy
import json
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from _bench import cpu_seconds, machine_line, table
from _claims import Claim

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


def seeded(file: Path, seed: int) -> dict[str, Any]:
    """Returns changes that give a file of a tiny model a seed, also of its weights, and no opponents but itself."""
    model = f"{read_toml(file, 'training')['policy']['model'].removesuffix(')')}, seed={seed})"
    return {"seed": seed, "policy": {"model": model}, "anchors": [], "snapshots": {"matches": 0}}


def seed_options(script: str, doc: str, *, seeds: int, first: int, steps: int) -> argparse.ArgumentParser:
    """Returns the options of a script that trains arms over several seeds and records claims."""
    options = argparse.ArgumentParser(description=doc.splitlines()[0])
    options.add_argument("--seeds", type=int, default=seeds)
    options.add_argument("--first", type=int, default=first, help="the first seed")
    options.add_argument("--steps", type=int, default=steps, help="steps of self-play")
    options.add_argument("--out", default=str(Path(script).with_suffix(".json")))
    options.add_argument("--record", action="store_true", help="write the claims of docs/claims.md")
    return options


def run_seeds(
    settings: argparse.Namespace, arms: Callable[[int], Iterable[dict[str, Any]]], keys: Sequence[str]
) -> list[dict[str, Any]]:
    """Runs the arms of each seed, keeps all results in `--out` after each, and prints them."""
    results: list[dict[str, Any]] = []
    for seed in range(settings.first, settings.first + settings.seeds):
        results.extend(arms(seed))
        kept = {"machine": machine_line("torch", "transformers"), "results": results}
        Path(settings.out).write_text(json.dumps(kept, indent=1) + "\n")
    print(machine_line("torch", "transformers"))
    print(table(keys, [tuple(result.get(key, "-") for key in keys) for result in results]))
    return results


def range_claim(words: str, values: Iterable[float]) -> Claim:
    """Returns the median of some runs and their range."""
    ordered = sorted(values)
    spread = f"{ordered[0]:.3f} to {ordered[-1]:.3f}, {len(ordered)} run{'s' * (len(ordered) > 1)}"
    return Claim(words, f"{statistics.median(ordered):.3f}", spread)


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
