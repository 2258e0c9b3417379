"""Inference with transformers: the gain from batching and shared prefixes, against the bare model in the same process.

    python scripts/bench/bench_inference.py [--model smollm2-135m] [--repeats 3]

Choice: prompts with a shared prefix of 129 tokens and their own suffix of 13, one of four one-token answers. Nothing is
cached between requests (memo_size=0); without sharing, the first token of each prompt differs. Free: 24 new tokens per
prompt at temperature 1, against `model.generate` with the same prompts in one batch. Every figure is the best of the
repeats; the variants alternate, so that interference affects all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import Callable

from _bench import machine_line, table
from _claims import Claim, record

from arena.inference import Request, models
from arena.inference.models import LoadedModel
from arena.inference.transformers.engine import TransformersEngine

PREFIX, SUFFIX, NEW = 129, 13, 24


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--model", default="smollm2-135m")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--device", default="auto")
    options.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    given = options.parse_args()
    loaded = models.load(given.model, device=given.device)
    import torch  # after arena.inference, which configures how threads wait

    print(machine_line("torch", "transformers"))
    print(f"{given.model} on {loaded.device}, {loaded.model.dtype}, {torch.get_num_threads()} torch threads\n")
    choices, tokens = choice(loaded, given.repeats), free(loaded, given.repeats)
    print(table(("decisions/s by choice", "best", "ratio"), choices), "\n")
    print(table(("tokens/s, free", "engine", "bare generate", "ratio"), tokens))
    if given.record:
        spread = f"best of {given.repeats} repeats each"
        claims = [
            Claim(f"{given.model}: tokens per second over generate() of transformers, {batch}", f"{ratio:.2f}", spread)
            for batch, _, _, ratio in tokens
        ]
        batch, _, ratio = choices[-1]
        words = f"{given.model}: decisions per second by choice, {batch}, over reading each whole prompt alone"
        record([*claims, Claim(words, f"{ratio:.2f}", spread)], "torch", "transformers")


def choice(loaded: LoadedModel, repeats: int) -> list[tuple[str, float, float]]:
    """Decisions per second and their ratio to the whole prompt read one request at a time."""
    answers = tuple((token, _end(loaded)) for token in (200, 300, 400, 500))

    def ask(prompts: list[tuple[int, ...]], hint: int) -> list[Request]:
        return [Request(p, seed=i, choices=answers, prefix_len=hint) for i, p in enumerate(prompts)]

    variants = {
        "whole prompt, batch 1": (1, 0, 16),
        "whole prompt, batch 64": (64, 0, 64),
        "shared prefix, batch 1": (1, PREFIX, 32),
        "shared prefix, batch 64": (64, PREFIX, 256),
    }
    seconds: dict[str, float] = {}
    for turn in range(repeats):
        for name, (batch, hint, count) in variants.items():
            engine = TransformersEngine(loaded, max_batch=batch, memo_size=0)
            prompts = _prompts(count, seed=turn, shared=hint > 0)
            _timed(engine, ask(prompts[:2], hint))
            seconds[name] = min(seconds.get(name, 1e9), _timed(engine, ask(prompts, hint)) / count)
            engine.close()
    base = seconds["whole prompt, batch 1"]
    return [(name, 1 / s, base / s) for name, s in seconds.items()]


def free(loaded: LoadedModel, repeats: int) -> list[tuple[str, float, float, float]]:
    """Tokens per second of the engine and of `generate`, both forced to write exactly NEW tokens per row."""
    rows = []
    for batch in (8, 32):
        best = {"engine": 1e9, "generate": 1e9}
        for turn in range(repeats):
            prompts = _prompts(batch, seed=100 + turn)
            engine = TransformersEngine(loaded, max_batch=batch)
            asked = [
                Request(p, seed=i, max_tokens=NEW, stop_ids=(10**9,), prefix_len=PREFIX) for i, p in enumerate(prompts)
            ]
            best["engine"] = min(best["engine"], _timed(engine, asked))
            engine.close()
            best["generate"] = min(best["generate"], _seconds(lambda p=prompts: _generate(loaded, p)))
        speed = {name: batch * NEW / s for name, s in best.items()}
        rows.append((f"batch {batch}", speed["engine"], speed["generate"], speed["engine"] / speed["generate"]))
    return rows


def _generate(loaded: LoadedModel, prompts: list[tuple[int, ...]]) -> None:
    import torch

    ids = torch.tensor(prompts, device=loaded.device)
    with torch.inference_mode():
        loaded.model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            do_sample=True,
            top_k=0,
            min_new_tokens=NEW,
            max_new_tokens=NEW,
            pad_token_id=_end(loaded),
        )


def _timed(engine: TransformersEngine, requests: list[Request]) -> float:
    async def run() -> None:
        await asyncio.gather(*(engine.complete(r) for r in requests))

    return _seconds(lambda: asyncio.run(run()))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _prompts(count: int, seed: int, shared: bool = True) -> list[tuple[int, ...]]:
    """Prompts of PREFIX + SUFFIX tokens; without sharing, the first token already differs."""
    rng = random.Random(seed)
    head = [rng.randrange(10, 40000) for _ in range(PREFIX)]
    heads = [head if shared else [1000 + i, *head[1:]] for i in range(count)]
    return [(*h, *(rng.randrange(10, 40000) for _ in range(SUFFIX))) for h in heads]


def _end(loaded: LoadedModel) -> int:
    return int(loaded.tokenizer.eos_token_id)


if __name__ == "__main__":
    main()
