"""A real vLLM, started once per file, in float32 to compare it exactly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

MODEL = "smollm2-135m"


def pytest_configure(config: pytest.Config) -> None:
    """vLLM leaves sockets to the garbage collector, which may warn after the last test."""
    config.addinivalue_line("filterwarnings", "ignore:Unclosed (context|socket):ResourceWarning")


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    """SmolLM2 on vLLM."""
    from arena.inference import engine_for, release

    made = engine_for(MODEL, "fp32", "auto", "vllm")
    yield made
    release(made)


@pytest.fixture(scope="module")
def reference() -> Iterator[Any]:
    """SmolLM2 on transformers."""
    from arena.inference import engine_for, release

    made = engine_for(MODEL, "fp32", "auto", "transformers")
    yield made
    release(made)


@pytest.fixture(scope="session")
def adapters(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three snapshots with different LoRA weights, exported by the learner."""
    import torch

    from arena.inference import models
    from arena.learner.config import LoraConfig, TrainerConfig
    from arena.learner.trainer import Trainer

    loaded = models.load(MODEL, "fp32", "cpu")
    trainer = Trainer(loaded.model, TrainerConfig(lora=LoraConfig(rank=8, alpha=8)))
    folders = []
    for seed in range(3):
        torch.manual_seed(seed)
        with torch.no_grad():
            for name, tensor in trainer.weights.params.items():
                if "lora_B" in name:
                    tensor.normal_(0.0, 0.3)
        folders.append(tmp_path_factory.mktemp("snapshot"))
        trainer.export(folders[-1], loaded.tokenizer, MODEL)
    return folders
