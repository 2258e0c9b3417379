"""The verbs for single matches and plugins: `play`, `replay`, `check`, `attack`. Heavy imports happen inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completion
from arena.cli.options import Game, Json, Plugin
from arena.cli.out import say, say_json
from arena.cli.verb_groups import PLAY, PLUGINS
from league import DEFAULT_DB
from league.cli.options import Db, RunName, SnapshotDb, TrustDb

if TYPE_CHECKING:
    from arena.match import Episode

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=PLAY)
def play(
    game: Game,
    player: Annotated[
        list[str],
        typer.Argument(
            help="One player for all seats, one per seat in order, or seat=player.",
            autocompletion=completion.player_ids,
        ),
    ],
    seed: Annotated[
        int | None,
        typer.Option(
            help="Seed of the match; the same seed gives the same match. Default: 0, or random with an endpoint."
        ),
    ] = None,
    db: SnapshotDb = DEFAULT_DB,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Play one match and show it live."""
    from functools import partial

    from arena.cli.show import play_match
    from league.runs.stored_players import make

    play_match(game, player, seed, as_json=json, make=partial(make, db=db, trust=trust))


@app.command(rich_help_panel=PLUGINS)
def check(
    id: Annotated[
        str,
        typer.Argument(
            help="Id of a game, role, player, matchmaker, rating method, advantage, task source, curriculum or loss.",
            autocompletion=completion.plugin_ids,
        ),
    ],
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="Its kind, if several kinds have this name.")
    ] = None,
    shortcuts: Annotated[
        bool, typer.Option("--shortcuts", help="Play the game's scripted shortcuts: none of them may pay.")
    ] = False,
    hostile: Annotated[
        bool,
        typer.Option(
            "--hostile", help="Search for texts of a player that a game or a role cannot read, and shorten them."
        ),
    ] = False,
    matches: Annotated[int, typer.Option(help="With --shortcuts: matches of each.")] = 200,
    seconds: Annotated[float, typer.Option(min=0.1, help="With --hostile: how long to search.")] = 60.0,
    seed: Annotated[int, typer.Option(help="With --shortcuts or --hostile: the seed of the matches and texts.")] = 0,
    json: Json = False,
    plugin: Plugin = None,
) -> None:
    """Check a game, role or other plugin with the conformance kit.

    With --shortcuts the rewards of a game, with --hostile how a game or a role reads hostile texts.
    """
    from games import InputError

    if shortcuts and hostile:
        raise InputError("--shortcuts and --hostile are two checks; type one of them")
    if shortcuts:
        _check_shortcuts(id, matches, seed, json)
        return
    from league.conformance import check as check_any
    from league.conformance import check_hostile

    report = check_hostile(id, kind, seconds, seed) if hostile else check_any(id, kind)
    say_json(report.to_json()) if json else say(str(report))
    if not report.ok:
        raise typer.Exit(1)


def _check_shortcuts(game: str, matches: int, seed: int, json: bool) -> None:
    import msgspec

    from arena.evaluation.shortcuts import check_shortcuts, report_lines

    report = check_shortcuts(game, matches, seed)
    if json:
        fields = msgspec.to_builtins(report) | {"ok": report.ok, "conclusive": report.conclusive}
        say_json(msgspec.json.encode(fields).decode())
    else:
        say("\n".join(report_lines(report)))
    if not report.ok:
        raise typer.Exit(1)


@app.command(rich_help_panel=PLUGINS)
def attack(
    game: Game,
    role: Annotated[str | None, typer.Option("--role", help="Attack this role only. Default: every role.")] = None,
    budget: Annotated[int, typer.Option("--budget", help="Matches to play, all roles together.")] = 20_000,
    seed: Annotated[int, typer.Option("--seed", help="The seed of the search and of the matches.")] = 0,
    attacker: Annotated[
        str | None, typer.Option("--attacker", metavar="PLAYER", help="A player whose messages join the search.")
    ] = None,
    json: Json = False,
    plugin: Plugin = None,
) -> None:
    """Search for policies that earn a role's reward without doing its task.

    Exit code 1 if there is one. Ctrl-C ends the search and prints the best policies so far.
    """
    import msgspec

    from arena.attack import attack as search
    from arena.attack import report_lines
    from league.cli.progress import progress_bar

    with progress_bar(f"attack {game}", budget) as done:
        report = search(game, role, budget, seed, done, attacker)
    say_json(msgspec.json.encode(report).decode()) if json else say("\n".join(report_lines(report)))
    if report.interrupted or report.finds:
        raise typer.Exit(130 if report.interrupted else 1)


def _step_through(episode: Episode) -> None:
    """Shows the positions one by one in a terminal, else all below each other."""
    import sys

    from arena.terminal import answers
    from league.board.match_pages import match_pages

    _, *pages = match_pages(episode)
    if sys.stdin.isatty() and answers().isatty():
        from league.board.match_pages import play_pages

        play_pages(pages, sys.stdin.fileno())
    else:
        for number, page in enumerate(pages):
            say("\n".join([f"-- position {number} of {len(pages) - 1}", *page]))


@app.command(rich_help_panel=PLAY)
def replay(
    match: Annotated[str, typer.Argument(help="A match id, its beginning, or the number of the match in the plan.")],
    db: Db = DEFAULT_DB,
    run: RunName = None,
    positions: Annotated[
        bool, typer.Option("--play", help="Step through the positions: arrow keys, Home, End, q.")
    ] = False,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Show a recorded match turn by turn, or position by position with --play."""
    from msgspec.structs import replace

    from arena.cli.show import replay_lines
    from arena.match import encode
    from games import InputError
    from league.store import Store
    from league.trust import allow_game
    from league.views.listing import elsewhere

    with Store.open(db, read_only=True) as store:
        stored = store.run(run)
        try:
            episode = store.episode(match, stored)
        except InputError as error:
            raise InputError(f"{error}{elsewhere(store, stored)}") from None
        if not json:
            files = [file for other in store.runs() for file in other.spec.plugins]
            allow_game(store, replace(stored.spec, plugins=tuple(files)), episode.game, trust)
    if json:
        say_json(encode(episode).decode())
    elif positions:
        _step_through(episode)
    else:
        say("\n".join(replay_lines(episode)))
