"""The `arena` command. Heavy imports happen inside the verbs, so that `arena --help` answers at once."""

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code. Ctrl-C while it is still loading ends it in one line, too."""
    try:
        from arena.cli.main import main as run
    except KeyboardInterrupt:
        import sys

        print("arena: interrupted", file=sys.stderr)
        return 130
    return run(arguments)


__all__ = ["main"]
