"""Peak memory of one training step at a large vocabulary: all logits at once against the output layer in chunks.

    python scripts/bench/bench_head.py [--tokens 8192] [--vocabulary 151936] [--modes dense chunked]
    python scripts/bench/bench_head.py --tokens 16384 --answers 1 --modes chunked      one long answer

Each mode runs in a process of its own, on one thread, on a randomly initialised model with the layout of Qwen3 and tied
embeddings. Memory is the growth of the peak resident set during the step, after a step on a short answer.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Run every mode and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=8192, help="completion tokens of the step")
    parser.add_argument("--answers", type=int, default=8)
    parser.add_argument("--vocabulary", type=int, default=151_936)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--modes", nargs="+", default=["dense", "chunked"], choices=["dense", "chunked"])
    parser.add_argument("--entropy", type=float, default=0.01, help="weight of the entropy bonus")
    parser.add_argument("--kl", type=float, default=0.0, help="weight of the KL to the start")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        sys.stdout.write(json.dumps(measure(given)) + "\n")
        return
    found = {}
    for mode in given.modes:
        command = [sys.executable, __file__, *sys.argv[1:], "--child", mode]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            print(f"{mode}: failed with exit code {run.returncode}: {run.stderr.strip()[-300:]}")
            continue
        found[mode] = row = json.loads(run.stdout.splitlines()[-1])
        print(
            f"{mode:8} {given.tokens:,} tokens, V = {given.vocabulary:,}: +{row['growth']:,.0f} MiB in the step, "
            f"{row['seconds']:.0f} s, {row['micro_batches']} micro-batch(es), gradient norm {row['norm']:.6f}"
        )
    if len(found) == 2:
        print(f"chunked / dense: {found['chunked']['growth'] / found['dense']['growth']:.3f} of the memory")


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """One step in this process."""
    Path("/proc/self/oom_score_adj").write_text("1000")  # if memory runs out, this process ends and no other
    sys.path.insert(0, str(ROOT))
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    from arena.learner import LossConfig, OptimizerConfig, TrainerConfig, TurnSample
    from arena.learner.trainer import Trainer

    torch.set_num_threads(1)
    torch.manual_seed(0)
    shape = Qwen3Config(
        vocab_size=given.vocabulary, hidden_size=given.hidden, intermediate_size=2 * given.hidden,
        num_hidden_layers=given.layers, num_attention_heads=4, num_key_value_heads=2, head_dim=32,
        max_position_embeddings=1 << 16, tie_word_embeddings=True,
    )  # fmt: skip
    model = Qwen3ForCausalLM(shape).eval()
    o = OptimizerConfig(token_budget=1 << 20, head_rows=0 if given.child == "dense" else 256)
    trainer = Trainer(model, TrainerConfig(loss=LossConfig(entropy=given.entropy, kl=given.kl), optimizer=o))
    generator = torch.Generator().manual_seed(1)

    def answer(length: int, advantage: float) -> TurnSample:
        ids = torch.randint(10, given.vocabulary, (length + 8,), generator=generator).tolist()
        logps = (-11.9,) * length
        return TurnSample(tuple(ids[:8]), tuple(ids[8:]), logps, None, advantage, 1.0, ("game", "role", "play"))

    trainer.step([answer(4, 1.0)])  # the optimizer's state and the gradients exist from here on
    before = peak()
    length = given.tokens // given.answers
    samples = [answer(length, float(n % 2) * 2 - 1) for n in range(given.answers)]
    start = time.perf_counter()
    stats = trainer.step(samples)
    seconds = time.perf_counter() - start
    micro = stats.micro_batches
    return {"growth": peak() - before, "seconds": seconds, "norm": stats.grad_norm, "micro_batches": micro}


def peak() -> float:
    """The largest resident set of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
