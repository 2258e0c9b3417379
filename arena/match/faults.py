"""Logs errors of players and games: the first with its traceback, later ones by their count: 10, 100, 1,000."""

from __future__ import annotations

import logging
import math
import traceback
from collections import Counter

_times: Counter[tuple[type[BaseException], str, int]] = Counter()
"""(type, file, line) -> how often an error was raised there since the last `forget`"""


def log_fault(log: logging.Logger, what: str, error: BaseException) -> None:
    """Log that `what` failed. Errors of one type from one line of code are one fault."""
    if not log.isEnabledFor(logging.WARNING):
        return
    places = list(traceback.walk_tb(error.__traceback__))
    frame, line = places[-1] if places else (None, 0)
    fault = type(error), frame.f_code.co_filename if frame is not None else "", line
    _times[fault] += 1
    if (times := _times[fault]) == 1:
        log.warning("%s: %r", what, error, exc_info=error)
    elif times >= 10 and times == 10 ** round(math.log10(times)):
        log.warning("%s: %r; this error has occurred %s times, see its traceback above", what, error, f"{times:,}")


def forget() -> None:
    """Show tracebacks again; at the start of a run."""
    _times.clear()
