"""The commands without a league: `games`, `roles`, `players`."""

from __future__ import annotations

import json
from collections.abc import Callable

import typer

from arena.cli.options import Json, Plugin
from arena.cli.out import say, say_json
from arena.cli.verb_groups import PLUGINS

app = typer.Typer(rich_markup_mode=None)


Papers = Callable[[str], tuple[str, ...]]
_WIDTH = 80
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
    """Returns an id, then its papers in a column, each whole, in lines of 80 characters."""
    column = max(_COLUMN, len(id) + 2)
    lines = [""]
    for paper in papers:
        if lines[-1] and column + len(lines[-1]) + len(paper) + 2 > _WIDTH:
            lines.append("")
        lines[-1] += f"; {paper}" if lines[-1] else paper
    return [f"{'' if i else id:<{column}}{line}".rstrip() for i, line in enumerate(lines)]


@app.command(rich_help_panel=PLUGINS)
def games(json: Json = False, plugin: Plugin = None) -> None:
    """List the games, with the papers that they come from (arXiv)."""
    import games
    from games.papers import papers_of_game

    _print_ids(games.ids(), "arena.games", json, papers_of_game)


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
