"""Seconds of generation for a step of self-play, with the scheduler of trainings and simulated engines.

    python scripts/bench/simulate_rollouts.py [--steps 8] [--seeds 4] [--record]

A step has 128 matches, each a chain of two to nine answers of lognormal length. An engine gives each of its answers one
token in a time that grows with their number, as Qwen3-4B does on one H200 by arithmetic (3.2 ms, and reading keys and
values): nothing here is measured on a GPU. `RolloutQueue` and `LocalRunner` are those of a training; engine and clock
are simulated, and the learner takes no time. The bound has no steps: any slot takes any later match.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import selectors
import statistics
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
from _bench import machine_line, table
from _claims import Claim, record

from arena.match import Decision, MatchPlan
from arena.players import Player
from arena.players.player import View
from arena.runner import LocalRunner
from games import GameSpec, Observation, TextGame, register
from league.config.training import load_training
from league.records.matches import PlannedMatch
from league.training.rollout_batch import RolloutBatch
from league.training.rollout_queue import RolloutQueue

MATCHES, CONTEXT, ANSWER, SIGMA, CAP, PIECE = 128, 1_200, 1_500, 0.7, 4_096, 32
AHEAD = (0, 1, 2, 3)
TURNS = ((5, 10), (2, 4), (4, 9))
OUT = Path(__file__).with_suffix(".json")
FILE = Path(__file__).parents[1] / "examples" / "spiral_qwen3_4b.toml"


@register("chain-v0")
class Chain(TextGame):
    """One seat writes `turns` messages."""

    def __init__(self, turns: int = 2) -> None:
        self.spec = GameSpec(f"chain-v0(turns={turns})", {"player_0": "writer"}, "general_sum", "Write.", turns)
        self._turns = turns

    def reset(self, seed: int) -> None:
        """Begin."""
        self._left = self._turns

    @property
    def acting(self) -> tuple[str, ...]:
        """The seat, until it has written its messages."""
        return ("player_0",) if self._left else ()

    def observe(self, seat: str) -> Observation:
        """Nothing."""
        return Observation("")

    def legal(self, seat: str) -> tuple[str, ...] | None:
        """Any text."""
        return None if self._left else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        """Count a message."""
        self._left -= 1

    def returns(self) -> Mapping[str, float]:
        """Nothing is at stake."""
        return {"player_0": 0.0}


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer instead of waiting for it."""

    def __init__(self) -> None:
        self.now, loop = 0.0, self

        class Jump(selectors.SelectSelector):
            def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
                assert timeout is not None, "everything waits for something that never comes"
                loop.now += max(0.0, timeout)
                return super().select(0)

        super().__init__(Jump())

    def time(self) -> float:
        """The simulated time."""
        return self.now


class Engine:
    """Writes at most `rows` answers at once."""

    def __init__(self, rows: int) -> None:
        self._rows, self.tokens = rows, 0
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._active: list[tuple[int, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting) + len(self._active)

    async def generate(self, tokens: int) -> None:
        """Write an answer of so many tokens."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((tokens, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        await done

    async def _run(self) -> None:
        while len(self):
            room = self._rows - len(self._active)
            self._active, self._waiting = self._active + self._waiting[:room], self._waiting[room:]
            n = min(PIECE, *(left for left, _ in self._active), PIECE)
            await asyncio.sleep(n * token_seconds(len(self._active)))
            self.tokens += n * len(self._active)
            after = [(left - n, done) for left, done in self._active]
            self._active = [each for each in after if each[0] > 0]
            for left, done in after:
                if left <= 0:
                    done.set_result(None)
            await asyncio.sleep(0)


def token_seconds(rows: int) -> float:
    """Returns the seconds of one token of `rows` answers: launches and weights, then their keys and values."""
    return (3.2 + rows * (CONTEXT * 147e3 / (4.8e12 * 0.75) * 1e3 + 0.004)) / 1e3


class Writer(Player):
    """Has the engine with the fewest answers write the next answer of a match."""

    waits, name = True, "writer"

    def __init__(self, engines: list[Engine], lengths: Mapping[str, list[int]]) -> None:
        self._engines, self._lengths = engines, lengths

    async def act_async(self, view: View) -> Decision:
        """An answer of the length that was drawn for it."""
        await min(self._engines, key=len).generate(self._lengths[view.match][view.turn])
        return Decision("ok")


def chains(steps: int, seed: int) -> list[dict[str, list[int]]]:
    """Returns the lengths of the answers of every match of each step."""
    rng = np.random.default_rng(seed)
    mean = np.log(ANSWER) - SIGMA**2 / 2

    def lengths(i: int) -> list[int]:
        drawn = rng.lognormal(mean, SIGMA, rng.integers(*TURNS[i % 3]))
        return [int(length) + 1 for length in np.minimum(drawn, CAP)]

    return [{f"s{step}m{i}": lengths(i) for i in range(MATCHES)} for step in range(steps)]


def planned(step: int, matches: Mapping[str, list[int]]) -> list[PlannedMatch]:
    """Returns the plan of a step."""
    plans = [MatchPlan(id, f"chain-v0(turns={len(n)})", 0, {"player_0": "writer"}) for id, n in matches.items()]
    return [PlannedMatch(i, step, plan.id, plan) for i, plan in enumerate(plans)]


def simulate(engines: int, rows: int, steps: list[dict[str, list[int]]], ahead: int | None) -> tuple[float, float]:
    """Returns the seconds of a step and the tokens per second of an engine; `ahead` None: the bound."""
    served = [Engine(rows) for _ in range(engines)]
    lengths = {id: n for step in steps for id, n in step.items()}
    runner = LocalRunner({"writer": Writer(served, lengths)}, concurrency=2 * MATCHES)
    batches = [lengths] if ahead is None else steps

    @asynccontextmanager
    async def playing(batch: RolloutBatch) -> AsyncIterator[None]:
        yield

    async def train() -> None:
        queue, last = RolloutQueue(runner, playing, print), len(batches) - 1
        for step in range(len(batches)):
            while (new := queue.next_step(step)) <= min(step + (ahead or 0), last):
                queue.add(RolloutBatch(new, planned(new, batches[new]), None))
            episodes = await queue.take(step)
            assert all(e.status == "finished" and len(e.turns) == len(lengths[e.match]) for e in episodes)
        await queue.close()

    loop = VirtualLoop()
    try:
        loop.run_until_complete(train())
        assert sum(engine.tokens for engine in served) == sum(map(sum, lengths.values()))
        return loop.now / len(steps), sum(map(sum, lengths.values())) / loop.now / engines
    finally:
        loop.close()


def main() -> None:
    """Print the seconds of a step, and the share of the bound that each number of steps ahead reaches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    spiral = load_training(FILE)
    flagship = len(spiral.policy.vllm.gpus), spiral.policy.vllm.max_rows, spiral.overlap
    drawn = [chains(options.steps, seed) for seed in range(options.seeds)]
    rows, figures, claims = [], [], []
    for engines in (1, 4, 7):
        for most in (64, 256):
            measured: dict[int | None, list[tuple[float, float]]] = {
                ahead: [simulate(engines, most, steps, ahead) for steps in drawn] for ahead in (None, *AHEAD)
            }
            seconds = {ahead: [each[0] for each in runs] for ahead, runs in measured.items()}
            bound = seconds[None]
            shares = {n: [b / s for b, s in zip(bound, seconds[n], strict=True)] for n in AHEAD}
            mean: Callable[[list[float]], float] = statistics.mean
            rows.append(
                [engines, most, *(f"{mean(seconds[n]):.0f}" for n in (*AHEAD, None))]
                + [f"{mean(shares[n]):.0%}" for n in AHEAD]
            )
            named = {str(n): mean(s) for n, s in seconds.items()}
            figures.append({"engines": engines, "rows": most, "seconds": named, "shares": shares})
            if most == 256:
                name = f"simulated generation with {engines} engine{'s' * (engines > 1)} and in_flight, overlap ="
                claims += [Claim.ratio(f"{name} {n}: speed over slots without steps", shares[n]) for n in (1, 2, 3)]
                faster = [a / b for a, b in zip(seconds[0], seconds[3], strict=True)]
                claims.append(Claim.ratio(f"{name} 3: speed over steps one by one", faster))
            if (engines, most) == flagship[:2]:
                name = f"simulated generation with the engines, max_rows and overlap = {flagship[2]} of {FILE.name}"
                claims.append(Claim.ratio(f"{name}: speed over slots without steps", shares[flagship[2]]))
    heads = ["engines", "answers each", *(f"{n} ahead, s" for n in AHEAD), "bound, s", *(f"share {n}" for n in AHEAD)]
    print(machine_line(), table(heads, rows), sep="\n")
    OUT.write_text(json.dumps({"machine": machine_line(), "cases": figures}, indent=1) + "\n")
    if options.record:
        record(claims, "numpy")


if __name__ == "__main__":
    main()
