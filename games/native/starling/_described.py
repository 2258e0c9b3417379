"""Describes a state of textworld: the room, what is carried, and what a command did.

textworld's own texts exist only in compiled worlds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

_COOKED = ("burned", "roasted", "fried", "grilled", "raw")
_CUT = ("chopped", "sliced", "diced")
_STATES = ("locked", "closed", "open")
_BLANK = re.compile(r"\s*\n\s*")
_WAYS = ("north", "east", "south", "west")


class _Facts:
    """The facts of a state, by what they say of whom."""

    def __init__(self, state: Any, infos: Mapping[str, Any]) -> None:
        self.about: dict[str, set[str]] = {}
        self.inside: dict[str, list[tuple[str, str]]] = {}
        self.ways: dict[tuple[str, str], str] = {}
        self.doors: dict[frozenset[str], str] = {}
        self.infos, self.at = infos, ""
        for fact in state.facts:
            ids = [argument.name for argument in fact.arguments]
            if fact.name == "at" and ids[0] == "P":
                self.at = ids[1]
            elif fact.name in ("at", "in", "on"):
                self.inside.setdefault(ids[1], []).append((fact.name, ids[0]))
            elif fact.name.removesuffix("_of") in _WAYS:
                self.ways[ids[1], fact.name.removesuffix("_of")] = ids[0]
            elif fact.name == "link":
                self.doors[frozenset({ids[0], ids[2]})] = ids[1]
            elif len(ids) == 1:
                self.about.setdefault(ids[0], set()).add(fact.name)

    def name(self, id: str) -> str:
        """Returns the name of a thing after what was done to it: roasted sliced carrot."""
        done = [s for states in (_COOKED, _CUT) for s in states if s in self.about.get(id, ())]
        return " ".join([*done, self.infos[id].name or id])

    def things(self, place: str) -> list[str]:
        """Returns the things in a place, each with its state and what is in it or on it, by name."""
        return sorted(map(self.thing, (id for _, id in self.inside.get(place, ()))))

    def thing(self, id: str) -> str:
        """Returns a thing with its state and what is in it or on it, unless it is closed."""
        state = next((s for s in _STATES if s in self.about.get(id, ())), "")
        visible = [] if state in ("locked", "closed") else self.things(id)
        held = f"{self.inside[id][0][0]} it: {', '.join(visible)}" if visible else ""
        notes = [*filter(None, (state, held))]
        return self.name(id) + (f" ({'; '.join(notes)})" if notes else "")

    def exits(self) -> list[str]:
        """Returns the ways out of the room of the player."""
        out = []
        for way in _WAYS:
            if room := self.ways.get((self.at, way)):
                door = self.doors.get(frozenset({self.at, room}))
                out.append(f"{way} through the {self.thing(door)}" if door else way)
        return out


def room(state: Any, infos: Mapping[str, Any]) -> str:
    """Returns the room of the player: what is there, and the ways out."""
    facts = _Facts(state, infos)
    lines = [f"-= {facts.infos[facts.at].name} =-", _listed("You see", facts.things(facts.at))]
    return "\n".join([*lines, _listed("Ways", facts.exits())])


def carried(state: Any, infos: Mapping[str, Any]) -> str:
    """Returns what the player carries."""
    return _listed("You carry", _Facts(state, infos).things("I"))


def happened(command: str, action: Any, state: Any, infos: Mapping[str, Any]) -> str:
    """Returns what a command did; what a look shows stands below anyway."""
    verb, _, name = command.partition(" ")
    if verb in ("look", "inventory"):
        return ""
    if verb != "examine":
        return f"You {command}."
    named = (v.name for v in action.variables if v.name in infos and infos[v.name].name == name)
    if (id := next(named, None)) is None:
        return "You see nothing special."
    return _BLANK.sub("\n", infos[id].desc or "").strip() or f"You see: {_Facts(state, infos).thing(id)}."


def _listed(what: str, names: Iterable[str]) -> str:
    return f"{what}: {', '.join(names) or 'nothing'}."
