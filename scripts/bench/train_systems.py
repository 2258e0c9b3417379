"""Short trainings of the seed systems with a tiny model, over several seeds: one table for all of them.

    python scripts/bench/train_systems.py [--only NAME ...] [--seeds 3] [--minutes 10] [--runs runs/systems]

A trial is an example file with some settings changed, mostly fewer steps; `TRIALS` lists them. Start and end are means
over the first and last tenth of the steps, or the first and last value of what is measured at intervals. Each run of a
trial has a folder of its own and keeps its summary there, so the script goes on where it stopped; it begins no run
after `--minutes` of processor time. Trials that belong together, such as a system and its plain counterpart, differ in
the last word of their names.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from _bench import cpu_seconds, machine_line, table
from _train import train

import games
from arena import event_loop
from arena.players.player import View
from games.naming import Name, parse_name
from league.config.toml_file import read_toml
from league.config.training import TrainingConfig
from league.runs import stored_players

EXAMPLES = Path(__file__).parents[1] / "examples"
MEASURED = ("reward/", "reward_truth/", "nash_conv/", "solve_rate/")
HEAD = ("trial", "measured", "seeds", "start", "range", "end", "range", "CPU min")


class Trial(NamedTuple):
    """An example file, and what is changed in it; tables are merged."""

    file: str
    steps: int
    changes: Mapping[str, Any] = {}
    first: str = ""
    """the trial whose weights of the same seed it starts from"""
    sums: int = 0
    """above 0, the mean probability of the right answer over all sums up to this number is measured at the end"""
    after: int = 0
    """steps before the first that counts"""


SMALL = {"matches_per_step": 24}


def _prefer(game: str, loss: str, advantage: str, steps: int, **more: Any) -> Trial:
    changes = {"games": [game], "loss": {"name": loss}, "advantage": advantage, "evaluation": {"every": steps // 10}}
    return Trial("prefer_train", steps, changes | more)


def _evolve(**tasks: Any) -> Trial:
    return Trial("evolve_train", 60, {"tasks": tasks}, sums=4)


def _stages(phases: Sequence[Mapping[str, Any]]) -> Trial:
    return Trial("staged_team_train", 45, SMALL | {"phases": phases})


def _refine(params: str = "", **changes: Any) -> Trial:
    """A policy that ignores the question is right in 0.25."""
    game = f"refine-v1(tasks=arithmetic(operation=add,digits=1),closed=true,problems=8{params})"
    return Trial("refine_closed_train", 60, {"games": [game], "matches_per_step": 24} | changes)


KNOWS_REFUSAL: Mapping[str, Any] = {
    "games": ["redteam-v1(closed=True)"],
    "phases": [{"roles": ["red-defender"], "steps": 60}, {"roles": ["red-attacker"]}],
    "policy": {"per_role": True},
    "optimizer": {"lr": 2e-3},
}
KNOWS_SOME: Mapping[str, Any] = {
    "games": ["psj-v1(size=2)"],
    "roles": {"proposer": "proposer(duplicates=0.3, distance=0.1)"},
    "tasks": {"share": 0.5},
    "phases": [{"roles": ["solver"], "steps": 100}, {"roles": ["proposer"]}],
}
SINGLE = "prefer-v2(referee=single,tasks=arithmetic(operation=add,digits=1),closed=true,problems=2)"
LADDER, BIASED = "prefer-v2(table=ladder)", "prefer-v2(table=biased)"
TRIALS: Mapping[str, Trial] = {
    "spo ladder": _prefer(LADDER, "reinforce", "spo", 80, matches_per_step=16),
    "sppo ladder": _prefer(LADDER, "sppo(eta=2.0)", "none", 80, matches_per_step=16),
    "temporal ladder": _prefer(LADDER, "temporal", "none", 80, matches_per_step=16, replay={"keep": "temporal"}),
    "majority truth-first": Trial("majority_closed_train", 20, {"roles": {"solver": "solver"}}),
    "majority labels": Trial("majority_closed_train", 20, first="majority truth-first"),
    "majority truth": Trial("majority_closed_train", 20, {"roles": {"solver": "solver"}}, first="majority truth-first"),
    "advise": Trial("advise_train", 30),
    "judge-pairs": Trial("judge_closed_train", 60, SMALL | {"phases": [{"roles": ["pair-judge"]}]}),
    "judge-single": Trial(
        "judge_closed_train", 80, SMALL | {"games": [SINGLE], "phases": [{"roles": ["answer-judge"]}]}
    ),
    "refine critic": _refine(),
    "refine alone": _refine(",critic=false"),
    "c2-evo failures-outgrown": _evolve(parents="failures", outgrown=0.9),
    "c2-evo uniform": _evolve(parents="uniform"),
    "stages staged": _stages([{"policies": ["skill"], "steps": 15}, {"policies": ["strategy"], "steps": 15}, {}]),
    "stages together": _stages([]),
    "tax planner": Trial("tax_train", 40, SMALL | {"phases": [{"roles": ["planner"]}]}),
    "tax planner-whiten": Trial("tax_train", 40, SMALL | {"phases": [{"roles": ["planner"]}], "advantage": "whiten"}),
    "tax": Trial("tax_train", 50),
    "ask": Trial("ask_train", 20, SMALL),
    "starling": Trial("starling_train", 10),
    "refine together": _refine(",together=true", advantage="grpo"),
    "refine bonus": _refine(",critic=false,bonus=1"),
    "pragmatic": Trial("pragmatic_train", 80),
    "spo biased": _prefer(BIASED, "reinforce", "spo", 100),
    "sppo biased": _prefer(BIASED, "sppo(eta=0.5)", "none", 100),
    "temporal biased": _prefer(BIASED, "temporal", "none", 100, replay={"keep": "temporal"}),
    "search": Trial("search_train", 100),
    "psj judge": Trial("psj_train", 600, {"phases": [{"roles": ["judge"]}], "games": ["psj-v1(size=2)"]}),
    "psj proposer": Trial("psj_train", 300, KNOWS_SOME, after=100),
    "redteam attacker": Trial("redteam_train", 180, KNOWS_REFUSAL, after=60),
    "nash-mp biased": _prefer(BIASED, "nash-mp(beta=0.05, eta=0.5)", "none", 400),
}


def main() -> None:
    """Train what is missing, and print a table of all that is there."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--only", nargs="+", default=list(TRIALS), metavar="NAME", help=f"of {', '.join(TRIALS)}")
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--minutes", type=float, default=10.0, help="processor time after which no run begins")
    options.add_argument("--runs", type=Path, default=Path("runs/systems"))
    given = options.parse_args()
    found: dict[str, list[Mapping[str, Any]]] = {name: [] for name in given.only}
    for name in given.only:
        for seed in range(given.seeds):
            done = folder_of(given.runs, name, seed) / "summary.json"
            if not done.exists() and cpu_seconds() < 60 * given.minutes:
                summary = run(TRIALS[name], seed, done.parent, given.runs)
                done.write_text(json.dumps(summary))
                print(name, seed, json.dumps(summary), flush=True)
            if done.exists():
                found[name].append(json.loads(done.read_text()))
    print(machine_line("torch"))
    print(table(HEAD, [row for name, runs in found.items() for row in rows_of(name, runs)]))


def folder_of(runs: Path, name: str, seed: int) -> Path:
    """Where a run of a trial is kept."""
    return runs / f"{name.replace(' ', '-')}-{seed}"


def run(trial: Trial, seed: int, folder: Path, runs: Path) -> dict[str, Any]:
    """Train with a seed, which is that of the tiny model too; (start, end) of each measured key, and CPU minutes."""
    file = EXAMPLES / f"{trial.file}.toml"
    model = parse_name(read_toml(file, "training")["policy"]["model"])
    policy = dict(trial.changes.get("policy", {}))
    if trial.first:
        snapshots = (folder_of(runs, trial.first, seed) / "run" / "snapshots").iterdir()
        policy["model"] = str(max(snapshots, key=lambda found: found.stat().st_mtime))
    elif model.base == "tiny":
        policy = {"model": str(Name("tiny", {**model.params, "seed": seed}))} | policy
    usual = {"snapshots": {"every": trial.steps, "matches": 0}, "evaluation": {"every": trial.steps}}
    changes = {**usual, **trial.changes, "policy": policy, "steps": trial.steps, "seed": seed}
    config, rows, cpu = train(file, folder, changes)
    counted = rows[trial.after :]
    measured = dict.fromkeys(key for row in counted for key in row if key.startswith(MEASURED))
    curves = {key: [row[key] for row in counted if key in row] for key in measured}
    ends = {key: _ends(curve) for key, curve in curves.items()}
    if trial.sums:
        right = exact(config, trial.sums)
        ends["exact/sums"] = right, right
    return {"cpu": cpu / 60} | ends


def exact(config: TrainingConfig, size: int) -> float:
    """The mean probability that the last snapshot gives the right answer to each sum of a closed game."""
    player, game = stored_players.make(f"{config.name}@{config.steps}", db=config.db), games.make(config.games[0].id)
    found = []
    for a, b in product(range(size + 1), repeat=2):
        game.load_task(f"{a} + {b}")
        game.reset(0)
        seat = game.acting[0]
        view = View(game, seat, game.spec.seats[seat], game.legal(seat) or (), 0, 0)
        found.append((event_loop.run(player.probabilities(view)) or {})[str(a + b)])
    player.close()
    return statistics.mean(found)


def _ends(curve: Sequence[float]) -> tuple[float, float]:
    n = max(1, len(curve) // 10)
    return statistics.mean(curve[:n]), statistics.mean(curve[-n:])


def rows_of(name: str, runs: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """A row for each measured key: means over seeds, and their ranges."""
    out = []
    for key in (key for key in (runs[0] if runs else {}) if key != "cpu"):
        starts, ends = ([r[key][n] for r in runs if key in r] for n in (0, 1))
        kind, _, rest = key.partition("/")
        minutes = ", ".join(f"{r['cpu']:.1f}" for r in runs)
        spread = [part for v in (starts, ends) for part in (f"{statistics.mean(v):.3f}", _range(v))]
        what = rest.rpartition("/")[2].partition("(")[0]
        out.append((name, f"{kind} {what}", str(len(starts)), *spread, minutes))
    return out


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.3f} to {max(values):.3f}"


if __name__ == "__main__":
    main()
