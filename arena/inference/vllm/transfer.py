"""New weights from GPU to GPU, through the NCCL and IPC backends of vLLM's weight transfer. It imports vLLM.

vLLM's trainer-side engine drives an update: it asks for the update's start, has the workers receive while it sends, and
ends the update. It calls the AsyncLLM through the four methods of `VLLMWeightSyncClient`, from a thread of its own. It
knows one AsyncLLM; here the client calls those of all engines of a policy, so one broadcast reaches all their workers.

A broadcast waits for every worker. So an engine that fails inside an update, or an update without an end, ends it for
all: the sender disconnects, which aborts NCCL, and the run pauses. Nothing is sent again: the workers of the other
engines may wait in NCCL for ever, and half of their weights are new.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from vllm.distributed.weight_transfer.base import (
    ParamMeta,
    WeightSource,
    WeightTransferInitRequest,
    WeightTransferUpdateRequest,
)
from vllm.distributed.weight_transfer.factory import WeightTransferTrainerFactory
from vllm.distributed.weight_transfer.ipc_engine import IPCTrainerInitInfo
from vllm.distributed.weight_transfer.nccl_engine import NCCLTrainerInitInfo

from arena.inference.errors import error_line
from games.errors import RunPaused

READS_METADATA = isinstance(vars(WeightSource).get("metadata"), property)
"""whether vLLM reads `metadata` and iterates `iter_full` (0.33), instead of calling the one and iterating the source"""


class NativeTransfer:
    """Sends weights to vLLMs with the backend `nccl`, to other GPUs, or to one with `ipc`, on the same GPU.

    device: the GPU that sends; `parallel`: the number of GPUs that share a vLLM's model; `engines`: the number of vLLMs
    that get the weights, each from an event loop of its own; `limit`: seconds of an update. The sides connect at the
    first update.
    """

    def __init__(
        self, backend: str, device: torch.device, parallel: int, engines: int = 1, limit: float = 600.0
    ) -> None:
        self.backend, self._parallel, self._engines, self._limit = backend, parallel, engines, limit
        self._source, self._client = _Source(device), _Client(parallel)
        self._engine: Any = None
        self._update = _Update(-1)
        self._lock = threading.Lock()
        self._broken: RunPaused | None = None
        """why nothing more can be sent"""

    async def send(self, llm: Any, tensors: Mapping[str, Tensor], version: int) -> None:
        """Replace a vLLM's weights, while it answers no request, by the tensors of a checkpoint.

        The call for the last of the engines sends to all of them; the others wait for it. Raises RunPaused if an update
        fails that has begun, then and from then on; the error of an engine that gave up before it (`fail`).
        """
        loop = asyncio.get_running_loop()
        with self._lock:
            if self._broken is not None:
                raise self._broken
            update = self._of(version)
            update.receivers.append((llm, loop))
            last = len(update.receivers) == self._engines
        if last and not update.sent.done():
            update.begun = True
            # Python waits at its end for the threads of `asyncio.to_thread`, and this one may never end.
            threading.Thread(target=self._send, args=(update, tensors), name="arena-weights", daemon=True).start()
            loop.call_later(self._limit, update.end, TimeoutError(f"the update has not ended within {self._limit:g} s"))
        try:
            await asyncio.wrap_future(update.sent)
        except Exception as error:
            if not update.begun:
                raise
            raise self._give_up(version, error) from error

    def fail(self, version: int, error: BaseException) -> None:
        """End the waiting of the other engines for one that cannot take part in an update."""
        with self._lock:
            self._of(version).end(error)

    def close(self) -> None:
        """Disconnect."""
        if self._engine is not None:
            self._engine.shutdown()
            self._engine = None

    def _give_up(self, version: int, error: Exception) -> RunPaused:
        """Disconnect, the first time. Returns the error for every engine."""
        with self._lock:
            if self._broken is None:
                self._broken = RunPaused(
                    f"the weights of version {version} did not reach the engines: {error_line(error)}; start the run "
                    "again to resume it from its newest checkpoint"
                )
                engine, self._engine = self._engine, None
                if engine is not None:
                    threading.Thread(target=engine.shutdown, name="arena-abort", daemon=True).start()
            return self._broken

    def _of(self, version: int) -> _Update:
        """Returns the update that engines wait for; a new one if all of them have come, also for the same version."""
        if self._update.version != version or len(self._update.receivers) == self._engines:
            self._update = _Update(version)
        return self._update

    def _send(self, update: _Update, tensors: Mapping[str, Tensor]) -> None:
        self._client.update, self._source.tensors = update, tensors
        failure: BaseException | None = None
        try:
            if self._source.device.type == "cuda":
                torch.cuda.set_device(self._source.device)  # of this thread
            if self._engine is None:
                self._engine = WeightTransferTrainerFactory.trainer_init(
                    self._endpoint(), client=self._client, source=self._source
                )
            self._engine.send_weights()
        except BaseException as error:  # noqa: BLE001  every engine's call raises it
            failure = error
        self._source.tensors = {}  # before the end of the update, after which the engines may send the next one at once
        update.end(failure)

    def _endpoint(self) -> Any:
        if self.backend == "ipc":
            return IPCTrainerInitInfo(rank=0)
        size = 1 + self._parallel * self._engines
        return NCCLTrainerInitInfo("127.0.0.1", _free_port(), world_size=size, rank=0)


@dataclass
class _Update:
    """One update of all engines."""

    version: int
    receivers: list[tuple[Any, asyncio.AbstractEventLoop]] = field(default_factory=list)
    """each AsyncLLM with its event loop, in the order of their arrival"""
    sent: Future[None] = field(default_factory=Future)
    begun: bool = False
    """whether all engines have come, so that workers may wait for the tensors"""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def end(self, error: BaseException | None = None) -> None:
        """End the waiting of all engines, unless it has ended."""
        with self._lock:
            if self.sent.done():
                return
            if error is None:
                self.sent.set_result(None)
            else:
                self.sent.set_exception(error)


class _Source(WeightSource):  # type: ignore[misc]
    """The tensors of the present update, which moves them to the sending GPU one by one."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.tensors: Mapping[str, Tensor] = {}

    def _described(self) -> list[Any]:
        """Name, type and shape of each tensor; every update has the same."""
        return [ParamMeta(name, tensor.dtype, tuple(tensor.shape)) for name, tensor in self.tensors.items()]

    metadata: Any = cached_property(_described) if READS_METADATA else _described

    def iter_full(self) -> Iterator[tuple[str, Tensor]]:
        """Yields each tensor on the sending GPU."""
        for name, tensor in self.tensors.items():
            yield name, tensor.detach().to(self.device).contiguous()

    __iter__ = iter_full  # vLLM 0.32


class _Client:
    """Calls the AsyncLLM of every engine, which live in event loops, from another thread."""

    update: _Update

    def __init__(self, parallel: int) -> None:
        self._parallel = parallel

    def init_weight_transfer_engine(self, init_info: dict[str, Any]) -> None:
        """Connect the workers. vLLM counts those of one engine; those of the others get the ranks after them."""

        def request(n: int) -> Any:
            first = {"rank_offset": init_info["rank_offset"] + n * self._parallel} if "rank_offset" in init_info else {}
            return WeightTransferInitRequest(init_info=init_info | first)

        self._all(lambda llm, n: llm.init_weight_transfer_engine(request(n)))

    def start_weight_update(self) -> None:
        """Prepare the workers' model."""
        self._all(lambda llm, _: llm.start_weight_update())

    def update_weights(self, update_info: Any) -> None:
        """Have the workers receive, those of all engines at once: a broadcast waits for each of them."""
        self._all(lambda llm, _: llm.update_weights(WeightTransferUpdateRequest(update_info=update_info)))

    def finish_weight_update(self, weight_version: str | None = None) -> None:
        """End the update, whose weights have this version."""
        version = weight_version or str(self.update.version)
        self._all(lambda llm, _: llm.finish_weight_update(weight_version=version))

    def _all(self, call: Callable[[Any, int], Coroutine[Any, Any, None]]) -> None:
        """Call every engine and wait for all.

        The first error ends the update and is raised at once: the sender and the other engines may wait for that one.
        """
        update = self.update
        waiting = {
            asyncio.run_coroutine_threadsafe(call(llm, n), loop) for n, (llm, loop) in enumerate(update.receivers)
        }
        try:
            for done in as_completed([*waiting, update.sent]):
                done.result()
                waiting.discard(done)
                if not waiting:
                    return
        except BaseException as error:
            update.end(error)
            raise


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
