"""The description of an item as lines of text."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator

import msgspec

from games.naming import Name
from games.parameter_info import ParameterInfo


class GameFacts(msgspec.Struct, frozen=True):
    """What the spec of a game says."""

    seats: dict[str, str]
    """seat -> role"""
    payoff: str
    max_turns: int
    rated: bool
    chance: bool | None
    """None: not declared"""
    teams: tuple[tuple[str, ...], ...]
    strangers: bool
    """whether the seats of a team are for different players"""
    rules: str


class ItemInfo(msgspec.Struct, frozen=True):
    """One item that an id names."""

    kind: str
    """game, role, player, matchmaker, rating, advantage, task-source, curriculum or loss: the words of
    `arena check --kind`"""
    id: str
    about: str
    """the description in its source; may be empty"""
    parameters: tuple[ParameterInfo, ...]
    origin: str
    """`arena`, a plugin file, or a package"""
    source: str
    """file and line, or the module that makes it"""
    game: GameFacts | None = None
    """None: not a game"""
    papers: tuple[str, ...] = ()
    """name and arXiv id of each paper that a game or a role comes from"""
    problem: str = ""
    """why it cannot be made with the parameters that were given; "" if nothing is known against it"""


WIDTH = 100
"""columns of a file"""


def item_lines(item: ItemInfo, columns: int = WIDTH) -> Iterator[str]:
    """Yields what `arena info` prints of one item, its prose in lines of so many columns."""
    yield f"{item.kind} {item.id}"
    for paragraph in filter(None, item.about.split("\n\n")):
        yield ""
        yield from textwrap.wrap(paragraph, columns, initial_indent="  ", subsequent_indent="  ")
    if item.game is not None:
        yield ""
        yield from _game(item.game, columns)
    yield ""
    if item.parameters:
        yield "parameters"
        yield from _parameters(item.parameters, columns)
    else:
        yield "takes no parameters"
    yield ""
    if item.problem:
        yield f"problem  {item.problem}"
    if example := _example(item):
        yield f"example  {example}"
    if item.papers:
        indent = " " * len("papers   ")
        yield from textwrap.wrap("; ".join(item.papers), columns, initial_indent="papers   ", subsequent_indent=indent)
    yield f"source   {item.source} ({item.origin})"
    kind = "" if item.kind in ("game", "role") else f" --kind {item.kind}"
    plugin = f" --plugin {shlex.quote(item.origin)}" if item.origin.endswith(".py") else ""
    yield f"check    arena check {item.id}{kind}{plugin}"


def _game(facts: GameFacts, columns: int) -> Iterator[str]:
    yield "seats    " + ", ".join(seat if seat == role else f"{seat} ({role})" for seat, role in facts.seats.items())
    if facts.teams:
        apart = ", each seat a different player" * facts.strangers
        yield "teams    " + " against ".join(" + ".join(team) for team in facts.teams) + apart
    chance = {True: "with chance", False: "without chance", None: "chance not declared"}[facts.chance]
    rated = "rated" if facts.rated else "not rated: the board shows mean returns"
    yield f"payoff   {facts.payoff.replace('_', '-')}; {chance}; {rated}; at most {facts.max_turns:,} turns"
    yield "rules"
    for line in facts.rules.splitlines():
        yield from textwrap.wrap(line, columns, initial_indent="  ", subsequent_indent="  ") or [""]


def _parameters(parameters: tuple[ParameterInfo, ...], columns: int) -> Iterator[str]:
    name, allowed = (max(len(getattr(p, field)) for p in parameters) for field in ("name", "allowed"))
    for p in parameters:
        default = "required" if p.required else "" if p.default is None else f"default {_written(p.default)}"
        yield f"  {p.name:<{name}}  {p.allowed:<{allowed}}  {default}".rstrip()
        yield from textwrap.wrap(p.about, columns, initial_indent="      ", subsequent_indent="      ")


def _example(item: ItemInfo) -> str:
    """Returns the id with its first default written out; "" without one, or if parameters are required."""
    if "(" in item.id or item.problem or any(p.required for p in item.parameters):
        return ""
    first = next((p for p in item.parameters if p.default is not None), None)
    return str(Name(item.id, {first.name: first.default})) if first is not None and first.default is not None else ""


def _written(value: bool | int | float | str) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value) if value == "" else str(value)
