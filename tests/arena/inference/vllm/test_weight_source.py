"""The source of weights serves both interfaces that vLLM has had: 0.32 calls and iterates it, 0.33 reads properties."""

from __future__ import annotations

import importlib
import sys
from collections import namedtuple
from functools import cached_property
from types import ModuleType
from typing import Any

import pytest
import torch

TENSORS = {"a": torch.ones(2), "b": torch.zeros(3, 1)}
NAMES = "arena.inference.vllm.transfer"


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


def source(monkeypatch: pytest.MonkeyPatch, interface: type) -> Any:
    """The arena's source of weights, defined on an interface in place of vLLM's."""
    made: dict[str, ModuleType] = {}
    for name in ("base", "factory", "ipc_engine", "nccl_engine"):
        module = ModuleType(name)
        module.__getattr__ = lambda name: object  # type: ignore[method-assign]
        made[f"vllm.distributed.weight_transfer.{name}"] = module
    base = made["vllm.distributed.weight_transfer.base"]
    base.__dict__["WeightSource"] = interface
    base.__dict__["ParamMeta"] = namedtuple("ParamMeta", "name dtype shape")
    for name in ("vllm", "vllm.distributed", "vllm.distributed.weight_transfer"):
        made[name] = ModuleType(name)
    for name, module in made.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, NAMES, raising=False)
    transfer = importlib.import_module(NAMES)
    monkeypatch.delitem(sys.modules, NAMES)
    weights = transfer._Source(torch.device("cpu"))
    weights.tensors = TENSORS
    return weights


@pytest.mark.parametrize("interface", [OldSource, NewSource])
def test_both_interfaces_get_every_tensor_and_its_description(monkeypatch: pytest.MonkeyPatch, interface: type) -> None:
    weights = source(monkeypatch, interface)
    described = weights.metadata() if interface is OldSource else weights.metadata
    assert [tuple(each) for each in described] == [("a", torch.float32, (2,)), ("b", torch.float32, (3, 1))]
    sent = dict(weights if interface is OldSource else weights.iter_full())
    assert sent.keys() == TENSORS.keys()
