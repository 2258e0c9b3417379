"""With vLLM a policy is measured as an adapter of the engine that plays its rollouts, not on the trainer's engine."""

from pathlib import Path

import pytest

from arena.inference import models, registry
from arena.inference.transformers.engine import TransformersEngine
from arena.inference.transformers.trainable import TrainableEngine
from league.training import replicas
from league.training.replicas import PolicyReplica
from league.training.run import run_training
from tests.league.training.runs import config

pytest.importorskip("peft")


class Replica(PolicyReplica):
    """Stands for the vLLM of a policy."""

    def __init__(self, plan, place, *, in_flight):
        super().__init__(plan)


@pytest.fixture
def vllm(monkeypatch):
    """transformers stands for vLLM; holds the folders of the adapters that it plays, in order."""
    adapters = []

    def served(key):
        adapters.append(Path(key.model))
        return TransformersEngine(models.load(key.model, key.dtype, key.device))

    monkeypatch.setattr(replicas, "VLLMReplica", Replica)
    monkeypatch.setattr(registry, "_why_transformers", lambda key: "")
    monkeypatch.setattr(registry, "_vllm", served)
    return adapters


@pytest.mark.filterwarnings("ignore:Training with PEFT", "ignore:.*output layer of this untrained model")
def test_the_engine_of_the_rollouts_plays_evaluations(tmp_path, vllm, monkeypatch):
    asked, policy = [], TrainableEngine.policy
    monkeypatch.setattr(TrainableEngine, "policy", lambda self, *a, **k: asked.append(self) or policy(self, *a, **k))
    settings = {"steps": 2, "matches_per_step": 4, "loss": {}, "anchors": [], "evaluation": {"exact": True}}
    league = {"opponents": {"self": 1.0}, "snapshots": {"every": 2, "matches": 0}}
    table = {"model": "tiny(layers=1, hidden=32)", "engine": "vllm", "lora": 4, "dtype": "fp32"}
    before = set(registry.ENGINES)
    trained = run_training(config(tmp_path, **settings, policy=table, **league), board="off")
    assert "nash_conv/openspiel/kuhn_poker" in trained.metrics
    assert not asked  # the trainer's engine measured nothing
    assert len(vllm) == 2  # after steps 0 and 2
    assert not any(folder.exists() or "snapshots" in folder.parts for folder in vllm)
    assert set(registry.ENGINES) == before
