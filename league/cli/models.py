"""The verb `export-model`. Heavy imports happen inside it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.options import Plugin
from arena.cli.out import note, say
from arena.cli.verb_groups import TRAINING
from league import DEFAULT_DB
from league.cli.options import SnapshotDb, TrustDb

app = typer.Typer(rich_markup_mode=None)


@app.command("export-model", rich_help_panel=TRAINING)
def export_model(
    player: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A training (its newest snapshot), a snapshot such as run@40, or llm(model=...).",
            autocompletion=completion.player_ids,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write.")],
    adapter: Annotated[bool, typer.Option("--adapter", help="The LoRA adapter alone, in peft's format.")] = False,
    db: SnapshotDb = DEFAULT_DB,
    plugin: Plugin = None,
    trust: TrustDb = False,
) -> None:
    """Write a model for use elsewhere: a folder that transformers and vLLM load."""
    from arena.inference.elsewhere import write_adapter, write_whole
    from league.runs.models import models_of

    for role, model in models_of(player, db, trust=trust).items():
        folder = out / role if role else out
        if adapter:
            base = write_adapter(model, folder)
            say(f"wrote {folder}, an adapter of {base}")
            note(f'its base model as a folder: arena export-model "llm(model={base})" -o FOLDER')
        else:
            write_whole(model, folder)
            say(f"wrote {folder}")
            note(f"to serve it: vllm serve {shlex.quote(str(folder))}")
