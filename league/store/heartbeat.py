"""Signs of life: while a process plays, a thread of its own renews its leases."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from games.errors import InfrastructureError

log = logging.getLogger(__name__)


@contextmanager
def beating(beat: Callable[[], object], every: float, shown: str) -> Iterator[None]:
    """Call `beat` every so many seconds until the context ends, whatever the main thread does meanwhile.

    One that fails is told of and the next is tried: a lease that ran out costs at most that a match is played twice
    and one of its results dropped.
    """
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(every):
            try:
                beat()
            except InfrastructureError as error:
                log.warning("leases in %s could not be renewed: %s", shown, error)

    thread = threading.Thread(target=work, name="arena-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
