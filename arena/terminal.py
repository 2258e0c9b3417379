"""The gate between program and terminal: no text of a model, a server, a plugin or a database reaches it unescaped.

The command puts a gate in front of standard output and standard error, so that every `print`, log handler, warning and
traceback passes it, whoever wrote the line. What draws with escape codes of its own, the boards and bars, writes past
the gate (`past_gate`) and escapes each text that it draws.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_MOVES = re.compile(r"(\x1b\[A)+|\r")
"""what progress bars (tqdm) write as whole texts: to move up, and to the start of the line"""


def escaped(text: str) -> str:
    """Returns `text` with all but line breaks and tabs escaped that a terminal obeys."""
    plain = text.replace("\n", "").replace("\t", "")
    if plain.isascii() and plain.isprintable():
        return text
    from games.sanitize import printable  # imports `games`: a fifth of the time of `arena --help`

    return printable(text, lines=True)


class TerminalGate:
    """A text stream that escapes what is written to it, and otherwise behaves as the inner stream."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write escaped text. A carriage return at the start of a bar stays."""
        if _MOVES.fullmatch(text):
            return self.stream.write(text)
        start, rest = ("\r", text[1:]) if text.startswith("\r") else ("", text)
        self.stream.write(start + escaped(rest))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of the lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def guarded() -> Iterator[None]:
    """Inside the block standard output and standard error pass a gate."""
    before = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # a stream that the caller closed is None
        streams = [nowhere if stream is None else stream for stream in before]
        gates = [stream if isinstance(stream, TerminalGate) else TerminalGate(stream) for stream in streams]
        sys.stdout, sys.stderr = cast("list[TextIO]", gates)
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before


_answers: list[TextIO] = []
"""the standard output of each verb that runs, the innermost last"""


@contextmanager
def prints_aside() -> Iterator[None]:
    """Inside the block, what plugins and libraries print goes to standard error: `answers()` holds only results."""
    before = sys.stdout
    _answers.append(before)
    sys.stdout = sys.stderr
    try:
        yield
    finally:
        sys.stdout = before
        _answers.pop()


def answers() -> TextIO:
    """Returns the standard output, where a verb writes its result."""
    return _answers[-1] if _answers else sys.stdout


def past_gate(stream: TextIO) -> TextIO:
    """Returns the stream behind a gate, for programs that write escape codes and escape texts themselves."""
    return stream.stream if isinstance(stream, TerminalGate) else stream


__all__ = ["TerminalGate", "answers", "escaped", "guarded", "past_gate", "prints_aside"]
