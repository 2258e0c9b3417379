"""The fan-out of role games: k solvers of one task in one episode, against k episodes with one solver each.

    python scripts/bench/bench_roles.py [--model smollm2-135m] [--k 8] [--tasks 4] [--repeats 2]

psj on given tasks, so that only solvers act; the same tasks and number of answers, up to 24 new tokens each at
temperature 1. "One after the other" is a loop over episodes; "at once" lets the runner batch over episodes, as in a
league. Every figure is the best of the repeats; the variants alternate. CPU time is shown next to wall time, because
other load stretches only the latter.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from dataclasses import dataclass

from _bench import cpu_seconds, machine_line, table

from arena.match import Episode, MatchPlan
from arena.players.llm import LLM
from arena.runner.local import LocalRunner
from games.randomness import RandomStream
from games.verifiers import arithmetic

NEW = 24


@dataclass
class Measured:
    """One run of a variant."""

    seconds: float
    cpu: float
    tokens: int


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--model", default="smollm2-135m")
    options.add_argument("--k", type=int, default=8)
    options.add_argument("--tasks", type=int, default=4)
    options.add_argument("--repeats", type=int, default=2)
    given = options.parse_args()
    player = LLM(given.model, max_tokens=NEW)
    player.name = "solver"
    k = given.k
    variants = {
        f"one episode of {k} solvers": (f"psj(solvers={k},votes=0)", 1, 1),
        f"{k} episodes, one after the other": ("psj(solvers=1,votes=0)", k, 1),
        f"{k} episodes at once": ("psj(solvers=1,votes=0)", k, k),
    }
    best: dict[str, Measured] = {}
    for turn in range(given.repeats + 1):
        for name, (game, copies, concurrency) in variants.items():
            found = measure(player, game, copies, concurrency, given.tasks, turn)
            if turn and (name not in best or found.seconds < best[name].seconds):  # turn 0 warms up
                best[name] = found
    player.close()
    print(machine_line("torch", "transformers"))
    print(f"{given.model}, {given.tasks} tasks, {k} answers each, best of {given.repeats}\n")
    base = best[f"{k} episodes, one after the other"]
    rows = [
        (
            name,
            m.seconds,
            m.tokens / m.seconds,
            (m.tokens / m.seconds) / (base.tokens / base.seconds),
            m.cpu,
            m.tokens / m.cpu,
            m.tokens,
        )
        for name, m in best.items()
    ]
    print(table(("variant", "wall s", "tokens/s", "ratio", "cpu s", "tokens/cpu s", "tokens"), rows))


def measure(player: LLM, game: str, copies: int, concurrency: int, tasks: int, turn: int) -> Measured:
    """Play every task `copies` times, `concurrency` episodes at once."""
    stream = RandomStream(turn)
    questions = [arithmetic.question(stream) for _ in range(tasks)]
    plans = [
        MatchPlan(f"{turn}-{i}-{copy}", game, 1000 * turn + 10 * i + copy, _seats(game), question)
        for i, question in enumerate(questions)
        for copy in range(copies)
    ]
    runner = LocalRunner({player.name: player}, concurrency=concurrency)
    episodes: list[Episode] = []
    queue = plans[::-1]
    began, used = time.perf_counter(), cpu_seconds()
    asyncio.run(runner.run(lambda room: [queue.pop() for _ in range(min(room, len(queue)))], episodes.extend))
    seconds, cpu = time.perf_counter() - began, cpu_seconds() - used
    samples = [t.sample for e in episodes for t in e.turns if t.sample is not None]
    return Measured(seconds, cpu, sum(len(s.completion_ids) for s in samples))


def _seats(game: str) -> dict[str, str]:
    import games

    return dict.fromkeys(games.make(game).spec.seats, "solver")


if __name__ == "__main__":
    main()
