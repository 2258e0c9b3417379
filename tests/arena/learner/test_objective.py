"""The loss of a step compared with its formula, term by term."""

import math
from dataclasses import replace
from typing import ClassVar

import pytest
import torch

from arena.learner import LossConfig, TurnSample
from arena.learner.distributions import TokenDistribution
from arena.learner.losses.base import BaseLoss, Reduction
from arena.learner.losses.ppo import ClippedRatio
from arena.learner.objective import Objective
from arena.learner.step_data import StepData
from tests.arena.learner.drawing import KEY, together
from tests.arena.learner.tokens import loss_tokens

CPU = torch.device("cpu")


def free(*completion, advantage):
    return TurnSample((1, 2), completion, (-math.log(4),) * len(completion), None, advantage, 1.0, KEY)


def values(batch, logits, start, config, tau=0.0):
    """The policy's values, with `start` as reference and as magnet where the objective has these terms."""
    out = []
    for rows in batch.rows:
        other = TokenDistribution.of(start, rows)
        wanted = (other if config.kl else None, other if tau else None, config.entropy > 0)
        out.append(TokenDistribution.of(logits, rows).values(rows, *wanted))
    return out


def loss_of(samples, config, tau=0.0):
    """The policy is uniform over 4 tokens; reference and magnet are 0.7, 0.1, 0.1, 0.1."""
    batch, data = together(samples), StepData(samples, CPU)
    m = len(batch.keep)
    before = torch.tensor([[0.7, 0.1, 0.1, 0.1]]).log().repeat(m, 1)
    step = data.step(range(len(samples)), 0, seed=0)
    now = values(batch, torch.zeros(m, 4), before, config, tau)
    loss, seen = Objective(config)(batch, data, now, tau, step)
    assert {len(told) for told in seen.values()} == {sum(len(s.completion_ids) for s in samples)}
    return float(loss)


def test_every_term_has_its_weight():
    samples = [free(0, 3, advantage=2.0), free(1, advantage=-1.0)]
    policy = -(2.0 + 2.0 - 1.0)  # on policy: -A for each of three tokens
    divergence = math.log(0.25) - (math.log(0.7) + 3 * math.log(0.1)) / 4
    scale = 1 / (8 * 2)  # normaliser * samples
    assert loss_of(samples, LossConfig(normaliser=8)) == pytest.approx(policy * scale, abs=1e-6)
    assert loss_of(samples, LossConfig(normaliser=8), tau=0.3) == pytest.approx(
        (policy + 0.3 * 3 * divergence) * scale, abs=1e-6
    )
    assert loss_of(samples, LossConfig(normaliser=8, kl=0.2)) == pytest.approx(
        (policy + 0.2 * 3 * divergence) * scale, abs=1e-6
    )
    assert loss_of(samples, LossConfig(normaliser=8, entropy=0.5)) == pytest.approx(
        (policy - 0.5 * 3 * math.log(4)) * scale, abs=1e-6
    )


def test_a_token_of_a_long_answer_weighs_as_much_as_one_of_a_short():
    long, short = free(*[3] * 10, advantage=1.0), free(3, advantage=1.0)
    config = LossConfig(normaliser=16)
    assert loss_of([long], config) == pytest.approx(10 * loss_of([short], config), rel=1e-6)


@pytest.mark.parametrize(("reduction", "long", "short"), [("token", 10 / 11, 1 / 11), ("sequence", 0.5, 0.5)])
def test_reductions_weigh_samples_by_length_or_equally(reduction, long, short, monkeypatch):
    monkeypatch.setattr(ClippedRatio, "reduction", reduction)
    both = loss_of([free(*[3] * 10, advantage=1.0), free(2, advantage=-3.0)], LossConfig(normaliser=7.0))
    assert both == pytest.approx(-long + 3 * short, rel=1e-6)


def test_free_and_restricted_tokens_of_one_batch_are_summed():
    choice = TurnSample((1, 2), (3,), (math.log(0.5),), ((0, 3),), 4.0, 1.0, KEY)
    other = free(0, advantage=2.0)
    both = loss_of([choice, other], LossConfig())
    assert both == pytest.approx((loss_of([choice], LossConfig()) + loss_of([other], LossConfig())) / 2, rel=1e-6)


@pytest.mark.parametrize("allowed", [None, (0, 2, 3)])
def test_the_gradient_of_kl_is_that_of_the_policys_divergence_from_the_start(allowed):
    """Finite differences of sum_a p(a) log(p(a) / q(a)) in double precision, with q fixed."""
    logits, start = [0.3, -1.0, 1.2, 0.5], [-0.4, 0.8, 0.1, 1.5]
    samples = [TurnSample((1, 2), (3,), (math.log(0.2),), allowed and (allowed,), 0.0, 1.0, KEY)]
    batch, data = together(samples), StepData(samples, CPU)
    leaf = torch.tensor([logits], requires_grad=True)
    config = LossConfig(kl=0.7)
    now = values(batch, leaf, torch.tensor([start]), config)
    loss, seen = Objective(config)(batch, data, now, 0.0, data.step([0], 0, seed=0))
    loss.backward()

    def kl(z):
        support = allowed or range(4)
        p, q = ([math.exp(x[a]) for a in support] for x in (z, start))
        return sum(a / sum(p) * math.log(a / sum(p) / (b / sum(q))) for a, b in zip(p, q, strict=True))

    step = 1e-5
    slopes = []
    for i in range(4):
        up, down = list(logits), list(logits)
        up[i] += step
        down[i] -= step
        slopes.append((kl(up) - kl(down)) / (2 * step))
    assert leaf.grad is not None
    assert leaf.grad[0].tolist() == pytest.approx([0.7 * s for s in slopes], abs=1e-6)
    assert seen["kl"].tolist() == pytest.approx([kl(logits)], abs=1e-6)


def test_measured_values_are_those_of_each_token():
    """A replayed sample has no ratio to the policy that plays; a divergence that is not computed is not measured."""
    samples = [free(0, 3, advantage=2.0), replace(free(1, advantage=-1.0), replayed=True, logprobs=(-0.25,))]
    batch, data = together(samples), StepData(samples, CPU)
    logits, start = torch.tensor([[0.0, 1.0, 0.0, 2.0]]).repeat(len(batch.keep), 1), torch.zeros(len(batch.keep), 4)
    for config, tau, names in (
        (LossConfig(normaliser=2), 0.0, set()),
        (LossConfig(normaliser=2, kl=0.1), 0.0, {"kl"}),
        (LossConfig(normaliser=2, kl=0.1), 0.2, {"kl", "magnet_kl"}),
    ):
        now = values(batch, logits, start, config, tau)
        _, measured = Objective(config)(batch, data, now, tau, data.step([0, 1], 0, seed=0))
        assert measured.keys() == {"policy", "log_ratio", "entropy", "clipped", "advantage"} | names
        flat = torch.cat([rows.flat for rows in batch.rows])
        ratio = torch.zeros(3).index_copy(0, flat, measured["log_ratio"])
        norm = math.log(2 + math.e + math.e**2)
        assert ratio.tolist() == pytest.approx([math.log(4) - norm, 2 + math.log(4) - norm, 0.0], abs=1e-6)
        policy = torch.zeros(3).index_copy(0, flat, measured["policy"])
        assert policy[0] == pytest.approx(-2 * math.exp(math.log(4) - norm) / 4, abs=1e-6)  # normaliser * samples
        assert torch.zeros(3).index_copy(0, flat, measured["advantage"]).tolist() == [2.0, 2.0, -1.0]
        assert not any(value.requires_grad for value in measured.values())


def test_an_objective_may_have_a_loss_of_its_own():
    class Mean(BaseLoss):
        reduction: ClassVar[Reduction] = "token"

        def __call__(self, tokens):
            return -tokens.logp, torch.zeros_like(tokens.logp, dtype=torch.bool)

    assert Objective(LossConfig(), Mean()).reduction == "token"
    assert Objective(LossConfig()).reduction == "constant"
    assert Objective(LossConfig(name="dapo")).reduction == "token"
    assert Objective(LossConfig()).prepare(loss_tokens([0.0], [1.0])) == {}
    assert Objective(LossConfig(name="nft")).prepare(loss_tokens([0.0], [1.0], rewards=[1.0])).keys() == {
        "right", "rate", "weight"
    }  # fmt: skip
