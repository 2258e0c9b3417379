"""The verbs that describe things: `info`, `schema`, `doctor`. Heavy imports happen inside them."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.options import Json, Plugin
from arena.cli.out import columns, say, say_json, say_result, say_struct
from arena.cli.verb_groups import PLUGINS, TOURNAMENTS
from league.cli.options import AnyDb
from league.config.json_schema import FileKind

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=PLUGINS)
def info(
    id: Annotated[
        str | None,
        typer.Argument(
            help="A game, role, player, matchmaker, rating method, advantage, loss or task source. Default: a list.",
            autocompletion=completion.plugin_ids,
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="Its kind; default: all kinds that have the name.")
    ] = None,
    json: Json = False,
    plugin: Plugin = None,
) -> None:
    """Describe a game, role, player or other id."""
    from league.info import find_items, item_lines, names_by_kind
    from league.info.lines import WIDTH

    if id is None:
        names = names_by_kind()
        if json:
            say_struct(names)
        else:
            say("\n".join(f"{kind:<10}  {', '.join(ids)}" for kind, ids in names.items()))
            say("game        `arena games` lists them")
        return
    items = find_items(id, kind)
    if json:
        say_struct(items)
    else:
        say("\n\n".join("\n".join(item_lines(item, columns(WIDTH))) for item in items))


@app.command(rich_help_panel=TOURNAMENTS)
def schema(
    kind: Annotated[FileKind, typer.Argument(metavar="tournament|training", help="The kind of file.")],
) -> None:
    """Print the JSON schema of a file, for editors that check TOML."""
    from league.config.json_schema import schema_text

    say_json(schema_text(kind).rstrip())


@app.command(rich_help_panel=PLUGINS)
def doctor(
    db: AnyDb = None,
    endpoint: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Ask this endpoint once instead: an address, or a player such as 'openai(...)'."
        ),
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="M", help="The model at the endpoint.")] = None,
    key: Annotated[
        str | None, typer.Option(metavar="NAME", help="The environment variable that holds the endpoint's key.")
    ] = None,
    json: Json = False,
    plugin: Plugin = None,
) -> None:
    """Examine this installation, or an endpoint."""
    from games import InputError
    from league.doctor import diagnosis_lines, examine

    if endpoint is not None:
        from league.doctor.endpoint import endpoint_lines, examine_endpoint  # the openai client takes a second

        say_result(examine_endpoint(endpoint, model, key), endpoint_lines, json)
        return
    if model or key:
        raise InputError("--model and --key are for an endpoint; add --endpoint URL")
    diagnoses = list(examine(db))
    say_result(diagnoses, diagnosis_lines, json)
    if any(d.state == "wrong" for d in diagnoses):
        raise typer.Exit(1)
