"""Reference of everything that has an id, from what `arena info` reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from page_text import code, escaped, table

import games
from games.parameter_info import ParameterInfo
from league.info import ItemInfo, find_items, names_by_kind

ROOT = Path(__file__).parents[2]
KINDS = {
    "role": (
        "roles",
        "Roles",
        "`arena roles` lists them. A seat whose role is not listed uses a plain role of its name.",
    ),
    "player": ("players", "Players", "`arena players` lists them. The guide to players describes their use."),
    "matchmaker": ("pairings", "Pairings", "`pairing = ...` in a tournament file chooses one."),
    "rating": ("ratings", "Rating methods", "`method = ...` under `[ratings]` chooses one."),
    "advantage": ("advantages", "Advantage estimators", "`advantage = ...` in a training file chooses one."),
    "loss": ("losses", "Losses", "`name = ...` under `[loss]` in a training file chooses one."),
    "curriculum": ("curricula", "Curricula", "`curriculum = ...` under `[tasks]` in a training file chooses one."),
    "task-source": ("task-sources", "Task sources", "`tasks=...` of a game and `arena eval --suite` take one."),
}
COLLECTIONS = {"openspiel": "OpenSpiel", "pettingzoo": "PettingZoo", "textarena": "TextArena"}


def id_pages() -> Iterator[tuple[str, str]]:
    """Name and text of a page for each kind but games."""
    for kind, names in names_by_kind().items():
        page, title, intro = KINDS[kind]
        items = [item for name in names for item in find_items(name, kind)]
        yield page, "\n".join([f"# {title}\n\n{intro}\n", *map(_item, items)])


def rules(game: str) -> str:
    """What players of a native game read, as a part of its page."""
    (item,) = find_items(game, "game")
    if item.game is None:
        return ""
    head = f"Seats: {_seats(item)}. Payoff: {_payoff(item)}. At most {item.game.max_turns:,} turns."
    return f"## Rules\n\n{head}\n\n{escaped(item.game.rules)}\n"


def other_games_page() -> str:
    """The games of other libraries, one row each."""
    lines = ["# Games of other libraries\n\n`arena info ID` prints the rules of any of them.\n"]
    for collection, title in COLLECTIONS.items():
        items = [i for id in games.ids() if id.startswith(f"{collection}/") for i in find_items(id, "game")]
        rows = [[code(i.id), _seats(i), _payoff(i), ", ".join(map(written, i.parameters))] for i in items]
        lines.append(f"## {title}\n\n{table(('id', 'roles of the seats', 'payoff', 'parameters'), rows)}")
    return "\n".join(lines)


def _item(item: ItemInfo) -> str:
    lines = [f"## `{item.id}`\n"]
    lines += [escaped(paragraph) + "\n" for paragraph in item.about.split("\n\n") if paragraph]
    if item.parameters:
        rows = [[code(p.name), escaped(p.allowed), _default(p), escaped(p.about)] for p in item.parameters]
        lines.append(table(("parameter", "value", "default", "meaning"), rows))
    path, _, line = item.source.rpartition(":")
    lines.append(f"Source: {code(f'{os.path.relpath(path, ROOT)}:{line}' if path else item.source)}\n")
    return "\n".join(lines)


def _seats(item: ItemInfo) -> str:
    if item.game is None:
        return escaped(item.problem)
    roles = list(item.game.seats.values())
    counted = {role: roles.count(role) for role in roles}
    return ", ".join(code(role) if n == 1 else f"{n} x {code(role)}" for role, n in counted.items())


def _payoff(item: ItemInfo) -> str:
    if item.game is None:
        return ""
    return item.game.payoff.replace("_", "-") + ("" if item.game.rated else ", not rated")


def written(parameter: ParameterInfo) -> str:
    """A parameter with its default, as an id has it."""
    default = _default(parameter).strip("`")
    return code(f"{parameter.name}={default}" if default else parameter.name)


def _default(parameter: ParameterInfo) -> str:
    value = parameter.default
    if parameter.required or value is None:
        return "required" if parameter.required else ""
    return code(str(value).lower() if isinstance(value, bool) else repr(value) if value == "" else value)
