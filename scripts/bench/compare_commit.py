"""CPU time of the match loop, the board's frame, `arena --help`, the learner and the ratings against another commit.

Each tree runs its own code in a process of its own, started several times; the two take turns, so that other work on
the machine costs both alike. A ratio is the other commit's CPU seconds over ours for the same work: the median over
turns, and the lowest and highest median of one pair of processes. At least 1 means that ours is as fast.

    git worktree add /tmp/old afee5b0     (for `--help`, put that tree's own dist-info with its entry points in it)
    OMP_NUM_THREADS=1 .venv/bin/python scripts/bench/compare_commit.py /tmp/old [--pairs 3] [--turns 15] [--only match]
"""

from __future__ import annotations

import argparse
import importlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve()
Work = Callable[[], object]


def matches() -> dict[str, Work]:
    """The match loop with full records: players that read, and players that do not."""
    bench = importlib.import_module("bench_match")
    records = importlib.import_module("arena.match")
    players = importlib.import_module("arena.players.registry")
    games = importlib.import_module("games")

    def blind(id: str, count: int) -> None:
        game, player = games.make(id), players.make("random")
        seated = dict.fromkeys(game.spec.seats, player)
        seats = dict.fromkeys(game.spec.seats, "random")
        for seed in range(count):
            records.play(game, records.MatchPlan("m", id, seed, seats), seated)

    work: dict[str, Work] = {}
    for name, count in (("kuhn_poker", 4000), ("tic_tac_toe", 1500), ("connect_four", 500)):
        work[f"match: {name}, random players"] = partial(blind, f"openspiel/{name}", count)
        work[f"match: {name}, players that read"] = partial(bench.ours, name, count)
    work["match: bargain-v1, random players"] = partial(blind, "bargain-v1", 500)
    return work


def frames() -> dict[str, Work]:
    """A frame of the live board: 64 players, 200 x 70."""
    bench = importlib.import_module("bench_board")
    state = bench.made_up(64)
    return {"board: frame of 64 players": lambda: [bench.frame(state, 200, 70) for _ in range(60)]}


def ratings() -> dict[str, Work]:
    """Single updates, and results through the rating engine."""
    bench = importlib.import_module("bench_ratings")
    engine = getattr(bench, "OnlineRatings", None) or bench.Ledger
    log, games, names = bench.log_of(6000, 64)
    update = bench.TrueSkill().update

    def live() -> None:
        rated = engine(games, players=names)
        for result in log:
            rated.add([result])

    return {
        "ratings: update, win": lambda: [update(25.0, 8.0, 20.0 + i % 7, 5.0, False) for i in range(100_000)],
        "ratings: update, draw": lambda: [update(25.0, 8.0, 20.0 + i % 7, 5.0, True) for i in range(100_000)],
        "ratings: results, all at once": lambda: engine(games, players=names).add(log),
        "ratings: results, live": live,
    }


def steps() -> dict[str, Work]:
    """Optimizer steps of the tiny model."""
    bench = importlib.import_module("bench_learner")
    bench.torch.set_num_threads(1)
    trainer = bench.Trainer(bench.models.load("tiny", "fp32", "cpu").model, bench.TrainerConfig())
    samples = {name: make(1) for name, make in bench.WORKLOADS.items()}

    def step(name: str) -> None:
        for _ in range({"poker": 15, "dialogue": 3, "apart": 3}[name]):
            trainer.step(samples[name])

    return {f"learner: step, {name}": partial(step, name) for name in samples}


def helps() -> dict[str, Work]:
    """The whole process. Bytecode is on disk, as in an installation, whatever PYTHONDONTWRITEBYTECODE says."""
    command = [sys.executable, "-c", "from arena.cli import main; main()", "--help"]
    bytecode = tempfile.TemporaryDirectory()
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run() -> None:
        environment = kept | {"PYTHONPYCACHEPREFIX": bytecode.name}
        subprocess.run(command, env=environment, check=True, capture_output=True)

    run()  # writes the bytecode
    return {"arena --help": run}


PARTS = {"match": matches, "board": frames, "help": helps, "learner": steps, "ratings": ratings}


def serve(part: str) -> None:
    """A worker: prints the names of its work, then for each name that it reads the CPU seconds of doing it once."""
    work = PARTS[part]()
    out, sys.stdout = sys.stdout, sys.stderr
    print("\t".join(work), file=out, flush=True)
    for line in sys.stdin:
        began = _cpu_seconds()
        work[line.strip()]()
        print(_cpu_seconds() - began, file=out, flush=True)


def _cpu_seconds() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


class Tree:
    """A worker that runs the code of one tree."""

    def __init__(self, root: Path, part: str) -> None:
        bench = root / "scripts" / "bench" if (root / "scripts" / "bench").is_dir() else root / "scripts"
        paths = {"PYTHONPATH": f"{root}:{bench}", "PYTHONHASHSEED": "0", "PYTHONSAFEPATH": "1"}
        command = [sys.executable, str(HERE), str(root), "--serve", part]
        process: Any = subprocess.Popen(
            command, env={**os.environ, **paths}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root
        )
        self.process = process
        self.names = self.process.stdout.readline().strip().split("\t")

    def seconds(self, name: str) -> float:
        """CPU seconds of doing this work once."""
        print(name, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def close(self) -> None:
        """End the worker."""
        self.process.stdin.close()
        self.process.wait()


def compare(part: str, root: Path, base: Path, turns: int) -> dict[str, list[tuple[float, float]]]:
    """name -> (seconds of the base, seconds of ours) for each turn, from one pair of processes."""
    ours, theirs = Tree(root, part), Tree(base, part)
    found: dict[str, list[tuple[float, float]]] = {}
    for name in ours.names:
        for tree in (ours, theirs):
            tree.seconds(name)  # fills caches
        pairs = found[name] = []
        for turn in range(turns):
            first = ours.seconds(name) if turn % 2 else 0.0
            other = theirs.seconds(name)
            pairs.append((other, first or ours.seconds(name)))
    ours.close()
    theirs.close()
    return found


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("base", type=Path, help="a worktree of the other commit")
    options.add_argument("--ours", type=Path, default=HERE.parents[2], help="the tree to judge; default: this one")
    options.add_argument("--pairs", type=int, default=3)
    options.add_argument("--turns", type=int, default=15)
    options.add_argument("--only", nargs="+", default=list(PARTS), choices=list(PARTS))
    options.add_argument("--serve", choices=list(PARTS), help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.serve:
        serve(given.serve)
        return
    from _bench import machine_line, table

    print(machine_line())
    rows = []
    for part in given.only:
        runs = [compare(part, given.ours.resolve(), given.base.resolve(), given.turns) for _ in range(given.pairs)]
        for name in runs[0]:
            medians = [median(a / b for a, b in run[name]) for run in runs]
            turns = [turn for run in runs for turn in run[name]]
            theirs, ours = (1e3 * min(side) for side in zip(*turns, strict=True))
            ratio = median(a / b for a, b in turns)
            rows.append([name, theirs, ours, ratio, f"{min(medians):.3f} to {max(medians):.3f}", theirs / ours])
            print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
    print(table(["work", "base, ms (best)", "ours, ms (best)", "ratio", "of each pair", "of the best"], rows))


if __name__ == "__main__":
    main()
