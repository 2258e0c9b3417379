"""The commands without a league: `games`, `roles`, `players`."""

from __future__ import annotations

import json

import typer

from arena.cli.options import Json, Plugin
from arena.cli.out import say, say_json

app = typer.Typer(rich_markup_mode=None)


def _print_ids(ids: list[str], group: str, as_json: bool) -> None:
    """Print ids, without those of broken plugins; each of these causes a warning."""
    from games import plugins

    broken = plugins.entries(group).keys() - plugins.working(group).keys()
    ids = [id for id in ids if id not in broken]
    say_json(json.dumps(ids, indent=1)) if as_json else say("\n".join(ids))


@app.command()
def games(json: Json = False, plugin: Plugin = None) -> None:
    """List the games."""
    import games

    _print_ids(games.ids(), "arena.games", json)


@app.command()
def roles(json: Json = False, plugin: Plugin = None) -> None:
    """List the roles with their own instructions."""
    import roles

    _print_ids(roles.ids(), "arena.roles", json)


@app.command()
def players(json: Json = False, plugin: Plugin = None) -> None:
    """List the kinds of player."""
    from arena import players

    _print_ids(players.ids(), "arena.players", json)
