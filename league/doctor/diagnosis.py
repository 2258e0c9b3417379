"""One line of `arena doctor`."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

State = Literal["ok", "missing", "wrong", "note"]


class Diagnosis(msgspec.Struct, frozen=True):
    """One thing that was examined. `missing` is optional and not there; `wrong` needs the user."""

    part: str
    name: str
    state: State
    detail: str = ""
    fix: str = ""
    """what to type; "" if there is nothing to do"""


_MARKS = {"ok": "ok", "missing": "--", "wrong": "!!", "note": "  "}


def diagnosis_lines(diagnoses: Iterable[Diagnosis]) -> Iterator[str]:
    """Yields the lines of `arena doctor`: a heading for each part, then a line for each thing."""
    diagnoses = list(diagnoses)
    width = max((len(d.name) for d in diagnoses), default=0)
    for part, group in itertools.groupby(diagnoses, key=lambda d: d.part):
        yield part
        for d in group:
            fix = f"; type: {d.fix}" if d.fix else ""
            yield f"  {_MARKS[d.state]} {d.name:<{width}}  {d.detail}{fix}".rstrip()
    wrong = sum(d.state == "wrong" for d in diagnoses)
    yield f"problems: {wrong}; -- marks what is optional and not installed"
