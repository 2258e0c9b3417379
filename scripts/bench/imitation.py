"""Learning from the league: self-play alone, and after imitation of 2,000 stored matches of the solver in Kuhn poker.

    python scripts/bench/imitation.py [--seeds 3] [--first 100] [--matches 2000] [--steps 500]
        [--out FILE.json] [--record]

All arms use scripts/examples/quickstart_train.toml. Those with imitation have a third of the steps; "anchored" has
`kl` to the imitator in place of the magnet, which follows the policy and pulls it towards uniform play at first, and a
tenth of the learning rate. The seed also changes the initial weights and the stored matches. "reached" counts matches
until the first reading of NashConv of at most 0.05, those imitated included; "start" is NashConv before self-play,
"worst" the highest reading after it, "last" the mean of the final five readings, because a single one varies.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from _claims import Claim, record
from _train import merged, range_claim, run_seeds, seed_options, seeded, train

from league import run_tournament

FILE = Path(__file__).parents[1] / "examples" / "quickstart_train.toml"
GAME = "openspiel/kuhn_poker"
LAST = 5
"""final readings that are averaged"""
TARGET = 0.05
ANCHORED = {"optimizer": {"lr": 2e-4}, "loss": {"kl": 2.0, "tau": 0.0, "magnet_floor": 0.0}}
IMITATION = {"run": "teachers", "epochs": 30, "batch": 256, "lr": 2e-3}


def main() -> None:
    """Train both arms, seed after seed, and print a table."""
    options = seed_options(__file__, __doc__, seeds=3, first=100, steps=500)
    options.add_argument("--matches", type=int, default=2000, help="stored matches")
    settings = options.parse_args()
    arms = partial(all_arms, settings.matches, settings.steps)
    results = run_seeds(settings, arms, ("arm", "seed", "start", "reached", "worst", "last", "matches", "cpu_seconds"))
    if settings.record:
        record(claims(results, settings.matches), "torch", "transformers")


def all_arms(matches: int, steps: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yields the figures of each arm."""
    for arm, changes in (("anchored", ANCHORED), ("imitation", {})):
        yield imitating(arm, seed, matches, {**changes, "steps": steps // 3})
    yield alone(seed, steps)


def alone(seed: int, steps: int) -> dict[str, Any]:
    """Returns the figures of self-play alone."""
    with tempfile.TemporaryDirectory() as folder:
        return run("alone", seed, 0, Path(folder), {"steps": steps})


def imitating(arm: str, seed: int, matches: int, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the figures of self-play after imitation."""
    with tempfile.TemporaryDirectory() as folder:
        db = f"sqlite:///{folder}/teachers.db"
        solvers = [{"name": name, "player": "solver"} for name in ("solver", "other-solver")]
        played = {"name": "teachers", "db": db, "games": [GAME], "rounds": matches // 2, "seed": seed}
        run_tournament({**played, "players": solvers}, board="off")
        changed = {**changes, "imitation": IMITATION | {"db": db}}
        return run(arm, seed, matches, Path(folder), changed)


def run(arm: str, seed: int, imitated: int, folder: Path, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the figures of one run and its curve of (step, NashConv)."""
    config, rows, cpu = train(FILE, folder, merged(seeded(FILE, seed), changes))
    curve = [(r["step"], round(r[f"nash_conv/{GAME}"], 4)) for r in rows if f"nash_conv/{GAME}" in r]
    if rows[-1]["step"] < config.steps:
        raise SystemExit(f"seed {seed} was interrupted after step {rows[-1]['step']:,}")
    step = next((step for step, value in curve if value <= TARGET), None)
    return {
        "arm": arm,
        "seed": seed,
        "start": curve[0][1],
        "reached": None if step is None else imitated + step * config.matches_per_step,
        "worst": max(value for step, value in curve if step > 0),
        "last": round(statistics.mean(value for _, value in curve[-LAST:]), 4),
        "matches": imitated + config.steps * config.matches_per_step,
        "cpu_seconds": round(cpu),
        "curve": curve,
    }


def claims(results: Sequence[Mapping[str, Any]], imitated: int) -> list[Claim]:
    """Returns the lines of the page of claims."""
    after = f"imitation of {imitated:,} matches, then self-play"
    arms = {"alone": "self-play alone", "imitation": after, "anchored": f"{after} with kl = 2 to it, lr 2e-4"}
    copies = [r for r in results if r["arm"] != "alone"]
    out = [
        range_claim(
            f"NashConv after imitation of {imitated:,} stored matches of the solver, Kuhn poker",
            [r["start"] for r in copies],
        )
    ]
    for arm, words in arms.items():
        runs = [r for r in results if r["arm"] == arm]
        reached = [r["reached"] for r in runs]
        listed = ", ".join(
            f"not in {r['matches']:,}" if n is None else f"{n:,}" for r, n in zip(runs, reached, strict=True)
        )
        middle = "not reached" if None in reached else f"{statistics.median(reached):,.0f}"
        out.append(Claim(f"matches until a reading of NashConv of at most {TARGET}: {words}", middle, listed))
        if arm != "alone":
            out.append(range_claim(f"highest NashConv during the self-play: {words}", [r["worst"] for r in runs]))
        out.append(
            range_claim(
                f"NashConv after {runs[0]['matches']:,} matches, mean of {LAST} readings: {words}",
                [r["last"] for r in runs],
            )
        )
    return out


if __name__ == "__main__":
    main()
