"""Heartbeats: a background thread renews the leases of a playing process, and writes the turns of its matches."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from games.errors import InfrastructureError

log = logging.getLogger(__name__)


@contextmanager
def beating(beat: Callable[[], object], every: float, failure: str) -> Iterator[None]:
    """Call `beat` at fixed intervals in a thread until the context ends.

    A failed call is logged as `failure` and the next one is tried: if a lease expires, at worst a match is played twice
    and one of its results is dropped.
    """
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(every):
            try:
                beat()
            except InfrastructureError as error:
                log.warning("%s: %s", failure, error)

    thread = threading.Thread(target=work, name="arena-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
