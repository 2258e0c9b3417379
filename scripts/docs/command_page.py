"""Reference of the command line, from the command itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from arena.cli.application import application

INTRO = """# Command line

`arena VERB --help` prints the same. Exit codes: 0 success, 1 the run failed, 2 invalid input, 130 interrupted.
`python -m arena` is the same command. `arena -v VERB ...` logs what happens and shows tracebacks.
"""


def command_page() -> str:
    """The help of every verb."""
    command: Any = typer.main.get_command(application())
    verbs = [verb for name, each in command.commands.items() for verb in _verbs(f"arena {name}", each)]
    return "\n".join([INTRO, *(f"## `{path}`\n\n```text\n{help}\n```\n" for path, help in verbs)])


def _verbs(path: str, verb: Any) -> Iterator[tuple[str, str]]:
    """A verb with its help, and the verbs inside it."""
    with verb.make_context(path, [], resilient_parsing=True, terminal_width=100) as context:
        yield path, verb.get_help(context)
    for name, inner in getattr(verb, "commands", {}).items():
        yield from _verbs(f"{path} {name}", inner)
