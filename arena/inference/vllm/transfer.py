"""New weights from GPU to GPU, through the NCCL and IPC backends of vLLM's weight transfer. It imports vLLM.

vLLM's trainer-side engine drives an update: it asks for the update's start, has the workers receive while it sends, and
ends the update. It calls the AsyncLLM through the four methods of `VLLMWeightSyncClient`, from a thread of its own.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine, Iterator, Mapping
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

READS_METADATA = isinstance(vars(WeightSource).get("metadata"), property)
"""whether vLLM reads `metadata` and iterates `iter_full` (0.33), instead of calling the one and iterating the source"""


class NativeTransfer:
    """Sends weights to a vLLM with the backend `nccl`, on other GPUs, or `ipc`, on the same GPU.

    device: the GPU that sends; `parallel`: the number of GPUs that share vLLM's model. The two sides connect at the
    first call of `send`.
    """

    def __init__(self, backend: str, device: torch.device, parallel: int) -> None:
        self._backend, self._parallel = backend, parallel
        self._source, self._client = _Source(device), _Client()
        self._engine: Any = None

    async def send(self, llm: Any, tensors: Mapping[str, Tensor], version: int) -> None:
        """Replace vLLM's weights, while it answers no request, by the tensors of a checkpoint."""
        self._client.llm, self._client.version = llm, version
        self._client.loop = asyncio.get_running_loop()
        self._source.tensors = tensors
        try:
            await asyncio.to_thread(self._send)
        finally:
            self._source.tensors = {}

    def close(self) -> None:
        """Disconnect."""
        if self._engine is not None:
            self._engine.shutdown()

    def _send(self) -> None:
        if self._source.device.type == "cuda":
            torch.cuda.set_device(self._source.device)  # of this thread
        if self._engine is None:
            self._engine = WeightTransferTrainerFactory.trainer_init(
                self._endpoint(), client=self._client, source=self._source
            )
        self._engine.send_weights()

    def _endpoint(self) -> Any:
        if self._backend == "ipc":
            return IPCTrainerInitInfo(rank=0)
        return NCCLTrainerInitInfo("127.0.0.1", _free_port(), world_size=1 + self._parallel, rank=0)


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
    """Calls an AsyncLLM, which lives in an event loop, from another thread."""

    llm: Any
    loop: asyncio.AbstractEventLoop
    version: int

    def init_weight_transfer_engine(self, init_info: dict[str, Any]) -> None:
        """Connect the workers."""
        self._wait(self.llm.init_weight_transfer_engine(WeightTransferInitRequest(init_info=init_info)))

    def start_weight_update(self) -> None:
        """Prepare the workers' model."""
        self._wait(self.llm.start_weight_update())

    def update_weights(self, update_info: Any) -> None:
        """Have the workers receive."""
        self._wait(self.llm.update_weights(WeightTransferUpdateRequest(update_info=update_info)))

    def finish_weight_update(self, weight_version: str | None = None) -> None:
        """End the update, whose weights have this version."""
        self._wait(self.llm.finish_weight_update(weight_version=weight_version or str(self.version)))

    def _wait(self, call: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(call, self.loop).result()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
