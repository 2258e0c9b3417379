"""vLLM's AsyncLLM in a thread with an event loop of its own, so that any loop and any thread can ask it.

vLLM runs the model in further processes. They are started from this thread with Ctrl-C blocked, which they inherit:
a run that is asked to stop soon lets its matches end, and needs its engine for that.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import signal
import threading
import time
import warnings
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, TypeVar

from arena.inference.models import one_line
from arena.inference.vllm.settings import Start, arguments, environment, surroundings
from games.errors import InfrastructureError, InputError, RunPaused

log = logging.getLogger(__name__)

T = TypeVar("T")
_GRACE = 10.0
"""seconds that vLLM's processes have to end by themselves"""


class Host:
    """A running vLLM. Raises InputError where it does not start."""

    def __init__(self, start: Start, name: str) -> None:
        self._start, self._name = start, name
        self._loop = asyncio.new_event_loop()
        self._up: Future[None] = Future()
        self._numbers = itertools.count()
        self._open = True
        self._running = 0  # requests in vLLM now
        self._since = 0.0
        self.busy_seconds = 0.0
        self.version = 0
        self._idle: asyncio.Event
        self._admit: asyncio.Event
        self.llm: Any = None
        self._log = Path()
        self._thread = threading.Thread(target=self._run, name=f"arena-vllm-{name}", daemon=True)
        self._thread.start()
        self._up.result()

    async def ask(self, prompt_ids: tuple[int, ...], params: Any, lora: Any = None) -> tuple[Any, int]:
        """vLLM's RequestOutput for token ids, and the version of the weights it was made with.

        Raises InfrastructureError; RunPaused once the engine has died.
        """
        try:
            return await asyncio.wrap_future(self._submit(self._generate(prompt_ids, params, lora)))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._open or (task is not None and task.cancelling()):
                raise
            raise InfrastructureError("the engine was closed") from None

    def alone(self, act: Callable[[Any], Coroutine[Any, Any, T]]) -> T:
        """Run something on the AsyncLLM while no request is in it; requests that come meanwhile wait.

        Blocks; to be called from any thread but the one that the requests come from.
        """
        return self._submit(self._alone(act)).result()

    def call(self, act: Callable[[Any], Coroutine[Any, Any, T]]) -> Future[T]:
        """Run something on the AsyncLLM beside the requests."""
        return self._submit(self._guarded(act(self.llm)))

    def close(self) -> None:
        """Stop vLLM and its processes; what is still waiting fails with InfrastructureError."""
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

    async def _generate(self, prompt_ids: tuple[int, ...], params: Any, lora: Any) -> tuple[Any, int]:
        from vllm.inputs.engine import tokens_input

        await self._enter()
        try:
            last = None
            prompt = tokens_input(list(prompt_ids))
            stream = self.llm.generate(prompt, params, f"arena-{next(self._numbers)}", lora_request=lora)
            async for output in stream:
                last = output
            return last, self.version
        except Exception as error:
            raise self._failure(error) from error
        finally:
            self._leave()

    async def _enter(self) -> None:
        while not self._admit.is_set():
            await self._admit.wait()
        if not self._running:
            self._since = time.perf_counter()
            self._idle.clear()
        self._running += 1

    def _leave(self) -> None:
        self._running -= 1
        if not self._running:
            self.busy_seconds += time.perf_counter() - self._since
            self._idle.set()

    async def _alone(self, act: Callable[[Any], Coroutine[Any, Any, T]]) -> T:
        while not self._admit.is_set():
            await self._admit.wait()
        self._admit.clear()
        try:
            await self._idle.wait()
            return await self._guarded(act(self.llm))
        finally:
            self._admit.set()

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
                "to go on"
            )
        return InfrastructureError(f"inference failed: {one_line(error)}")

    def _run(self) -> None:
        """The thread: start, serve until stopped, stop."""
        resource_tracker.ensure_running()  # its own start would unblock the signal again
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._boot())
        except Exception as error:  # noqa: BLE001  whatever vLLM raises, the caller is told in one line
            self._up.set_exception(
                InputError(f"vLLM cannot run {self._name}: {self._cause(error)}; its log is {self._log}")
            )
            self._open = False
        else:
            self._up.set_result(None)
            self._loop.run_forever()
        finally:
            self._shut()

    async def _boot(self) -> None:
        self._idle, self._admit = asyncio.Event(), asyncio.Event()
        self._idle.set()
        self._admit.set()
        self._log = environment()
        logging.getLogger("vllm.triton_utils").setLevel(logging.ERROR)  # speaks before it is configured
        with warnings.catch_warnings():  # whoever waits for us here runs nothing else that could want to warn
            warnings.simplefilter("ignore")
            from vllm import AsyncEngineArgs
            from vllm.v1.engine.async_llm import AsyncLLM

            with surroundings(self._start):
                self.llm = AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments(self._start)))

    def _shut(self) -> None:
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
        """The first error in vLLM's log, which tells what was wrong; what reaches this process only says where."""
        try:
            text = self._log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            text = ""
        found = [line for line in text.splitlines() if " ERROR " in line and "Error: " in line]
        return found[0].partition(" ERROR ")[2].strip()[:300] if found else one_line(error)
