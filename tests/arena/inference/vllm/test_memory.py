"""Memory around a publication: room in /dev/shm, and a GPU that is emptied before vLLM wakes up on it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from arena.inference.vllm import shared_memory
from arena.inference.vllm.config import VLLMConfig
from arena.inference.vllm.engine import VLLMEngine
from arena.inference.vllm.shared_memory import folder_for


def test_a_file_that_does_not_fit_into_memory_lies_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_memory, "MEMORY", tmp_path)
    monkeypatch.setattr(shared_memory.shutil, "disk_usage", lambda path: SimpleNamespace(free=64 << 20))
    assert folder_for(1 << 20) == tmp_path
    assert folder_for(64 << 20) is None
    monkeypatch.setattr(shared_memory, "MEMORY", tmp_path / "missing")
    assert folder_for(1) is None


def test_the_trainer_returns_its_free_memory_before_an_engine_wakes_up(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[Any] = []
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: events.append("emptied"))

    async def wake_up(parts: list[str]) -> None:
        events.append(parts)

    engine = VLLMEngine.__new__(VLLMEngine)
    engine._asleep = True
    asyncio.run(engine._wake(SimpleNamespace(wake_up=wake_up), "weights"))
    engine._asleep = False
    asyncio.run(engine._wake(SimpleNamespace(wake_up=wake_up), "weights"))
    assert events == ["emptied", ["weights"]]


@pytest.mark.parametrize(
    ("settings", "lora", "reloads"),
    [
        ({}, 16, True),
        ({}, 0, False),
        ({"adapters": "merge"}, 16, False),
        ({"transfer": "ipc"}, 16, False),
    ],
)
def test_an_adapter_is_published_alone_by_default(settings: dict[str, Any], lora: int, reloads: bool) -> None:
    assert VLLMConfig(**settings).reloads(lora) == reloads
