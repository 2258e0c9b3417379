"""The learner: the cost of a step next to a bare forward and backward pass, and the gain from packing.

    python scripts/bench/bench_learner.py [--models tiny smollm2-135m] [--repeats 3] [--dtype bf16] [--lora 16]

Workloads: `poker` has one-token choices after 12 prompts with shared rules, 16 samples each; `dialogue` has free
answers of 48 tokens, 4 per prompt, with 129 shared tokens of rules; `apart` has free answers to prompts of 20 to 400
tokens that share nothing (only padding is saved).

`of bare`: tokens/s of a whole step (packing, masks, loss, gradient, clipping, AdamW, float32 masters, statistics) over
those of the model's own forward, cross-entropy and backward pass on the same packed micro-batches, prepared beforehand.
A step skips the last layer for tokens whose logits are not needed, so the ratio can exceed 1; `of bare, cut alike`
compares with a bare pass that skips them too: the difference to 1 is the learner's overhead. `saved by sharing`: tokens
of all samples over tokens read. `over padded`: the step against the same step on padded rows, sorted by length, with
micro-batches of equal (padded) size.

The variants alternate, --repeats times, and more often if a step takes less than 0.3 seconds; a short one runs twice
and the second time counts, so that it does not pay for cold caches. Tokens/s are from the best turn, ratios are
medians over turns. On the CPU, seconds are CPU seconds of one thread (see --threads), so that other load does not
count. On CUDA the table adds the share of the device's peak (6 flops per weight and token) and memory.

`qwen3-0.6b-shape` is a randomly initialised model of that shape.

SmolLM2-135M with all weights is below 0.9 of the bare pass where a step has few tokens (398): clipping, AdamW and
publishing go over all float32 masters once a step. With LoRA or four times the tokens it is not.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import torch
from _bench import machine_line, table
from torch import Tensor

from arena.inference import models
from arena.inference.dtypes import DTYPES
from arena.learner import OptimizerConfig, TrainerConfig, TurnSample
from arena.learner.attention import AnyTree, tile, tree_attention, tree_of
from arena.learner.batch import Batch, offsets, pack, split
from arena.learner.config import LoraConfig
from arena.learner.last_layer_pruning import pruned_last_layer
from arena.learner.trainer import Trainer

KEY = ("bench", "player", "play")
# Dense bf16 flops per second, from the data sheets.
PEAKS = {"H200": 989e12, "H100": 989e12, "A100": 312e12, "L4": 121e12, "4090": 165e12}


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--models", nargs="+", default=["tiny", "smollm2-135m"])
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--dtype", default="bf16", help="of all but tiny, which computes in fp32")
    options.add_argument("--device", default="auto")
    options.add_argument("--budget", type=int, default=None, help="tokens of a micro-batch; 4096, on CUDA 32768")
    options.add_argument("--scale", type=int, default=None, help="times the prompts; 1, on CUDA 16")
    options.add_argument("--workloads", nargs="+", default=list(WORKLOADS), choices=list(WORKLOADS))
    options.add_argument("--threads", type=int, default=1, help="of torch on the CPU")
    options.add_argument("--lora", type=int, help="rank of adapters to train; without: all weights")
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    print(machine_line("torch", "transformers"), "\n")
    for name in given.models:
        model = _model(name, "fp32" if name.startswith("tiny") else given.dtype, given.device)
        cuda = next(model.parameters()).device.type == "cuda"
        lora = LoraConfig(rank=given.lora) if given.lora else None
        budget = given.budget or (32768 if cuda else 4096)
        trainer = Trainer(model, TrainerConfig(optimizer=OptimizerConfig(token_budget=budget), lora=lora))
        print(f"{name}, {model.dtype}, {sum(p.numel() for p in model.parameters()) / 1e6:.1f} M weights")
        rows = [
            (workload, *measure(trainer, WORKLOADS[workload](given.scale or (16 if cuda else 1)), given.repeats))
            for workload in given.workloads
        ]
        head = (
            "workload",
            "samples",
            "tokens",
            "tokens/s",
            "of bare",
            "of bare, cut alike",
            "saved by sharing",
            "over padded",
        )
        print(table((*head, *(("MFU", "peak GB") if cuda else ())), rows), "\n")


def measure(trainer: Trainer, samples: list[TurnSample], repeats: int) -> tuple[Any, ...]:
    """One row of the table."""
    everything = range(len(samples))
    starts = offsets(samples)
    parts = split(samples, everything, trainer.token_budget)
    batches = [pack(samples, part, starts, tile(trainer.device, "auto")).to(trainer.device) for part in parts]
    whole_trees = [tree_of(batch.ends, batch.positions, batch.keep, None) for batch in batches]
    with pruned_last_layer(trainer.model) as last:
        cut_trees = [tree_of(batch.ends, batch.positions, batch.keep, last.index) for batch in batches]
    padded = _padded_batches(samples, trainer)
    some = padded[:: max(1, len(padded) // 2)]  # all of them can take very long together
    share = sum(ids.numel() for ids, _, _ in some) / sum(ids.numel() for ids, _, _ in padded)
    variants: dict[str, Callable[[], float]] = {
        "step": lambda: _seconds(lambda: trainer.step(samples), trainer.device),
        "bare": lambda: _bare(trainer, batches, whole_trees),
        "cut": lambda: _bare(trainer, batches, cut_trees),
        "padded": lambda: _seconds(lambda: _padded(trainer, some), trainer.device) / share,
    }
    times: dict[str, list[float]] = {name: [] for name in variants}
    turns = repeats
    while len(times["step"]) < turns:
        for name, run in variants.items():
            if name == "padded" and len(times[name]) == repeats:
                continue
            if trainer.device.type == "cuda":
                torch.cuda.reset_peak_memory_stats()
            seconds = run()
            times[name].append(seconds if seconds > 0.5 else run())
            if name == "step" and trainer.device.type == "cuda":
                memory = torch.cuda.max_memory_allocated() / 1e9
        turns = max(repeats, min(100, int(repeats * 0.3 / min(times["step"]))))

    def ratio(name: str) -> float:
        return median(other / step for step, other in zip(times["step"], times[name], strict=False))

    read, whole = sum(len(b.ids) for b in batches), sum(len(s.prompt_ids) + len(s.completion_ids) for s in samples)
    best = min(times["step"])
    row = (len(samples), read, read / best, ratio("bare"), ratio("cut"), whole / read, ratio("padded"))
    if trainer.device.type != "cuda":
        return row
    flops = 6 * sum(p.numel() for p in trainer.model.parameters()) * read / best
    peak = next((v for k, v in PEAKS.items() if k in torch.cuda.get_device_name()), float("nan"))
    return (*row, flops / peak, memory)


def _bare(trainer: Trainer, batches: list[Batch], trees: list[AnyTree]) -> float:
    """Seconds of forward pass, cross-entropy and backward pass alone."""

    def run() -> None:
        for batch, tree in zip(batches, trees, strict=True):
            last.keep = None if tree.last is None else batch.keep
            logits = trainer.model(
                input_ids=batch.ids[None],
                position_ids=batch.positions[None],
                use_cache=False,
                logits_to_keep=batch.keep,
                tree=tree,
            ).logits[0]
            target = batch.ids[batch.keep]
            torch.nn.functional.cross_entropy(logits.float(), target).backward()

    trainer.weights.clear_gradients()
    with tree_attention(trainer.model), pruned_last_layer(trainer.model) as last:
        seconds = _seconds(run, trainer.device)
    trainer.weights.clear_gradients()
    return seconds


def _padded_batches(samples: list[TurnSample], trainer: Trainer) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Ids (B, W), mask (B, W) and which logits are needed (B, W), rows sorted by length."""
    order = sorted(samples, key=lambda s: len(s.prompt_ids) + len(s.completion_ids))
    groups: list[list[TurnSample]] = [[]]
    for s in order:
        if groups[-1] and (len(groups[-1]) + 1) * (len(s.prompt_ids) + len(s.completion_ids)) > trainer.token_budget:
            groups.append([])
        groups[-1].append(s)
    out = []
    for group in groups:
        width = max(len(s.prompt_ids) + len(s.completion_ids) for s in group)
        ids, mask, wanted = (torch.zeros(len(group), width, dtype=torch.long) for _ in range(3))
        for i, s in enumerate(group):
            row = torch.tensor(s.prompt_ids + s.completion_ids)
            ids[i, : len(row)], mask[i, : len(row)] = row, 1
            wanted[i, [len(s.prompt_ids) - 1 + t for t in s.decided()]] = 1
        out.append((ids.to(trainer.device), mask.to(trainer.device), wanted.bool().to(trainer.device)))
    return out


def _padded(trainer: Trainer, batches: list[tuple[Tensor, Tensor, Tensor]]) -> None:
    """The usual way: padded rows, logits only for needed tokens, then the same optimizer step."""
    trainer.weights.clear_gradients()
    head = trainer.model.get_output_embeddings()
    for ids, mask, wanted in batches:
        hidden = trainer.model.base_model(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state
        logits = head(hidden[wanted])
        torch.nn.functional.cross_entropy(logits.float(), ids[wanted]).backward()
    torch.nn.utils.clip_grad_norm_(trainer.weights.masters.values(), 1.0)
    trainer.optimizer.step()
    trainer.weights.publish()
    trainer.weights.clear_gradients()


def _seconds(run: Callable[[], object], device: torch.device) -> float:
    clock = time.perf_counter if device.type == "cuda" else time.process_time
    start = clock()
    run()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return clock() - start


def _ids(rng: random.Random, count: int) -> tuple[int, ...]:
    return tuple(rng.randrange(300, 1900) for _ in range(count))


def _free(rng: random.Random, prompt: tuple[int, ...], tokens: int) -> TurnSample:
    logprobs = tuple(-rng.uniform(5, 8) for _ in range(tokens))
    return TurnSample(prompt, _ids(rng, tokens), logprobs, None, rng.gauss(0, 1), 1.0, KEY)


def poker(scale: int) -> list[TurnSample]:
    """Two choices after each of 12 prompts."""
    rng = random.Random(1)
    rules = _ids(rng, 110)
    prompts = [rules + _ids(rng, 24) for _ in range(12 * scale)]
    bets = (400, 500)
    return [
        TurnSample(p, (bets[i % 2], 2), (-0.7, 0.0), (bets, (2,)), rng.gauss(0, 1), 1.0, KEY)
        for p in prompts
        for i in range(16)
    ]


def dialogue(scale: int) -> list[TurnSample]:
    """Four answers to each of six prompts."""
    rng = random.Random(2)
    rules = _ids(rng, 129)
    prompts = [rules + _ids(rng, 60) for _ in range(6 * scale)]
    return [_free(rng, p, 48) for p in prompts for _ in range(4)]


def apart(scale: int) -> list[TurnSample]:
    """Prompts of very different lengths."""
    rng = random.Random(3)
    return [_free(rng, _ids(rng, rng.randint(20, 400)), rng.randint(10, 60)) for _ in range(10 * scale)]


WORKLOADS = {"poker": poker, "dialogue": dialogue, "apart": apart}


def _model(name: str, dtype: str, device: str) -> Any:
    if name != "qwen3-0.6b-shape":
        return models.load(name, dtype, device).model
    from transformers import Qwen3Config, Qwen3ForCausalLM

    config = Qwen3Config(
        hidden_size=1024,
        intermediate_size=3072,
        num_hidden_layers=28,
        num_attention_heads=16,
        num_key_value_heads=8,
        head_dim=128,
        vocab_size=151936,
        tie_word_embeddings=True,
    )
    place = "cuda" if device == "auto" and torch.cuda.is_available() else "cpu" if device == "auto" else device
    return Qwen3ForCausalLM(config).to(place, getattr(torch, DTYPES[dtype])).eval()


if __name__ == "__main__":
    main()
