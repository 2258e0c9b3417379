"""Two processes that share a learner, with a thread each, against one process with two threads, on the CPU.

    python scripts/bench/bench_shards.py [--turns 7] [--hidden 256] [--layers 4] [--samples 64] [--answer 96]

The driver has both: a whole trainer with two threads, and half of a sharded one with one thread; their steps alternate,
and the other process sleeps while the whole trainer computes. Three ratios: of wall time, the median over turns and the
best turns; and of CPU seconds of all threads, on which other load of the machine has less influence, but which leave
out waiting. The first turn does not count. Also printed: the relative difference of the gradient of the first step
(Euclidean norm, float32, without clipping) and the largest difference of a metric.

Equal up to rounding: gradients (3e-7 relative, every loss within 1e-5), metrics, checkpoints in both directions. The
norm of the gradient differs more, because torch sums float32 squares on the CPU with an error of 2.5e-5; clipping
scales the step by as much. Ratios under other load mean nothing (0.43 to 1.32); the idle machine has 0.98 to 1.11.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Start torch.distributed.run, whose rank 0 measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--answer", type=int, default=96, help="tokens of an answer; prompts have 32")
    parser.add_argument("--folder", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]
    if given.folder:
        _rank(given)
        return
    with tempfile.TemporaryDirectory() as folder:
        _save_model(given, folder)
        launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "TORCH_CPP_LOG_LEVEL": "ERROR"}
        sys.exit(subprocess.run([*launch, __file__, *sys.argv[1:], "--folder", folder], env=environment).returncode)


def _save_model(given: argparse.Namespace, folder: str) -> None:
    from transformers import Qwen3Config, Qwen3ForCausalLM

    from arena.inference import models

    tokenizer = models.load("tiny", "fp32", "cpu").tokenizer
    config = Qwen3Config(
        hidden_size=given.hidden,
        intermediate_size=3 * given.hidden,
        num_hidden_layers=given.layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=given.hidden // 4,
        vocab_size=len(tokenizer),
        tie_word_embeddings=True,
    )
    Qwen3ForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _rank(given: argparse.Namespace) -> None:
    import torch

    from arena.inference import models
    from arena.learner import LearnerConfig, OptimizerConfig, TrainerConfig
    from arena.learner.process_group import join
    from arena.learner.sharded_trainer import ModelSource, ShardedTrainer, follow
    from arena.learner.trainer import Trainer

    settings = TrainerConfig(optimizer=OptimizerConfig(lr=1e-5, max_grad_norm=1e9, token_budget=4096))
    torch.set_num_threads(1)
    with join(LearnerConfig(processes=2), "cpu") as group:
        if group.rank:
            follow(group)
            return
        whole = models.load(given.folder, "fp32", "cpu").model
        one = Trainer(whole, settings)
        source = ModelSource(given.folder, "fp32", settings.model_dump(mode="json"))
        two = ShardedTrainer(group, models.load(given.folder, "fp32", "cpu").model, source)
        _measure(given, one, two, sum(p.numel() for p in whole.parameters()))


def _measure(given: argparse.Namespace, one: Any, two: Any, weights: int) -> None:
    import torch
    from _bench import machine_line, table

    from arena.learner.stored_tensors import stored_groups

    samples = _samples(given)
    seconds: dict[str, list[float]] = {"one": [], "two": []}
    spent: dict[str, list[float]] = {"one": [], "two": []}
    for turn in range(given.turns + 1):
        for name, trainer, threads in (("one", one, 2), ("two", two, 1)):
            torch.set_num_threads(threads)
            start, cpu = time.perf_counter(), _cpu_seconds()
            stats = trainer.step(samples)
            seconds[name].append(time.perf_counter() - start)
            spent[name].append(_cpu_seconds() - cpu)
            if turn == 0:
                with tempfile.TemporaryDirectory() as folder:
                    trainer.write(Path(folder))
                    moments = stored_groups(Path(folder))["optimizer"]
                gradient = torch.cat([t.flatten() for n, t in sorted(moments.items()) if n.startswith("exp_avg:")])
                if name == "one":
                    expected, first = gradient, stats
                else:
                    error = float((gradient - expected).norm() / expected.norm())
                    passes = ("computed_tokens", "micro_batches")
                    found = {k: v for k, v in stats.metrics().items() if k not in passes}
                    differences = {k: abs(v - first.metrics()[k]) / max(abs(v), 1e-9) for k, v in found.items() if v}
    tokens = sum(len(s.prompt_ids) + len(s.completion_ids) for s in samples)
    rows = [
        (
            what,
            *(f([tokens / s for s in of[name][1:]]) for of, f in ((seconds, median), (seconds, max), (spent, median))),
        )
        for name, what in (("one", "one process, two threads"), ("two", "two processes, one thread each"))
    ]
    ratio = median(a / b for a, b in zip(seconds["one"][1:], seconds["two"][1:], strict=True))
    worst = max(differences, key=lambda name: differences[name])
    print(f"{machine_line('torch')}\n{weights / 1e6:.1f} M weights, {len(samples)} samples, {tokens:,} tokens a step\n")
    print(table(("learner", "tokens/s, median", "tokens/s, best", "tokens per CPU second"), rows))
    best, cpu = (rows[1][column] / rows[0][column] for column in (2, 3))
    print(
        f"\ntwo / one: {ratio:.2f} in wall time (median of {given.turns} turns), {best:.2f} best, {cpu:.2f} in CPU time"
    )
    print(f"load now {os.getloadavg()[0]:.1f}")
    print(f"gradient: {error:.1e} relative; largest difference of a metric: {differences[worst]:.1e} ({worst})")


def _cpu_seconds() -> float:
    """CPU seconds so far of the processes that the agent started (Linux)."""
    total, parent = 0.0, os.getppid()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended in the meantime
        if int(fields[1]) == parent:
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def _samples(given: argparse.Namespace) -> list[Any]:
    from arena.learner import TurnSample

    rng = random.Random(1)

    def ids(n: int) -> tuple[int, ...]:
        return tuple(rng.randrange(20, 1500) for _ in range(n))

    key = ("bench", "player", "play")
    logps = (-7.3,) * given.answer
    return [
        TurnSample(ids(32), ids(given.answer), logps, None, rng.gauss(0, 1), 1.0, key) for _ in range(given.samples)
    ]


if __name__ == "__main__":
    main()
