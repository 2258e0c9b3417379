"""Reads the answers that a user gives to `arena init`."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Collection, Sequence

import games
from arena import players
from games import InputError, UnknownName
from games.naming import parse_name


def missing_for_training() -> str:
    """Returns the packages that a training needs and that are not installed, as one text; "" if all are."""
    needed = ("torch", "transformers", "safetensors")
    return ", ".join(package for package in needed if importlib.util.find_spec(package) is None)


def checked_games(ids: Sequence[str]) -> tuple[str, ...]:
    """Returns the ids, if there is at least one and a game can be made from each. Raises InputError."""
    if not ids:
        raise InputError("name at least one game, such as openspiel/kuhn_poker")
    for id in ids:
        games.make(id)
    return tuple(ids)


def checked_players(ids: Sequence[str]) -> tuple[str, ...]:
    """Returns the players, if their kinds are known. Raises InputError."""
    for word in ids:
        name, equals, id = word.partition("=")
        base = parse_name(word if not equals or "(" in name else id).base
        if base not in players.ids():
            raise UnknownName("player", base, players.ids(), "arena players")
    return tuple(ids)


def split_ids(text: str) -> tuple[str, ...]:
    """Returns the ids in a list with commas; commas inside parentheses belong to an id.

    >>> split_ids("random, mcts(simulations=9,uct_c=1)")
    ('random', 'mcts(simulations=9,uct_c=1)')
    """
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth <= 0:
            parts.append(text[start:i])
            start = i + 1
    return tuple(part.strip() for part in [*parts, text[start:]] if part.strip())


def player_name(id: str, taken: Collection[str] = ()) -> str:
    """Returns a name for the player with this id: the model's of an LLM, else the kind with its first parameter.

    >>> player_name("mcts(simulations=100)"), player_name("llm(model=org/tiny-1b, decode=choice)")
    ('mcts-100', 'tiny-1b')
    """
    if "@" in id.partition("(")[0]:
        return id  # a snapshot of the store, by its name
    parsed = parse_name(id)
    if model := parsed.params.get("model"):
        name = str(model).rstrip("/").rpartition("/")[2].partition("(")[0]
    else:
        name = "-".join([parsed.base, *map(str, list(parsed.params.values())[:1])])
    name = re.sub(r"[^\w.@-]+", "-", name).strip("-")[:40] or parsed.base
    others = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return next(n for n in (name, *others) if n not in taken)


def named_players(words: Sequence[str]) -> list[tuple[str, str]]:
    """Returns (name, id) of each player; a word is an id or NAME=ID. Raises InputError for a name given twice."""
    named: dict[str, str] = {}
    for word in words:
        name, equals, id = word.partition("=")
        if not equals or "(" in name:  # the first = is inside the parameters
            name, id = player_name(word, named), word
        if name in named:
            raise InputError(f"player name {name!r} is given twice; write --player OTHER={id}")
        named[name] = id
    return list(named.items())
