"""One seed, one match: whatever ran before it, in this game or beside it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from games.conformance.play import Fault, OutOfTime, Trace, record
from games.conformance.report import Check, Finding, excerpt
from games.conformance.subject import Subject
from games.game import TextGame
from games.randomness import derive

SEEDS = 8


def seeds(subject: Subject) -> Iterator[Finding | Check]:
    """Fresh games agree on a seed, and a second `reset` follows its seed, with global generators disturbed."""
    cases = 0
    for seed in subject.seeds("seeds", SEEDS):
        first = _played(subject, subject.fresh(), seed, noise=1)
        second = _played(subject, subject.fresh(), seed, noise=2)
        if first is None or second is None:
            continue
        cases += 1
        if different := _difference(first, second):
            yield Finding("seeds", f"seed {seed}: two fresh games play differently: {different}")
            continue
        game = subject.fresh()
        game.reset(seed + 1)
        again = _played(subject, game, seed, noise=3)
        if again and (different := _difference(first, again)):
            yield Finding("seeds", f"reset({seed}) after reset({seed + 1}) does not follow its seed: {different}")
    yield Check("seeds", cases, "seeds")


def reset(subject: Subject) -> Iterator[Finding | Check]:
    """A match after another, finished or given up, is the match of a fresh game with that seed."""
    cases = 0
    for seed in subject.seeds("reset", SEEDS):
        alone = _played(subject, subject.fresh(), seed, noise=1)
        for given_up in (False, True):
            game = subject.fresh()
            if not _was_played(subject, game, seed + 1, given_up):
                continue
            if not _follows_seed_unplayed(subject, seed, alone):
                continue  # a fault of `seeds`
            after = _played(subject, game, seed, noise=2)
            if alone is None or after is None:
                continue
            cases += 1
            if different := _difference(alone, after):
                before = "given up" if given_up else "finished"
                yield Finding(
                    "reset",
                    f"seed {seed} after a match that was {before} (seed {seed + 1}) differs from a fresh game, so "
                    f"something is carried over the reset: {different}",
                )
    yield Check("reset", cases, "matches")


def _follows_seed_unplayed(subject: Subject, seed: int, alone: Trace | None) -> bool:
    game = subject.fresh()
    game.reset(seed + 1)
    again = _played(subject, game, seed, noise=3)
    return bool(alone and again and not _difference(alone, again))


def _was_played(subject: Subject, game: TextGame, seed: int, given_up: bool) -> bool:
    trace = _played(subject, game, seed, noise=0)
    if trace is None:
        return False
    if given_up:
        game.reset(seed)
        for move in trace.moves[: (len(trace.moves) + 1) // 2]:
            game.apply(move)
    return True


def _played(subject: Subject, game: TextGame, seed: int, noise: int) -> Trace | None:
    """A match, or None where a fault that is reported under its own check stops it."""
    try:
        with _disturbed(derive(seed, noise) >> 32):
            return record(game, seed, subject.deadline)
    except (Fault, OutOfTime):
        return None


@contextmanager
def _disturbed(noise: int) -> Iterator[None]:
    """Global generators in a state of our own, put back after."""
    kept, kept_numpy = random.getstate(), np.random.get_state()
    random.seed(noise)
    np.random.seed(noise)
    try:
        yield
    finally:
        random.setstate(kept)
        np.random.set_state(kept_numpy)


def _difference(a: Trace, b: Trace) -> str:
    """Where two matches first differ, in words; empty where they are equal."""
    for one, other in zip(a.positions, b.positions, strict=False):
        for seat in one.texts:
            if one.texts[seat] != other.texts[seat]:
                texts = _apart(one.texts[seat], other.texts[seat])
                return f"turn {one.turn}, {seat} sees {texts[0]} and {texts[1]}"
        for name in ("acting", "legal", "secrets"):
            if getattr(one, name) != getattr(other, name):
                return f"turn {one.turn}, {name}: {getattr(one, name)} and {getattr(other, name)}"
    if a.returns != b.returns:
        return f"returns: {dict(a.returns)} and {dict(b.returns)}"
    return ""


def _apart(a: str, b: str) -> tuple[str, str]:
    """The excerpts of two texts from shortly before they part."""
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(0, at - 30)
    return excerpt(a[start : start + 90]), excerpt(b[start : start + 90])
