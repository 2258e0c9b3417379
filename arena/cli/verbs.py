"""The commands without a league: `games`, `roles`, `players`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from typing import Annotated

import typer

from arena.cli.options import Json, Plugin
from arena.cli.out import columns, say, say_json, say_struct
from arena.cli.verb_groups import PLUGINS

app = typer.Typer(rich_markup_mode=None)


Papers = Callable[[str], tuple[str, ...]]
_WIDTH = 80
"""columns of a file"""
_COLUMN = 18
"""where papers begin, unless the id is longer"""


def _print_ids(ids: list[str], group: str, as_json: bool, papers: Papers = lambda id: ()) -> None:
    """Print ids with their papers, without those of broken plugins; each of these causes a warning."""
    from games import plugins

    entries = plugins.entries(group)
    broken = entries.keys() - plugins.working(group).keys()
    ids = [id for id in ids if id not in broken]
    if as_json:
        say_json(json.dumps(ids, indent=1))
    else:
        say("\n".join(line for id in ids for line in _cited(id, () if id in entries else papers(id))))


def _cited(id: str, papers: tuple[str, ...]) -> list[str]:
    """Returns an id, then its papers in a column, each whole, in lines of the terminal's width."""
    column = max(_COLUMN, len(id) + 2)
    lines, longest = [""], columns(_WIDTH)
    for paper in papers:
        if lines[-1] and column + len(lines[-1]) + len(paper) + 2 > longest:
            lines.append("")
        lines[-1] += f"; {paper}" if lines[-1] else paper
    return [f"{'' if i else id:<{column}}{line}".rstrip() for i, line in enumerate(lines)]


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
        _print_ids(games.ids(), "arena.games", json, papers_of_game)


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

    _print_ids(roles.ids(), "arena.roles", json, papers_of_role)


@app.command(rich_help_panel=PLUGINS)
def players(json: Json = False, plugin: Plugin = None) -> None:
    """List the kinds of player."""
    from arena import players

    _print_ids(players.ids(), "arena.players", json)
