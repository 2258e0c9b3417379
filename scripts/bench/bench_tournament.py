#!/usr/bin/env python
"""An LLM tournament with 64 matches in flight, next to one match at a time and to the bare model.

Three kinds of match against a random player: Kuhn poker and connect four by choice (every decision is scored among the
legal actions), bargain-v1 in free text. Nothing is cached between decisions, and each side starts with a fresh engine.
Then tokens/s of the free-text matches next to `model.generate` on the same prompts in batches of the same size.

    python scripts/bench/bench_tournament.py [--model smollm2-135m] [--matches 64] [--repeats 2]

Connect four gains only two- to threefold by 64 matches in flight: each decision reads 86 tokens that no other match
shares, and the bare model gains 1.8 from batches of those. Kuhn poker, whose prompts are mostly shared, gains 18.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Mapping
from typing import Literal

import torch
from _bench import machine_line, table

import games
from arena.inference import models
from arena.inference.models import LoadedModel
from arena.inference.transformers.engine import TransformersEngine
from arena.match import Episode, MatchPlan
from arena.players import Player
from arena.players.bots.random import RandomPlayer
from arena.players.llm import LLM
from arena.runner.local import LocalRunner

KINDS: dict[str, tuple[str, Literal["choice", "free"]]] = {
    "Kuhn poker, choice": ("openspiel/kuhn_poker", "choice"),
    "connect four, choice": ("openspiel/connect_four", "choice"),
    "bargain, free text": ("bargain-v1", "free"),
}
NEW = 24
"""tokens in a free answer, at most"""


def play(id: str, players: Mapping[str, Player], seats: Mapping[str, str], n: int, flight: int) -> list[Episode]:
    """Play n matches with a given number in flight."""
    todo = [MatchPlan(f"m{i}", id, i, dict(seats)) for i in range(n)]
    episodes: list[Episode] = []

    def source(room: int) -> list[MatchPlan]:
        taken, todo[:] = todo[:room], todo[room:]
        return taken

    asyncio.run(LocalRunner(players, concurrency=flight).run(source, episodes.extend))
    return episodes


def rate(loaded: LoadedModel, kind: str, matches: int, flight: int) -> float:
    """Matches per second of one kind with a given number in flight."""
    id, decode = KINDS[kind]
    engine = TransformersEngine(loaded, max_batch=64, memo_size=0)
    players: dict[str, Player] = {"llm": LLM(decode=decode, max_tokens=NEW, engine=engine), "random": RandomPlayer()}
    first, second = games.make(id).spec.seats
    start = time.perf_counter()
    play(id, players, {first: "llm", second: "random"}, matches, flight)
    seconds = time.perf_counter() - start
    engine.close()
    return matches / seconds


def free(loaded: LoadedModel, matches: int) -> tuple[float, float]:
    """Tokens per second of the tournament and of `generate` over the prompts it asked."""
    engine = TransformersEngine(loaded, max_batch=64, memo_size=0)
    players: dict[str, Player] = {"a": LLM(max_tokens=NEW, engine=engine), "b": LLM(max_tokens=NEW, engine=engine)}
    start = time.perf_counter()
    episodes = play("bargain-v1", players, {"seller": "a", "buyer": "b"}, matches, 64)
    seconds = time.perf_counter() - start
    engine.close()
    attempts = [a for e in episodes for t in (*(u.attempts for u in e.turns), e.failure) for a in t]
    samples = [a.sample for a in attempts if a.sample is not None]
    ours = sum(len(s.completion_ids) for s in samples) / seconds
    prompts = [s.prompt_ids for s in samples]
    start = time.perf_counter()
    tokens = sum(_generate(loaded, prompts[i : i + 64]) for i in range(0, len(prompts), 64))
    return ours, tokens / (time.perf_counter() - start)


def _generate(loaded: LoadedModel, prompts: list[tuple[int, ...]]) -> int:
    """Tokens that `generate` writes for a batch, without padding."""
    longest = max(map(len, prompts))
    ids = torch.tensor([[0] * (longest - len(p)) + list(p) for p in prompts], device=loaded.device)
    mask = torch.tensor([[0] * (longest - len(p)) + [1] * len(p) for p in prompts], device=loaded.device)
    end = loaded.model.generation_config.eos_token_id
    stop = end if isinstance(end, int) else end[0]
    with torch.inference_mode():
        out = loaded.model.generate(
            ids, attention_mask=mask, do_sample=True, top_k=0, max_new_tokens=NEW, pad_token_id=stop
        )
    written = out[:, longest:]
    ended = (written == stop).int().cumsum(-1).clamp(max=1)
    return int((1 - ended).sum() + ended.any(-1).sum())


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2-135m")
    parser.add_argument("--matches", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    loaded = models.load(options.model)
    one, many = dict.fromkeys(KINDS, 0.0), dict.fromkeys(KINDS, 0.0)
    pair = (0.0, 1.0)
    for _ in range(options.repeats):
        for kind in KINDS:
            one[kind] = max(one[kind], rate(loaded, kind, max(4, options.matches // 8), 1))
            many[kind] = max(many[kind], rate(loaded, kind, options.matches, 64))
        pair = max(pair, free(loaded, options.matches), key=lambda p: p[0] / p[1])
    print(machine_line("torch", "transformers"))
    print(f"{options.model} on {loaded.device}, {loaded.model.dtype}, {options.matches} matches of each kind")
    rows = [(kind, one[kind], many[kind], many[kind] / one[kind]) for kind in KINDS]
    together = [len(KINDS) / sum(1 / speed[kind] for kind in KINDS) for speed in (one, many)]
    rows.append(("all three, as many of each", *together, together[1] / together[0]))
    print(table(("matches/s", "1 in flight", "64 in flight", "ratio"), rows), "\n")
    print(table(("free text, 64 in flight", "tokens/s"), [("tournament", pair[0]), ("bare generate", pair[1])]))
    print(f"tournament over bare generate: {pair[0] / pair[1]:.2f}")


if __name__ == "__main__":
    main()
