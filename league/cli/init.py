"""The verb `init`, which writes a first file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from arena.cli import completion
from arena.cli.options import Plugin
from arena.cli.out import note, say
from arena.cli.verb_groups import TOURNAMENTS

if TYPE_CHECKING:
    from league.starter import StarterAnswers

app = typer.Typer(rich_markup_mode=None)
T = TypeVar("T")
NAMES = ("tournament", "bots", "endpoint", "textarena", "training", "lora", "role-game")
"""the keys of `league.starter.PURPOSES`, which is imported only inside the command"""


def _purposes(incomplete: str) -> list[str]:
    """Completes the name of a purpose."""
    return [name for name in NAMES if name.startswith(incomplete)]


@app.command(rich_help_panel=TOURNAMENTS)
def init(
    purpose: Annotated[
        str | None,
        typer.Argument(metavar="[PURPOSE]", help=f"One of {', '.join(NAMES)}.", autocompletion=_purposes),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", metavar="FILE.toml", help="Where to write; default: NAME.toml.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="The name of the run.")] = None,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="ID", help="A game; may be repeated.", autocompletion=completion.game_ids),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="ID",
            help="A player, or NAME=ID; may be repeated. Of a training: an anchor.",
            autocompletion=completion.player_ids,
        ),
    ] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="The model to train.")] = None,
    rounds: Annotated[int | None, typer.Option("--rounds", "--steps", min=1, help="Rounds, or training steps.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing; take the defaults for what is not given.")] = (
        False
    ),
    plugin: Plugin = None,
) -> None:
    """Write a first tournament or training file."""
    from games import InputError
    from league.starter import PURPOSES, suited, write_file

    if not yes and not sys.stdin.isatty():
        raise InputError("arena init asks questions and needs a terminal; add --yes to take the defaults")
    if purpose is None and not yes:
        say("\n".join(f"  {key:<12} {entry.about}" for key, entry in PURPOSES.items()))
        purpose = _ask("What is the file for?", _purpose, "tournament")
    starting = PURPOSES[_purpose(purpose or "tournament")].answers()
    options: dict[str, Any] = {
        "name": name,
        "games": tuple(game or ()),
        "players": tuple(player or ()),
        "model": model,
        "rounds": rounds,
    }
    answers = replace(starting, **{key: value for key, value in options.items() if value})
    if not yes:
        answers = _asked(answers, {key for key, value in options.items() if value})
    elif not player:
        answers = suited(answers)
    made = write_file(answers, file or Path(f"{answers.name}.toml"))
    say(f"wrote {made.file} and {made.schema}\ntype next:\n  {made.command}")
    if answers.kind == "training":
        from league.starter.answers import missing_for_training

        if missing := missing_for_training():
            note(f"a training needs {missing}; type: pip install 'selfplay-arena[llm]'")


def _asked(answers: StarterAnswers, options: set[str]) -> StarterAnswers:
    """Returns the answers of the user to everything that no option gave."""
    from league.starter import suited

    for key in ("name", "games", "players", "model", "rounds"):
        if key in options or (key == "model" and answers.kind != "training"):
            continue
        if key == "players":
            answers = suited(answers)
        changed: dict[str, Any] = {key: _ask(*_question(key, answers))}
        answers = replace(answers, **changed)
    return answers


def _question(key: str, answers: StarterAnswers) -> tuple[str, Callable[[str], object], str]:
    """Returns a question, what reads its answer, and the answer that is suggested."""
    from league.starter.answers import checked_games, checked_players, split_ids

    training = answers.kind == "training"
    if key == "games":
        suggested = ", ".join(answers.games)
        return "Games? (`arena games` lists them)", lambda text: checked_games(split_ids(text)), suggested
    if key == "players":
        text = "Anchors to measure against?" if training else "Players? (`arena players` lists the kinds)"
        return text, lambda text: checked_players(split_ids(text)), ", ".join(answers.players)
    if key == "rounds":
        return "Steps?" if training else "Rounds?", int, str(answers.rounds)
    return {"name": "Name of the run?", "model": "Model to train?"}[key], str, str(getattr(answers, key))


def _ask(text: str, read: Callable[[str], T], default: str) -> T:
    """Ask until the answer can be read."""
    while True:
        answer: str = typer.prompt(text, default=default)
        try:
            return read(answer)
        except ValueError as error:  # an InputError is one
            note(f"  {error}")


def _purpose(text: str) -> str:
    from games import InputError

    if text not in NAMES:
        raise InputError(f"unknown purpose {text!r}; write {', '.join(NAMES[:-1])} or {NAMES[-1]}")
    return text
