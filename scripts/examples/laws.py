"""A world with hidden laws: an explorer acts in it, a writer writes its laws, which are simulated.

    arena check laws --plugin scripts/examples/laws.py --shortcuts
    arena study scripts/examples/study_laws.toml

After "Cogito, Ergo Ludo" (an agent plays an unknown game by writing its rules) and "One Life to Learn" (laws of
precondition and effect that hold with a probability, inferred in one life), seeds of this project whose abstracts were
read. The state is a place on a ring. A law moves it by a number, by another one at one place, or slips and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log
from statistics import fmean
from typing import Annotated, Any, NamedTuple

from annotated_types import Interval

from games import Table, role_game
from games.shortcuts import ScriptedTurn, Shortcut, ShortcutSuite, says

ACTIONS = ("x", "y")
_WRITTEN = re.compile(r"\+(\d)(?: at (\d) \+(\d))?(?: slip (\d)/4)?")


class Law(NamedTuple):
    """What an action does."""

    shift: int
    place: int = -1
    """where it shifts otherwise; -1: nowhere"""
    other: int = 0
    slip: int = 0
    """quarters of the probability that nothing happens"""

    def __str__(self) -> str:
        where = f" at {self.place} +{self.other}" if self.place >= 0 else ""
        return f"+{self.shift}{where}" + (f" slip {self.slip}/4" if self.slip else "")

    def probabilities(self, state: int, size: int) -> list[float]:
        """Returns the probability of each next state."""
        out = [0.0] * size
        out[(state + (self.other if state == self.place else self.shift)) % size] += 1 - self.slip / 4
        out[state] += self.slip / 4
        return out


Step = tuple[int, str, int]
"""state, action, next state"""


def laws(size: int, places: bool, chance: bool) -> Iterator[Law]:
    """Yields every law of a world, the plainest first."""
    slips = (0, 1, 2) if chance else (0,)
    yield from (Law(shift, slip=slip) for slip in slips for shift in range(size))
    if places:
        pairs = [(shift, other) for shift in range(size) for other in range(size) if other != shift]
        yield from (Law(a, place, b, slip) for slip in slips for a, b in pairs for place in range(size))


def read_law(text: str) -> Law | None:
    """Returns the law that a text is."""
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        return None
    shift, place, other, slip = match.groups()
    return Law(int(shift), int(place or -1), int(other or 0), int(slip or 0))


def fidelity(law: Law | None, truth: Law, states: Sequence[int], size: int) -> float:
    """Returns 1 less the distance (total variation) of the next states, as a mean over states; 0 without a law."""
    if law is None or law.slip > 4:
        return 0.0
    pairs = [(law.probabilities(state, size), truth.probabilities(state, size)) for state in states]
    return sum(1 - sum(abs(a - b) for a, b in zip(*pair, strict=True)) / 2 for pair in pairs) / len(pairs)


def likely(every: Sequence[Law], steps: Sequence[Step], action: str, size: int) -> Law:
    """Returns the plainest law among those under which the steps of an action are most likely."""

    def fit(law: Law) -> float:
        shares = [law.probabilities(state, size)[after] for state, act, after in steps if act == action]
        return sum(log(share) if share else -99.0 for share in shares)

    return max(every, key=fit)


def _rules(size: int, steps: int) -> str:
    return (
        f"A world has the places 0 to {size - 1} on a ring and the actions {' and '.join(ACTIONS)}. The explorer acts "
        f"{steps} times. Then the writer writes the law of each action: '+1' moves on by one, '+1 at 2 +0' not at "
        "place 2, '+1 slip 1/4' stays with that probability. Both earn how well the laws predict, from 0 to 1."
    )


def _law_by_likelihood(turn: ScriptedTurn) -> str:
    data = turn.data
    return str(likely(data["laws"], data["steps"], data["action"], data["size"]))


def _untried(turn: ScriptedTurn) -> str:
    """Takes the action that was tried least, here before elsewhere."""
    steps: list[Step] = turn.data["steps"]
    return min(
        ACTIONS, key=lambda a: (sum(s[:2] == (turn.data["state"], a) for s in steps), sum(s[1] == a for s in steps))
    )


def _suite(closed: bool) -> ShortcutSuite:
    return ShortcutSuite(
        honest={"explorer": says(*ACTIONS), "writer": lambda turn: str(turn.stream.choice(turn.data["laws"]))},
        competent={"explorer": _untried, "writer": _law_by_likelihood},
        shortcuts=[Shortcut("one action", {"explorer": says("x")}), Shortcut("one law", {"writer": says("+1")})],
        references={"explores at random": {"explorer": says(*ACTIONS)}},
    )


@role_game(
    "laws-v1",
    seats={"explorer": "explorer", "writer": "writer"},
    payoff="cooperative",
    rules=_rules,
    returns_range=(0.0, 1.0),
    max_turns=lambda steps: steps + len(ACTIONS),
    rated=False,
    closed=True,
    suite=_suite,
)
def laws_game(
    t: Table,
    size: Annotated[int, Interval(ge=3, le=9)] = 4,
    steps: Annotated[int, Interval(ge=2, le=40)] = 4,
    places: bool = True,
    chance: bool = False,
) -> Any:
    """An explorer acts in an unknown world, a writer writes its laws; `right` is their fidelity where nobody has acted.

    size: places of the ring.
    steps: actions of the explorer, in one life.
    places: whether a law may be another one at one place.
    chance: whether laws slip.
    """
    every = list(laws(size, places, chance))
    truth = {action: t.stream.choice(every) for action in ACTIONS}
    state, past = t.stream.below(size), list[Step]()
    t.tell("all", f"At {state}.", laws=every, size=size, steps=(), state=state)
    for _ in range(steps):
        action = yield t.ask("explorer", phase="explore", options=ACTIONS)
        draw, shares = t.stream.random(), truth[action].probabilities(state, size)
        after = next(i for i in range(size) if draw < sum(shares[: i + 1]) or i == size - 1)
        past.append((state, action, after))
        t.tell("all", f"{action} {state}>{after}", steps=tuple(past), state=after)
        state = after
    examples = [str(law) for law in every]
    written: dict[str, Law | None] = {}
    for action in ACTIONS:
        t.tell("writer", "", action=action)
        prompt = f"Law of {action}?"
        written[action] = yield t.ask("writer", prompt, phase="write", examples=examples, reads=read_law)
    untried = {a: [s for s in range(size) if all(step[:2] != (s, a) for step in past)] for a in ACTIONS}
    scores = [fidelity(written[a], truth[a], range(size), size) for a in ACTIONS]
    unseen = [fidelity(written[a], truth[a], untried[a], size) for a in ACTIONS if untried[a]]
    for seat in t.seats:
        t.pay(seat, fmean(scores))
        t.outcome(seat, right=fmean(unseen) if unseen else None)
    t.facts |= {"laws": {a: str(law) for a, law in truth.items()}}
