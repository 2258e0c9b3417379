"""The output of the command. `games.sanitize` escapes every text, because plugins and models may have written it."""

from __future__ import annotations

import codecs
import io
import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from typing import TypeVar

from arena.terminal import answers, escaped

Value = TypeVar("Value")
_LONGEST = 10_000


def say(text: str) -> None:
    """Print lines to standard output, with control characters escaped."""
    print(escaped(text), file=answers(), flush=True)


def say_lines(lines: Iterable[str]) -> None:
    """Print each text as one line: a line break in it, which may be from outside, forges no further line."""
    from games.sanitize import printable  # as in say_json

    say("\n".join(map(printable, lines)))


def say_json(text: str) -> None:
    """Print JSON to standard output, with characters escaped that a terminal obeys or its encoding lacks."""
    from games.sanitize import printable_json  # here: it imports `games`, a fifth of the time of `arena --help`

    text = printable_json(text)
    try:
        text.encode(answers().encoding or "utf-8")
    except UnicodeEncodeError:
        text = re.sub(r"[^\0-\x7f]", lambda match: json.dumps(match.group())[1:-1], text)
    print(text, file=answers(), flush=True)


def say_struct(value: object) -> None:
    """Print a structure of msgspec, or of plain lists and dicts, as JSON."""
    import msgspec

    say_json(msgspec.json.format(msgspec.json.encode(value), indent=1).decode())


def say_result(value: Value, lines: Callable[[Value], Iterable[str]], as_json: bool) -> None:
    """Print the result of a verb as JSON or as its lines."""
    say_struct(value) if as_json else say_lines(lines(value))


def columns(default: int) -> int:
    """Returns how long a line of text may be: the width of the terminal, 40 to 120; `default` for a file or a pipe."""
    try:
        return min(max(os.get_terminal_size(answers().fileno()).columns, 40), 120)
    except (OSError, ValueError):
        return default


_PLAIN = {ord(c): plain for c, plain in zip("±–—−×·•…≥≤→←↑↓‘’“”", "~---x**.><><^v''\"\"", strict=True)}
_PLAIN |= {ord(c): plain for c, plain in zip("━╸╺‹›", "==-<>", strict=True)}
_PLAIN |= {ord(c): plain for c, plain in zip("▁▂▃▄▅▆▇█░▒▓─│├┤●", "__..--##.+#-|||*", strict=True)}
"""characters of the board -> one ASCII character each, so that columns stay aligned"""


def replace_unwritable() -> None:
    """Print plain forms, or `?`, for characters that the encoding of standard output lacks, for example ASCII."""
    if isinstance(sys.stdout, io.TextIOWrapper) and codecs.lookup(sys.stdout.encoding).name != "utf-8":
        codecs.register_error("arena-plain", _plain)
        sys.stdout.reconfigure(errors="arena-plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Returns the error handler: the ASCII form of each character, `?` for one that has none."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(ord(c), "?") for c in lacking), error.end


def note(line: str) -> None:
    """Print a line of at most _LONGEST characters to standard error, which keeps standard output clean."""
    from games.sanitize import one_line  # as in say_json

    print(one_line(line, _LONGEST), file=sys.stderr)


def fail(message: str, code: int) -> int:
    """Print one line to standard error and return `code`."""
    note(f"arena: {message}")
    return code


def show_traceback(error: BaseException) -> None:
    """Print a traceback to standard error, escaped."""
    print(escaped("".join(traceback.format_exception(error)).rstrip()), file=sys.stderr)


class PrintableFormatter(logging.Formatter):
    """Formats messages as one line, so that no text can imitate a log record. Tracebacks keep their lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Returns the line of a record."""
        from games.sanitize import printable  # as in say_json

        return printable(super().formatMessage(record))

    def formatException(self, ei: object) -> str:
        """Returns the traceback of a record."""
        return escaped(super().formatException(ei))  # type: ignore[arg-type]

    def formatStack(self, stack_info: str) -> str:
        """Returns the stack of a record."""
        return escaped(super().formatStack(stack_info))
