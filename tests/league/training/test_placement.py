"""On which GPUs a policy's vLLM runs, with how much memory, and what is refused. No GPU is needed."""

import sys
from types import ModuleType

import pytest
import torch

from arena.inference import registry
from arena.inference.vllm.pool import VLLMPool
from arena.players import Player
from games import InputError
from league.training import replicas
from league.training.placement import EnginePlacement, place
from league.training.replicas import VLLMReplica
from league.training.resolve import resolve
from tests import golden
from tests.league.training.runs import config, plans


def planned(settings):
    plan, policy = plans(settings)
    return plan, policy.policy


def training(folder, vllm=None, device="auto", **more):
    return config(folder, policy={"engine": "vllm", "device": device, "vllm": vllm or {}}, **more)


@pytest.mark.parametrize(
    ("vllm", "device", "found", "expected"),
    [
        ({}, "auto", 0, EnginePlacement("cpu")),
        ({}, "cpu", 8, EnginePlacement("cpu")),
        ({}, "auto", 1, EnginePlacement("cuda", (), 0.4)),
        ({}, "cuda:2", 4, EnginePlacement("cuda", (2,), 0.4, 2)),
        ({"transfer": "ipc"}, "auto", 1, EnginePlacement("cuda", (), 0.4)),
        ({"gpus": [1], "transfer": "nccl"}, "auto", 2, EnginePlacement("cuda", (1,), 0.9)),
        ({"gpus": [1, 2], "transfer": "nccl"}, "auto", 3, EnginePlacement("cuda", (1, 2), 0.9)),
        ({"gpus": [1]}, "auto", 2, EnginePlacement("cuda", (1,), 0.9)),
        ({"gpus": [2, 3], "memory": 0.8}, "cuda:1", 4, EnginePlacement("cuda", (2, 3), 0.8, 1)),
        ({"gpus": [2, 3], "tensor_parallel": 2}, "cuda", 4, EnginePlacement("cuda", (2, 3), 0.9, 0, 2)),
        ({"sleep": True, "memory": 0.6}, "cuda", 1, EnginePlacement("cuda", (), 0.6)),
    ],
)
def test_an_engine_runs_beside_the_trainer_or_on_gpus_of_its_own(tmp_path, vllm, device, found, expected):
    assert place(*planned(training(tmp_path, vllm, device)), found) == expected


def test_engines_on_the_same_gpus_share_their_memory(tmp_path):
    three = [{"name": name} for name in "abc"]
    conf = training(tmp_path, {"gpus": [1]}, policies=three)
    assert place(resolve(conf), conf.policies[0].policy, 2) == EnginePlacement("cuda", (1,), 0.3)
    apart = [{"name": name, "policy": {"device": f"cuda:{n}"}} for n, name in enumerate("ab")]
    conf = training(tmp_path, policies=apart)
    assert place(resolve(conf), conf.policies[1].policy, 2) == EnginePlacement("cuda", (1,), 0.4, 1)


@pytest.mark.parametrize(("gpus", "share"), [(1.0, 0.9), (2.0, 0.9), (0.5, 0.45)])
def test_an_engine_on_a_worker_has_the_gpus_of_the_worker(tmp_path, gpus, share):
    size = max(1, int(gpus))
    conf = training(tmp_path, {"tensor_parallel": size}, workers="ray", ray={"gpus": gpus})
    assert place(*planned(conf), size, worker=True) == EnginePlacement("cuda", (), share, 0, size)


def test_each_group_of_gpus_is_an_engine_and_without_names_there_is_one(tmp_path):
    def engines(gpus, parallel):
        settings = training(tmp_path, {"gpus": gpus, "tensor_parallel": parallel})
        return place(*planned(settings), 8).engines

    assert engines([1, 2, 3, 4], None) == [(1,), (2,), (3,), (4,)]
    assert engines([1, 2, 3, 4], 2) == [(1, 2), (3, 4)]
    assert engines([], None) == [()]


class Served:
    """Stands for a vLLM."""

    name, context, about, codec = "m", 100, "vLLM", None

    def __init__(self, model, dtype, device, **settings):
        self.settings, self.closed = settings, False

    def close(self):
        self.closed = True


@pytest.fixture
def served(monkeypatch):
    """Every vLLM is a stand-in, and so is the transfer from GPU to GPU."""
    monkeypatch.setattr("arena.inference.vllm.available.why_not", lambda device, dtype: "")
    monkeypatch.setattr("arena.inference.vllm.engine.VLLMEngine", Served)
    monkeypatch.setattr(replicas, "policy_player", lambda *_, **__: Player())
    module = ModuleType("transfer")
    module.NativeTransfer = lambda *given: given  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "arena.inference.vllm.transfer", module)


def test_the_vllm_of_the_live_policy_plays_its_snapshots_too(tmp_path, served):
    """A snapshot started a second one, on the trainer's GPU, with a share of what was left."""
    settings = {"model": "tiny", "engine": "vllm", "lora": 4, "dtype": "fp32"}
    _, policy = plans(config(tmp_path, policy=settings))
    replica = VLLMReplica(policy, EnginePlacement("cpu"))
    of_a_snapshot = registry._Key(replicas.base_of("tiny"), "fp32", policy.policy.device, "vllm", 8)
    engine = registry._acquire(of_a_snapshot)
    assert engine is replica.engine
    registry.release(engine)
    replica.close()
    assert isinstance(engine, Served)
    assert engine.closed


def test_all_engines_of_a_policy_get_their_weights_by_one_transfer(tmp_path, served):
    _, policy = plans(training(tmp_path, {"gpus": [1, 2, 3, 4], "tensor_parallel": 2, "transfer": "nccl"}))
    replica = VLLMReplica(policy, EnginePlacement("cuda", (1, 2, 3, 4), 0.9, parallel=2))
    assert isinstance(replica.engine, VLLMPool)
    first, second = replica.engine.engines
    assert first.settings["transfer"] is second.settings["transfer"]  # type: ignore[attr-defined]
    assert first.settings["transfer"] == ("nccl", torch.device("cuda", 0), 2, 2)  # type: ignore[attr-defined]
    replica.close()


def test_a_worker_that_ray_gives_no_gpu_takes_none(tmp_path):
    plan = planned(training(tmp_path, workers="ray"))
    with pytest.raises(InputError, match="set gpus = 1 under"):
        place(*plan, 8, worker=True)
    assert place(*plan, 0, worker=True) == EnginePlacement("cpu")


@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_weights_do_not_go_from_gpu_to_gpu_on_the_cpu(tmp_path, device):
    with pytest.raises(InputError, match="sends weights from GPU to GPU, but the policy is on the CPU; leave it out"):
        place(*planned(training(tmp_path, {"transfer": "ipc"}, device)), 0)


@pytest.mark.parametrize(
    ("vllm", "learner", "found", "words"),
    [
        ({"gpus": [1]}, {}, 1, "names GPU 1, but this process sees 1 GPU, numbered from 0"),
        ({"gpus": [0]}, {}, 0, "names GPU 0, but this process sees 0 GPUs"),
        ({"tensor_parallel": 2}, {}, 1, "tensor_parallel is 2, but this process sees 1 GPU; lower it"),
        ({"tensor_parallel": 2}, {}, 0, "tensor_parallel is 2, but this process sees 0 GPUs"),
        ({"gpus": [0]}, {}, 2, "names GPU 0, which the trainer uses"),
        ({"gpus": [3]}, {"processes": 4}, 8, "names GPU 3, which the trainer uses"),
    ],
)
def test_too_few_gpus_are_refused_in_one_line(tmp_path, vllm, learner, found, words):
    with pytest.raises(InputError, match=words):
        place(*planned(training(tmp_path, vllm, learner=learner)), found)


@pytest.mark.parametrize(
    ("vllm", "more", "words"), golden.lists(__file__, "placement_settings_that_do_not_fit_are_refused")
)
def test_settings_that_do_not_fit_are_refused(tmp_path, vllm, more, words):
    with pytest.raises(ValueError, match=words):
        training(tmp_path, vllm, **more)


def test_the_table_needs_the_engine(tmp_path):
    with pytest.raises(ValueError, match='the table vllm is for engine = "vllm"'):
        config(tmp_path, policy={"vllm": {"max_rows": 8}})
