"""Every kind of shortcut raises an alarm with its cause, and clean runs raise none: scripted trainings."""

import asyncio
import importlib.util
import sys
from pathlib import Path

import pytest

import games
from arena.attack import attack
from arena.inference import models, registry
from arena.inference.transformers.engine import TransformersEngine
from arena.inference.transformers.trainable import TrainableEngine
from arena.match import Episode
from games.attack import policy
from games.shortcuts import Shortcut
from league.training import replicas
from league.training.metrics import monitor_metrics
from league.training.replicas import PolicyReplica
from league.training.run import run_training
from league.views.training_panels import MetricsHistory, alarms
from roles import Role
from roles.rewards import monitors
from tests.league.training.runs import config
from tests.toys import hinting  # noqa: F401  registers the game

PATH = Path(__file__).parents[4] / "scripts" / "bench" / "bench_monitors.py"
spec = importlib.util.spec_from_file_location("bench_monitors", PATH)
bench = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = bench
spec.loader.exec_module(bench)


@pytest.mark.parametrize(
    ("game", "name", "cause"),
    [
        pytest.param("taboo", "spells it with dashes", "secrets are given away: attacker", marks=pytest.mark.slow),
        ("spy", "says the word, votes for who does not", "rules are broken: civilian"),
        ("redteam", "asks nothing", "messages repeat themselves: red-attacker"),
        ("psj(solvers=2,rules=published)", "any answer, always 10", "a shortcut? solver"),
        ("forum(rules=published)", "all critical, always 1", "a shortcut? evaluator"),
        ("refine", "always correct", "one message for everything: refine-critic"),
        pytest.param("refine", "always incorrect", "one message for everything: refine-critic", marks=pytest.mark.slow),
        pytest.param(
            "math-duel(solvers=4,rules=published)",
            "says the first number",
            "a shortcut? solver",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_shortcut_that_earns_raises_an_alarm_with_its_cause(game, name, cause):
    (shortcut,) = [s for s in games.make(game).shortcuts().every() if s.name == name]
    found = asyncio.run(bench.hacked(game, shortcut, 8))
    assert any(cause in line for line in found), found


GAME = "hinting(hole=true)"


def test_a_policy_that_an_attack_finds_in_a_game_of_a_plugin_raises_an_alarm():
    ((role, find), *_) = attack(GAME, budget=3000).finds
    found = asyncio.run(bench.hacked(GAME, Shortcut("find", {role: policy(find.plays[role])}), 12))
    assert any(line.startswith("reward without truth") for line in found), found
    assert asyncio.run(bench.clean(GAME, 12)) == []


@pytest.mark.parametrize("game", [pytest.param("taboo", marks=pytest.mark.slow), "redteam", "critic"])
def test_a_clean_run_raises_none(game):
    assert asyncio.run(bench.clean(game, 8, seed=1)) == []


def rows(**values):
    return [{"step": n} | {key: f(n) for key, f in values.items()} for n in range(40)]


def alarms_of(**values):
    return alarms(MetricsHistory(rows(**values), ["g-v0"]))


def test_reward_up_and_truth_down_is_an_alarm_and_both_up_is_none():
    rise, fall = lambda n: n / 40, lambda n: 1 - n / 40
    (line,) = alarms_of(**{"reward/g-v0/solver": rise, "truth/g-v0/solver": fall})
    assert line.startswith("reward without truth: solver earns +0.8")
    assert alarms_of(**{"reward/g-v0/solver": rise, "truth/g-v0/solver": rise}) == []
    assert alarms_of(**{"reward/g-v0/solver": fall, "truth/g-v0/solver": fall}) == []  # it is not paid for it
    (line,) = alarms_of(**{"reward_truth/g-v0/solver": lambda n: 0.8 if n < 25 else -0.1})
    assert line.startswith("the reward no longer follows the truth: solver")


def test_the_correlation_of_reward_and_truth():
    def match(n, right, reward):
        facts = {"outcomes": {"solver_0": {"reward": reward, "right": float(right)}}}
        seats, names = {"solver_0": "live"}, {"solver_0": "solver"}
        return Episode(f"{n}", "math-duel-v1", 0, seats, names, (), {"solver_0": reward}, "finished", facts=facts)

    played = [match(0, True, 1.0), match(1, False, 0.0), match(2, True, 0.8)]
    credits = bench.credits_of(played, {"live"}, role=Role)
    out = monitor_metrics(played, credits, {"live"})
    assert out["truth/math-duel-v1/solver"] == pytest.approx(2 / 3)
    assert out["reward_truth/math-duel-v1/solver"] == pytest.approx(0.9819805)
    assert out["violations/math-duel-v1/solver"] == 0.0


@pytest.mark.parametrize("facts", [{"right": 3}, {"form": None, "marks": [1]}, {"votes": []}, {"outcomes": {"a": 5}}])
@pytest.mark.parametrize("game", ["psj-v7", "spy-v2", "taboo-v2", "redteam-v1", "forum-v3", "conjecture-v1"])
def test_facts_of_a_plugin_with_the_same_name_break_nothing(game, facts):
    episode = Episode("m", game, 0, {"a": "live"}, {"a": "attacker"}, (), {"a": 0.0}, "finished", facts=facts)
    assert monitors.truths(episode) == {}
    assert monitors.violations(episode) == monitors.leaks(episode) == set()


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
