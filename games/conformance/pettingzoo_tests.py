"""Runs PettingZoo's own tests, and checks that the environment plays the game."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from games.conformance.play import Trace
from games.conformance.report import Check, Finding, excerpt
from games.conformance.subject import Subject

NUM_CYCLES = 60
# Warnings of api_test about every text environment, and about seats named by their function.
EXPECTED = re.compile("not a NumPy array|should be gymnasium.spaces|We recommend agents to be named")


def api(subject: Subject) -> Iterator[Finding | Check]:
    """`pettingzoo.test.api_test` passes without unexpected warnings."""
    yield from _quietly("api_test", lambda tests: tests.api_test(subject.aec(subject.fresh()), num_cycles=NUM_CYCLES))
    yield Check("api_test", 1, "environment")


def seed(subject: Subject) -> Iterator[Finding | Check]:
    """`pettingzoo.test.seed_test` passes."""
    yield from _quietly("seed_test", lambda tests: tests.seed_test(lambda: subject.aec(subject.fresh()), NUM_CYCLES))
    yield Check("seed_test", 1, "environment")


def rewards(subject: Subject) -> Iterator[Finding | Check]:
    """The environment shows the game's texts, hides simultaneous choices, and its rewards sum to the returns."""
    cases = 0
    for trace in subject.traces[:20]:
        if cases and subject.late:
            break
        cases += 1
        problem = _replay(subject, trace)
        if problem:
            yield Finding("rewards", f"seed {trace.seed}: {problem}")
    yield Check("rewards", cases, "matches")


def _replay(subject: Subject, trace: Trace) -> str:
    env = subject.aec(subject.fresh())
    env.reset(seed=trace.seed)
    paid = dict.fromkeys(subject.spec.seats, 0.0)
    for move, position in zip(trace.moves, trace.positions, strict=False):
        for seat in position.acting:
            if env.agent_selection != seat:
                return f"turn {position.turn}: {env.agent_selection} is selected, {seat} must act"
            for agent, text in position.texts.items():
                if env.observe(agent) != text:
                    observation = excerpt(str(env.observe(agent)))
                    return f"turn {position.turn}: {agent} observes {observation}, in the game {excerpt(text)}"
            env.step(move[seat])
            for agent, reward in env.rewards.items():
                paid[agent] += reward
    if not all(env.terminations.values()):
        return "the environment continues after the end of the game"
    if any(abs(paid[s] - v) > 1e-6 for s, v in trace.returns.items()):
        return f"rewards sum to {paid}, the returns are {dict(trace.returns)}"
    return ""


def _quietly(name: str, test: Callable[[Any], None]) -> Iterator[Finding]:
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        try:
            tests = official_tests()
            caught.clear()
            test(tests)
        except Exception as error:  # noqa: BLE001  a test can fail in any way
            line = (str(error).splitlines() or [""])[0]
            yield Finding(name, f"{type(error).__name__}: {excerpt(line, 200)}")
    unexpected = {str(w.message) for w in caught if not EXPECTED.search(str(w.message))}
    yield from (Finding(name, f"warns: {message}") for message in sorted(unexpected))


def official_tests() -> Any:
    """Returns the module `pettingzoo.test`. Its import loads pygame, if installed, which prints and warns."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        import pettingzoo.test

        return pettingzoo.test
