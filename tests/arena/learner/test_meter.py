"""The metrics of a step, from measurements that were written by hand."""

import math

import pytest
import torch

from arena.learner import TurnSample
from arena.learner.meter import Meter
from tests.arena.learner.drawing import KEY


def sample(completion, allowed=None):
    return TurnSample((1, 2, 3), completion, (-1.0,) * len(completion), allowed, 1.0, 1.0, KEY)


def measured(log_ratio, advantage, clipped, policy, **more):
    count = len(log_ratio)
    values = {
        "policy": policy, "log_ratio": log_ratio, "entropy": [0.5] * count, "clipped": clipped, "advantage": advantage
    } | more  # fmt: skip
    return {name: torch.tensor(value) for name, value in values.items()}


FIRST = measured(
    [0.0, math.log(2), 0.0], [1.0, 2.0, -1.0], [True, False, True], [0.1, 0.2, 0.3], kl=[0.3, 0.0, 0.0],
    magnet_kl=[0.6, 0.0, 0.0], entropy=[1.0, 2.0, 3.0],
)  # fmt: skip
SECOND = measured([math.log(4)], [0.0], [False], [0.4], kl=[0.1], magnet_kl=[0.2], entropy=[2.0])


def two_steps():
    """An optimizer step of two micro-batches, and one of a single micro-batch."""
    meter = Meter([sample((4, 5)), sample((6,), ((6,),))])
    meter.begin(True)
    meter.add(torch.tensor(0.25), FIRST, 7)
    meter.add(torch.tensor(0.5), SECOND, 2)
    meter.end(3.0, 0.1, 0.2)
    meter.add(torch.tensor(0.15), SECOND, 4)
    meter.end(5.0, 0.05, 0.1)
    return meter


def test_every_metric_follows_its_definition():
    stats = two_steps().stats(9, 64).metrics()
    w = [1.0, 2.0, 1.0, 4.0]  # of the first optimizer step only
    assert stats == pytest.approx(
        {
            "updates": 9,
            "samples": 2,
            "tokens": 9,  # 3 + 2 and 3 + 1
            "computed_tokens": 13,
            "decision_tokens": 2,  # a forced token is none
            "micro_batches": 3,
            "token_budget": 64,
            "loss": (0.25 + 0.5 + 0.15) / 2,
            "policy_loss": (0.1 + 0.2 + 0.3 + 0.4 + 0.4) / 2,
            "grad_norm": 4.0,
            "lr": 0.05,
            "entropy": 10 / 5,
            "kl": 0.5 / 5,
            "magnet_kl": 1.0 / 5,
            "tau": 0.1,
            "mismatch_kl": (sum(w) - math.log(8) - 4) / 4,
            "ess": sum(w) ** 2 / (4 * sum(x * x for x in w)),
            "clip_up": 1 / 2,
            "clip_down": 1.0,
        },
        abs=1e-6,
    )


def test_a_step_that_is_repeated_counts_once():
    meter = Meter([sample((4, 5))])
    meter.begin(True)
    meter.add(torch.tensor(9.0), FIRST, 100)  # memory runs out here
    meter.begin(True)
    meter.add(torch.tensor(0.5), SECOND, 2)
    meter.end(1.0, 0.1, 0.0)
    stats = meter.stats(1, 8)
    assert (stats.loss, stats.computed_tokens, stats.micro_batches, stats.kl) == (0.5, 2, 1, pytest.approx(0.1))
    assert stats.mismatch_kl == pytest.approx(3 - math.log(4))


def test_a_step_without_a_sample_has_zeros():
    stats = Meter([]).stats(3, 8).metrics()
    assert stats.pop("ess") == 1.0
    assert {name for name, value in stats.items() if value} == {"updates", "token_budget"}


def test_a_ratio_too_large_for_a_float_is_summed_as_300():
    meter = Meter([sample((4, 5))])
    meter.begin(True)
    meter.add(torch.tensor(0.0), measured([500.0, 0.0], [1.0, 1.0], [False, False], [0.0, 0.0]), 2)
    meter.end(0.0, 0.0, 0.0)
    stats = meter.stats(1, 8)
    assert stats.ess == pytest.approx(0.5)
    assert stats.mismatch_kl == pytest.approx((math.exp(300.0) - 501) / 2)


def test_metrics_of_several_processes_are_added():
    one, two = two_steps(), two_steps()
    expected = two.stats(9, 64).metrics()
    one.add_up(lambda values: values.mul_(2))
    both = one.stats(9, 64).metrics()
    doubled = {"loss", "policy_loss", "computed_tokens", "micro_batches"}  # parts of one loss, and counts
    assert both == pytest.approx({n: 2 * v if n in doubled else v for n, v in expected.items()})


def test_the_time_of_parts_is_added():
    meter = Meter([])
    for _ in range(2):
        with meter.timed("pack"):
            pass
    seconds = meter.stats(0, 1).seconds
    assert seconds["total"] >= seconds["pack"] > 0.0 == seconds["forward"]
    assert set(seconds) == {"pack", "forward", "backward", "optimizer", "publish", "reference", "total"}
