"""A tiny model; each test gets its own copy."""

from __future__ import annotations

import copy
import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from arena.inference.models import LoadedModel
    from arena.inference.transformers.trainable import TrainableEngine


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> Iterator[None]:
    """With a model this small, threads only wait for each other."""
    if importlib.util.find_spec("torch") is None:
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def _origin(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    import torch

    from arena.inference import models

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_CACHE", str(tmp_path_factory.mktemp("models")))
        loaded = models.load("tiny(layers=2, hidden=32, heads=4)", dtype="fp32", device="cpu")
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():  # not uniform, so that temperature, nucleus and restriction matter
        for param in loaded.model.parameters():
            param.add_(torch.randn(param.shape, generator=generator) * 0.08)
    return loaded


@pytest.fixture
def fresh(_origin: LoadedModel) -> Callable[[], LoadedModel]:
    """Returns copies of the same model."""
    return lambda: replace(_origin, model=copy.deepcopy(_origin.model))


@pytest.fixture
def loaded(fresh: Callable[[], LoadedModel]) -> LoadedModel:
    return fresh()


@pytest.fixture
def engine(loaded: LoadedModel) -> Iterator[TrainableEngine]:
    from arena.inference.transformers.trainable import TrainableEngine

    made = TrainableEngine(loaded)
    yield made
    made.close()
