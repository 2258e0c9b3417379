"""ask-v1: seekers find the item that a user wants, each alone; a turn asks about an attribute or recommends an item.

After Estimation-Action-Reflection (Lei et al. 2020, arXiv 2002.09102). README.md says what differs.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Annotated

from annotated_types import Interval

from games import KnownOutcome
from games.dialogue import RoleGame, Script, Table, role_game
from games.native.ask.policies import SUITE
from games.randomness import RandomStream

ATTRIBUTES = {
    "colour": ("red", "blue", "green", "white"),
    "size": ("small", "medium", "large"),
    "material": ("wood", "metal", "glass"),
    "age": ("new", "old"),
    "shape": ("round", "square", "long"),
    "price": ("cheap", "fair", "costly"),
}
_FEW = 4
"""items among which an odd one divides as well as any question"""
SUCCESS, QUIT, TURN = 1.0, -0.3, -0.1


def rejected(items: int) -> float:
    """Returns the cost of a wrong recommendation, beside the turn."""
    return max(0.5, 2 / (items - 1))


def _rules(items: int, turns: int) -> str:
    return (
        "A user wants one item of the catalogue. Each turn, ask about an attribute, and the user answers truthfully, "
        "or recommend an item. The right item earns 1, less 0.1 for each earlier turn. A wrong recommendation costs "
        f"{rejected(items):g}. After {turns} turns without it you lose."
    )


def _outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    goal = game.facts()["wanted"]
    others = [name for name in game.data("seeker_0")["catalogue"] if name != goal]
    moves = [
        {"seeker_0": "ask colour", "seeker_1": f"recommend {others[0]}"},
        {"seeker_0": f"recommend {goal}", "seeker_1": f"recommend {others[1]}"},
        *({"seeker_1": f"recommend {name}"} for name in others[2:6]),
    ]
    return (KnownOutcome(0, moves, {"seeker_0": 0.9, "seeker_1": -0.8 - 6 * rejected(12)}),)


@role_game(
    "ask-v1",
    seats={"seeker_0": "seeker", "seeker_1": "seeker"},
    payoff="general_sum",
    rules=_rules,
    max_turns=lambda turns: 2 * turns,
    returns_range=lambda items, turns: (QUIT + TURN * (turns - 1) - rejected(items) * min(turns, items), SUCCESS),
    suite=SUITE,
    known=_outcomes,
)
def ask(
    t: Table, items: Annotated[int, Interval(ge=2, le=26)] = 12, turns: Annotated[int, Interval(ge=2, le=10)] = 6
) -> Script:
    """Seekers look for the same unknown item of a catalogue, each alone; who finds it in fewer turns wins.

    items: the size of the catalogue. turns: of each seeker, questions and recommendations together.
    """
    catalogue = {chr(ord("A") + i): values for i, values in enumerate(_rows(t.stream, items))}
    goal = t.stream.choice(list(catalogue))
    lines = [f"Attributes: {', '.join(ATTRIBUTES)}. Catalogue:"]
    lines += [f"{name}: {', '.join(values)}" for name, values in catalogue.items()]
    t.tell("all", "\n".join(lines), attributes=tuple(ATTRIBUTES), catalogue=catalogue)
    t.facts["wanted"] = goal
    actions = [*(f"ask {name}" for name in ATTRIBUTES), *(f"recommend {name}" for name in catalogue)]
    done: dict[str, list[str]] = {seat: [] for seat in t.seats}
    answers: dict[str, dict[str, str]] = {seat: {} for seat in t.seats}
    for seat in t.seats:
        t.tell(seat, "", done=done[seat], answers=answers[seat])
    for left in range(turns, 0, -1):
        if not (seekers := [seat for seat in t.seats if f"recommend {goal}" not in done[seat]]):
            break
        prompt = (
            "Nothing has been asked yet.\n" * (left == turns) + f"{left} turn{'s are' if left > 1 else ' is'} left."
        )
        options = {seat: [action for action in actions if action not in done[seat]] for seat in seekers}
        choices = yield t.ask(seekers, prompt, options=options, waiting="The match is over.")
        for seat, action in choices.items():
            done[seat].append(action)
            verb, _, what = action.partition(" ")
            if verb == "ask":
                answer = dict(zip(ATTRIBUTES, catalogue[goal], strict=True))[what]
                answers[seat][what] = answer
                t.tell(seat, f"You asked: the {what} is {answer}.")
            else:
                t.tell(seat, f"You recommended {what}: {'right' if what == goal else 'not this one'}.")
    _pay(t, done, goal, rejected(items))


def _rows(stream: RandomStream, items: int) -> list[tuple[str, ...]]:
    """Returns the values of each item, one an attribute.

    In as many attributes as possible all items but one are alike, among few items all: so a question is worth its cost
    only if a look at the catalogue says so, and that an attribute differs is not enough.
    """
    values = dict(ATTRIBUTES)
    for name in stream.shuffled(list(values)):
        fewer = values | {name: (stream.choice(values[name]),)}
        if prod(map(len, fewer.values())) >= items:
            values = fewer
    rows = stream.shuffled(list(product(*values.values())))[:items]
    for column, (name, kept) in enumerate(values.items()):
        if len(kept) == 1 and items > _FEW:
            at = stream.below(items)
            other = stream.choice([value for value in ATTRIBUTES[name] if value not in kept])
            rows[at] = (*rows[at][:column], other, *rows[at][column + 1 :])
    return rows


def _pay(t: Table, done: dict[str, list[str]], goal: str, cost: float) -> None:
    """Pays 1 for the item or -0.3 without it, less 0.1 for each turn before the last, and the wrong recommendations."""
    right = {seat: f"recommend {goal}" in actions for seat, actions in done.items()}
    asked = {seat: sum(action.startswith("ask") for action in actions) for seat, actions in done.items()}
    for seat, actions in done.items():
        wrong = len(actions) - asked[seat] - right[seat]
        base = SUCCESS if right[seat] else QUIT
        t.pay(seat, round(base + TURN * max(0, len(actions) - 1) - cost * wrong, 10))
        t.outcome(seat, right=float(right[seat]))
    recommended = {seat: len(actions) - asked[seat] for seat, actions in done.items()}
    t.facts |= {"found": right, "asked": asked, "recommended": recommended}
