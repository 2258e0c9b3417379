"""An engine whose weights somebody else changes: never in the middle of a pass, and nothing remembered afterwards."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from arena.inference.batcher import Answer, Job
from arena.inference.models import Loaded
from arena.inference.transformers_engine import TransformersEngine


class TrainableEngine(TransformersEngine):
    """A TransformersEngine that shares its module with a trainer in the same process."""

    def __init__(self, loaded: Loaded, **options: Any) -> None:
        self._passing = threading.Lock()  # held by a pass and by an update
        self._next = threading.Lock()  # held by an update that waits, so that it comes before the next pass
        self.model = loaded.model
        super().__init__(loaded, **options)

    def turn(self, arrived: Sequence[Job]) -> list[Answer]:
        """One pass, unless the weights are being changed."""
        with self._next:
            self._passing.acquire()
        try:
            return super().turn(arrived)
        finally:
            self._passing.release()

    @contextmanager
    def updating(self, version: int | None = None) -> Iterator[None]:
        """Waits for the running pass and lets no new one begin; requests wait until it is over.

        Afterwards the weights are those of `version` (default: the next), whatever has been read or decided with the
        old ones is forgotten, and answers that are half written go on with the new ones, their tokens so far and the
        probabilities those were sampled with kept. Where the block raises, all that holds as well, so that nothing
        stale survives a failed update.
        """
        with self._next, self._passing:
            try:
                yield
            finally:
                self._choice.clear()
                self._prefixes.clear()
                self._free.forget()
                self.version = self.version + 1 if version is None else version
