"""The commands without a league: `games`, `roles`, `players`."""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Callable
from typing import Annotated

import typer

from arena.cli.options import Json, Plugin
from arena.cli.out import columns, say, say_json, say_struct
from arena.cli.verb_groups import PLUGINS

app = typer.Typer(rich_markup_mode=None)


Lines = Callable[[str], list[str]]
"""an id -> its lines in a list"""
Papers = Callable[[str], tuple[str, ...]]
_WIDTH = 80
"""columns of a file"""
_COLUMN = 18
"""where the text beside an id begins, unless the id is longer"""


def _print_ids(ids: list[str], group: str, as_json: bool, lines: Lines) -> None:
    """Print ids with what is said of them, without those of broken plugins; each of these causes a warning."""
    from games import plugins

    broken = plugins.entries(group).keys() - plugins.working(group).keys()
    ids = [id for id in ids if id not in broken]
    if as_json:
        say_json(json.dumps(ids, indent=1))
    else:
        say("\n".join(line for id in ids for line in lines(id)))


def _cited(group: str, papers: Papers) -> Lines:
    """Returns the lines of an id with its papers, each whole; a plugin's has none."""
    from games import plugins

    def lines(id: str) -> list[str]:
        column, longest = _column(id), columns(_WIDTH)
        cited = [""]
        for paper in () if id in plugins.entries(group) else papers(id):
            if cited[-1] and column + len(cited[-1]) + len(paper) + 2 > longest:
                cited.append("")
            cited[-1] += f"; {paper}" if cited[-1] else paper
        return _beside(id, cited)

    return lines


def _column(id: str) -> int:
    return max(_COLUMN, len(id) + 2)


def _beside(id: str, texts: list[str]) -> list[str]:
    """Returns an id with texts in a column beside it."""
    return [f"{'' if i else id:<{_column(id)}}{text}".rstrip() for i, text in enumerate(texts)]


@app.command(rich_help_panel=PLUGINS)
def games(
    search: Annotated[
        str,
        typer.Option("--search", metavar="WORD", help="Describe the games with this in id, sentence or papers."),
    ] = "",
    json: Json = False,
    plugin: Plugin = None,
) -> None:
    """List the games, with the papers that they come from (arXiv)."""
    import games
    from games.papers import papers_of_game

    if search:
        _print_search(search, json)
    else:
        _print_ids(games.ids(), "arena.games", json, _cited("arena.games", papers_of_game))


def _print_search(word: str, as_json: bool) -> None:
    """Print each game that contains a word: id, players and payoff in columns, below them one sentence."""
    from games import InputError
    from games.descriptions import search

    rows = list(search(word))
    if as_json:
        say_struct(rows)
        return
    if not rows:
        raise InputError(f"no game contains {word!r} in its id, its sentence or its papers; `arena games` lists all")
    width = max(len(row.id) for row in rows)
    for row in rows:
        players = f"{row.players} player{'s' * (row.players != '1')}" if row.players else ""
        say(f"{row.id:<{width}}  {players:<12}  {row.payoff}".rstrip())
        say(textwrap.fill(row.about, columns(_WIDTH), initial_indent="    ", subsequent_indent="    "))


@app.command(rich_help_panel=PLUGINS)
def roles(json: Json = False, plugin: Plugin = None) -> None:
    """List the roles with their own instructions, and the papers that they come from (arXiv)."""
    import roles
    from roles.papers import papers_of_role

    _print_ids(roles.ids(), "arena.roles", json, _cited("arena.roles", papers_of_role))


@app.command(rich_help_panel=PLUGINS)
def players(json: Json = False, plugin: Plugin = None) -> None:
    """List the kinds of player, each with a sentence."""
    from arena.players.registry import PLAYERS
    from games import plugins

    def lines(id: str) -> list[str]:
        doc = inspect.cleandoc(plugins.load("player", PLAYERS.entries()[id]).__doc__ or "")
        first, stop, _ = " ".join(doc.split()).partition(". ")
        width = max(20, columns(_WIDTH) - _column(id))
        return _beside(id, textwrap.wrap(first + stop.strip(), width, break_on_hyphens=False) or [""])

    _print_ids(PLAYERS.ids(), "arena.players", json, lines)
