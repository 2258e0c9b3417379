"""The `arena` command. Heavy imports happen inside the verbs, so that `arena --help` answers at once."""

from arena.cli.main import main

__all__ = ["main"]
