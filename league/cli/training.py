"""The verbs `train`, `eval` and `exploit`. Heavy imports happen inside them."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.options import Json, Plugin
from arena.cli.out import note, say_result, say_struct
from arena.cli.verb_groups import TRAINING
from league import DEFAULT_DB
from league.cli.options import Display, File, FileDb, MatchSeed, SnapshotDb, TrustDb
from league.config.database_url import DatabaseUrl

app = typer.Typer(rich_markup_mode=None)


@app.command(rich_help_panel=TRAINING)
def train(
    file: File,
    db: FileDb = None,
    display: Display = "auto",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Play and write nothing; print memory, tokens, evaluations, first prompt.")
    ] = False,
    gpus: Annotated[
        str | None,
        typer.Option(
            "--gpus", metavar="NxGB", help="With --dry-run: plan for other GPUs, such as 8x80; loads nothing."
        ),
    ] = None,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Start or resume a training by self-play in a league."""
    from arena.inference.models import require_packages
    from games import InputError
    from league.training import load_training

    if gpus is not None and not dry_run:
        raise InputError("--gpus plans for other GPUs; write it with --dry-run")
    if gpus is not None:
        _plan_resources(file, db, gpus, json, trust)
        return
    require_packages("a training")  # before a module is imported that needs them
    if dry_run:
        _dry_run(file, db, json, trust)
        return
    from league.training import processes

    config = load_training(file, db=db or processes.database())
    with ExitStack() as stack:
        if config.learner.processes > 1:
            if db is not None:
                processes.share_database(db)
            options = ["--board", display, *(["--json"] if json else [])]
            options += [*(["--trust-db"] if trust else []), *[part for p in plugin or () for part in ("--plugin", p)]]
            code = processes.enter(config, file, options, stack)
            if code is not None:
                raise typer.Exit(code)
        from league.training.run import run_training

        trained = run_training(config, file, board="off" if json else display, trust=trust)
    if json:
        say_struct(trained)
    if not trained.complete:
        note(f"stopped after step {trained.step:,} of {config.steps:,}; to continue: arena train {shlex.quote(file)}")
        raise typer.Exit(130)


def _plan_resources(file: str, db: DatabaseUrl | str | None, gpus: str, json: bool, trust: bool) -> None:
    from games import InputError
    from league.training import load_training
    from league.training.resources.fitting import fitted
    from league.training.resources.planner import shapes_of
    from league.training.resources.resource_plan import Cards, resource_lines
    from league.training.run import plan_of

    cards, plan = Cards.parse(gpus), plan_of(load_training(file, db=db), file, trust=trust)
    shapes = shapes_of(plan)
    if shapes is None:
        raise InputError("the shape of a policy's model is not known; use a folder or download the model first")
    _, resources, changes = fitted(plan, shapes, cards)
    say_result(resources, lambda value: resource_lines(value, changes), json)


def _dry_run(file: str, db: DatabaseUrl | str | None, json: bool, trust: bool) -> None:
    from league.training import load_training
    from league.training.dry_run.lines import dry_run_lines
    from league.training.dry_run.needs import dry_run

    needs = dry_run(load_training(file, db=db), file, trust=trust)
    say_result(needs, dry_run_lines, json)


@app.command("eval", rich_help_panel=TRAINING)
def evaluate(
    player: Annotated[
        str,
        typer.Argument(
            help="A player such as solver, a snapshot in the store, or a run (its newest snapshot).",
            autocompletion=completion.player_ids,
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="ID",
            help="The game to play; default: that of the training.",
            autocompletion=completion.game_ids,
        ),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option("--suite", metavar="ID", help="A task source, such as arithmetic(digits=1), instead of a game."),
    ] = None,
    tasks: Annotated[int, typer.Option(min=1, help="Tasks of each family and difficulty of the suite.")] = 50,
    matches: Annotated[int, typer.Option(min=0, help="Matches per seat and anchor.")] = 100,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against", metavar="PLAYER", help="An anchor; may be repeated. Default: random, mcts and solver."
        ),
    ] = None,
    wordings: Annotated[
        int | None,
        typer.Option(
            "--wordings", metavar="N", min=3, help="Measure NashConv in N wordings of the game; no matches are played."
        ),
    ] = None,
    seed: MatchSeed = None,
    db: SnapshotDb = DEFAULT_DB,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Measure a player: exploitability and win rates in a game, or accuracy on a suite of tasks."""
    from games import InputError
    from league.runs.stored_players import game_of
    from league.training.evaluate import evaluate_player, evaluation_lines

    if suite is not None:
        if game is not None or against is not None or wordings is not None:
            raise InputError("--suite poses tasks; leave out --game, --against and --wordings")
        _evaluate_suite(player, suite, tasks, seed, db, json, trust)
        return
    game = game or game_of(player, db)
    if wordings is not None:
        if against is not None:
            raise InputError("--wordings plays no matches; leave out --against")
        _evaluate_wordings(player, game, wordings, seed, db, json, trust)
        return
    report = evaluate_player(player, game, matches=matches, against=against, seed=seed, db=db, trust=trust)
    say_result(report, evaluation_lines, json)


def _evaluate_suite(
    player: str, suite: str, tasks: int, seed: int | None, db: DatabaseUrl, json: bool, trust: bool
) -> None:
    from arena.evaluation import suite_lines
    from league.cli.progress import progress_bar
    from league.training.evaluate import evaluate_suite

    with progress_bar(f"{player} on {suite}") as progress:
        score = evaluate_suite(player, suite, tasks=tasks, seed=seed, db=db, trust=trust, progress=progress)
    say_result(score, suite_lines, json)


def _evaluate_wordings(
    player: str, game: str, wordings: int, seed: int | None, db: DatabaseUrl, json: bool, trust: bool
) -> None:
    from arena.evaluation import gap_lines
    from league.cli.progress import progress_bar
    from league.training.evaluate import evaluate_wordings
    from league.views.wording_gaps import keep_gap

    with progress_bar(f"{player} in {wordings} wordings of {game}") as progress:
        gap = evaluate_wordings(player, game, wordings, seed=seed, db=db, trust=trust, progress=progress)
    say_result(gap, gap_lines, json)
    if line := keep_gap(gap, db):
        note(line)


@app.command(rich_help_panel=TRAINING)
def exploit(
    player: Annotated[
        str,
        typer.Argument(
            help="Any player: solver, llm(...), a snapshot in the store, or a run (its newest snapshot).",
            autocompletion=completion.player_ids,
        ),
    ],
    game: Annotated[
        str,
        typer.Option(
            "--game",
            metavar="ID",
            help="A game whose best responses can be computed, such as openspiel/kuhn_poker.",
            autocompletion=completion.game_ids,
        ),
    ],
    budget: Annotated[int, typer.Option("--budget", metavar="N", min=1, help="Matches to play at most.")] = 10_000,
    seed: MatchSeed = None,
    db: SnapshotDb = DEFAULT_DB,
    json: Json = False,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Certify from matches by how much a player can be exploited, at least.

    It estimates the player's policy, computes the best response to that, and plays it on fresh seeds. The figure is
    below the exploitability with a confidence of 99.9%, whatever the player is.
    """
    from contextlib import closing

    from arena.evaluation.exploit import budget_line, budget_of, exploit_lines
    from arena.evaluation.exploit import exploit as measure
    from league.cli.progress import progress_bar
    from league.runs import stored_players

    with closing(stored_players.make(player, db=db, trust=trust)) as subject:
        note(budget_line(budget_of(subject, game, budget)))
        with progress_bar(f"exploit {player}", budget) as progress:
            report = measure(subject, game, budget, seed=seed, progress=progress)
    say_result(report, exploit_lines, json)
