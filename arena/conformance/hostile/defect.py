"""What a text does to a reader that it must not do."""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.conformance.hostile.limits import MOST_CPU, MOST_WAIT, Clock, Interrupted
from games.errors import IllegalAction
from games.sanitize import one_line
from roles.types import ParseError

MOST_SECONDS = 2.0
"""CPU time in which a text must be read"""
_ROOT = Path(__file__).parents[3]
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_HERE = str(Path(__file__).parent)


class Defect(Exception):
    """A text breaks a reader: `what` happened, and the error with its line."""

    def __init__(self, what: str, error: BaseException | None = None) -> None:
        place = "" if error is None else _place(error)
        self.key = (what, "" if error is None else type(error).__name__, "" if _deep(error) else place)
        """the same for texts that show the same defect"""
        reason = "" if error is None else f" {type(error).__name__}: {one_line(str(error), 120)} ({place})"
        super().__init__(f"{what}{reason}")


class SlowReader(Defect):
    """A text takes too long; measured again before it is reported."""

    def __init__(self, what: str, seconds: str) -> None:
        super().__init__(what)
        self._seconds = seconds

    def __str__(self) -> str:
        return f"{self.key[0]} takes {self._seconds}; at most {MOST_SECONDS:g} s are allowed"


@contextmanager
def blamed(what: str) -> Iterator[None]:
    """Turns any error inside into a Defect, except refusals. A failed sandbox is one too: it makes the match void."""
    clock = Clock()
    try:
        yield
    except (Defect, ParseError, IllegalAction):
        raise
    except Interrupted:
        raise SlowReader(what, f"{MOST_CPU:g} s of CPU time, or {MOST_WAIT:g} s of waiting") from None
    except Exception as error:  # a reader under test can raise anything
        raise Defect(f"{what} raises", error) from error
    if (seconds := clock.seconds) > MOST_SECONDS:
        raise SlowReader(what, f"{seconds:.1f} s of CPU time")


def _deep(error: BaseException | None) -> bool:
    """Returns whether the line of an error is a matter of chance."""
    return isinstance(error, RecursionError | MemoryError)


def _place(error: BaseException) -> str:
    """Returns the last line of an error outside of libraries and of this package, as `games/native/psj/game.py:52`."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(_HERE)]
    ours = [frame for frame in frames if not frame.filename.startswith((*_LIBRARIES, "<"))]
    if not (ours or frames):
        return ""
    frame = (ours or frames)[-1]
    path = Path(frame.filename)
    return f"{path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path.name}:{frame.lineno}"
