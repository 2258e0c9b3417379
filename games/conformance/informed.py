"""Finds a game of one seat that pays upside down: the last move that showed the most before earns the least.

It needs a game that shows what a move earned while the match goes on, such as a bandit: a policy that reads it must not
earn less at the end than one that does the opposite.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from games.conformance.play import Trace
from games.conformance.report import Finding
from games.conformance.subject import Subject
from games.errors import IllegalAction
from games.game import Seat, TextGame
from games.randomness import RandomStream, derive

MATCHES, LEAST = 40, 8
"""at most and at least"""
SECONDS = 15.0
"""beside the time of the kit, because the search for legal texts of a game may have used that up"""
SURE = -4.0
"""standard errors of the mean difference: by chance one of 30,000 games has so many"""
_REWARD = re.compile(
    r"\b(?:rewards?|payoffs?|points)\b\D{0,12}?(-?\d+(?:\.\d+)?)|(-?\d+(?:\.\d+)?) points\b", re.IGNORECASE
)


class _Line(NamedTuple):
    """The moves of a match but the last one, and the mean of the rewards that each move showed."""

    seed: int
    moves: Sequence[str]
    means: Mapping[str, float]


def upside_down(subject: Subject) -> Iterator[Finding]:
    """The best-informed policy earns least: its last move showed the highest mean, that of the other the lowest."""
    trace = next((t for t in subject.traces if len(t.moves) > 2), None)
    if trace is None or len(subject.spec.seats) != 1:
        return
    (seat,) = subject.spec.seats
    if not _rewards(trace, seat):
        return
    menu = list(dict.fromkeys(move[seat] for move in trace.moves))
    pairs, until = list[tuple[float, float]](), time.monotonic() + SECONDS
    for i in range(MATCHES):
        line = _line(subject.fresh(), seat, derive(subject.seed, "informed", i) >> 32, len(trace.moves) - 1, menu)
        if line is not None and (pair := _earned(subject.fresh, seat, line)) is not None:
            pairs.append(pair)
        if time.monotonic() > until:
            break
    if len(pairs) < LEAST:
        return
    gaps = [informed - other for informed, other in pairs]
    error = stdev(gaps) / math.sqrt(len(gaps))
    if fmean(gaps) < SURE * error:
        informed, other = (fmean(pay) for pay in zip(*pairs, strict=True))
        yield Finding(
            "outcomes",
            f"pays upside down, the best-informed policy earns least: in {len(pairs)} matches a last move earns "
            f"{informed:.2g} if it showed the highest rewards before, and {other:.2g} if the lowest",
        )


def _rewards(trace: Trace, seat: Seat) -> list[float]:
    """Returns the rewards that a match has shown, one for each of its moves that showed one."""
    texts = [position.texts[seat] for position in trace.positions]
    rewards = (_reward(texts[i], texts[i + 1], trace.moves[i][seat]) for i in range(len(trace.moves) - 1))
    return [value for value in rewards if value is not None]


def _reward(before: str, after: str, move: str) -> float | None:
    """Returns the reward that a move has shown."""
    rewards = _REWARD.findall(after.removeprefix(before).replace(move, "", 1))
    return float(rewards[-1][0] or rewards[-1][1]) if rewards else None


def _line(game: TextGame, seat: Seat, seed: int, length: int, menu: Sequence[str]) -> _Line | None:
    """Plays random moves of a menu up to the last one; None if the match takes another course."""
    stream = RandomStream(derive(seed, "informed"))
    moves, rewards = list[str](), dict[str, list[float]]()
    game.reset(seed)
    for _ in range(length):
        move, before = stream.choice(menu), game.observe(seat).text
        try:
            game.apply({seat: move})
        except IllegalAction:
            return None
        if not game.acting:
            return None
        moves.append(move)
        if (value := _reward(before, game.observe(seat).text, move)) is not None:
            rewards.setdefault(move, []).append(value)
    return _Line(seed, moves, {move: fmean(values) for move, values in rewards.items()})


def _earned(fresh: Callable[[], TextGame], seat: Seat, line: _Line) -> tuple[float, float] | None:
    """Returns what the last move earns if it is the one that showed most, and least; None if there is no such pair."""
    if len(set(line.means.values())) < 2:
        return None
    best, worst = max(line.means, key=line.means.__getitem__), min(line.means, key=line.means.__getitem__)
    pay = []
    for last in (best, worst):
        game = fresh()
        game.reset(line.seed)
        try:
            for move in (*line.moves, last):
                game.apply({seat: move})
        except IllegalAction:
            return None
        if game.acting:
            return None
        pay.append(game.returns()[seat])
    return pay[0], pay[1]
