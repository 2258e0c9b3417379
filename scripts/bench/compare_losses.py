"""Losses of the library in Kuhn poker and tic-tac-toe at equal matches: entropy and distance from equilibrium.

    python scripts/bench/compare_losses.py [--game kuhn tictactoe] [--losses ppo reinforce ...] [--seeds 3]
        [--steps N] [--lr LR] [--matches 100] [--runs runs/losses] [--out FILE.json]

Each run is the example file of its game (scripts/examples/train_kuhn.toml, train_tictactoe.toml) in pure self-play and
without a magnet, so that only the loss keeps the policy from collapsing: rae advantages, and grpo in groups of four for
the losses that read rewards or expect normalised advantages. Runs of one game and seed play the same number of matches
from the same initial weights. entropy: nats per decision, mean of the last tenth of the steps; share of the entropy at
the start. Kuhn: NashConv at the end and of the average policy. Tic-tac-toe: NashConv of the last snapshot, and its mean
return against the perfect player and against random moves. Every run has its own folder: run the script again to
resume.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from _bench import machine_line, table
from _train import measure, train

EXAMPLES = Path(__file__).parents[1] / "examples"
FILES = {"kuhn": EXAMPLES / "train_kuhn.toml", "tictactoe": EXAMPLES / "train_tictactoe.toml"}
AGAINST = ("solver", "random")
LOSSES = ("ppo", "reinforce", "dapo", "gspo(low=0.01, high=0.02)", "cispo", "kl-cov(share=0.02)", "high-entropy", "nft")
SELF_PLAY = {"self": 1.0, "snapshots": 0.0, "anchors": 0.0}
_READ_REWARDS = {"nft", "opmd", "asymre"}  # they need groups, or advantages of unit variance
_UNIT_VARIANCE = {"clip-cov", "kl-cov", "empg", "gtpo", "chord"}


def main() -> None:
    """Train, game after game, seed after seed and loss after loss, and print a table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--game", nargs="+", default=list(FILES), choices=list(FILES))
    options.add_argument("--losses", nargs="+", default=list(LOSSES))
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--first", type=int, default=0, help="the first seed")
    options.add_argument("--steps", type=int, default=300)
    options.add_argument("--lr", type=float, help="learning rate; default: that of the game's file")
    options.add_argument("--matches", type=int, default=100, help="per seat against each player (tic-tac-toe)")
    options.add_argument("--runs", type=Path, default=Path("runs/losses"), help="folder of all runs")
    options.add_argument("--out", type=Path, help="write every run's results to this file")
    given = options.parse_args()
    print(machine_line("torch", "transformers"))
    found: list[dict[str, Any]] = []
    for game in given.game:
        for seed in range(given.first, given.first + given.seeds):
            for loss in given.losses:
                found.append({"game": game, "loss": loss, "seed": seed} | run(given, game, loss, seed))
                if given.out:  # after each run, so that an interrupted comparison keeps its results
                    given.out.write_text(json.dumps(found, indent=1))
        rows = [summary(loss, [f for f in found if (f["game"], f["loss"]) == (game, loss)]) for loss in given.losses]
        print(f"\n{game}: {given.seeds} seeds, {given.steps} steps")
        print(table(tuple(rows[0]), [tuple(row.values()) for row in rows]))


def changes(game: str, loss: str, seed: int, steps: int) -> dict[str, Any]:
    """The settings in which a run differs from the example file of its game."""
    name = loss.partition("(")[0]
    grouped = name in _READ_REWARDS | _UNIT_VARIANCE
    return {
        "name": f"{game}-{name}-{seed}",
        "seed": seed,
        "steps": steps,
        "group": 4 if grouped else 1,
        "advantage": "grpo" if grouped else "rae",
        "policy": {"model": f"tiny(layers=1, hidden=64, seed={seed})"},
        "loss": {"name": loss, "tau": 0.0, "entropy": 0.0},
        "opponents": SELF_PLAY,
        "snapshots": {"every": steps, "matches": 0},
        "evaluation": {"every": max(1, steps // 10), "matches": 0},
        "record": False,
    }


def run(given: argparse.Namespace, game: str, loss: str, seed: int) -> dict[str, float]:
    """Train one loss on one seed, and measure its end."""
    folder = given.runs / f"{game}-{''.join(c if c.isalnum() else '-' for c in loss)}-{seed}"
    changed = changes(game, loss, seed, given.steps)
    if given.lr:
        changed["optimizer"] = {"lr": given.lr}
    config, rows, cpu = train(FILES[game], folder, changed)
    entropy = [row["entropy"] for row in rows if "entropy" in row]
    tail = max(1, len(entropy) // 10)
    out = {"entropy": statistics.mean(entropy[-tail:]), "cpu_minutes": cpu / 60}
    out["kept"] = out["entropy"] / statistics.mean(entropy[:tail])
    out["matches"] = sum(row.get("matches", 0) for row in rows)
    if game == "kuhn":
        return out | {name: rows[-1][f"{name}/{config.games[0].id}"] for name in ("nash_conv", "nash_conv_average")}
    report = measure(config, (given.steps,), given.matches, AGAINST, seed)[given.steps]
    if report.exact:  # all 4,520 positions, those that the policy never reaches too
        out["nash_conv"] = report.exact.nash_conv
    for anchor in AGAINST:
        out[f"against {anchor}"] = statistics.mean(s.score for s in report.seats if s.anchor == anchor)
    return out


def summary(loss: str, runs: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """One row of the table: the mean over seeds of every value, and its spread."""
    names = [name for name in runs[0] if name not in ("game", "loss", "seed")]
    row = {"loss": loss}
    for name in names:
        values = [float(r[name]) for r in runs]
        spread = f" ({min(values):.3g} to {max(values):.3g})" if len(values) > 1 else ""
        row[name] = f"{statistics.mean(values):.3g}{spread}"
    return row


if __name__ == "__main__":
    main()
