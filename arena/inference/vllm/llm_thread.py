"""vLLM's AsyncLLM in a thread with its own event loop, so that any event loop and any thread can call it.

vLLM runs the model in other processes. This thread starts them with SIGINT blocked, which they inherit: after Ctrl-C a
run finishes its current matches and still needs its engine.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import signal
import threading
import time
import warnings
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future
from contextlib import asynccontextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, TypeVar

from arena.inference.errors import error_line, inference_failed
from arena.inference.vllm.settings import VLLMSettings, arguments, environment, process_environment
from games.errors import InfrastructureError, InputError, RunPaused

log = logging.getLogger(__name__)

T = TypeVar("T")
_GRACE = 10.0
"""seconds in which vLLM's processes must exit"""


class LLMThread:
    """A running vLLM. Raises InputError if it does not start."""

    def __init__(self, settings: VLLMSettings, name: str) -> None:
        self._settings, self._name = settings, name
        self._loop = asyncio.new_event_loop()
        self._started: Future[None] = Future()
        self._numbers = itertools.count()
        self._open = True
        self._running = 0  # requests in vLLM
        self._since = 0.0
        self.busy_seconds = 0.0
        self.version = 0
        self._held = False  # requests wait for the next call of `exclusive`
        self._idle: asyncio.Event
        self._admitting: asyncio.Event
        self.llm: Any = None
        self._log = Path()
        self._thread = threading.Thread(target=self._run, name=f"arena-vllm-{name}", daemon=True)
        self._thread.start()
        self._started.result()

    async def generate(self, prompt_ids: tuple[int, ...], params: Any, lora: Any = None) -> tuple[Any, tuple[int, ...]]:
        """Returns vLLM's RequestOutput for a prompt, and the version of the weights that sampled each of its tokens.

        Raises InfrastructureError, or RunPaused if the engine has died.
        """
        try:
            return await asyncio.wrap_future(self._submit(self._generate(prompt_ids, params, lora)))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._open or (task is not None and task.cancelling()):
                raise
            raise InfrastructureError("the engine was closed") from None

    def exclusive(self, act: Callable[[Any], Coroutine[Any, Any, T]], *, hold: bool = False) -> T:
        """Run `act` on the AsyncLLM while it has no requests; new requests wait, with `hold` until the next call.

        Blocks: call it from a thread that sends no requests.
        """
        return self._submit(self._exclusive(act, hold)).result()

    def between_tokens(self, act: Callable[[Any], Coroutine[Any, Any, T]]) -> T:
        """Run `act` on the AsyncLLM between two tokens of its requests, which go on afterwards.

        vLLM drops their keys and values and reads prompt and tokens again, so new weights decide exactly. Blocks.
        """
        return self._submit(self._between_tokens(act)).result()

    def close(self) -> None:
        """Stop vLLM and its processes; pending requests raise InfrastructureError."""
        if not self._open:
            return
        self._open = False
        self._loop.call_soon_threadsafe(self._loop.stop)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        if not self._open:
            work.close()
            raise InfrastructureError("the engine is closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _generate(self, prompt_ids: tuple[int, ...], params: Any, lora: Any) -> tuple[Any, tuple[int, ...]]:
        from vllm.inputs.engine import tokens_input

        await self._enter()
        try:
            last = None
            prompt = tokens_input(list(prompt_ids))
            stream = self.llm.generate(prompt, params, f"arena-{next(self._numbers)}", lora_request=lora)
            async for output in stream:
                last = output
            assert last is not None
            return last, _versions(last.outputs[0])
        except Exception as error:
            raise self._failure(error) from error
        finally:
            self._leave()

    async def _enter(self) -> None:
        while not self._admitting.is_set():
            await self._admitting.wait()
        if not self._running:
            self._since = time.perf_counter()
            self._idle.clear()
        self._running += 1

    def _leave(self) -> None:
        self._running -= 1
        if not self._running:
            self.busy_seconds += time.perf_counter() - self._since
            self._idle.set()

    async def _exclusive(self, act: Callable[[Any], Coroutine[Any, Any, T]], hold: bool) -> T:
        async with self._admit_none(also_held=True):
            await self._idle.wait()
            done = await self._guarded(act(self.llm))
            self._held = hold
            return done

    async def _between_tokens(self, act: Callable[[Any], Coroutine[Any, Any, T]]) -> T:
        async with self._admit_none():  # nor another update
            await self._guarded(self.llm.pause_generation(mode="keep", clear_cache=True))
            try:
                return await self._guarded(act(self.llm))
            finally:
                await self._guarded(self.llm.resume_generation())

    @asynccontextmanager
    async def _admit_none(self, *, also_held: bool = False) -> AsyncIterator[None]:
        """Admit no request inside the block, and after it if `_held` is set there.

        Waits while another block runs, and, unless `also_held`, while requests are held.
        """
        while not (self._admitting.is_set() or (also_held and self._held)):
            await self._admitting.wait()
        self._admitting.clear()
        self._held = False
        try:
            yield
        finally:
            if not self._held:
                self._admitting.set()

    async def _guarded(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return await work
        except Exception as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> InfrastructureError:
        if isinstance(error, InfrastructureError):
            return error
        if getattr(self.llm, "errored", False):
            return RunPaused(
                f"vLLM with {self._name} has died: {self._cause(error)}; its log is {self._log}. Start the run again "
                "to resume it"
            )
        return inference_failed(error)

    def _run(self) -> None:
        """The thread: start vLLM, serve until stopped, shut down."""
        resource_tracker.ensure_running()  # otherwise vLLM starts it, which unblocks the signal
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._start())
        except Exception as error:  # noqa: BLE001  the caller raises any error of vLLM in one line
            self._started.set_exception(
                InputError(f"vLLM cannot run {self._name}: {self._cause(error)}; its log is {self._log}")
            )
            self._open = False
        else:
            self._started.set_result(None)
            self._loop.run_forever()
        finally:
            self._shut_down()

    async def _start(self) -> None:
        self._idle, self._admitting = asyncio.Event(), asyncio.Event()
        self._idle.set()
        self._admitting.set()
        self._log = environment(self._settings)
        logging.getLogger("vllm.triton_utils").setLevel(logging.ERROR)  # it logs before the configuration is read
        with warnings.catch_warnings():  # the constructor waits, so no other code of its thread can warn meanwhile
            warnings.simplefilter("ignore")
            from vllm import AsyncEngineArgs
            from vllm.v1.engine.async_llm import AsyncLLM

            with process_environment(self._settings):
                self.llm = AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments(self._settings)))

    def _shut_down(self) -> None:
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if self.llm is not None:
            self.llm.shutdown(timeout=_GRACE)
            self.llm = None
        self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    def _cause(self, error: Exception) -> str:
        """Returns the first error in vLLM's log, because the exception in this process names only the place."""
        try:
            text = self._log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            text = ""
        errors = [line for line in text.splitlines() if " ERROR " in line and "Error: " in line]
        return errors[0].partition(" ERROR ")[2].strip()[:300] if errors else error_line(error)


def _versions(output: Any) -> tuple[int, ...]:
    """Returns (T,) the version of the weights that sampled each token of vLLM's CompletionOutput."""
    spans = output.weight_versions or ()
    versions = [
        int(span.version) if span.version.isdigit() else 0 for span in spans for _ in range(span.start, span.end)
    ]
    return tuple(versions) or (0,) * len(output.token_ids)  # vLLM calls weights that nobody has labelled "default"
