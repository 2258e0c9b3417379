"""Several vLLMs with the same weights, each on GPUs of its own, as one engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.inference.chat import CodecEngine
from arena.inference.engine import Completion, EngineStats, Request
from arena.inference.vllm.engine import VLLMEngine
from roles import ChatMessage


class VLLMPool(CodecEngine):
    """Gives each request to the engine that works on the fewest. An engine that dies ends the run as one alone does."""

    def __init__(self, engines: Sequence[VLLMEngine], close: Callable[[], None] = lambda: None) -> None:
        first = engines[0]
        self.engines, self._after = tuple(engines), close
        self.name, self.context, self.codec = first.name, first.context, first.codec
        self.about = f"{len(engines)} x {first.about}"
        self._running = [0] * len(engines)

    @property
    def version(self) -> int:
        """Version of the weights of the engine that is furthest behind."""
        return min(engine.version for engine in self.engines)

    @property
    def stats(self) -> EngineStats:
        """The sums of the engines' counters."""
        each = [engine.stats for engine in self.engines]
        return EngineStats(*(sum(getattr(one, name) for one in each) for name in EngineStats.__struct_fields__))

    def prefix_len(self, messages: Sequence[ChatMessage], prompt_ids: tuple[int, ...], steady: int = 1) -> int:
        """Returns 0, because vLLM finds shared prefixes itself."""
        return 0

    async def complete(self, request: Request) -> Completion:
        """Answer one request. Raises InfrastructureError."""
        with self._least() as engine:
            return await engine.complete(request)

    async def policy(
        self, prompt_ids: tuple[int, ...], choices: tuple[tuple[int, ...], ...], *, temperature: float = 1.0
    ) -> list[float]:
        """Returns the exact probability of each choice after the prompt. Raises InfrastructureError."""
        with self._least() as engine:
            return await engine.policy(prompt_ids, choices, temperature=temperature)

    def adapted(self, name: str, adapter: Path, close: Callable[[], None]) -> VLLMPool:
        """Returns these engines with a LoRA adapter beside the weights of others."""
        return VLLMPool([engine.adapted(name, adapter, lambda: None) for engine in self.engines], close)

    def publish(self, tensors: Mapping[str, Any], version: int | None = None, *, in_flight: bool = False) -> None:
        """Replace the weights of every engine: see `VLLMEngine.publish`."""
        number = self.version + 1 if version is None else version
        self._all(lambda engine: engine.publish(tensors, number, in_flight=in_flight))

    def publish_adapter(self, folder: Path, version: int, *, in_flight: bool = False) -> None:
        """Have every engine decide with the LoRA adapter in a folder: see `VLLMEngine.publish_adapter`."""
        self._all(lambda engine: engine.publish_adapter(folder, version, in_flight=in_flight))

    def sleep(self, *, keep: bool) -> None:
        """Give the memory of every engine back: see `VLLMEngine.sleep`."""
        self._all(lambda engine: engine.sleep(keep=keep))

    def wake(self) -> None:
        """Take the memory back: see `VLLMEngine.wake`."""
        self._all(lambda engine: engine.wake())

    def close(self) -> None:
        """Stop every engine; pending requests raise InfrastructureError."""
        for engine in self.engines:
            engine.close()
        self._after()

    @contextmanager
    def _least(self) -> Iterator[VLLMEngine]:
        """The engine with the fewest requests, which has one more inside."""
        n = min(range(len(self.engines)), key=self._running.__getitem__)
        self._running[n] += 1
        try:
            yield self.engines[n]
        finally:
            self._running[n] -= 1

    def _all(self, act: Callable[[VLLMEngine], None]) -> None:
        """Act on all engines at once, each in a thread; raises the first error when all have ended."""
        with ThreadPoolExecutor(len(self.engines), "arena-engines") as threads:
            for done in [threads.submit(act, engine) for engine in self.engines]:
                done.result()


__all__ = ["VLLMPool"]
