"""The entry point: collects the commands of all packages and turns errors into one line and an exit code.

Exit codes: 0 success, 1 the run failed, 2 invalid input, 130 interrupted.
"""

from __future__ import annotations

import errno
import functools
import inspect
import logging
import os
import select
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import copy
from importlib import metadata
from typing import Any

import typer
from typer.models import CommandInfo

from arena.cli import completion, new, verbs
from arena.cli.out import PrintableFormatter, fail, replace_unwritable, say, show_traceback
from arena.cli.verb_groups import GroupedVerbs
from arena.terminal import guarded, prints_aside

COMMANDS = "arena.commands"
_SYSTEM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
"""errors of the system that no program makes"""
_FILES = {errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP}
"""errors of the system about a file that it names"""


def application(arguments: Collection[str] | None = None) -> typer.Typer:
    """Returns the command with the verbs of `arena.cli` and of the entry points in the group COMMANDS.

    With `arguments`, only verbs that occur among them get their options, because to read the options of all takes as
    long as the rest of `arena --help`.
    """
    app = typer.Typer(
        name="arena",
        cls=GroupedVerbs,
        help="Language models in roles meet in games, are rated, and learn from the outcomes.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    points = sorted(metadata.entry_points(group=COMMANDS), key=lambda p: p.name)
    for part in (verbs.app, new.app, *(point.load() for point in points)):
        app.add_typer(part)
    if arguments is not None:
        app.registered_commands = [_listed(verb, arguments) for verb in _verbs(app)]
        app.registered_groups = []
    return app


def _verbs(app: typer.Typer) -> Iterator[CommandInfo]:
    """Yields the verbs of a command and of the parts added to it, in the order of `arena --help`."""
    yield from app.registered_commands
    for group in app.registered_groups:
        if group.typer_instance is not None:
            yield from _verbs(group.typer_instance)


def _listed(verb: CommandInfo, arguments: Collection[str]) -> CommandInfo:
    """Returns the verb if the arguments name it, else a stand-in with its name and help but no options."""
    assert verb.callback is not None
    name = verb.name or typer.main.get_command_name(verb.callback.__name__)
    if name in arguments:
        aside = copy(verb)
        aside.callback = _aside(verb.callback)
        return aside
    about, panel = verb.help or inspect.getdoc(verb.callback), verb.rich_help_panel
    return CommandInfo(name, help=about, callback=lambda: None, rich_help_panel=panel)


def _aside(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a verb whose plugins print to standard error, so that they do not mix with its result, such as JSON."""

    @functools.wraps(verb)
    def call(*args: Any, **options: Any) -> Any:
        with prints_aside():
            return verb(*args, **options)

    return call


def _print_version(asked: bool) -> None:
    if asked:
        say(f"arena {metadata.version('selfplay-arena')}")
        raise typer.Exit


def _options(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Print the version."),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Log what happens, and show tracebacks."),
) -> None:
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING)
    for handler in logging.getLogger().handlers:
        if type(handler) is logging.StreamHandler:
            handler.setFormatter(PrintableFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.captureWarnings(True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code. Whatever it prints passes the gate of `arena.terminal`."""
    replace_unwritable()
    with guarded():
        return completion.answer(application()) if completion.requested() else _main(arguments)


def _main(arguments: Sequence[str] | None) -> int:
    arguments = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    verbose = bool({"-v", "--verbose"} & set(arguments[:1]))
    try:
        code = _invoke(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt as stop:
        return fail(f"interrupted{_place(stop)}", 130)
    except SystemExit as end:
        return _exited(end)
    except BaseException as error:  # noqa: BLE001  printed as one line, with -v also as a traceback
        if isinstance(error, BrokenPipeError) and _reader_left():
            # `arena games | head` is not an error. Redirect stdout, because the interpreter flushes it at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        if verbose:
            show_traceback(error)
        return _report(error)
    return code


def _invoke(arguments: list[str]) -> int:
    """Run a verb and return its exit code. typer's own `main` returns 1 if the reader of stdout has gone."""
    command = typer.main.get_command(application(arguments))
    try:
        with command.make_context("arena", arguments) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _reader_left() -> bool:
    """Returns whether standard output is a pipe without a reader. Other pipes may break for other reasons."""
    poll = select.poll()
    try:
        poll.register(sys.stdout.fileno(), 0)
    except (OSError, ValueError):  # standard output is not a file
        return False
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0))


def _place(stop: KeyboardInterrupt) -> str:
    """Returns where an interrupt found a plugin, which may be why nothing went on; "" if it found none."""
    from games import plugins

    place = plugins.culprit(stop)
    return f" in the plugin {place}" if place else ""


def _exited(end: SystemExit) -> int:
    """Report a plugin that exits the process; let any other exit, such as that of a signal, pass."""
    from games import plugins

    place = plugins.culprit(end)
    if not place or (isinstance(end.code, int) and end.code > 128):
        raise end
    return fail(f"the plugin {place} exits the process (SystemExit: {end}); remove its call of exit", 1)


def _report(error: BaseException) -> int:
    from games import ArenaError, InputError, plugins

    if isinstance(error, InputError):
        return fail(str(error), 2)
    if isinstance(error, ArenaError):
        return fail(str(error), 1)
    if hasattr(error, "format_message"):  # a usage error of typer: unknown option, missing argument
        context = getattr(error, "ctx", None)
        hint = f"; try `{context.command_path} --help`" if context else ""
        message = error.format_message().replace("Value error, ", "")  # pydantic's words, where typer checks with it
        message = message.replace("Input should be", "must be")
        return fail(message.replace("\n", " ").rstrip(".") + hint, 2)
    if type(error).__name__ == "Abort":
        return fail("interrupted", 130)
    logging.getLogger("arena").debug("traceback", exc_info=error)
    place = plugins.culprit(error)
    if not place and (what := _system(error)):
        return fail(f"the system refuses to go on: {what}; see to it, then type the command again", 1)
    library = plugins.library(error)
    where = f"in the plugin {place}" if place else f"in the package {library}" if library else "a bug of the arena"
    message = f"{type(error).__name__}: {error}".strip().splitlines()[0]
    return fail(f"{message} ({where}; `arena -v ...` shows where)", 1)


def _system(error: BaseException) -> str:
    """Returns what the system lacks or does not allow, if the error is that; else ""."""
    if isinstance(error, MemoryError):
        return "no memory is left"
    if not isinstance(error, OSError) or not (error.errno in _SYSTEM or (error.errno in _FILES and error.filename)):
        return ""
    return f"{error.strerror}{f': {error.filename}' if error.filename else ''}"
