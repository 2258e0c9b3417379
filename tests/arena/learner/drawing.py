"""Samples for tests: sampled by the real engine, or random."""

import asyncio
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch

from arena.inference import Request
from arena.inference.transformers.engine import TransformersEngine
from arena.learner import Trainer, TrainerConfig, TurnSample
from arena.learner.batch import Batch, offsets, pack, split
from arena.learner.step_data import StepData

KEY = ("test/game", "first", "play")


def chat(engine: TransformersEngine, text: str, rules: str = "Kuhn poker. Actions: Pass, Bet.") -> tuple[int, ...]:
    return engine.encode_chat([{"role": "system", "content": rules}, {"role": "user", "content": text}])


def drawn(engine: TransformersEngine, requests: Sequence[Request], advantage: float = 1.0) -> list[TurnSample]:
    """The engine's completions of some requests as samples."""

    async def ask() -> list[TurnSample]:
        done = await asyncio.gather(*(engine.complete(r) for r in requests))
        return [
            TurnSample(r.prompt_ids, c.ids, c.logprobs, c.allowed, advantage, r.temperature, KEY, c.version)
            for r, c in zip(requests, done, strict=True)
        ]

    return asyncio.run(ask())


def answers(count: int) -> list[TurnSample]:
    """Free answers to prompts of 65 to 120 tokens with a common beginning, four to a group; ids are below 50."""
    rng, out = random.Random(1), list[TurnSample]()
    rules = tuple(rng.randrange(5, 50) for _ in range(60))
    for i in range(count):
        prompt = rules + tuple(rng.randrange(5, 50) for _ in range(rng.randrange(5, 60)))
        answer = tuple(rng.randrange(5, 50) for _ in range(rng.randrange(3, 30)))
        logps = tuple(-math.log(50) + rng.gauss(0, 0.1) for _ in answer)
        more: dict[str, Any] = {
            "reward": float(i % 2),
            "score": float(i % 2),
            "group": ("g", "r", "p", "", f"task {i // 4}"),
            "trajectory": i // 2,
        }
        out.append(TurnSample(prompt, answer, logps, None, rng.gauss(0, 1), 0.7, ("b", "p", "x"), **more))
    return out


def made_up(count: int, seed: int = 0, vocabulary: int = 300) -> list[TurnSample]:
    """Random samples with common prefixes, duplicates and continuations; free, restricted and forced."""
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
        prompt, advantage = rng.choice(prompts), rng.gauss(0, 1)
        match = TurnSample(prompt, completion, logprobs, tuple(allowed), advantage, temperature, KEY)
        group, trajectory = (str(i // 4),), (str(i // 2), "seat")
        earned = float(i % 3 > 0)
        out.append(replace(match, reward=earned, score=earned, turn=i % 2, group=group, trajectory=trajectory))
    return out


def together(samples: Sequence[TurnSample]) -> Batch:
    """All samples in one micro-batch."""
    (groups,) = split(samples, range(len(samples)), budget=1 << 30)
    return pack(samples, groups, offsets(samples))


def one_by_one(model: Any, sample: TurnSample) -> list[torch.Tensor]:
    """(K,) log probabilities of the decision tokens, from a plain forward pass over one sequence."""
    ids = torch.tensor([sample.prompt_ids + sample.completion_ids])
    logits = model(input_ids=ids, use_cache=False).logits[0, len(sample.prompt_ids) - 1 :]
    out = []
    for t in sample.decided():
        allowed = None if sample.allowed is None else sample.allowed[t]
        row = logits[t].float() / sample.temperature
        token = sample.completion_ids[t]
        if allowed is not None:
            row, token = row[list(allowed)], allowed.index(token)
        out.append(torch.log_softmax(row, -1)[token])
    return out


def near_policy(model: Any, samples: list[TurnSample]) -> list[TurnSample]:
    """The samples that contain a decision, as if a policy close to the model had sampled them."""
    trainer, useful = Trainer(model, TrainerConfig()), [s for s in samples if s.decided()]
    data, everything = StepData(useful, trainer.device), list(range(len(useful)))
    with trainer._training():
        trainer._measure(data, everything)
    step = data.step(everything, 0, seed=0)
    own = iter(data.whole(data.flat_of(everything), step).logp.tolist())
    out = []
    for sample in useful:
        logps = [0.0] * len(sample.completion_ids)
        for t in sample.decided():
            logps[t] = next(own) + 0.05 * (t % 3) - 0.04
        out.append(replace(sample, logprobs=tuple(logps)))
    return out
