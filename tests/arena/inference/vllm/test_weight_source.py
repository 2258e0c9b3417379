"""The source of weights serves both interfaces that vLLM has had: 0.32 calls and iterates it, 0.33 reads properties."""

from __future__ import annotations

import asyncio
import importlib
import sys
import threading
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch

from games.errors import RunPaused

TENSORS = {"a": torch.ones(2), "b": torch.zeros(3, 1)}
JOIN, UPDATE = "init_weight_transfer_engine", ("start_weight_update", "update_weights", "finish_weight_update")
NAMES = "arena.inference.vllm.transfer"


class Sender:
    """Stands for vLLM's trainer-side engine: connects, and sends while the workers receive."""

    def __init__(self, sizes: dict[str, int], client: Any, source: Any) -> None:
        self.client, self.source = client, source
        client.init_weight_transfer_engine({"rank_offset": 1, "world_size": sizes["world_size"]})

    trainer_init = classmethod(lambda cls, *given, **named: cls(*given, **named))

    def send_weights(self) -> None:
        self.client.start_weight_update()
        self.client.update_weights({"names": [name for name, _ in self.source]})
        self.client.finish_weight_update()

    def shutdown(self) -> None:
        """Nothing to disconnect."""


class Receivers:
    """AsyncLLMs, each in an event loop of a thread of its own; a broadcast ends when all of them receive."""

    def __init__(self, count: int) -> None:
        self.updates: list[list[tuple[str, Any]]] = [[] for _ in range(count)]
        self.receiving: list[int] = []
        self.broken: int | None = None
        self.failing: dict[int, str] = {}
        """engine -> the call in which it fails"""

    def publish(self, transfer: Any, version: int) -> list[str]:
        """Publish from every engine at once, as `VLLMPool` does; returns their errors."""

        def one(n: int) -> str:
            try:
                if self.broken == n:
                    raise RuntimeError(f"engine {n} has died")
                asyncio.run(transfer.send(_Receiver(self, n), TENSORS, version))
            except (RuntimeError, RunPaused) as error:
                transfer.fail(version, error)
                return str(error)
            return ""

        with ThreadPoolExecutor(len(self.updates)) as threads:
            return list(threads.map(one, range(len(self.updates))))


class _Receiver:
    def __init__(self, all: Receivers, n: int) -> None:
        self.all, self.n = all, n

    def __getattr__(self, name: str) -> Any:
        async def called(request: Any = None, weight_version: str = "") -> None:
            self.all.updates[self.n].append((name, weight_version or request))
            if self.all.failing.get(self.n) == name:
                raise RuntimeError(f"engine {self.n} has died inside {name}")
            if name == "update_weights":
                self.all.receiving.append(self.n)
                while len(self.all.receiving) % len(self.all.updates):
                    await asyncio.sleep(0.01)

        return called


class Broadcaster(Sender):
    """Sends in a thread of its own while the workers receive, as NCCL does: nothing but an abort ends its waiting."""

    aborted: threading.Event

    def send_weights(self) -> None:
        Broadcaster.aborted = threading.Event()
        self.client.start_weight_update()
        threading.Thread(target=self.client.update_weights, args=({},), daemon=True).start()
        self.aborted.wait(30)
        raise RuntimeError("aborted")

    def shutdown(self) -> None:
        self.aborted.set()


class OldSource:
    """vLLM 0.32."""

    def metadata(self) -> list[Any]:
        raise NotImplementedError


class NewSource:
    """vLLM 0.33, which refuses a method at the definition of the class."""

    def __init_subclass__(cls) -> None:
        if not isinstance(cls.__dict__["metadata"], cached_property):
            raise TypeError(f"{cls.__name__}.metadata must be a functools.cached_property")

    @property
    def metadata(self) -> list[Any]:
        raise NotImplementedError


def transfer_module(monkeypatch: pytest.MonkeyPatch, interface: type, sender: type = Sender) -> Any:
    """The arena's module of transfers, defined on an interface in place of vLLM's."""
    made: dict[str, ModuleType] = {}
    for name in ("base", "factory", "ipc_engine", "nccl_engine"):
        module = ModuleType(name)
        module.__getattr__ = lambda name: SimpleNamespace  # type: ignore[method-assign]
        made[f"vllm.distributed.weight_transfer.{name}"] = module
    base = made["vllm.distributed.weight_transfer.base"]
    base.__dict__["WeightSource"] = interface
    base.__dict__["ParamMeta"] = namedtuple("ParamMeta", "name dtype shape")
    made["vllm.distributed.weight_transfer.factory"].__dict__["WeightTransferTrainerFactory"] = sender
    made["vllm.distributed.weight_transfer.nccl_engine"].__dict__["NCCLTrainerInitInfo"] = lambda *_, **sizes: sizes
    for name in ("vllm", "vllm.distributed", "vllm.distributed.weight_transfer"):
        made[name] = ModuleType(name)
    for name, module in made.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, NAMES, raising=False)
    transfer = importlib.import_module(NAMES)
    monkeypatch.delitem(sys.modules, NAMES)
    return transfer


def source(monkeypatch: pytest.MonkeyPatch, interface: type) -> Any:
    """The arena's source of weights."""
    weights = transfer_module(monkeypatch, interface)._Source(torch.device("cpu"))
    weights.tensors = TENSORS
    return weights


@pytest.mark.parametrize("interface", [OldSource, NewSource])
def test_both_interfaces_get_every_tensor_and_its_description(monkeypatch: pytest.MonkeyPatch, interface: type) -> None:
    weights = source(monkeypatch, interface)
    described = weights.metadata() if interface is OldSource else weights.metadata
    assert [tuple(each) for each in described] == [("a", torch.float32, (2,)), ("b", torch.float32, (3, 1))]
    sent = dict(weights if interface is OldSource else weights.iter_full())
    assert sent.keys() == TENSORS.keys()


def test_one_broadcast_serves_all_engines_of_a_policy_whose_workers_have_ranks_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    transfer = transfer_module(monkeypatch, OldSource).NativeTransfer(
        "nccl", torch.device("cpu"), parallel=2, engines=3
    )
    served = Receivers(3)
    for version in (7, 8, 8):
        assert served.publish(transfer, version) == [""] * 3
    for calls in served.updates:
        assert [name for name, _ in calls] == [JOIN, *UPDATE, *UPDATE, *UPDATE]
        assert [what for name, what in calls if name == UPDATE[2]] == ["7", "8", "8"]
    joined = [calls[0][1].init_info for calls in served.updates]
    assert sorted(info["rank_offset"] for info in joined) == [1, 3, 5]
    assert {info["world_size"] for info in joined} == {7}


def test_an_engine_that_dies_ends_the_waiting_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    transfer = transfer_module(monkeypatch, OldSource).NativeTransfer(
        "nccl", torch.device("cpu"), parallel=1, engines=3
    )
    served = Receivers(3)
    served.broken = 1
    assert served.publish(transfer, 7) == ["engine 1 has died"] * 3
    served.broken = None
    assert served.publish(transfer, 8) == [""] * 3


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize(
    ("failing", "limit", "reason"),
    [
        ({1: "update_weights"}, 60.0, "engine 1 has died inside update_weights"),
        ({0: "start_weight_update"}, 60.0, "engine 0 has died inside start_weight_update"),
        ({2: JOIN}, 60.0, "engine 2 has died inside init_weight_transfer_engine"),
        ({}, 0.5, "the update has not ended within 0.5 s"),
    ],
)
def test_a_broadcast_that_cannot_end_pauses_the_run_in_one_line(
    monkeypatch: pytest.MonkeyPatch, failing: dict[int, str], limit: float, reason: str
) -> None:
    """The sender would wait for ever: every engine raises the same, the sender is aborted, and nothing follows."""
    transfer = transfer_module(monkeypatch, OldSource, Broadcaster).NativeTransfer(
        "nccl", torch.device("cpu"), parallel=1, engines=3, limit=limit
    )
    served = Receivers(3)
    served.failing = failing
    line = f"the weights of version 7 did not reach the engines: {reason}; start the run again to resume it from its"
    for version in (7, 8):
        assert [error[: len(line)] for error in served.publish(transfer, version)] == [line] * 3
    if JOIN not in failing.values():
        assert Broadcaster.aborted.wait(20)
    transfer.close()
