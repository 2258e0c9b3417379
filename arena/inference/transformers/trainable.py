"""An engine whose weights a trainer updates: never during a pass, and with all caches cleared afterwards."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from arena.inference.models import LoadedModel
from arena.inference.transformers.batcher import Answer, Job
from arena.inference.transformers.engine import TransformersEngine


class TrainableEngine(TransformersEngine):
    """A TransformersEngine that shares its module with a trainer in the same process."""

    def __init__(self, loaded: LoadedModel, **options: Any) -> None:
        self._passing = threading.Lock()  # held by a pass or an update
        self._next = threading.Lock()  # held by a waiting update, so that it precedes the next pass
        self.model = loaded.model
        super().__init__(loaded, **options)

    def turn(self, arrived: Sequence[Job]) -> list[Answer]:
        """Returns one turn; waits while the weights are being updated."""
        with self._next:
            self._passing.acquire()
        try:
            return super().turn(arrived)
        finally:
            self._passing.release()

    @contextmanager
    def updating(self, version: int | None = None) -> Iterator[None]:
        """Wait for the current pass; no pass starts inside the block, and requests wait until it ends.

        Afterwards the weights have `version` (default: the next). Stored keys, values and distributions are dropped.
        Unfinished answers keep their tokens and log probabilities and continue with the new weights, which read prompt
        and tokens again: each token has exactly the probability that its version gives it. (PipelineRL, arXiv
        2509.19128, keeps the keys and values of the old weights.) This also applies if the block raises, so that
        nothing stale survives a failed update.
        """
        with self._next, self._passing:
            try:
                yield
            finally:
                self._choice.clear()
                self._prefixes.clear()
                self._free.forget(self.version)
                self.version = self.version + 1 if version is None else version
