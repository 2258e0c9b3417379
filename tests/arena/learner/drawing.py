"""Samples for tests: drawn by the real engine, or made up."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Sequence

from arena.inference import Request
from arena.inference.transformers_engine import TransformersEngine
from arena.learner import TurnSample
from arena.learner.batch import Batch, offsets, pack, split

KEY = ("test/game", "first", "play")


def chat(engine: TransformersEngine, text: str, rules: str = "Kuhn poker. Actions: Pass, Bet.") -> tuple[int, ...]:
    return engine.encode_chat([{"role": "system", "content": rules}, {"role": "user", "content": text}])


def drawn(engine: TransformersEngine, requests: Sequence[Request], advantage: float = 1.0) -> list[TurnSample]:
    """What the engine samples for some requests."""

    async def ask() -> list[TurnSample]:
        done = await asyncio.gather(*(engine.complete(r) for r in requests))
        return [
            TurnSample(r.prompt_ids, c.ids, c.logprobs, c.allowed, advantage, r.temperature, KEY, c.version)
            for r, c in zip(requests, done, strict=True)
        ]

    return asyncio.run(ask())


def made_up(count: int, seed: int = 0, vocabulary: int = 300) -> list[TurnSample]:
    """Samples that begin alike, repeat each other and continue each other, free, restricted and forced."""
    rng = random.Random(seed)

    def ids(n: int) -> tuple[int, ...]:
        return tuple(rng.randrange(10, vocabulary) for _ in range(n))

    rules = ids(9)
    prompts = [rules + ids(rng.randint(1, 5)) for _ in range(4)]
    prompts += [p + ids(3) for p in prompts[:2]] + [ids(4)]
    out = []
    for i in range(count):
        completion = ids(rng.randint(1, 4)) if i % 5 else (11, 12)
        allowed: list[tuple[int, ...] | None] = []
        for token in completion:
            kind = rng.randrange(3)
            allowed.append(None if kind == 0 else (token,) if kind == 1 else tuple(sorted({token, 5, 6, *ids(i % 3)})))
        logprobs = tuple(0.0 if a is not None and len(a) == 1 else -rng.uniform(0.5, 3.0) for a in allowed)
        logprobs = tuple(
            x if a is not None else x - math.log(vocabulary) for x, a in zip(logprobs, allowed, strict=True)
        )
        temperature = rng.choice([0.7, 1.0, 1.5])
        out.append(
            TurnSample(rng.choice(prompts), completion, logprobs, tuple(allowed), rng.gauss(0, 1), temperature, KEY)
        )
    return out


def together(samples: Sequence[TurnSample]) -> Batch:
    """All samples in one micro-batch."""
    (groups,) = split(samples, range(len(samples)), budget=1 << 30)
    return pack(samples, groups, offsets(samples))
