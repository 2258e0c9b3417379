"""The texts of starling, and how a command is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from games.dialogue.answers import final
from games.native.starling.worlds import Scene

SKILLS = ("cook", "tidy", "unlock")
_READING = "examine cookbook"
"""its text never changes, so it may stay visible"""
_ARTICLES = re.compile(r"\b(?:the|a|an|some|my)\b")
_NOT_WORDS = re.compile(r"[^a-z0-9 -]+")
_SYNONYMS = (
    (re.compile(r"^(?:walk|move|head|run) "), "go "),
    (re.compile(r"^(?:north|south|east|west)$"), r"go \g<0>"),
    (re.compile(r"^(?:get|grab|pick up) "), "take "),
    (re.compile(r"^(?:look at|inspect|read|x) "), "examine "),
    (re.compile(r"^(?:look around|l)$"), "look"),
    (re.compile(r"^(?:put|place) (.+) (?:in|into|inside) "), r"insert \1 into "),
    (re.compile(r"^(?:place|set) (.+) on "), r"put \1 on "),
)
NOT_POSSIBLE = "You can't do that now."
DEMONSTRATIONS = {
    "cook": [
        ("Goal: cook a meal.\n-= Kitchen =-\nOn the table is a leek.\nYou carry nothing.", "take leek from table")
    ],
    "tidy": [("Goal: tidy up.\n-= Garage =-\nThere is an open toolbox.\nYou carry: a saw.", "insert saw into toolbox")],
    "unlock": [("Goal: find the key.\n-= Cellar =-\nThere is a closed barrel.\nYou carry nothing.", "open barrel")],
}


def rules(moves: int, menu: bool) -> str:
    """The rules for one player."""
    how = "Choose one of the listed commands." if menu else "Write one command such as: take apple from table"
    return (
        "You are in a text adventure. Reach the goal with as many points as you can; your reward is your points "
        f"divided by the points of the world. You have {moves} commands. {how}"
    )


def command(text: str, possible: Iterable[str]) -> str | None:
    """The possible command that a text means: its answer, or else its last line; None if it means none."""
    known = {_normal(one): one for one in possible}
    lines = [line for line in text.strip().splitlines() if line.strip()]
    for said in (final(text).value, lines[-1] if lines else None):
        if said is not None and (found := known.get(_normal(said))):
            return found
    return None


def _normal(text: str) -> str:
    words = " ".join(_ARTICLES.sub(" ", _NOT_WORDS.sub(" ", text[:200].casefold())).split())
    for pattern, plain in _SYNONYMS:
        words = pattern.sub(plain, words)
    return words


def recipe(steps: Sequence[tuple[str, str]]) -> str:
    """What the player has read in the cookbook; "" if it has not opened it."""
    return next((happened for said, happened in steps if said == _READING), "")


def described(scene: Scene, steps: Sequence[tuple[str, str]], left: int, shown: int, *, over: bool = False) -> str:
    """Returns what the player reads: goal, notes, the last steps, and until the end the room and what is carried."""
    lines = [f"Goal: {scene.goal}", f"Score: {scene.score} of {scene.points}. Commands left: {left}."]
    recent = steps[-shown:] if shown else ()
    if noted := recipe(steps[: len(steps) - len(recent)]):
        lines.append(f"You have read in the cookbook:\n{noted}")
    for command, happened in recent:
        lines.append(f"> {command}")
        if happened and not happened.startswith("-="):  # a new room is described below
            lines.append(happened)
    return "\n".join(lines if over else [*lines, scene.room, scene.carried])
