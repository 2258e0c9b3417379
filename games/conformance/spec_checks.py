"""Checks of the spec, and that observing changes nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import get_args

from games.conformance.play import replayed
from games.conformance.report import Check, Finding, excerpt
from games.conformance.subject import Subject
from games.game import Payoff

MAX_CHARACTERS = 200_000
"""of an observation; models cannot read longer ones"""


def spec(subject: Subject) -> Iterator[Finding | Check]:
    """The spec is consistent and does not change while the game is played."""
    declared = subject.spec
    problems = []
    if not declared.id:
        problems.append("the id is empty")
    if not _maps_names(declared.seats):
        yield Finding("spec", f"seats must map names to role names; they are {declared.seats!r:.100}")
        return
    if not declared.rules.strip():
        problems.append("rules are empty: an LLM would not know the game")
    if declared.max_turns < 1:
        problems.append(f"max_turns is {declared.max_turns}; a match has at least one decision")
    if declared.payoff not in get_args(Payoff):
        problems.append(f"payoff is {declared.payoff!r}; allowed: {', '.join(get_args(Payoff))}")
    if not math.isfinite(declared.payoff_sum) or (declared.payoff == "zero_sum" and declared.payoff_sum):
        problems.append(f"payoff_sum is {declared.payoff_sum} in a {declared.payoff} game")
    span = declared.returns_range
    if span and not (math.isfinite(span[0]) and math.isfinite(span[1]) and span[0] <= span[1]):
        problems.append(f"returns_range is {span}; it is (lowest, highest)")
    together = [seat for team in declared.teams for seat in team]
    if declared.teams and sorted(together) != sorted(declared.seats):
        problems.append(f"teams are {declared.teams}; every seat is in exactly one of them")
    elif declared.strangers and (
        not declared.teams or any(len({declared.seats[seat] for seat in team}) != 1 for team in declared.teams)
    ):
        problems.append(f"strangers needs teams of seats with one role each; teams are {declared.teams}")
    if subject.traces and replayed(subject.fresh, subject.traces[0], len(subject.traces[0].moves)).spec != declared:
        problems.append("the spec changes while the game is played")
    yield from (Finding("spec", problem) for problem in problems)
    yield Check("spec", 1, "spec")


def _maps_names(seats: object) -> bool:
    names = [name for pair in seats.items() for name in pair] if isinstance(seats, Mapping) else []
    return bool(names) and all(isinstance(name, str) and name for name in names)


def observe(subject: Subject) -> Iterator[Finding | Check]:
    """Observing twice, or in another order, gives the same texts."""
    cases = sum(len(p.texts) for t in subject.traces for p in t.positions)
    for trace, turn in subject.spread(12):
        game = replayed(subject.fresh, trace, turn)
        seats = list(game.spec.seats)
        first = {seat: (game.observe(seat), game.legal(seat)) for seat in reversed(seats)}
        for seat in seats * 2:
            cases += 1
            observation, legal = game.observe(seat), game.legal(seat)
            if observation != first[seat][0]:
                texts = f"{excerpt(first[seat][0].text)} and then {excerpt(observation.text)}"
                yield Finding("observe", f"seed {trace.seed}, turn {turn}: {seat}, observed again, sees {texts}")
                break
            if legal != first[seat][1]:
                yield Finding("legal", f"seed {trace.seed}, turn {turn}: legal({seat!r}) differs on the second call")
                break
    for trace in subject.traces:
        for position in trace.positions:
            seat, text = max(position.texts.items(), key=lambda item: len(item[1]))
            if len(text) > MAX_CHARACTERS:
                where = f"seed {trace.seed}, turn {position.turn}"
                yield Finding("observe", f"{where}: the observation of {seat} has {len(text)} characters")
                break
    yield Check("observe", cases, "observations")
