"""The `arena` command. Heavy imports happen inside the commands, so `arena --help` responds quickly."""

from __future__ import annotations

import signal
import threading
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code. Ctrl-C and SIGTERM print one line, even while modules still load."""
    main_thread = threading.current_thread() is threading.main_thread()
    hooked = main_thread and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if hooked:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    try:
        from arena.cli.main import main as run

        return run(arguments)
    except KeyboardInterrupt:  # of the import: `run` handles those of a verb
        import sys

        print("arena: interrupted", file=sys.stderr)
        return 130
    finally:
        if hooked:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


__all__ = ["main"]
