"""Instructions with exact checks: a writer follows them, a refiner may change only what failed.

    arena check instruct --plugin scripts/examples/instruct.py --shortcuts
    arena study scripts/examples/study_instruct.toml

After "SPaR: Self-Play with Tree-Search Refinement to Improve Instruction-Following" (a seed of this project, of which
the abstract was read). Changes beyond the fewest that pass the same checks are needless; SPaR wants pairs without
them, so they cost the refiner here. What failed is told by exact checks instead of a judge, and there is no tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Annotated, Any, NamedTuple

from annotated_types import Interval

from games import Table, role_game
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

LETTERS = "abcd"
Line = tuple[str, ...]


class Check(NamedTuple):
    """A part of an instruction."""

    text: str
    holds: Callable[[Line], bool]


def checks_of(line: Line, letters: str) -> list[Check]:
    """Returns every check that holds for a line."""
    every = [Check(f"{n} letters", partial(_counts, n)) for n in range(2, 6)]
    for a in letters:
        every += [Check(f"first {a}", partial(_at, 0, a)), Check(f"last {a}", partial(_at, -1, a))]
        every += [Check(f"no {a}", partial(_has, a, 0)), Check(f"two {a}", partial(_has, a, 2))]
        every += [Check(f"{a} before {b}", partial(_before, a, b)) for b in letters if b != a]
    return [check for check in every if check.holds(line)]


def _counts(n: int, line: Line) -> bool:
    return len(line) == n


def _at(place: int, a: str, line: Line) -> bool:
    return bool(line) and line[place] == a


def _has(a: str, n: int, line: Line) -> bool:
    return line.count(a) == n


def _before(a: str, b: str, line: Line) -> bool:
    return a in line and b in line and line.index(a) < line.index(b)


def lines(letters: str, longest: int) -> list[Line]:
    """Returns every line of two to `longest` letters."""
    return [line for n in range(2, longest + 1) for line in product(letters, repeat=n)]


def passing(checks: Sequence[Check], line: Line) -> set[str]:
    """Returns the checks that a line passes."""
    return {check.text for check in checks if check.holds(line)}


def distance(old: Line, new: Line) -> int:
    """Returns how many letters must be put in, taken out or exchanged (Levenshtein)."""
    row = list(range(len(new) + 1))
    for i, a in enumerate(old, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(new, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


def needless(every: Sequence[Line], checks: Sequence[Check], old: Line, new: Line) -> int:
    """Returns how many changes of the old line more were made than a line needs that passes the same checks."""
    passes = passing(checks, new)
    return distance(old, new) - min(
        (distance(old, x) for x in (new, *every) if passing(checks, x) >= passes), default=0
    )


def _line(text: str) -> Line:
    return tuple(text.lower().split()[:8])


def _right(turn: ScriptedTurn) -> list[Line]:
    checks: list[Check] = turn.data["checks"]
    every: list[Line] = turn.data["lines"]
    return [line for line in every if all(check.holds(line) for check in checks)]


def _best(turn: ScriptedTurn) -> str:
    """Returns a line that passes every check, with as few changes of the old one as can be."""
    old: Line = turn.data.get("old", ())
    nearest = min(_right(turn), key=lambda line: distance(old, line))
    return " ".join(nearest)


def _again(turn: ScriptedTurn) -> str:
    """Follows the instruction without a look at the old line."""
    return " ".join(turn.stream.choice(_right(turn)))


def _any(turn: ScriptedTurn) -> str:
    return " ".join(turn.stream.choice(turn.data["lines"]))


def _keeps(turn: ScriptedTurn) -> str:
    return " ".join(turn.data["old"])


def _suite(closed: bool) -> ShortcutSuite:
    honest: dict[str, Scripted] = {"writer": _any, "refiner": _again}
    return ShortcutSuite(
        honest=honest,
        competent={"writer": _best, "refiner": _best},
        partners=honest,
        shortcuts=[Shortcut("one line", {"writer": says("a b c")}), Shortcut("changes nothing", {"refiner": _keeps})],
        references={"starts at random": {"writer": _any, "refiner": _best}},
    )


def _rules(letters: int, longest: int, price: float) -> str:
    return (
        f"Write two to {longest} letters of {', '.join(LETTERS[:letters])} with spaces between, as the instruction "
        "says. The writer earns the share of its checks that hold. If one fails, the refiner changes the line and "
        f"earns the rise of the share, less {price:g} for each change more than this takes."
    )


@role_game(
    "instruct-v1",
    seats={"writer": "writer", "refiner": "refiner"},
    payoff="general_sum",
    rules=_rules,
    returns_range=(-3.0, 1.0),
    max_turns=2,
    rated=False,
    closed=True,
    suite=_suite,
)  # fmt: skip
def instruct(
    t: Table,
    letters: Annotated[int, Interval(ge=3, le=4)] = 3,
    longest: Annotated[int, Interval(ge=2, le=5)] = 3,
    checks: Annotated[int, Interval(ge=1, le=4)] = 2,
    price: Annotated[float, Interval(ge=0, le=1)] = 0.25,
) -> Any:
    """A writer follows an instruction, a refiner repairs what failed.

    letters: how many there are.
    longest: letters of a line at most.
    checks: parts of an instruction.
    price: what a needless change costs the refiner.
    """
    every = lines(LETTERS[:letters], longest)
    posed = t.stream.shuffled(checks_of(t.stream.choice(every), LETTERS[:letters]))[:checks]
    t.tell("all", f"Write: {', '.join(check.text for check in posed)}.", checks=posed, lines=every)
    examples = tuple(" ".join(line) for line in every)
    old = _line((yield t.ask("writer", phase="write", examples=examples)))
    before = passing(posed, old)
    t.pay("writer", len(before) / len(posed))
    t.outcome("writer", right=float(len(before) == len(posed)))
    if len(before) == len(posed):
        return
    failed = [check.text for check in posed if check.text not in before]
    t.say("writer", " ".join(old), "refiner", limit=40, name="line", old=old)
    t.tell("refiner", f"Failed: {', '.join(failed)}.")
    new = _line((yield t.ask("refiner", phase="refine", examples=examples)))
    after, changes = passing(posed, new), needless(every, posed, old, new)
    t.pay("refiner", max(-1.0, (len(after) - len(before)) / len(posed) - price * changes))
    t.outcome("refiner", right=float(len(after) == len(posed)), broke=changes > 0 or not before <= after)
    t.facts |= {"needless": changes}
