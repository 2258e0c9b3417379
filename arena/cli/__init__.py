"""The `arena` command. Heavy imports happen inside the commands, so `arena --help` responds quickly."""

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code. Ctrl-C prints one line, even while modules are still loading."""
    try:
        from arena.cli.main import main as run
    except KeyboardInterrupt:
        import sys

        print("arena: interrupted", file=sys.stderr)
        return 130
    return run(arguments)


__all__ = ["main"]
