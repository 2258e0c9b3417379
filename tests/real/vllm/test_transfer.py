"""What is given to vLLM's own weight transfer: its trainer-side engines run, and only what needs CUDA is replaced.

The AsyncLLM is a mock with the real signatures, and payloads are read by the workers' own classes, so that a vLLM with
another interface is noticed. Nothing here has run on a GPU.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, create_autospec

import pytest
import torch

from games.errors import RunPaused

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning"),  # of vLLM's imports
]
TENSORS = {"model.a.weight": torch.arange(6.0).view(2, 3), "model.b": torch.ones(4, dtype=torch.bfloat16).t()}


@pytest.fixture
def llm():
    from vllm.v1.engine.async_llm import AsyncLLM

    made: MagicMock = create_autospec(AsyncLLM, instance=True)
    return made


def sent(backend, llm, updates=2):
    from arena.inference.vllm.transfer import NativeTransfer

    transfer = NativeTransfer(backend, torch.device("cpu"), parallel=2)

    async def send() -> None:
        for version in range(7, 7 + updates):
            await transfer.send(llm, TENSORS, version)

    asyncio.run(send())
    return transfer


def calls(llm):
    return [name for name, *_ in llm.mock_calls]


UPDATE = ["start_weight_update", "update_weights", "finish_weight_update"]


def check_updates(llm):
    """The order of calls and the versions; returns the content of the last update."""
    assert calls(llm) == ["init_weight_transfer_engine", *UPDATE, *UPDATE]
    assert [c.kwargs for c in llm.finish_weight_update.mock_calls] == [{"weight_version": "7"}, {"weight_version": "8"}]
    update: dict[str, Any] = llm.update_weights.mock_calls[-1].args[0].update_info
    assert update["names"] == list(TENSORS)
    assert update["dtype_names"] == ["float32", "bfloat16"]
    assert [list(shape) for shape in update["shapes"]] == [[2, 3], [4]]
    return update


def test_nccl_connects_once_and_broadcasts_every_tensor(monkeypatch, llm):
    from vllm.distributed.weight_transfer import nccl_engine

    broadcast: list[tuple[str, torch.Tensor]] = []
    group, endpoints = MagicMock(), list[Any]()

    def connected(endpoint: Any) -> Any:
        endpoints.append(endpoint)
        return group

    monkeypatch.setattr(nccl_engine, "open_trainer_endpoint", connected)
    monkeypatch.setattr(nccl_engine, "packed_nccl_broadcast_producer", lambda iterator, **_: broadcast.extend(iterator))
    transfer = sent("nccl", llm)
    worker = nccl_engine.NCCLWeightTransferEngine
    worker.update_info_cls(**check_updates(llm))
    joined = worker.init_info_cls(**llm.init_weight_transfer_engine.mock_calls[0].args[0].init_info)
    (endpoint,) = endpoints
    assert (joined.rank_offset, joined.world_size, endpoint.world_size) == (1, 3, 3)
    assert (joined.master_address, joined.master_port) == (endpoint.master_address, endpoint.master_port)
    assert joined.packed == endpoint.packed
    assert [name for name, _ in broadcast] == [*TENSORS, *TENSORS]
    assert all(torch.equal(tensor, TENSORS[name]) and tensor.is_contiguous() for name, tensor in broadcast)
    transfer.close()
    group.destroy.assert_called_once()


def test_ipc_gives_a_handle_of_every_tensor(monkeypatch, llm):
    from vllm.distributed.weight_transfer import ipc_engine

    handles = list[torch.Tensor]()

    def handle(tensor: torch.Tensor) -> tuple[None, tuple[int]]:
        handles.append(tensor)
        return None, (len(handles),)

    monkeypatch.setattr(ipc_engine, "reduce_tensor", handle)
    monkeypatch.setattr(torch.accelerator, "current_device_index", lambda: 0)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: SimpleNamespace(uuid="GPU-1"))
    monkeypatch.setattr(torch.cuda, "ipc_collect", lambda: None)
    sent("ipc", llm)
    worker = ipc_engine.IPCWeightTransferEngine
    update = check_updates(llm)
    worker.update_info_cls(**update)
    assert update["ipc_handles"] == [{"GPU-1": (3,)}, {"GPU-1": (4,)}]
    worker.init_info_cls(**llm.init_weight_transfer_engine.mock_calls[0].args[0].init_info)
    assert all(torch.equal(tensor, whole) for tensor, whole in zip(handles[2:], TENSORS.values(), strict=True))


def test_an_update_that_fails_on_the_workers_fails_here(monkeypatch, llm):
    from vllm.distributed.weight_transfer import ipc_engine

    monkeypatch.setattr(ipc_engine, "reduce_tensor", lambda tensor: (None, ()))
    monkeypatch.setattr(torch.accelerator, "current_device_index", lambda: 0)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: SimpleNamespace(uuid="GPU-1"))
    llm.update_weights.side_effect = RuntimeError("no such parameter")
    with pytest.raises(RunPaused, match=r"version 7 did not reach the engines: .*no such parameter"):
        sent("ipc", llm)
    assert calls(llm)[-1] == "update_weights"


def test_the_workers_know_the_backends_by_these_names():
    from vllm.distributed.weight_transfer.factory import WeightTransferEngineFactory, WeightTransferTrainerFactory

    for backend in ("nccl", "ipc"):
        assert backend in WeightTransferEngineFactory._registry
        assert backend in WeightTransferTrainerFactory._registry
