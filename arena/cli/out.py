"""What the command writes: every text passes the gate of `games.text`, whoever wrote it."""

from __future__ import annotations

import codecs
import io
import json
import logging
import re
import sys
import traceback

from games.text import one_line, printable, printable_json


def say(text: str) -> None:
    """Print lines to standard output; what a terminal would obey is shown as an escape."""
    print(printable(text, lines=True), flush=True)


def say_json(text: str) -> None:
    """Print JSON to standard output, with the same meaning and safe to look at, whatever its encoding holds."""
    text = printable_json(text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = re.sub(r"[^\0-\x7f]", lambda found: json.dumps(found.group())[1:-1], text)
    print(text, flush=True)


def replace_unwritable() -> None:
    """Have standard output show `?` for characters that its encoding lacks, as in a terminal of ASCII."""
    if isinstance(sys.stdout, io.TextIOWrapper) and codecs.lookup(sys.stdout.encoding).name != "utf-8":
        sys.stdout.reconfigure(errors="replace")


def note(line: str) -> None:
    """Print a line to standard error, beside what goes to a file or another program."""
    print(one_line(line), file=sys.stderr)


def fail(message: str, code: int) -> int:
    """Print one line to standard error; returns the exit code."""
    note(f"arena: {message}")
    return code


def show_traceback(error: BaseException) -> None:
    """Print a traceback, messages of exceptions included, to standard error."""
    print(printable("".join(traceback.format_exception(error)).rstrip(), lines=True), file=sys.stderr)


class PrintableFormatter(logging.Formatter):
    """Log records whose message is one line, so that no text passes for another record; tracebacks keep their lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        return printable(super().formatMessage(record))

    def formatException(self, ei: object) -> str:
        """The traceback of a record."""
        return printable(super().formatException(ei), lines=True)  # type: ignore[arg-type]

    def formatStack(self, stack_info: str) -> str:
        """The stack of a record."""
        return printable(super().formatStack(stack_info), lines=True)
