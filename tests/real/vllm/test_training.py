"""Training with vLLM: on-policy with the newest weights, and snapshots that share its vLLM."""

import pytest

from arena.inference import registry
from arena.inference.transformers.trainable import TrainableEngine
from arena.inference.vllm.llm_thread import LLMThread
from league.store import Store
from league.training.run import run_training
from tests.league.training.runs import KUHN, config

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(2400),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize("vllm", [{"adapters": "merge"}, {"sleep": True, "max_rows": 8}], ids=["merge", "reload"])
def test_lora_training_on_vllm(tmp_path, vllm, monkeypatch):
    starts, start = [], LLMThread.__init__

    def counted(self, settings, name):
        starts.append(name)
        start(self, settings, name)

    monkeypatch.setattr(LLMThread, "__init__", counted)
    measured, measure = [], TrainableEngine.policy
    monkeypatch.setattr(TrainableEngine, "policy", lambda *a, **k: measured.append(a) or measure(*a, **k))
    policy = {"model": "smollm2-135m", "engine": "vllm", "lora": 8, "dtype": "fp32", "vllm": vllm}
    opponents = {"self": 0.5, "snapshots": 0.5}
    frozen = {"every": 1, "matches": 1, "versus": 1}
    more = {"steps": 2, "matches_per_step": 8, "loss": {}, "anchors": [], "evaluation": {"every": 1, "exact": True}}
    before = set(registry.ENGINES)
    conf = config(tmp_path, policy=policy, opponents=opponents, snapshots=frozen, **more)
    trained = run_training(conf, board="off")
    assert trained.complete
    # The sampler is vLLM and the trainer torch; on-policy their probabilities are equal up to rounding.
    assert trained.metrics["ess"] > 0.99
    assert abs(trained.metrics["mismatch_kl"]) < 1e-3
    with Store.open(conf.db, read_only=True) as store:
        turns = [t for _, e in store.episodes(store.run("kuhn.training")) for t in e.turns if t.trainable]
        versions = {t.sample.version for t in turns if t.sample}
        assert versions == {0, 1}
    assert f"nash_conv/{KUHN}" in trained.metrics
    assert bool(measured) == (vllm.get("adapters") == "merge")  # otherwise vLLM plays the evaluations too
    assert (conf.place / "snapshots/kuhn@1/adapter_model.safetensors").is_file()
    assert set(registry.ENGINES) == before  # all engines are released
    assert starts == ["smollm2-135m"]  # one vLLM plays the live policy, and as adapters its snapshots
