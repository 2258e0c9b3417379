"""The `arena` command. Heavy imports happen inside the commands, so `arena --help` responds quickly."""

from __future__ import annotations

from collections.abc import Sequence

from arena.termination import deadline


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code. Ctrl-C and SIGTERM print one line, even while modules still load."""
    try:
        with deadline.command():
            from arena.cli.application import main as run

            return run(arguments)
    except KeyboardInterrupt:  # of the import: `run` handles those of a verb
        import sys

        print("arena: interrupted", file=sys.stderr)
        return 130


__all__ = ["main"]
