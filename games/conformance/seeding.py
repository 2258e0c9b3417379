"""Checks that a match depends only on its seed, not on earlier matches or on global generators."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from games.conformance.play import OutOfTime, Trace, Violation, record
from games.conformance.report import Check, Finding, excerpts_apart
from games.conformance.subject import Subject
from games.game import TextGame
from games.randomness import derive

MAX_SEEDS = 8


def seeds(subject: Subject) -> Iterator[Finding | Check]:
    """Fresh games agree on a seed, and a second `reset` follows its seed, whatever the global generators hold."""
    cases = 0
    for seed in subject.seeds("seeds", MAX_SEEDS):
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
    yield Check("seeds", cases, "seeds", lacks="no match was played twice to its end")


def reset(subject: Subject) -> Iterator[Finding | Check]:
    """After a finished or abandoned match, a match equals that of a fresh game with the same seed."""
    cases = 0
    for seed in subject.seeds("reset", MAX_SEEDS):
        alone = _played(subject, subject.fresh(), seed, noise=1)
        for abandoned in (False, True):
            game = subject.fresh()
            if not _was_played(subject, game, seed + 1, abandoned):
                continue
            if not _follows_seed_unplayed(subject, seed, alone):
                continue  # the check `seeds` reports it
            after = _played(subject, game, seed, noise=2)
            if alone is None or after is None:
                continue
            cases += 1
            if different := _difference(alone, after):
                before = "abandoned" if abandoned else "finished"
                yield Finding(
                    "reset",
                    f"seed {seed} after a match that was {before} (seed {seed + 1}) differs from a fresh game, so "
                    f"state survives the reset: {different}",
                )
    yield Check("reset", cases, "matches", lacks="no match was played after another")


def _follows_seed_unplayed(subject: Subject, seed: int, alone: Trace | None) -> bool:
    game = subject.fresh()
    game.reset(seed + 1)
    again = _played(subject, game, seed, noise=3)
    return bool(alone and again and not _difference(alone, again))


def _was_played(subject: Subject, game: TextGame, seed: int, abandoned: bool) -> bool:
    trace = _played(subject, game, seed, noise=0)
    if trace is None:
        return False
    if abandoned:
        game.reset(seed)
        for move in trace.moves[: (len(trace.moves) + 1) // 2]:
            game.apply(move)
    return True


def _played(subject: Subject, game: TextGame, seed: int, noise: int) -> Trace | None:
    """Returns a match, or None if a contract violation, which another check reports, stops it."""
    try:
        with _disturbed(derive(seed, noise) >> 32):
            return record(game, seed, subject.deadline)
    except (Violation, OutOfTime):
        return None


@contextmanager
def _disturbed(noise: int) -> Iterator[None]:
    """Seed the global generators with `noise`, and restore them afterwards."""
    kept, kept_numpy = random.getstate(), np.random.get_state()
    random.seed(noise)
    np.random.seed(noise)
    try:
        yield
    finally:
        random.setstate(kept)
        np.random.set_state(kept_numpy)


def _difference(a: Trace, b: Trace) -> str:
    """Returns the first difference of two matches, in words; empty if they are equal."""
    for one, other in zip(a.positions, b.positions, strict=False):
        for seat in one.texts:
            if one.texts[seat] != other.texts[seat]:
                texts = excerpts_apart(one.texts[seat], other.texts[seat])
                return f"turn {one.turn}, {seat} sees {texts[0]} and {texts[1]}"
        for name in ("acting", "legal", "secrets"):
            if getattr(one, name) != getattr(other, name):
                return f"turn {one.turn}, {name}: {getattr(one, name)} and {getattr(other, name)}"
    if a.returns != b.returns:
        return f"returns: {dict(a.returns)} and {dict(b.returns)}"
    return ""
