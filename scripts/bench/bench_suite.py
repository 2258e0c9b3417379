"""Base accuracies of a model by family and difficulty: which tasks are neither hopeless nor solved before training.

    python scripts/bench/bench_suite.py --model smollm2-135m --tasks 30 --shots 0 2

Prints one row per family and difficulty: accuracy with its 95% Wilson interval on tasks of the split `dev`, the best
constant answer, and the share of unread answers. Families are chosen on `dev`; what is reported about a training comes
from `test`, whose questions are other ones.
"""

from __future__ import annotations

import argparse
import asyncio
import time

import arena.players
from arena.evaluation import Suite, suite_lines
from roles.native.proposer_solver import SolverRole

parser = argparse.ArgumentParser()
parser.add_argument("--suite", default="reasoning-gym(difficulty=small,split=dev)")
parser.add_argument("--model", default="smollm2-135m")
parser.add_argument("--tasks", type=int, default=30)
parser.add_argument("--tokens", type=int, default=32)
parser.add_argument("--temperature", type=float, default=0.0)
parser.add_argument("--shots", type=int, nargs="+", default=[0], help="numbers of demonstrations")
options = parser.parse_args()

suite = Suite(options.suite, options.tasks)
for shots in options.shots:
    SolverRole.shots = shots
    player = arena.players.make(  # a new one: a player keeps the prompts it has made
        f"llm(model={options.model}, max_tokens={options.tokens}, temperature={options.temperature:g})"
    )
    began = time.perf_counter()
    score = asyncio.run(suite.play(player))
    print(f"-- {shots} demonstrations, {options.tokens} tokens, {time.perf_counter() - began:.0f} s")
    print("\n".join(suite_lines(score)), flush=True)
    player.close()
