"""Every loss with a ratio against the formula of its paper, in float64, for ratios from 0.1 to 20 and both signs of A.

A reference is a pair of floats: the loss of a token, and its derivative by log pi.
"""

from collections.abc import Callable
from dataclasses import replace
from math import inf, log, sqrt

import pytest
import torch

from arena.learner import LossConfig
from arena.learner.losses import LOSSES, policy_loss
from games import InputError
from tests.arena.learner.tokens import loss_tokens, prepared

RATIOS = [0.1, 0.3, 0.55, 0.7, 0.85, 0.97, 1.0, 1.1, 1.25, 1.35, 1.9, 2.1, 2.9, 3.1, 5.0, 9.0, 11.0, 20.0]
CASES = [(r, a, w) for r in RATIOS for a in (0.7, -1.3) for w in (1.0, 0.3, 1.7)]
"""(ratio, advantage, weight of an older sampler)"""
OLD = 0.04
"""probability of each token under the old policy"""
Pair = tuple[float, float]


def clip(low, high, dual=inf):
    """-min(r A, clip(r, low, high) A), and for A < 0 -max of that and dual A: PPO, eq. 7; dual-clip PPO."""

    def of(r, a):
        free, bound = r * a, min(max(r, low), high) * a
        value, slope = (free, r * a) if free <= bound else (bound, 0.0)
        return (-dual * a, 0.0) if a < 0 and value < dual * a else (-value, -slope)

    return of


def weighted(high):
    """-sg(min(r, high)) A log pi: CISPO, eq. 4; TRL's `cispo` with epsilon_high = high."""
    return lambda r, a: (-min(r, high) * a * log(r * OLD), -min(r, high) * a)


DCPO = 0.5 + 0.5 * sqrt(max(1 - 4 * 0.2 / OLD, 0)), min(0.5 + 0.5 * sqrt(1 + 4 * 0.28 / OLD), 10)

FORMULAS: dict[str, Callable[[float, float], Pair]] = {
    "ppo": clip(0.8, 1.28),
    "dapo": clip(0.8, 1.28),
    "dcpo": clip(*DCPO),
    "high-entropy(share=1)": clip(0.8, 1.28),
    "chord": clip(0.8, 1.28),
    "cispo": weighted(1.28),
    "cispo(high=4)": weighted(5.0),
    "bapo(low_max=0.6, high_max=1.2)": clip(0.6, 1.2, 3.0),
    "kl-cov(beta=0)": lambda r, a: (-r * a, -r * a),
}
PENALTIES: dict[str, Callable[[float], Pair]] = {
    "mdpo(rate=0.5)": lambda r: ((r * log(r) - r + 1) / 0.5, r * log(r) / 0.5),
    "r2vpo(weight=0.04, delta=0, rate=0)": lambda r: (
        0.04 * (min(r, 10) - 1) ** 2,
        0.08 * (r - 1) * r if r < 10 else 0.0,
    ),
}
"""what is added to -w r A"""


def double_tokens(drifts, lengths):
    """Tokens in float64 with these log ratios; advantages and weights are those of CASES, one case per sample."""
    of = [case for case, n in zip(CASES, lengths, strict=True) for _ in range(n)]
    t = loss_tokens(drifts, [a for _, a, _ in of], lengths=lengths)
    old = torch.full((len(drifts),), log(OLD), dtype=torch.float64)
    advantage = torch.tensor([a for _, a, _ in of], dtype=torch.float64)
    weight = torch.tensor([w for _, _, w in of], dtype=torch.float64)
    logp = old + torch.tensor(drifts, dtype=torch.float64)
    return replace(t, logp=logp.requires_grad_(True), old=old, weight=weight, advantage=advantage)


def measured(id, tokens, **config):
    """(K,) losses and the gradient of their sum."""
    loss, given = prepared(id, tokens, **config)
    losses, _ = loss(given)
    (gradient,) = torch.autograd.grad(losses.sum(), tokens.logp)
    return losses.tolist(), gradient.tolist()


def single():
    return double_tokens([log(r) for r, _, _ in CASES], [1] * len(CASES))


def close(values):
    return pytest.approx(values, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("id", FORMULAS)
def test_losses_and_gradients_are_those_of_the_formula(id):
    losses, gradient = measured(id, single())
    expected = [FORMULAS[id](r, a) for r, a, _ in CASES]
    weights = [w for _, _, w in CASES]
    assert losses == close([w * v for w, (v, _) in zip(weights, expected, strict=True)])
    assert gradient == close([w * g for w, (_, g) in zip(weights, expected, strict=True)])


@pytest.mark.parametrize("id", PENALTIES)
def test_losses_with_a_penalty_do_not_bound_the_ratio(id):
    losses, gradient = measured(id, single())
    added = [PENALTIES[id](r) for r, _, _ in CASES]
    assert losses == close([v - w * r * a for (r, a, w), (v, _) in zip(CASES, added, strict=True)])
    assert gradient == close([g - w * r * a for (r, a, w), (_, g) in zip(CASES, added, strict=True)])


@pytest.mark.parametrize("id", ["ppo", "dapo", "dcpo", "chord", "bapo(low_max=0.6, high_max=1.2)"])
def test_a_dual_clip_bounds_the_ratio_of_negative_advantages(id):
    losses, gradient = measured(id, single(), dual_clip=2.5)
    low, high = {"dcpo": DCPO}.get(id, (0.6, 1.2) if "bapo" in id else (0.8, 1.28))
    expected = [clip(low, high, 2.5)(r, a) for r, a, _ in CASES]
    assert losses == close([w * v for (_, _, w), (v, _) in zip(CASES, expected, strict=True)])
    assert gradient == close([w * g for (_, _, w), (_, g) in zip(CASES, expected, strict=True)])


@pytest.mark.parametrize("dual", [None, 3.0])
def test_the_ratio_of_gspo_is_that_of_the_answer(dual):
    """s = exp(mean of d), eq. 7; every token of an answer of T carries the loss, and 1 / T of s of each of them."""
    drifts = [log(r) + shift for r, _, _ in CASES for shift in (0.4, -0.9, 0.5)]
    tokens = double_tokens(drifts, [3] * len(CASES))
    losses, gradient = measured("gspo", tokens, **({} if dual is None else {"dual_clip": dual}))
    for i, (r, a, w) in enumerate(CASES):
        value, slope = clip(1 - 3e-4, 1 + 4e-4, dual or inf)(r, a)
        assert losses[3 * i : 3 * i + 3] == close([w * value] * 3)
        assert gradient[3 * i : 3 * i + 3] == close([w * slope] * 3)  # 3 losses, each with a third


def test_a_dual_clip_is_refused_where_nothing_applies_it():
    with pytest.raises(InputError, match="dual_clip = 3, but loss 'reinforce' has no such clip; remove dual_clip, or"):
        policy_loss(LossConfig(name="reinforce", dual_clip=3.0))


CLIPPED = [id for id in LOSSES.ids() if getattr(policy_loss(LossConfig(name=id)), "dual_clips", False)]


@pytest.mark.parametrize("id", CLIPPED)
def test_a_loss_that_declares_a_dual_clip_applies_it(id):
    """At a ratio of 20 the gradient of negative advantages is 0 with it, and without it (but in bapo) it is not."""
    tokens = loss_tokens([log(20.0)] * 8, [-1.0] * 4 + [1.0] * 4, old=[log(OLD)] * 8, entropies=[0.5, 1.0] * 4)
    with_it, without = (measured(id, tokens, **config)[1] for config in ({"dual_clip": 3.0}, {}))
    assert not any(with_it)
    assert any(without) != (id == "bapo")
