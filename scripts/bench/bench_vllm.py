#!/usr/bin/env python
"""LLM tournaments on vLLM, next to bare vLLM, one match at a time, and transformers; and leagues of adapters.

    python scripts/bench/bench_vllm.py tournament [--game bargain-v1] [--tokens 24] [--matches 128] [--repeats 3]
    python scripts/bench/bench_vllm.py adapters   [--model smollm2-135m] [--adapters 16] [--rank 16] [--repeats 3]
    python scripts/bench/bench_vllm.py history    [--model smollm2-135m] [--matches 64]

tournament: a free-text game between two players on one engine, 64 matches in flight; by default bargain-v1 with answers
of at most 24 tokens. "bare" sends the prompts of that tournament, with the same sampling, to the same vLLM without the
arena: once in the order matches ask them, each after the previous answer of its match, and once all from the start, 64
at once. Prefix caches are emptied before each. Then some matches one at a time, their prompts one at a time on bare
vLLM (the possible gain from batching on this machine), and, in the first repetition, all on transformers. adapters:
the same matches between (random) snapshots of a LoRA training, one or many; the engine without adapters for
comparison, and with `--kernel vllm` vLLM's own CPU kernel. Each runs twice: with empty prefix caches, and once more
directly after, as in a running league, when shared prefixes are cached. Per second of wall time, and of all processes'
CPU time, which other load does not affect. history: tokens per match that are asked, and that are read because no
prefix is cached, if each turn is sent alone and if the player carries its earlier turns along (`memory=true`). The
variants alternate; medians and ranges over the repeats.

What decides the speed of vLLM's CPU build on two cores: one process with two threads instead of a process of its own
beside a spinning engine, Intel's OpenMP, and an allocator that keeps its memory: together twice the tokens/s. Compiling
gains 5% and costs 40 s at every start. Blocks of 32 tokens; 64 are slower by 5 to 10%, the default of 128 makes
one-token decisions slower by a factor of 2 to 4. 64 matches in flight are about 5 times as fast as one at a time, not
10: 5 tokens are read for each one written, and reading gains little from batches; writing alone gains 11 to 14. Mixed
adapters reach 0.8 to 0.9 of one adapter. The rest is memory, not the kernel: an adapter has prefixes of its own, and 16
sets of keys and values do not fit into the processor's cache. Tried without gain: chunks of 12 and 16 tokens, torch's
product for blocks of one adapter, vLLM's own CPU kernel (0.15 of the base model).
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _bench import machine_line, table, tree_cpu_seconds

import games
from arena.inference import Engine, Request, engine_for, models, release
from arena.inference.vllm.engine import VLLMEngine
from arena.match import Episode, MatchPlan
from arena.players import Player
from arena.players.llm import LLM
from arena.records import Sample
from arena.runner.local import LocalRunner

FLIGHT = 64


@dataclass(frozen=True)
class Work:
    """The game and its settings, always in free text."""

    game: str
    seats: tuple[str, ...]
    tokens: int
    """at most, in an answer"""


Asked = list[list[Sample]]
"""the sampled tokens, by match"""


def played(
    work: Work, engines: Sequence[Engine], matches: int, flight: int, memory: bool = False
) -> tuple[float, Asked]:
    """Tokens per second of a tournament, and what was asked; match i seats engines i and i + 1."""
    players: dict[str, Player] = {
        str(i): LLM(max_tokens=work.tokens, memory=memory, engine=e) for i, e in enumerate(engines)
    }
    todo = [
        MatchPlan(f"m{i}", work.game, i, {s: str((i + k) % len(engines)) for k, s in enumerate(work.seats)})
        for i in range(matches)
    ]
    episodes: list[Episode] = []

    def source(room: int) -> list[MatchPlan]:
        taken, todo[:] = todo[:room], todo[room:]
        return taken

    start = time.perf_counter()
    asyncio.run(LocalRunner(players, concurrency=flight).run(source, episodes.extend))
    seconds = time.perf_counter() - start
    if any(e.status == "void" for e in episodes):
        sys.exit(f"a match is void: {next(e.reason for e in episodes if e.status == 'void')}")
    asked = [
        [a.sample for t in (*(u.attempts for u in e.turns), e.failure) for a in t if a.sample is not None]
        for e in episodes
    ]
    tokens = written(asked)
    print(
        f"{engines[0].about}, {matches} matches, {flight} in flight: {tokens} tokens, {seconds:.1f} s", file=sys.stderr
    )
    return tokens / seconds, asked


def written(asked: Asked) -> int:
    """Generated tokens."""
    return sum(len(sample.completion_ids) for match in asked for sample in match)


def bare(work: Work, engine: VLLMEngine, asked: Asked, flight: int = FLIGHT) -> float:
    """Tokens per second of the bare AsyncLLM on the same prompts.

    The prompts of one list in `asked` are sent one after the other.
    """
    from vllm.inputs.engine import tokens_input

    seeds = itertools.count()
    chains = [
        [(s.prompt_ids, engine._parameters(Request(s.prompt_ids, next(seeds), max_tokens=work.tokens))) for s in match]
        for match in asked
    ]

    async def all_of(llm: Any) -> tuple[int, float]:
        slots = asyncio.Semaphore(flight)

        async def one(i: int) -> int:
            tokens = 0
            async with slots:
                for k, (prompt, params) in enumerate(chains[i]):
                    async for out in llm.generate(tokens_input(list(prompt)), params, f"bare-{start}-{i}-{k}"):
                        last = out
                    tokens += len(last.outputs[0].token_ids)
            return tokens

        start = time.perf_counter()
        tokens = sum(await asyncio.gather(*(one(i) for i in range(len(chains)))))
        return tokens, time.perf_counter() - start

    tokens, seconds = engine._host.call(all_of).result()
    print(f"bare, {flight} at once of {len(chains)}: {tokens} tokens, {seconds:.1f} s", file=sys.stderr)
    return tokens / seconds


def alone(asked: Asked) -> Asked:
    """All prompts round by round, as matches that start together ask them."""
    rounds: Iterable[tuple[Sample | None, ...]] = itertools.zip_longest(*asked)
    return [[sample] for prompts in rounds for sample in prompts if sample is not None]


def empty(engine: VLLMEngine) -> None:
    """Empty the prefix caches."""
    engine._host.alone(lambda llm: llm.reset_prefix_cache())


def tournament(work: Work, model: str, matches: int, repeats: int, beside: bool) -> None:
    """The first table."""
    engine = engine_for(model, engine="vllm")
    assert isinstance(engine, VLLMEngine)
    names = {
        "tournament": f"tournament, {FLIGHT} matches in flight",
        "bare": "bare vLLM, the same prompts, as matches ask them",
        "bare all": f"bare vLLM, the same prompts, all from the start, {FLIGHT} at once",
        "one": "one match at a time",
        "bare one": "bare vLLM, its prompts one at a time",
    }
    if beside:
        other = engine_for(model, engine="transformers")
        names["transformers"] = f"transformers, {FLIGHT} matches in flight"
    speeds: dict[str, list[float]] = {name: [] for name in names}
    played(work, [engine, engine], 8, 8)
    for repeat in range(repeats):
        empty(engine)
        before = engine.stats
        speed, asked = played(work, [engine, engine], matches, FLIGHT)
        after = engine.stats
        speeds["tournament"].append(speed)
        for name, prompts in (("bare", asked), ("bare all", alone(asked))):
            empty(engine)
            speeds[name].append(bare(work, engine, prompts))
        empty(engine)
        speed, single = played(work, [engine, engine], 8, 1)
        speeds["one"].append(speed)
        empty(engine)
        speeds["bare one"].append(bare(work, engine, single, 1))
        if beside and not repeat:
            speeds["transformers"].append(played(work, [other, other], matches, FLIGHT)[0])
    if beside:
        release(other)
    release(engine)
    print(table(("free text", "tokens/s", "range", "tournament over it"), _rows(names, speeds, "tournament")))
    read, cached = after.tokens_in - before.tokens_in, after.prefix_tokens - before.prefix_tokens
    print(f"\nprompt tokens per match {read / matches:,.0f}, of which from the prefix cache {cached / read:.0%}")
    print(f"generated tokens per match {written(asked) / matches:.0f}")


def adapters(work: Work, model: str, count: int, rank: int, matches: int, repeats: int) -> None:
    """The second table."""
    with tempfile.TemporaryDirectory() as place:
        folders = snapshots(model, count, rank, Path(place))
        engines = [engine_for(str(folder), engine="vllm") for folder in folders]
        plain = engine_for(model, engine="vllm")
        assert isinstance(plain, VLLMEngine)
        first = engines[0]
        assert isinstance(first, VLLMEngine)
        variants: Mapping[str, Callable[[], tuple[float, Asked]]] = {
            "many": lambda: played(work, engines, matches, FLIGHT),
            "one": lambda: played(work, engines[:1] * 2, matches, FLIGHT),
            "none": lambda: played(work, [plain, plain], matches, FLIGHT),
        }
        titles = ("prefixes unknown", "prefixes known")
        found = {(t, per): {name: list[float]() for name in variants} for t in titles for per in ("s", "CPU s")}
        for play in variants.values():
            play()
        for _ in range(repeats):
            for name, play in variants.items():
                empty(first)
                empty(plain)
                for title in titles:
                    cpu = tree_cpu_seconds()
                    speed, asked = play()
                    found[title, "s"][name].append(speed)
                    found[title, "CPU s"][name].append(written(asked) / (tree_cpu_seconds() - cpu))
        for engine in [*engines, plain]:
            release(engine)
    names = {"many": f"{count} adapters, mixed", "one": "one adapter", "none": "the base model, an engine without any"}
    for (title, per), speeds in found.items():
        print(
            "\n"
            + table((f"rank {rank}, {title}", f"tokens/{per}", "range", "many over it"), _rows(names, speeds, "many"))
        )


def history(work: Work, model: str, matches: int) -> None:
    """The third table."""
    engine = engine_for(model, engine="vllm")
    assert isinstance(engine, VLLMEngine)
    rows = []
    for name, memory in (("each turn told alone", False), ("with its earlier turns", True)):
        empty(engine)
        before = engine.stats
        speed, asked = played(work, [engine, engine], matches, FLIGHT, memory)
        after = engine.stats
        read = (after.tokens_in - before.tokens_in) / matches
        known = (after.prefix_tokens - before.prefix_tokens) / matches
        decisions = sum(map(len, asked)) / matches
        rows.append((name, read, read - known, f"{known / read:.0%}", written(asked) / matches, decisions, speed))
    release(engine)
    head = ("per match", "prompt tokens", "read anew", "from the prefix cache", "generated", "decisions", "tokens/s")
    print(table(head, rows))


def snapshots(model: str, count: int, rank: int, place: Path) -> list[Path]:
    """Snapshots in the format of a LoRA training, with random adapters."""
    import torch

    from arena.inference import adapters as on_disk
    from arena.learner.config import LoraConfig, TrainerConfig
    from arena.learner.lora import save_adapter
    from arena.learner.trainer import Trainer

    loaded = models.load(model, "bf16", "cpu")
    config = LoraConfig(rank=rank, alpha=rank)
    trainer = Trainer(loaded.model, TrainerConfig(lora=config))
    out = []
    for seed in range(count):
        torch.manual_seed(seed)
        with torch.no_grad():
            for name, tensor in trainer.weights.params.items():
                if "lora_B" in name:
                    tensor.normal_(0.0, 0.002)
        out.append(place / f"snapshot-{seed}")
        save_adapter(loaded.model, config, model, out[-1])
        assert on_disk.find(out[-1]) == out[-1]
    return out


def _rows(names: Mapping[str, str], speeds: Mapping[str, Sequence[float]], over: str) -> list[tuple[object, ...]]:
    """Median, range, and the median over the repeats of the ratio to `over`."""
    rows = []
    for key, name in names.items():
        ratios = [a / b for a, b in zip(speeds[over], speeds[key], strict=False)]
        span = f"{min(speeds[key]):,.0f} to {max(speeds[key]):,.0f}"
        ratio = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})" if key != over else ""
        rows.append((name, statistics.median(speeds[key]), span, ratio))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("tournament", "adapters", "history"))
    parser.add_argument("--model", default="smollm2-135m")
    parser.add_argument("--game", default="bargain-v1")
    parser.add_argument("--tokens", type=int, default=24, help="at most, in an answer")
    parser.add_argument("--matches", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--adapters", type=int, default=16)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--transformers", action=argparse.BooleanOptionalAction, default=True, help="for tournament")
    parser.add_argument("--kernel", choices=("arena", "vllm"), default="arena", help="for adapters on the CPU")
    given = parser.parse_args()
    os.environ["ARENA_LORA_KERNEL"] = given.kernel
    work = Work(given.game, tuple(games.make(given.game).spec.seats), given.tokens)
    print(machine_line("torch", "transformers"))
    if given.what == "tournament":
        tournament(work, given.model, given.matches, given.repeats, given.transformers)
    elif given.what == "history":
        history(work, given.model, given.matches)
    else:
        adapters(work, given.model, given.adapters, given.rank, given.matches, given.repeats)


if __name__ == "__main__":
    main()
