"""SmolLM2-135M trained by self-play, measured before and after.

    python scripts/bench/train_smollm2.py scripts/examples/train_smollm2_kuhn.toml [--runs runs/smollm2]
        [--steps N] [--matches 500]
        [--against random solver]

Other files: scripts/examples/train_smollm2_tictactoe.toml, and scripts/examples/train_smollm2_free.toml for free text.
Each file trains in its own folder under --runs; run the script again to resume, or to repeat the measurement. The first
and the last snapshot play the anchors of the file, or other players, on the same seeds: win rates with 95% intervals,
share of illegal answers, and NashConv if the policy can be tabulated. The board shows both with the rating intervals of
the league's own matches.

In Kuhn poker a step size of 2e-4 without magnet, and 1.5e-4 with an entropy bonus alone, bet with every card after 12
steps; 5e-5 with the magnet had not moved after 60. Frozen snapshots are a little weaker than the live policy, because
merging an adapter into bf16 weights rounds part of it away. In free text boxed answers of 16 tokens are all illegal at
the start, so nothing is learned; bare answers of 8 tokens are legal after ten steps. One seed each, no GPU.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from _bench import machine_line, table
from _train import HEAD, measure, seat_rows, train

from league.config.training import TrainingConfig
from league.runs.ratings import ratings_for
from league.store import Store


def main() -> None:
    """Train, file after file, and print tables."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("files", nargs="+", type=Path)
    options.add_argument("--runs", type=Path, default=Path("runs/smollm2"), help="folder of all runs")
    options.add_argument("--steps", type=int, help="overrides the file")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--matches", type=int, default=500, help="per seat against each anchor, before and after")
    options.add_argument("--against", nargs="+", help="players to measure against; default: the file's anchors")
    given = options.parse_args()
    print(machine_line("torch", "transformers", "peft"))
    for file in given.files:
        changes = {"seed": given.seed} | ({"steps": given.steps} if given.steps else {})
        config, rows, cpu = train(file, given.runs / f"{file.stem}-{given.seed}", changes)
        steps = [0, rows[-1]["step"]]
        against = given.against or [a.player for a in config.anchors]
        reports = measure(config, steps, given.matches, against, given.seed)
        print(f"\n{file.name}, seed {given.seed}: {config.steps} steps, {cpu / 60:.1f} CPU minutes in this call\n")
        print(table(HEAD, seat_rows(reports)), "\n")
        for step, report in reports.items():
            print(f"NashConv after {step}: {report.exact.nash_conv:.3f}" if report.exact else report.not_exact)
        print(table(("player", "rating", "low", "high", "matches"), board(config)))


def board(config: TrainingConfig) -> list[tuple[str, float, float, float, int]]:
    """The league's standings, as `arena board` shows them."""
    with Store.open(config.db, read_only=True) as store:
        run = store.run(config.name)
        ratings = ratings_for(run.spec)
        ratings.add(store.results(run))
        standings = ratings.final(run.name, store.counts(run)).standings
    return [(s.player, s.rating, s.low, s.high, s.games) for s in standings]


if __name__ == "__main__":
    main()
