"""SmolLM2 plays Kuhn poker against itself by choice: decisions per CPU second, next to bare calls of its model.

    OMP_NUM_THREADS=1 python scripts/bench/bench_poker.py [--matches 8] [--repeats 3] [--record]

The other sides get the prompts that the matches asked: the engine alone, and the bare model, which reads each whole
prompt in one call and takes the softmax over the legal answers. One match, request or call at a time, nothing cached
between decisions but the prefix that prompts share; the bare model shares nothing. CPU seconds; sides alternate.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Callable

import torch
from _bench import machine_line
from _claims import Claim, record
from bench_tournament import play

from arena.inference import Completion, Request, models
from arena.inference.models import LoadedModel
from arena.inference.transformers.engine import TransformersEngine
from arena.players.llm import LLM


class Listener(TransformersEngine):
    """Keeps what it is asked."""

    def __init__(self, loaded: LoadedModel) -> None:
        super().__init__(loaded, memo_size=0)
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Completion:
        """Answer as the engine does."""
        self.asked.append(request)
        return await super().complete(request)


def tournament(loaded: LoadedModel, matches: int) -> tuple[float, list[Request]]:
    """CPU seconds of the matches, and their requests."""
    engine = Listener(loaded)
    players = {"llm": LLM(decode="choice", engine=engine)}
    seats = dict.fromkeys(("player_0", "player_1"), "llm")
    spent = seconds(lambda: play("openspiel/kuhn_poker", players, seats, matches, 1))
    engine.close()
    return spent, engine.asked


def engine_alone(loaded: LoadedModel, asked: list[Request]) -> float:
    """CPU seconds of a fresh engine for the same requests, one at a time."""
    engine = TransformersEngine(loaded, memo_size=0)

    async def ask() -> None:
        for request in asked:
            await engine.complete(request)

    spent = seconds(lambda: asyncio.run(ask()))
    engine.close()
    return spent


@torch.inference_mode()
def bare(loaded: LoadedModel, asked: list[Request]) -> float:
    """CPU seconds of the bare model for the same prompts."""

    def call() -> None:
        for request in asked:
            logits = loaded.model(torch.tensor([request.prompt_ids]), logits_to_keep=1).logits[0, -1]
            logits[[tokens[0] for tokens in request.choices or ()]].float().softmax(-1).tolist()

    return seconds(call)


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Measure, print and record."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=8)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    given = options.parse_args()
    loaded = models.load("smollm2-135m", device="cpu")
    _, asked = tournament(loaded, 2)  # imports and templates
    bare(loaded, asked[:2])
    ratios: dict[str, list[float]] = {"its engine alone": [], "bare calls of the model with each whole prompt": []}
    for _ in range(given.repeats):
        ours, asked = tournament(loaded, given.matches)
        peers = engine_alone(loaded, asked), bare(loaded, asked)
        print(f"{len(asked)} decisions: {ours:.2f} s, engine {peers[0]:.2f} s, bare {peers[1]:.2f} s", flush=True)
        for name, peer in zip(ratios, peers, strict=True):
            ratios[name].append(peer / ours)
    print(machine_line("torch", "transformers"))
    start = "SmolLM2 in Kuhn poker by choice, one match at a time: decisions per CPU second over"
    claims = [Claim.ratio(f"{start} {name}", each) for name, each in ratios.items()]
    print(*claims, sep="\n")
    if given.record:
        record(claims, "torch", "transformers")


if __name__ == "__main__":
    main()
