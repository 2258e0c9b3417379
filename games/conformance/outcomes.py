"""Checks of returns: their form, their sum, and that each seat gets its own.

A flipped sign contradicts nothing inside a game. It shows only by comparison with OpenSpiel's own state, with the
matches of `known_outcomes()`, or with a last observation that says who won.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from games.conformance.informed import upside_down
from games.conformance.play import Trace
from games.conformance.report import Check, Finding
from games.conformance.subject import Subject
from games.forfeit import TOLERANCE, paid_forfeit
from games.game import GameSpec, KnownOutcome

_WON = re.compile(r"\byou (?:win|won|have won)\b", re.IGNORECASE)
_LOST = re.compile(r"\byou (?:lose|lost|have lost)\b", re.IGNORECASE)


def returns(subject: Subject) -> Iterator[Finding | Check]:
    """Every seat has one finite return in the declared range, and the returns sum as declared."""
    for trace in subject.traces:
        problem = _malformed(subject.spec, trace)
        if problem:
            yield Finding("returns", f"seed {trace.seed}: {problem}")
    yield from _below_forfeits(subject)
    yield Check("returns", len(subject.traces), "matches")


def outcomes(subject: Subject) -> Iterator[Finding | Check]:
    """Returns agree with OpenSpiel, the known outcomes, or the winner named in the last observation."""
    cases = 0
    seats = tuple(subject.spec.seats)
    for trace in subject.traces:
        if trace.oracle is not None and set(trace.returns) == set(seats):
            cases += 1
            ours = tuple(float(trace.returns[s]) for s in seats)
            if any(abs(a - b) > TOLERANCE for a, b in zip(ours, trace.oracle, strict=True)):
                yield Finding("outcomes", f"seed {trace.seed}: returns are {ours}, OpenSpiel's are {trace.oracle}")
        elif set(trace.returns) == set(seats):
            problem = _declared(trace)
            cases += problem is not None
            if problem:
                yield Finding("outcomes", f"seed {trace.seed}: {problem}")
    for outcome in subject.fresh().known_outcomes():
        cases += 1
        yield from _replay(subject, outcome)
    yield from upside_down(subject)
    lacks = "no OpenSpiel state, no known_outcomes(), no winner named; a flipped sign would not show"
    yield Check("outcomes", cases, "matches", lacks=lacks)


def _below_forfeits(subject: Subject) -> Iterator[Finding]:
    """The match with the lowest return if a forfeit, for lack of a `returns_range`, would have paid more."""
    if subject.spec.returns_range is not None:
        return
    returns = [value for trace in subject.traces for value in trace.returns.values()]
    if problem := paid_forfeit(subject.spec, returns, "random play"):
        yield Finding("returns", problem)


def _malformed(spec: GameSpec, trace: Trace) -> str:
    values = trace.returns
    total = sum(values.values())
    if spec.payoff in ("zero_sum", "constant_sum") and abs(total - spec.payoff_sum) > TOLERANCE:
        return f"returns {dict(values)} sum to {total:g}; declared is {spec.payoff} with {spec.payoff_sum:g}"
    if spec.returns_range:
        low, high = spec.returns_range
        if not all(low - TOLERANCE <= v <= high + TOLERANCE for v in values.values()):
            return f"returns {dict(values)} leave the declared range {low:g} to {high:g}"
    return ""


def _declared(trace: Trace) -> str | None:
    """Returns the contradiction to the winner named in the last texts; "" without one, None if no winner is named."""
    last, before = trace.positions[-1], trace.positions[-2:-1]
    best, worst = max(trace.returns.values()), min(trace.returns.values())
    named = False
    for seat, text in last.texts.items():
        added = text.removeprefix(before[0].texts[seat]) if before else text
        won, lost = bool(_WON.search(added)), bool(_LOST.search(added))
        if won == lost or (before and (_WON.search(before[0].texts[seat]) or _LOST.search(before[0].texts[seat]))):
            continue
        named = True
        value = trace.returns[seat]
        if best > worst and value == (worst if won else best):
            claim = f"{seat} is told that it {'won' if won else 'lost'}"
            return f"{claim}, but its return is {value:g} of {dict(trace.returns)}"
    return "" if named else None


def _replay(subject: Subject, outcome: KnownOutcome) -> Iterator[Finding]:
    seed, moves, expected = outcome
    game = subject.fresh()
    game.reset(seed)
    where = f"known outcome of seed {seed}"
    for turn, move in enumerate(moves):
        if set(game.acting) != set(move):
            seats = ", ".join(move)
            yield Finding("turns", f"{where}, turn {turn}: {seats} must act, but acting is {game.acting}")
            return
        try:
            game.apply(move)
        except Exception as error:  # noqa: BLE001  a game under test can raise anything
            yield Finding("outcomes", f"{where}, turn {turn}: {dict(move)} raised {error!r}")
            return
    if game.acting:
        yield Finding("outcomes", f"{where}: the match continues after its last move; acting is {game.acting}")
        return
    ours = game.returns()
    wrong = [s for s, v in expected.items() if abs(ours.get(s, math.nan) - v) > TOLERANCE or s not in ours]
    if wrong:
        flipped = all(abs(ours.get(s, math.nan) + v) <= TOLERANCE for s, v in expected.items())
        more = " (the sign is flipped)" if flipped else ""
        yield Finding("outcomes", f"{where}: returns must be {dict(expected)} but are {dict(ours)}{more}")
