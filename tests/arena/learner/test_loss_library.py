"""Every loss of the library on the example of its paper or of its authors' code, computed by hand."""

import math
import random
from dataclasses import replace

import pytest
import torch

from arena.learner import LossConfig
from arena.learner.losses import LOSSES, policy_loss
from arena.learner.losses.adaptive import BalancedClip
from arena.learner.losses.conflict import conflict_weights
from arena.learner.losses.imitation import ReplayMixture
from arena.learner.losses.ppo import dynamic_bounds
from tests import golden
from tests.arena.learner.tokens import loss_tokens, losses_and_gradient, prepared

LOG = math.log


def test_dapo_is_a_mean_over_tokens_with_a_higher_upper_bound():
    losses, _ = losses_and_gradient("dapo", loss_tokens([LOG(1.25), LOG(1.5), LOG(0.7)], [1.0, 1.0, -1.0]))
    assert losses == pytest.approx([-1.25, -1.28, 0.8])
    assert policy_loss(LossConfig(name="dapo")).reduction == "token"


def test_dcpo_bounds_depend_on_the_old_probability():
    low, high = dynamic_bounds(torch.tensor([0.9, 0.5, 0.01]), 0.2, 0.28)
    assert low.tolist() == pytest.approx([0.6667, 0.5, 0.5], abs=1e-4)
    assert high.tolist() == pytest.approx([1.2491, 1.4, 5.8151], abs=1e-4)
    rare = loss_tokens([LOG(5.0)], [1.0], old=[LOG(0.01)])
    assert losses_and_gradient("dcpo", rare)[0] == pytest.approx([-5.0], rel=1e-5)


def test_gspo_has_one_ratio_for_an_answer():
    """d = .3, -.1, .1: s = exp(.1) = 1.1052; with A = 1 it is clipped at 1.0004, with A = -1 it is not."""
    drift = [0.3, -0.1, 0.1]
    losses, gradient = losses_and_gradient("gspo", loss_tokens(drift, [1.0] * 3, lengths=[3]))
    assert losses == pytest.approx([-1.0004] * 3, abs=1e-5)
    assert gradient == [0.0] * 3
    losses, gradient = losses_and_gradient("gspo", loss_tokens(drift, [-1.0] * 3, lengths=[3]))
    assert losses == pytest.approx([1.1052] * 3, abs=1e-4)
    assert gradient == pytest.approx([1.1052] * 3, abs=1e-4)  # 3 tokens, each with s / 3 of every one of them
    two = loss_tokens([0.0, 0.1], [1.0, 1.0], lengths=[1, 1])
    assert losses_and_gradient("gspo", two)[1] == pytest.approx([-1.0, 0.0])


def test_cispo_clips_the_weight_and_keeps_the_gradient():
    given = loss_tokens([LOG(1.5)], [1.0], old=[-1.0 - LOG(1.5)])
    losses, gradient = losses_and_gradient("cispo", given)
    assert losses == pytest.approx([1.28], rel=1e-5)
    assert gradient == pytest.approx([-1.28], rel=1e-5)
    assert losses_and_gradient("cispo", loss_tokens([-3.0], [1.0]))[1] == pytest.approx([-math.exp(-3.0)], rel=1e-5)


COVARIANCE = {"log_ratios": [0.0] * 4, "advantages": [1.0, 1, -1, -1], "old": [-0.1, -3.0, -0.2, -2.0]}


def test_clip_cov_takes_the_gradient_from_a_token_of_high_covariance():
    """Covariances 1.225, -1.675, -1.125, .675: only the first is above 1."""
    losses, gradient = losses_and_gradient("clip-cov", loss_tokens(**COVARIANCE))  # type: ignore[arg-type]
    assert losses == pytest.approx([0.0, -1, 1, 1])
    assert gradient == pytest.approx([0.0, -1, 1, 1])
    losses, _ = losses_and_gradient("clip-cov(low=0)", loss_tokens(**COVARIANCE))  # type: ignore[arg-type]
    assert sorted(losses) in ([-1, 0, 1, 1], [-1, -1, 0, 1])  # one of the two at random


def test_kl_cov_penalises_the_token_of_highest_covariance():
    given = loss_tokens([0.1, 0.0, 0.0, 0.0], [1.0, 1, -1, -1], old=[-0.2, -3.0, -0.2, -2.0])
    losses, gradient = losses_and_gradient("kl-cov", given)
    assert losses == pytest.approx([-1.1052 + 0.1, -1, 1, 1], abs=1e-4)
    assert sum(losses) / 4 == pytest.approx(-0.0013, abs=1e-4)
    assert gradient[0] == pytest.approx(-1.1052 + 1, abs=1e-4)


def test_high_entropy_keeps_the_top_fifth():
    given = loss_tokens([0.0] * 5, [1.0] * 5, entropies=[0.1, 0.2, 0.05, 1.5, 0.3])
    assert losses_and_gradient("high-entropy", given)[1] == [0.0, 0.0, 0.0, -1.0, 0.0]
    ties = loss_tokens([0.0] * 3, [1.0] * 3, entropies=[0.5, 0.5, 0.5])
    assert losses_and_gradient("high-entropy", ties)[1] == [-1.0] * 3


def test_empg_favours_confident_answers_and_those_that_lead_to_them():
    """Mean entropies .2, .6, 1.0 of three turns: g = 1.5194, .9216, .559; A' = 1.5801, .9584, .559."""
    given = loss_tokens([0.0] * 4, [1.0] * 4, lengths=[2, 1, 1], trajectories=[0, 0, 0], entropies=[0.1, 0.3, 0.6, 1.0])
    _, with_table = prepared("empg", given)
    assert with_table.prepared["advantage"].tolist() == pytest.approx([0.5476, 0.5476, -0.0741, -0.4735], abs=1e-4)
    apart = loss_tokens([0.0] * 3, [1.0] * 3, trajectories=[0, 1, 2], entropies=[0.2, 0.6, 1.0])
    _, with_table = prepared("empg", apart)
    assert with_table.prepared["advantage"].tolist() == pytest.approx([0.5194, -0.0784, -0.441], abs=1e-4)  # no bonus


def test_gtpo_spares_what_right_and_wrong_answers_share():
    shared = {"advantages": [1.0] * 3 + [-1.0] * 3, "lengths": [3, 3], "ids": [5, 6, 9, 5, 7, 9]}
    given = loss_tokens([0.0] * 6, **shared)  # type: ignore[arg-type]
    assert conflict_weights(given, 2.0).tolist() == [2, 1, 2, 0, 1, 0]
    apart = loss_tokens([0.0] * 6, **shared, groups=[0, 1])  # type: ignore[arg-type]
    assert conflict_weights(apart, 2.0).tolist() == [1] * 6
    longer = loss_tokens([0.0] * 5, [1.0] * 2 + [-1.0] * 3, lengths=[2, 3], ids=[5, 9, 5, 5, 9])
    assert conflict_weights(longer, 2.0).tolist() == [2, 2, 0, 0, 0]  # aligned from both ends
    calm = replace(given, entropy=torch.full((6,), 0.5))
    assert losses_and_gradient("gtpo", calm)[1] == pytest.approx([-1.9, -0.95, -1.9, 0, 1.05, 0])  # A - .1 H
    assert losses_and_gradient("gtpo", loss_tokens([0.0] * 6, **shared))[1] == [0.0] * 6  # type: ignore[arg-type]


def test_bapo_raises_its_bounds_until_positive_tokens_have_their_share():
    """The authors' yaml: 1.2 / 1.5 = .8 at the start; at lo = .8 and hi = 2 1.5 / 1.7 = .8824, still below 1."""
    ratio, advantage = torch.tensor([1.5, 0.5, 0.9]).double(), torch.tensor([1.0, -1.0, -1.0]).double()
    yaml = policy_loss(LossConfig(name="bapo(low_max=0.8, high_max=2)"))
    assert isinstance(yaml, BalancedClip)
    assert yaml.bounds(ratio, advantage) == pytest.approx((0.8, 2.0))
    assert yaml.bounds(ratio, torch.tensor([2.0, -1.0, -1.0]).double()) == (0.6, 1.2)  # 2.4 against 1.5
    given = loss_tokens([LOG(1.5), LOG(0.5), LOG(0.9), LOG(4.0)], [1.0, -1.0, -1.0, -1.0])
    losses, gradient = losses_and_gradient("bapo", given)
    assert losses == pytest.approx([-1.5, 0.9, 0.9, 3.0], rel=1e-5)
    assert gradient == pytest.approx([-1.5, 0.0, 0.9, 0.0], rel=1e-5)


def test_r2vpo_penalises_the_variance_of_the_ratio_and_adapts_the_weight():
    given = loss_tokens([LOG(1.2), LOG(0.9)], [1.0, -1.0])
    losses, _ = losses_and_gradient("r2vpo(rate=0, delta=0)", given)
    assert sum(losses) / 2 == pytest.approx(-0.1375, abs=1e-5)
    loss, _ = prepared("r2vpo(delta=0, rate=2)", given)
    assert loss.state_dict()["weight"] == pytest.approx(0.5 + 2 * 0.025, rel=1e-5)  # type: ignore[attr-defined]
    loss, _ = prepared("r2vpo(delta=1, rate=2)", given)
    assert loss.state_dict()["weight"] == 0.0  # type: ignore[attr-defined]


def test_mdpo_stays_close_to_the_policy_at_the_start_of_the_step():
    """pi = .6, .4 from .5, .5 with A = 1, -1 and t = .5: the objective is .2 - .0201 / .5."""
    given = loss_tokens([LOG(1.2), LOG(0.8)], [1.0, -1.0], old=[LOG(0.5)] * 2)
    losses, gradient = losses_and_gradient("mdpo(rate=0.5)", given)
    assert -sum(losses) / 2 == pytest.approx(0.2 - 0.0201 / 0.5, abs=1e-4)
    # d/d log pi of r A and of r log r - r + 1 is r A and r log r
    assert gradient == pytest.approx([-1.2 + 1.2 * LOG(1.2) / 0.5, 0.8 + 0.8 * LOG(0.8) / 0.5], abs=1e-5)
    later = replace(given, step=replace(given.step, number=5))
    assert sum(losses_and_gradient("mdpo(horizon=10)", later)[0]) / 2 == pytest.approx(-(0.2 - 0.0201 / 0.5), abs=1e-4)


def test_nft_learns_from_wrong_answers_by_what_they_imply():
    """c = 1/4: a wrong token at r = 1.2 costs .0690, at r = 3.5 1.7918; weights sqrt(3) or .75."""
    group = {"rewards": [1.0, 0.0, 0.0, 0.0], "groups": [0] * 4}
    given = loss_tokens([0.1, LOG(1.2), LOG(3.5), 0.0], [0.0] * 4, **group)  # type: ignore[arg-type]
    losses, _ = losses_and_gradient("nft(floor=0.01, weighting=linear)", given)
    assert losses == pytest.approx([-0.1 * 0.75, 0.0690 * 0.75, 1.7918 * 0.75, 0.0], abs=1e-4)
    losses, gradient = losses_and_gradient("nft", given)
    assert losses == pytest.approx([-0.1 * 3**0.5, 0.0, 0.0, 0.0], abs=1e-5)  # the floor of 1 hides the value
    assert gradient[3] == pytest.approx(3**0.5 * 0.25 / 0.75, rel=1e-4)  # and keeps the gradient
    same = loss_tokens([0.0, 0.0], [1.0, 1.0], rewards=[1.0, 1.0])
    assert losses_and_gradient("nft", same)[1] == [0.0, 0.0]


def test_opmd_and_asymre_subtract_their_baselines():
    group = {"old": [-1.0] * 4, "rewards": [1.0, 0.0, 0.0, 0.0]}
    given = loss_tokens([0.0] * 4, [9.0] * 4, **group)  # type: ignore[arg-type]
    assert losses_and_gradient("opmd", given)[1] == pytest.approx([-0.6426 / 2, *[0.3574 / 2] * 3], abs=1e-4)
    scales = loss_tokens([0.0] * 4, [9.0] * 4, rewards=[100.0, 100.0, 1.0, 0.0], groups=[0, 0, 1, 1])
    own = loss_tokens([0.0] * 2, [9.0] * 2, rewards=[1.0, 0.0])
    other, alone = (losses_and_gradient("opmd", given)[1] for given in (scales, own))
    assert other == pytest.approx([0.0, 0.0, *alone])  # whatever other groups earn
    mean = loss_tokens([0.0] * 4, [9.0] * 4, **group)  # type: ignore[arg-type]
    assert losses_and_gradient("opmd(baseline=mean)", mean)[1] == pytest.approx([-0.375, *[0.125] * 3])
    shifted = loss_tokens([0.0] * 4, [9.0] * 4, **group)  # type: ignore[arg-type]
    assert losses_and_gradient("asymre", shifted)[1] == pytest.approx([-0.85, *[0.15] * 3])


def test_a_trajectory_counts_once_in_the_mean_of_its_group():
    """A seat with three turns in a match earned its reward once."""
    given = loss_tokens([0.0] * 4, [0.0] * 4, rewards=[1.0, 1.0, 1.0, 0.0], trajectories=[0, 0, 0, 1])
    assert given.step.group_mean(given.step.reward).tolist() == [0.5] * 4
    apart = loss_tokens([0.0] * 4, [0.0] * 4, rewards=[1.0, 1.0, 1.0, 0.0], groups=[0, 0, 1, 1])
    assert apart.step.group_mean(apart.step.reward).tolist() == [1.0, 1.0, 0.5, 0.5]


def test_chord_mixes_new_answers_with_imitation_of_good_ones():
    """-p (1 - p) log p is .1733 at p = .5 and .0095 at p = .9; each part is a mean over its own tokens."""
    given = loss_tokens(
        [0.0] * 4,
        [1.0, -3.0, 9.0, 9.0],
        old=[LOG(0.3), LOG(0.3), LOG(0.5), LOG(0.9)],
        replayed=[False] * 2 + [True] * 2,
    )
    losses, gradient = losses_and_gradient("chord", given)
    assert sum(losses) / 4 == pytest.approx(0.9 * (-1 + 3) / 2 + 0.1 * (0.1733 + 0.0095) / 2, abs=1e-4)
    assert gradient[2:] == pytest.approx([-0.1 * 2 * 0.25, -0.1 * 2 * 0.09], rel=1e-4)
    fresh = loss_tokens([0.0] * 2, [1.0, -3.0])
    assert losses_and_gradient("chord", fresh)[0] == pytest.approx([-1.0, 3.0])  # nothing to imitate
    schedule = policy_loss(LossConfig(name="chord(peak=0.9, valley=0.05, warmup=10, decay=20)"))
    assert isinstance(schedule, ReplayMixture)
    assert [schedule.mu(s) for s in (5, 10, 20, 30, 99)] == pytest.approx([0.45, 0.9, 0.475, 0.05, 0.05])


def test_distillation_pulls_towards_the_teacher():
    """Teacher -1.2, policy -2: A = .8."""
    given = loss_tokens([0.0, 0.0], [5.0, 5.0], old=[-2.0, -2.0], teacher=[-1.2, -50.0])
    assert losses_and_gradient("distill", given)[1] == pytest.approx([-0.8, 10.0])
    assert losses_and_gradient("distill(coefficient=0.5, reward=0.1)", given)[1] == pytest.approx([-0.9, 10.0])


@pytest.mark.parametrize("id", LOSSES.ids())
@pytest.mark.parametrize("advantage", [1.0, -1.0, 0.0])
def test_a_probability_that_cannot_be_true_leaves_the_other_tokens_their_gradient(id, advantage):
    """A store may hold any: exp(195) overflows, and 0 times infinity took the gradient of the whole step."""
    given = loss_tokens([195.0, 0.0], [advantage, 1.0], old=[-200.0, -1.0], rewards=[1.0, 0.0])
    losses, gradient = losses_and_gradient(id, given)
    assert all(map(math.isfinite, [*losses, *gradient]))


def drawn(seed):
    """Two groups of four answers of 1 to 4 tokens, whose policy has moved in both directions."""
    draw = random.Random(seed)
    lengths = [draw.randint(1, 4) for _ in range(8)]
    k, of = sum(lengths), [sample for sample, length in enumerate(lengths) for _ in range(length)]
    rewards = [float(draw.random() < 0.5) for _ in lengths]
    around = {name: [-draw.uniform(0.1, 4.0) for _ in range(k)] for name in ("old", "teacher", "reference", "kept")}
    return loss_tokens(
        [draw.gauss(0.0, 0.4) for _ in range(k)],
        [rewards[sample] - 0.4 for sample in of],
        lengths=lengths,
        rewards=rewards,
        groups=[0, 0, 0, 0, 1, 1, 1, 1],
        trajectories=[0, 0, 1, 2, 3, 4, 5, 6],
        turns=[0, 1, 0, 0, 0, 0, 0, 0],
        entropies=[draw.uniform(0.0, 2.0) for _ in range(k)],
        ids=[draw.randint(0, 2) for _ in range(k)],
        replayed=[sample % 4 == 3 for sample in range(8)],
        number=3,
        **around,
    )


@pytest.mark.parametrize("id", LOSSES.ids())
def test_losses_and_gradients_of_drawn_answers_are_those_of_the_table(id):
    """The tests above compare with formulas at chosen places; this one holds every loss still at all others."""
    expected = golden.table(__file__, "losses_of_drawn_answers")[id]
    for seed, (losses, gradient) in enumerate(expected):
        got = losses_and_gradient(id, drawn(seed))
        assert got[0] == pytest.approx(losses, abs=2e-4, rel=2e-4)
        assert got[1] == pytest.approx(gradient, abs=2e-4, rel=2e-4)
