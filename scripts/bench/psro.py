"""Opponents from the Nash mix of the league (PSRO) against self-play in Kuhn poker, at equal matches.

    python scripts/bench/psro.py [--seeds 3] [--first 700] [--steps 200] [--out FILE.json] [--record]

Both arms have the settings of scripts/examples/quickstart_train.toml and no anchors, so that no solver is in the mix.
The arm `nash` leaves a snapshot every 20 steps; the rated matches, from which the mix is computed, count like those
that it learns from, so its steps are fewer. "newest" is the mean NashConv of the last five readings of the live policy,
"average" that of the average of all policies measured, "mix" that of the Nash mix of the snapshots.
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

import games
from arena import event_loop
from arena.evaluation import AveragePolicy, evaluate, read_table
from arena.players.policy_table import tabulate
from league.config.toml_file import read_toml
from league.config.training import TrainingConfig
from league.runs import stored_players
from league.store import Store
from league.training.nash_mix import ReturnTable

FILE = Path(__file__).parents[1] / "examples" / "quickstart_train.toml"
GAME = "openspiel/kuhn_poker"
EVERY, RATED = 20, 50
"""steps between snapshots, and rated matches of two snapshots on each side"""
ENDPOINTS = ("newest", "average", "mix")


def main() -> None:
    """Train both arms, seed after seed, and print a table."""
    settings = seed_options(__file__, __doc__, seeds=3, first=700, steps=200).parse_args()
    results = run_seeds(settings, partial(both, settings.steps), ("arm", "seed", *ENDPOINTS, "matches", "cpu_seconds"))
    if settings.record:
        record(claims(results), "torch", "transformers")


def both(steps: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yields the figures of both arms."""
    for arm in ("self-play", "nash"):
        with tempfile.TemporaryDirectory() as folder:
            yield run(arm, seed, steps, Path(folder))


def run(arm: str, seed: int, steps: int, folder: Path) -> dict[str, Any]:
    """Returns the figures of one run."""
    changes = {"steps": steps, **seeded(FILE, seed)}
    if arm == "nash":
        snapshots = steps // EVERY  # beside the first; the last one joins when no step is left
        rated = snapshots * (snapshots + 1) // 2 * 2 * RATED
        changes["steps"] = steps - round(rated / read_toml(FILE, "training")["matches_per_step"])
        changes |= {"snapshots": {"every": EVERY, "matches": RATED}, "opponents": {"self": 0.0, "nash": 1.0}}
    config, rows, cpu = train(FILE, folder, merged(changes, {}))
    newest = [row[f"nash_conv/{GAME}"] for row in rows if f"nash_conv/{GAME}" in row]
    out = {
        "arm": arm,
        "seed": seed,
        "newest": round(statistics.mean(newest[-5:]), 4),
        "average": round(next(r[key] for key in [f"nash_conv_average/{GAME}"] for r in rows[::-1] if key in r), 4),
        "matches": config.steps * config.matches_per_step,
        "cpu_seconds": round(cpu),
        "curve": [round(value, 4) for value in newest],
    }
    return out | (of_mix(config, out["matches"]) if arm == "nash" else {})


def of_mix(config: TrainingConfig, trained: int) -> dict[str, Any]:
    """Returns NashConv of the Nash mix of all snapshots, its shares, and the matches with the rated ones."""
    with Store.open(config.db, read_only=True) as store:
        results = store.results(store.run(config.name))
    names = sorted({seat.player for result in results for seat in result.seats})
    returns = ReturnTable()
    returns.add(results)
    mix = returns.mix(GAME, names)
    game = games.make(GAME)
    tabulated = tabulate(game)
    average = AveragePolicy(tabulated)
    for name, share in mix.items():
        player = stored_players.make(name, db=config.db)
        policy = event_loop.run(read_table(player, tabulated))
        player.close()
        assert policy is not None
        average.add(policy, share)
    shares = {name: round(share, 3) for name, share in mix.items()}
    exact = evaluate(game, average.table())
    return {"mix": round(exact.nash_conv, 4), "shares": shares, "matches": trained + len(results)}


def claims(results: Sequence[Mapping[str, Any]]) -> list[Claim]:
    """Returns the lines of the page of claims."""
    words = {
        "newest": "of the newest policy, mean of 5 readings",
        "average": "of the average policy",
        "mix": "of the Nash mix of its snapshots",
    }
    arms = {"self-play": "self-play", "nash": "opponents from the Nash mix of the league"}
    out = []
    for arm, name in arms.items():
        runs = [r for r in results if r["arm"] == arm]
        for endpoint in ENDPOINTS:
            if values := [r[endpoint] for r in runs if endpoint in r]:
                text = f"NashConv in Kuhn poker after {runs[0]['matches']:,} matches, {words[endpoint]}: {name}"
                out.append(range_claim(text, values))
    return out


if __name__ == "__main__":
    main()
