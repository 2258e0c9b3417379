"""Values and gradients of losses compared with their definitions."""

import math
from dataclasses import replace

import pytest
import torch
from pydantic import ValidationError

from arena import learner
from arena.learner import LossConfig
from arena.learner.batch import Rows
from arena.learner.distributions import TokenDistribution
from arena.learner.losses import Reinforce, ids, policy_loss, register
from games import InputError, PluginError
from tests.arena.learner.tokens import loss_tokens


def tokens(ratios, advantages):
    return loss_tokens([math.log(r) for r in ratios], advantages)


def test_ppo_clips_ratios_outside_its_bounds():
    t = tokens([1.0, 1.27, 1.3, 0.5, 1.0, 0.79, 0.81, 1.5, 3.0], [2.0, 2, 2, 2, -2, -2, -2, -2, -2])
    losses, clipped = policy_loss(LossConfig(name="ppo"))(t)
    losses.sum().backward()
    assert clipped.tolist() == [False, False, True, False, False, True, False, False, False]
    assert losses.tolist() == pytest.approx([-2, -2.54, -2.56, -1, 2, 1.6, 1.62, 3, 6.0], abs=1e-5)
    # d(-r A)/d log pi = -r A if not clipped; for A < 0 nothing limits r
    assert t.logp.grad.tolist() == pytest.approx([-2, -2.54, 0, -1, 2, 0, 1.62, 3, 6], abs=1e-5)


def test_reinforce_weighs_by_a_truncated_ratio_without_gradient():
    t = tokens([1.0, 0.5, 1.9, 5.0], [3.0, 3.0, -1.0, -1.0])
    losses, clipped = policy_loss(LossConfig(name="reinforce"))(t)
    losses.sum().backward()
    assert not clipped.any()
    assert t.logp.grad.tolist() == pytest.approx([-3.0, -1.5, 1.9, 2.0], abs=1e-5)


def test_both_are_the_policy_gradient_on_policy():
    advantages = [1.0, -0.5, 0.0, 2.0]
    for name in ("ppo", "reinforce"):
        t = tokens([1.0] * 4, advantages)
        policy_loss(LossConfig(name=name))(t)[0].sum().backward()
        assert t.logp.grad.tolist() == pytest.approx([-a for a in advantages], abs=1e-6)


def test_the_weight_of_an_older_sampler_multiplies():
    t = tokens([1.0, 1.0], [1.0, 1.0])
    weighted = replace(t, weight=torch.tensor([0.25, 2.0]))
    assert policy_loss(LossConfig(name="ppo"))(weighted)[0].tolist() == pytest.approx([-0.25, -2.0])


@pytest.mark.parametrize("advantage", [1.0, -1.0])
def test_reinforce_truncates_the_product_of_importance_weights(advantage):
    """The product of an older sampler's weight and the ratio within the step is the ratio to the sampler."""
    ratios, weights = [0.5, 1.0, 1.25, 1.9, 5.0, 0.5, 1.25], [2.0, 2.0, 2.0, 2.0, 2.0, 0.3, 0.3]
    t = tokens(ratios, [advantage] * len(ratios))
    weighted = replace(t, weight=torch.tensor(weights))
    losses, clipped = policy_loss(LossConfig(name="reinforce", weight_cap=2.0))(weighted)
    losses.sum().backward()
    products = [min(2.0, r * w) for r, w in zip(ratios, weights, strict=True)]
    expected = [0.0 if cut else p for p, cut in zip(products, clipped.tolist(), strict=True)]
    assert (-advantage * t.logp.grad).tolist() == pytest.approx(expected, abs=1e-5)
    assert max(expected) == pytest.approx(2.0)


def rows(temperature, support, real):
    count = len(temperature)
    return Rows(
        torch.arange(count),
        torch.tensor(temperature),
        None if support is None else torch.tensor(support),
        None if real is None else torch.tensor(real),
        torch.arange(count),
        torch.zeros(count, dtype=torch.long),
        torch.arange(count),
        list(range(count + 1)),
    )


def test_restriction_and_temperature_are_replayed():
    logits = torch.tensor([[1.0, 2.0, 3.0, 9.0], [0.5, 0.0, -0.5, 9.0]], requires_grad=True)
    some = rows([0.5, 2.0], [[0, 2], [1, 1]], [[True, True], [True, False]])
    spread = TokenDistribution.of(logits, some)
    p = 1 / (1 + math.exp(-4.0))  # softmax of (2, 6)
    assert spread.probs[0].tolist() == pytest.approx([1 - p, p], abs=1e-6)
    assert spread.probs[1].tolist() == [1.0, 0.0]  # one token is left; padding has probability 0
    assert spread.sampled(some).tolist() == pytest.approx([math.log(1 - p), 0.0], abs=1e-6)
    entropy = spread.entropy()
    assert entropy.tolist() == pytest.approx([-p * math.log(p) - (1 - p) * math.log(1 - p), 0.0], abs=1e-6)
    entropy.sum().backward()
    assert torch.isfinite(logits.grad).all()
    assert logits.grad[0, 3] == logits.grad[0, 1] == 0.0  # outside the restriction
    assert logits.grad[1].tolist() == [0.0] * 4


def test_the_divergence_from_the_magnet_is_exact():
    logits, other = torch.randn(2, 5, generator=torch.Generator().manual_seed(0)), torch.zeros(2, 5)
    whole = rows([1.0, 1.0], None, None)
    kl = TokenDistribution.of(logits, whole).kl_to(TokenDistribution.of(other, whole))
    p = logits.softmax(-1)
    assert kl.tolist() == pytest.approx((p * (p * 5).log()).sum(-1).tolist(), abs=1e-6)
    # its gradient by the logits is p (log p/q - KL)
    leaf = logits.clone().requires_grad_(True)
    TokenDistribution.of(leaf, whole).kl_to(TokenDistribution.of(other, whole)).sum().backward()
    assert torch.allclose(leaf.grad, p * ((p * 5).log() - kl[:, None]), atol=1e-6)
    same = TokenDistribution.of(logits, whole)
    assert same.kl_to(same).abs().max() == 0.0


def test_a_floor_mixes_the_uniform_distribution_over_allowed_tokens_into_the_magnet():
    logits = torch.tensor([[0.0, 50.0, -50.0, 3.0], [2.0, 0.0, 0.0, 3.0]])
    some = rows([1.0, 1.0], [[0, 1, 2], [0, 1, 1]], [[True, True, True], [True, True, False]])
    magnet = TokenDistribution.of(logits, some).mixed(0.3)
    assert magnet.probs[0].tolist() == pytest.approx([0.1, 0.8, 0.1], abs=1e-6)
    p = 1 / (1 + math.exp(-2.0))
    assert magnet.probs[1].tolist() == pytest.approx([0.7 * p + 0.15, 0.7 * (1 - p) + 0.15, 0.0], abs=1e-6)
    assert torch.isfinite(TokenDistribution.of(logits, some).kl_to(magnet)).all()
    whole = TokenDistribution.of(logits, rows([1.0, 1.0], None, None))
    assert torch.allclose(whole.mixed(1.0).probs, torch.full((2, 4), 0.25))
    assert whole.mixed(0.0) is whole


def test_names():
    assert {"ppo", "reinforce"} <= set(ids())
    with pytest.raises(InputError, match="did you mean 'ppo'"):
        policy_loss(LossConfig(name="ppoo"))
    with pytest.raises(InputError, match="wrong parameters for loss 'ppo'"):
        policy_loss(LossConfig(name="ppo(cap=3)"))


def test_the_package_exports_what_a_plugin_needs():
    assert all(hasattr(learner, name) for name in learner.__all__)
    assert {"LossTokens", "PolicyLoss", "Trainer"} <= set(dir(learner))
    with pytest.raises(AttributeError, match="no attribute 'Loss'"):
        _ = learner.Loss


def test_a_plugins_loss():
    @register("doubled")
    class Doubled:
        def __init__(self, config: LossConfig, times: float = 2.0) -> None:
            self.times = times

        def __call__(self, tokens):
            return -self.times * tokens.advantage * tokens.logp, tokens.logp > 0

    t = tokens([1.0], [1.0])
    policy_loss(LossConfig(name="doubled(times=3)"))(t)[0].sum().backward()
    assert t.logp.grad.tolist() == [-3.0]


def test_another_reduction_is_refused():
    @register("averaged")
    class Averaged(Reinforce):
        reduction = "mean"  # type: ignore[assignment]

    with pytest.raises(PluginError, match="reduction is 'mean'; write one of 'constant', 'token', 'sequence'"):
        policy_loss(LossConfig(name="averaged"))


def test_prepare_without_the_policy_cannot_read_it():
    @register("reader")
    class Reader(Reinforce):
        def prepare(self, tokens):
            return {"width": torch.full_like(tokens.old, min(1.0, tokens.logp.mean().item()))}

    whole = tokens([1.0], [1.0]).unmeasured()
    with pytest.raises(PluginError, match=r"needs_policy = True.*test_losses.py, line"):
        policy_loss(LossConfig(name="reader")).prepare(whole)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tau", -1.0),
        ("normaliser", 0.0),
        ("magnet_rate", 1.5),
        ("magnet_floor", 1.1),
        ("weight_cap", 0.5),
        ("kl", math.nan),
    ],
)
def test_settings_out_of_range_are_refused(name, value):
    with pytest.raises(ValidationError, match=name):
        LossConfig(**{name: value})
