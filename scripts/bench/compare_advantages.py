"""Advantage estimators side by side in a game with a strong seat advantage.

    python scripts/bench/compare_advantages.py [--seeds 5] [--steps 80] [--estimators rae global none grpo]
        [--out FILE.json]
    python scripts/bench/compare_advantages.py --survey          # the seat advantage of small games

Uses scripts/examples/compare_advantages.toml. Two questions:

noise: at fixed weights, every estimator turns the same batches of matches into gradients. The table reports the trace
of their covariance, the squared length of their mean (both unbiased), and noise / signal, the ratio of the two, which
does not change if an estimator scales its advantages, as grpo does. The weights are those after `--at` steps of
training with rae; the first batches only warm up the baselines.

speed: every estimator trains from the same weights for the same number of matches. The table reports the first step
from which NashConv stays at or below `--target` for three readings.

All estimators play groups of `--group` matches on one seed, because grpo compares within them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from _bench import cpu_seconds, machine_line, table

import games
from arena.evaluation import evaluate, tabulate
from arena.learner import estimator, turn_samples
from arena.learner.advantages import checked_advantages
from arena.match import Episode
from arena.runner.local import LocalRunner
from league.config.toml_file import read_toml
from league.config.training import TrainingConfig, parse_training
from league.records.metrics_file import read_metrics
from league.training.cast import Cast
from league.training.opponent_pool import OpponentPool
from league.training.participants.policy_id import ONLY
from league.training.policy_trainer import PolicyTrainer
from league.training.resolve import resolve
from league.training.run import run_training
from league.training.schedule import plan_step

FILE = Path(__file__).parents[1] / "examples" / "compare_advantages.toml"
WARM = 5
"""batches that only warm the baselines up"""

SURVEY = (
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(numdice=1,dice_sides=3)",
    "first_sealed_auction(max_value=4)",
    "tic_tac_toe",
    "nim(pile_sizes=1;3;5)",
    "connect_four(rows=3,columns=3,x_in_row=3)",
    "dots_and_boxes(num_rows=1,num_cols=2)",
    "havannah(board_size=2)",
    "clobber(rows=3,columns=3)",
    "mnk(m=3,n=3,k=2)",
    "mnk(m=3,n=2,k=2)",
)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--survey", action="store_true", help="print the seats' values of small games and stop")
    options.add_argument("--seeds", type=int, default=5)
    options.add_argument("--first", type=int, default=0, help="the first seed")
    options.add_argument("--estimators", nargs="+", default=["rae", "global", "none", "grpo"])
    options.add_argument("--game", default=read_toml(FILE, "training")["games"][0])
    options.add_argument("--steps", type=int, default=80, help="of the trainings; 0: only the noise")
    options.add_argument("--matches", type=int, default=64, help="per step")
    options.add_argument("--group", type=int, default=8, help="matches on one seed")
    options.add_argument("--target", type=float, default=0.1, help="NashConv to reach")
    options.add_argument("--batches", type=int, default=40, help="for the noise; 0: only the speed")
    options.add_argument("--at", type=int, nargs="+", default=[0, 12], help="steps after which the noise is measured")
    options.add_argument("--out", help="write everything to this file")
    given = options.parse_args()
    print(machine_line("torch", "transformers"), "\n")
    if given.survey:
        print(table(("game", "decisions", "first seat, uniform play", "NashConv of it"), list(survey())))
        return
    results: dict[str, Any] = {"settings": vars(given), "noise": [], "speed": []}
    for seed in range(given.first, given.first + given.seeds):
        if given.batches:
            results["noise"] += asyncio.run(noise(settings(given, seed, "rae"), given))
        for name in given.estimators if given.steps else ():
            results["speed"].append(speed(settings(given, seed, name), given))
        if given.out:  # after each seed, so that an interrupted run keeps its results
            Path(given.out).write_text(json.dumps(results))
    if given.batches:
        print(
            table(("after", "estimator", "noise", "signal", "noise / signal", "over none's"), noise_rows(results)), "\n"
        )
    if given.steps:
        head = ("estimator", "reached", f"steps to {given.target:g}", "from", "to", "NashConv at the end", "from", "to")
        print(table((*head, "CPU s"), speed_rows(results, given.steps)))


def survey() -> Iterator[tuple[str, int, float, float]]:
    """Exact values of small games under uniformly random play."""
    for name in SURVEY:
        game = games.make(f"openspiel/{name}")
        walked = tabulate(game)
        exact = evaluate(game, {d.key: dict.fromkeys(d.actions, 1 / len(d.actions)) for d in walked.decisions})
        yield name, exact.decisions, next(iter(exact.values.values())), exact.nash_conv


def settings(given: argparse.Namespace, seed: int, advantage: str) -> dict[str, Any]:
    """The training file with the settings of the command line."""
    data = read_toml(FILE, "training")
    data |= {"seed": seed, "steps": max(1, given.steps), "matches_per_step": given.matches, "group": given.group}
    data |= {"games": [given.game], "advantage": advantage}
    data["policy"] |= {"model": f"tiny(layers=2, hidden=64, seed={seed})"}
    return data


# Noise


async def noise(data: dict[str, Any], given: argparse.Namespace) -> list[dict[str, Any]]:
    """One row for each estimator and each number of steps in `--at`."""
    rows = []
    data = data | {"optimizer": data["optimizer"] | {"max_grad_norm": 1e12}}  # the measured gradients are not clipped
    with contextlib.closing(Bench(parse_training(data))) as bench:
        for steps in sorted(given.at):
            while bench.step < steps:
                bench.learner.learn(await bench.play(), lambda episode, seat: None)
            for name, found in (await bench.gradients(given.estimators, given.batches)).items():
                rows.append({"seed": data["seed"], "after": steps, "estimator": name, **found})
    return rows


class Bench:
    """A policy, its self-play matches, and the gradients of the estimators."""

    def __init__(self, config: TrainingConfig) -> None:
        self.config, self.step = config, 0
        self.specs = {spec.id: spec for spec in (games.make(g.id).spec for g in config.games)}
        plan = resolve(config)
        self.cast = Cast(plan, plan.policies[ONLY])
        self.learner = PolicyTrainer(plan, plan.policies[ONLY])
        self.runner = LocalRunner(self.learner.players(), concurrency=config.concurrency)
        self.population = OpponentPool(config.opponents, config.snapshots, {})

    def close(self) -> None:
        """Stop the engine."""
        self.learner.close()

    async def play(self) -> list[Episode]:
        """The matches of the next step."""
        planned = plan_step(self.cast, self.population, self.step, self.step * len(self.specs) * 10**6)
        self.step += 1
        queue, ended = [p.match for p in planned], list[Episode]()
        await self.runner.run(lambda room: [queue.pop() for _ in range(min(room, len(queue)))], ended.extend)
        by_id = {episode.match: episode for episode in ended}
        return [by_id[p.match.id] for p in planned]

    async def gradients(self, names: Sequence[str], batches: int) -> dict[str, dict[str, float]]:
        """Moments of each estimator's gradient over the same batches, at fixed weights."""
        (policy,) = self.learner.models.values()
        trainer = policy.trainer
        state, own, step = trainer.state_dict(), trainer.optimizer, self.step
        moments = {name: Moments() for name in names}
        estimators = {name: estimator(name) for name in names}
        self.step = 10**6 + step  # seeds that no training uses
        for batch in range(WARM + batches):
            episodes = await self.play()
            credits = self.learner.credits(episodes, lambda episode, seat: None)
            for name in names:
                advantages = checked_advantages(name, estimators[name], credits)
                trainer.optimizer = Recorder(trainer.weights.masters.values(), moments[name] if batch >= WARM else None)
                trainer.step(turn_samples(episodes, credits, advantages))
        trainer.optimizer, trainer.steps, self.step = own, state["steps"], step
        return {name: m.result() for name, m in moments.items()}


class Moments:
    """Sum and sum of squares of gradients."""

    def __init__(self) -> None:
        self.n, self.squares, self.total = 0, 0.0, torch.zeros(())

    def add(self, gradient: torch.Tensor) -> None:
        """Take in one gradient (P,)."""
        self.n, self.squares = self.n + 1, self.squares + float(gradient.square().sum())
        self.total = self.total + gradient

    def result(self) -> dict[str, float]:
        """Trace of the covariance, and squared length of the mean less what noise adds to it."""
        square = float((self.total / self.n).square().sum())
        noise = (self.squares / self.n - square) * self.n / (self.n - 1)
        return {"noise": noise, "signal": square - noise / self.n}


class Recorder(torch.optim.SGD):
    """Records a gradient instead of applying it."""

    def __init__(self, params: Any, moments: Moments | None) -> None:
        super().__init__(params, lr=1.0)
        self.moments = moments

    def step(self, closure: Any = None) -> None:
        """Record the gradient; the weights do not change."""
        if self.moments is not None:
            self.moments.add(torch.cat([p.grad.flatten() for g in self.param_groups for p in g["params"]]).double())


def noise_rows(results: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Means over seeds; the ratio to `none` seed by seed, with its spread."""
    rows = []
    found = {(r["seed"], r["after"], r["estimator"]): r for r in results["noise"]}
    for after, name in dict.fromkeys((a, e) for _, a, e in found):
        own = {s: r for (s, a, e), r in found.items() if (a, e) == (after, name)}
        noises, signals = ([r[key] for r in own.values()] for key in ("noise", "signal"))
        ratios = [_ratio(r) / _ratio(found[s, after, "none"]) for s, r in own.items() if (s, after, "none") in found]
        spread = f"{statistics.mean(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})" if ratios else ""
        noise, signal = statistics.mean(noises), statistics.mean(signals)
        rows.append((after, name, noise, signal, noise / signal, spread))
    return rows


def _ratio(row: dict[str, float]) -> float:
    return row["noise"] / row["signal"]


# Speed


def speed(data: dict[str, Any], given: argparse.Namespace) -> dict[str, Any]:
    """One training: its curve of (step, NashConv), and the step that reached the target."""
    with tempfile.TemporaryDirectory() as folder:
        began = cpu_seconds()
        config = parse_training(data | {"db": f"sqlite:///{folder}/a.db", "folder": f"{folder}/run"})
        run_training(config, board="off")
        cpu, rows = cpu_seconds() - began, read_metrics(Path(folder) / "run")
    key = f"nash_conv/{games.make(given.game).spec.id}"
    curve = [(r["step"], r[key]) for r in rows if key in r]
    return {
        "seed": data["seed"],
        "estimator": data["advantage"],
        "reached": reached(curve, given.target),
        "last": statistics.mean(v for _, v in curve[-3:]),
        "cpu_seconds": cpu,
        "curve": curve,
        "entropy": [r["entropy"] for r in rows if "entropy" in r],
    }


def reached(curve: Sequence[tuple[int, float]], target: float) -> int | None:
    """The first step from which three readings stay at or below the target."""
    for i in range(len(curve) - 2):
        if all(value <= target for _, value in curve[i : i + 3]):
            return curve[i][0]
    return None


def speed_rows(results: dict[str, Any], steps: int) -> list[tuple[Any, ...]]:
    """Median over seeds, with the spread; a run that misses the target counts with all its steps."""
    rows = []
    for name in dict.fromkeys(r["estimator"] for r in results["speed"]):
        own = [r for r in results["speed"] if r["estimator"] == name]
        took = [r["reached"] if r["reached"] is not None else steps for r in own]
        last = [r["last"] for r in own]
        there = f"{sum(r['reached'] is not None for r in own)} of {len(own)}"
        cpu = statistics.mean(r["cpu_seconds"] for r in own)
        rows.append((name, there, float(statistics.median(took)), min(took), max(took), statistics.mean(last)))
        rows[-1] += (min(last), max(last), cpu)
    return rows


if __name__ == "__main__":
    main()
