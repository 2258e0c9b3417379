"""Code that vLLM's workers import before they load the model."""

from __future__ import annotations

import os
import select
import signal
import threading
from dataclasses import dataclass
from typing import Any

from safetensors import safe_open
from vllm.distributed.weight_transfer.base import (
    WeightTransferEngine,
    WeightTransferInitInfo,
    WeightTransferUpdateInfo,
)
from vllm.distributed.weight_transfer.factory import WeightTransferEngineFactory
from vllm.model_executor.layers.vocab_parallel_embedding import ParallelLMHead
from vllm.model_executor.model_loader.reload.layerwise import finalize_layerwise_reload, initialize_layerwise_reload
from vllm.platforms import current_platform

from arena.inference.vllm import cpu
from arena.inference.vllm.settings import OWNER, TRANSFER


@dataclass
class _Init(WeightTransferInitInfo):  # type: ignore[misc]
    pass


@dataclass
class _Update(WeightTransferUpdateInfo):  # type: ignore[misc]
    path: str = ""


class FileTransfer(WeightTransferEngine[_Init, _Update]):  # type: ignore[misc]
    """Loads new weights from a safetensors file, normally in shared memory; works on every platform."""

    init_info_cls, update_info_cls = _Init, _Update

    def init_transfer_engine(self, init_info: _Init) -> None:
        """Does nothing."""

    def start_weight_update(self) -> None:
        """Prepare the model for weights in the layout of a checkpoint."""
        initialize_layerwise_reload(self.model)

    def update_weights(self, update_info: dict[str, Any]) -> None:
        """Load the weights of one file before returning."""
        self.receive_weights(self.parse_update_info(update_info))

    def receive_weights(self, update_info: _Update) -> None:
        """Load every tensor of the file."""
        with safe_open(update_info.path, framework="pt") as file:
            self.model.load_weights((name, file.get_tensor(name)) for name in file.keys())  # noqa: SIM118

    def finish_weight_update(self) -> None:
        """Convert the weights to the layout of the kernels."""
        finalize_layerwise_reload(self.model, self.model_config)
        for layer in self.model.modules():
            # An output layer that is tied to the embedding receives no weights, and on the CPU it multiplies with a
            # packed copy of the old ones (0.32).
            if isinstance(layer, ParallelLMHead) and current_platform.is_cpu():
                layer.quant_method.process_weights_after_loading(layer)

    def shutdown(self) -> None:
        """Does nothing."""


def _end_with(owner: int) -> None:
    """Wait for the owner process to end, then kill this worker; vLLM does not notice if its owner is killed."""
    core = os.getppid()  # vLLM's engine process, or the owner if the engine runs in it
    try:
        handle = os.pidfd_open(owner)
        select.select([handle], [], [])
    except ProcessLookupError:
        pass  # it has ended already
    if core != owner and os.getppid() == core:  # otherwise the engine has ended, and the parent is another process
        os.kill(core, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


class ArenaWorker:
    """Named in the engine's arguments, so that vLLM imports this module in its workers."""


if hasattr(os, "pidfd_open") and os.environ.get(OWNER, "").isdigit():
    threading.Thread(target=_end_with, args=(int(os.environ[OWNER]),), daemon=True).start()
WeightTransferEngineFactory.register_engine(TRANSFER, __name__, "FileTransfer")
cpu.install()
