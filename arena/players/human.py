"""The player `human`, at the terminal. The event loop keeps running while the human thinks."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import textwrap
import threading
from asyncio import AbstractEventLoop, Lock
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from weakref import WeakKeyDictionary

from arena.players.player import Player, View
from arena.records import Decision
from arena.terminal import escaped
from games import InputError
from games.errors import InfrastructureError, RunPaused
from games.sanitize import clean
from roles import ParseError
from roles.parsing.actions import parse
from roles.privacy import visible

Reader = Callable[[], str]
Writer = Callable[[str], object]

_SHOWN_LEGAL = 100
_HELP, _QUIT = ("?", "help"), ("quit", "exit")
"""commands, unless the game lists them as actions"""


class Human(Player):
    """Shows the rules once, then each observation, the legal actions and the reason of a refused answer.

    The typed text may differ from a legal action in case and spacing. A text that matches no action is asked for again
    here, so a typing error does not cost an attempt. `reader` returns a line with its line break, "" at the end of the
    input; `writer` shows text. They default to standard input and standard error, which keeps `--json` output clean.
    All humans of the terminal share one console, which asks one question at a time.
    """

    waits = True
    recalls = True

    def __init__(self, *, reader: Reader | None = None, writer: Writer | None = None) -> None:
        if not all(part is None or callable(part) for part in (reader, writer)):
            raise InputError("human takes no parameters; write human")
        shared = reader is None and writer is None
        self._console = _terminal() if shared else Console(reader or StandardInput(), writer or _to_stderr)
        self._introduced: set[str] = set()

    async def act_async(self, view: View) -> Decision:
        """Returns the typed action. Raises InfrastructureError if the human leaves, RunPaused at the end of the input.

        Whoever waits for an input that has ended (Ctrl-D, no terminal) waits in every further match too.
        """
        question = self._question(view)
        async with self._console.turn():
            while True:
                line = await self._console.ask(question)
                if line is None:
                    raise RunPaused(
                        f"the input ended before {view.seat} of {view.game.spec.id} answered; "
                        "a human needs a terminal, or one line of input per turn; type the command again"
                    )
                typed = clean(line).strip()
                if typed.casefold() in _HELP and typed not in (view.legal or ()):
                    question = self._help(view)
                    continue
                if typed.casefold() in _QUIT and typed not in (view.legal or ()):
                    raise InfrastructureError(f"{view.seat} of {view.game.spec.id} left the match")
                try:
                    action = parse(typed, view.legal) if view.legal is not None else visible(typed)
                except ParseError as error:
                    question = f"{_wrapped(str(error))}\n> " if typed else "> "
                    continue
                if action:
                    return Decision(action, text=typed if typed != action else None)
                question = "> "

    def _question(self, view: View) -> str:
        lines = []
        if view.game.spec.id not in self._introduced:
            self._introduced.add(view.game.spec.id)
            lines += ["", f"== {view.game.spec.id}", view.game.spec.rules, "(? shows this again, quit leaves)"]
        lines += ["", f"-- {view.seat} ({view.role})", view.observation.text]
        if view.legal is not None:
            more = len(view.legal) - _SHOWN_LEGAL
            lines.append(f"legal: {'  '.join(view.legal[:_SHOWN_LEGAL])}{f'  and {more} more' if more > 0 else ''}")
        if view.rejected:
            lines.append(f"refused: {view.rejected[-1].reason}")
        return _wrapped("\n".join(lines)) + "\n> "

    def _help(self, view: View) -> str:
        """Returns the answer to `?`: the rules, the position, every legal action and the other commands."""
        how = "Type any text as your action" if view.legal is None else f"Type one of: {'  '.join(view.legal)}"
        if view.legal is None and (examples := view.game.examples(view.seat)):
            how += f"\nsuch as: {'  '.join(examples[:3])}"
        lines = [view.game.spec.rules, f"-- {view.seat} ({view.role})", view.observation.text, how]
        lines.append("? or help shows this, quit leaves the match, which is then void.")
        return _wrapped("\n".join(lines)) + "\n> "


def _wrapped(text: str) -> str:
    """Returns text with long lines wrapped between words. Lines that fit, such as drawn boards, stay as they are."""
    width = max(20, shutil.get_terminal_size().columns - 1)
    out = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        further = indent[: width // 2]
        cut = textwrap.wrap(line, width, subsequent_indent=further, break_on_hyphens=False)
        out += cut if len(line) > width else [line]
    return "\n".join(out)


class Console:
    """Asks one question at a time and reads its answer in a separate thread."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader, self._writer = reader, writer
        self._pending: Future[str] | None = None
        self._locks: WeakKeyDictionary[AbstractEventLoop, Lock] = WeakKeyDictionary()

    def turn(self) -> Lock:
        """Returns a lock that a player holds while it asks."""
        return self._locks.setdefault(asyncio.get_running_loop(), Lock())

    async def ask(self, question: str) -> str | None:
        """Show `question` and return the typed line, None at the end of the input.

        A timeout may cancel a question, but not the read of a terminal: it continues and serves the next question. A
        line that was completed in between answered the cancelled question and is dropped.
        """
        self._writer(escaped(question))
        if self._pending is None or self._pending.done():
            self._pending = Future()
            threading.Thread(target=self._read, args=(self._pending,), name="console", daemon=True).start()
        loop, typed = asyncio.get_running_loop(), asyncio.Event()

        def wake(_: Future[str]) -> None:
            with suppress(RuntimeError):  # the loop of a cancelled question is closed
                loop.call_soon_threadsafe(typed.set)

        pending = self._pending
        pending.add_done_callback(wake)
        await typed.wait()
        self._pending = None
        if not (line := pending.result()):
            self._writer("\n")  # what is printed next does not follow the prompt
        return line or None

    def _read(self, answer: Future[str]) -> None:
        try:
            answer.set_result(self._reader())
        except Exception as error:  # noqa: BLE001  raised again by `ask`
            answer.set_exception(RunPaused(f"cannot read the terminal: {error}; a human needs one"))


class StandardInput:
    """Reads lines from file descriptor 0 without Python's buffer.

    A daemon thread that waits in `sys.stdin.readline` holds the buffer's lock, and the interpreter aborts when it needs
    that lock at exit.
    """

    def __init__(self) -> None:
        self._rest = b""

    def __call__(self) -> str:
        """Returns the next line with its line break, the rest of the input, or "" at its end."""
        while b"\n" not in self._rest:
            chunk = os.read(0, 4096)
            if not chunk:
                break
            self._rest += chunk
        line, newline, self._rest = self._rest.partition(b"\n")
        return (line + newline).decode("utf-8", "replace")


def _to_stderr(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


_shared: list[Console] = []


def _terminal() -> Console:
    """Returns the console that all humans at the terminal share."""
    if not _shared:
        _shared.append(Console(StandardInput(), _to_stderr))
    return _shared[0]
