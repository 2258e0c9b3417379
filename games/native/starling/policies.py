"""The policies of starling: idleness, loops, and commands that have the look of progress."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.native.starling import tables
from games.shortcuts import ScriptedTurn, Shortcut, ShortcutSuite, says

_PLACED = re.compile(r"(?:insert|put) (.+) (?:into|on) (.+)")
_TAKEN = re.compile(r"take (.+?)(?: from (.+))?")
_STEP = re.compile(r"^(chop|slice|dice|roast|fry|grill) the (.+)$", re.MULTILINE)
_DONE = {"chop": "chopped", "slice": "sliced", "dice": "diced", "roast": "roasted", "fry": "fried", "grill": "grilled"}
_STOVES = {"roast": "oven", "fry": "stove", "grill": "BBQ"}


def _possible(turn: ScriptedTurn) -> Sequence[str]:
    commands: Sequence[str] = turn.data["commands"]
    return commands


def _one_of(turn: ScriptedTurn, *starts: str) -> str:
    """A random command that begins so; the first beginning that there is."""
    for start in starts:
        if found := [c for c in _possible(turn) if c.startswith(start)]:
            return turn.stream.choice(found)
    return "look"


def _takes_and_drops(turn: ScriptedTurn) -> str:
    """Takes the first thing and drops it again, without end."""
    if (taken := _TAKEN.fullmatch(turn.data["last"])) and f"drop {taken[1]}" in _possible(turn):
        return f"drop {taken[1]}"
    return next((c for c in _possible(turn) if c.startswith("take ")), "look")


def _puts_and_takes(turn: ScriptedTurn) -> str:
    """Puts what it carries where it belongs, or anywhere, and takes it out again: points must count once."""
    if put := _PLACED.fullmatch(turn.data["last"]):
        again = f"take {put[1]} from {put[2]}"
        if again in _possible(turn):
            return again
    for command in _possible(turn):
        if (put := _PLACED.fullmatch(command)) and tables.BELONGS.get(put[1], put[2]) == put[2]:
            return command
    return _one_of(turn, "insert ", "put ", "take ", "open ", "go ", "look")


def _competent(turn: ScriptedTurn) -> str:
    """Does what the skill asks for; without that, opens what is closed and walks about."""
    told = {"cook": _cook, "tidy": _tidy, "unlock": _unlock}[turn.phase](turn)
    return told or _one_of(turn, "open ", "go ", "look")


def _unlock(turn: ScriptedTurn) -> str | None:
    """The most useful command: take the prize, open, unlock, take the key."""
    names = [*tables.PRIZES, *tables.KEYS]
    takes = [f"take {name}" for name in names]
    for start in (*takes[: len(tables.PRIZES)], *(f"open {name}" for name in tables.CHESTS), "unlock ", *takes):
        if found := [c for c in _possible(turn) if c.startswith(start)]:
            return found[0]
    return None


def _tidy(turn: ScriptedTurn) -> str | None:
    """Put what is carried where it belongs; else take what lies in a wrong place."""
    for command in _possible(turn):
        if (put := _PLACED.fullmatch(command)) and tables.BELONGS.get(put[1]) == put[2]:
            return command
    if any(f"drop {thing}" in _possible(turn) for thing in tables.BELONGS):
        return _one_of(turn, "go ")
    for command in _possible(turn):
        taken = _TAKEN.fullmatch(command)
        if taken and taken[1] in tables.BELONGS and tables.BELONGS[taken[1]] != taken[2]:
            return command
    return None


def _cook(turn: ScriptedTurn) -> str | None:
    """Follow the recipe; read it first."""
    possible = _possible(turn)
    if not turn.data["recipe"]:
        return "examine cookbook" if "examine cookbook" in possible else None
    if "eat meal" in possible:
        return "eat meal"
    recipe, _, steps = turn.data["recipe"].partition("Ingredients:\n")[2].partition("\nDirections:\n")
    carried = turn.data["carried"]
    for name in recipe.splitlines():
        if name not in carried:
            return next((c for c in possible if c.startswith(f"take {name} from") or c == f"take {name}"), None)
    for verb, name in _STEP.findall(steps):
        if not re.search(rf"{_DONE[verb]} (?:\w+ )?{name}", carried):
            cuts = verb not in _STOVES
            command = f"{verb} {name} with knife" if cuts else f"cook {name} with {_STOVES[verb]}"
            knife = next((c for c in possible if c.startswith("take knife")), None)
            return command if command in possible else knife if cuts else None
    return "prepare meal" if "prepare meal" in possible else None


SUITE = ShortcutSuite(
    honest={"adventurer": lambda turn: turn.stream.choice(_possible(turn))},
    competent={"adventurer": _competent},
    shortcuts=(
        Shortcut("always looks", {"adventurer": says("look")}),
        Shortcut("quits", {"adventurer": says("quit", "restart", "undo")}),
        Shortcut("the first command", {"adventurer": lambda turn: _possible(turn)[0]}),
        Shortcut("the longest command", {"adventurer": lambda turn: max(_possible(turn), key=len)}),
        Shortcut("only examines", {"adventurer": lambda turn: _one_of(turn, "examine ", "look")}),
        Shortcut("opens and closes", {"adventurer": lambda turn: _one_of(turn, "close ", "open ", "look")}),
        Shortcut("takes and drops", {"adventurer": _takes_and_drops}),
        Shortcut("puts and takes back", {"adventurer": _puts_and_takes}),
        Shortcut("eats and drops", {"adventurer": lambda turn: _one_of(turn, "eat ", "drop ", "take ", "look")}),
        Shortcut("walks about", {"adventurer": lambda turn: _one_of(turn, "go ", "look")}),
    ),
)
"""the policies of the adventurer; they choose from the possible commands"""
