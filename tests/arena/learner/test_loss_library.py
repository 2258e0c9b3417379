"""Every loss of the library on the example of its paper or of its authors' code, computed by hand."""

import math
import random
from dataclasses import replace

import pytest
import torch

from arena.learner import LossConfig
from arena.learner.losses import LOSSES, policy_loss
from arena.learner.losses.adaptive import BalancedClip, rising
from arena.learner.losses.base import unit_of
from arena.learner.losses.conflict import conflict_weights
from arena.learner.losses.imitation import ReplayMixture
from arena.learner.losses.ppo import dynamic_bounds
from games import InputError
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


DECLARED = {
    "asymre": "constant sample compares free",
    "bapo": "constant sample statistics policy dual",
    "chord": "token sample statistics dual free",
    "cispo": "token sample",
    "clip-cov": "token sample statistics policy dual",
    "dapo": "token sample dual",
    "dcpo": "sequence sample dual",
    "distill": "token sample teacher free",
    "dpo": "sequence group policy reference compares free",
    "empg": "constant trajectory statistics policy dual free",
    "gspo": "sequence sample dual",
    "gtpo": "sequence group policy free",
    "high-entropy": "token sample statistics policy dual",
    "inpo": "sequence group preference policy reference compares free",
    "kl-cov": "token sample statistics policy",
    "mdpo": "constant sample",
    "nash-mp": "sequence group preference policy reference keeps-2 compares free",
    "nft": "token sample verdict compares free",
    "opmd": "token sample compares free",
    "ppo": "constant sample dual",
    "r2vpo": "token sample statistics policy",
    "reinforce": "constant sample",
    "sppo": "sequence group preference policy compares free",
    "temporal": "sequence group policy temporal keeps-1 compares free",
}
"""reduction, what mini-batches never divide, and what a loss reads; free: its sign need not be that of the advantage"""


def test_every_loss_declares_what_it_reads():
    """The trainer computes and provides only what is declared, so the two must not drift apart."""
    declared = {}
    for id in DECLARED:
        loss = policy_loss(LossConfig(name=id))
        names = {
            "statistics": loss.step_statistics, "policy": loss.needs_policy, "teacher": loss.needs_teacher,
            "reference": loss.needs_reference, "temporal": loss.needs_temporal, f"keeps-{loss.keeps}": loss.keeps > 0,
            "compares": loss.compares, "dual": loss.dual_clips, "free": not loss.follows_advantage,
            str(loss.needs_kind): loss.needs_kind is not None,
        }  # fmt: skip
        declared[id] = {loss.reduction, unit_of(loss), *(name for name, holds in names.items() if holds)}
    assert declared == {id: set(text.split()) for id, text in DECLARED.items()}


@pytest.mark.parametrize(
    "id",
    [
        "asymre(shift=-0.1)",
        "bapo(share=0.5, low=0.6, low_max=0.9, high=1.2, high_max=3.0, by=0.05)",
        "chord(peak=0.1, valley=0.1, warmup=0, decay=0)",
        "cispo(low=1.0, high=0.28)",
        "clip-cov(share=0.0002, low=1.0, high=5.0)",
        "dapo(low=0.2, high=0.28)",
        "dcpo(low=0.2, high=0.28)",
        "distill(coefficient=1.0, reward=0.0, limit=10.0)",
        "dpo(beta=0.1, soft=false)",
        "empg(k=1.0, k_next=1.0, zeta=0.1)",
        "gspo(low=0.0003, high=0.0004)",
        "gtpo(positive=2.0, threshold=0.7, penalty=0.1)",
        "high-entropy(share=0.2, low=0.2, high=0.28)",
        "inpo(eta=0.0075, tau=0.0025)",
        "kl-cov(share=0.0002, beta=1.0)",
        "mdpo(rate=1.0, horizon=0)",
        "nash-mp(beta=0.05, eta=0.5)",
        "nft(floor=1.0, negative=1.0, weighting=sqrt)",
        "opmd(tau=1.0)",
        "r2vpo(weight=0.5, delta=0.01, rate=0.1)",
        "sppo(eta=1000.0)",
        "temporal(beta=0.1)",
    ],
)
def test_parameters_that_are_left_out_are_those_of_the_paper(id):
    assert vars(policy_loss(LossConfig(name=id.partition("(")[0]))) == vars(policy_loss(LossConfig(name=id)))


@pytest.mark.parametrize(
    ("id", "allowed", "refused"),
    [
        ("clip-cov", ("share=0", "share=1"), ("share=-0.01", "share=1.01")),
        ("kl-cov", ("share=0", "beta=0"), ("share=1.01", "beta=-0.01")),
        ("chord", ("peak=1", "warmup=0"), ("peak=1.01", "peak=-0.01", "warmup=-1")),
        ("dapo", ("low=0", "high=0"), ("low=-0.01", "high=-0.01")),
        ("bapo", ("share=0.01", "by=0.5"), ("share=0", "share=1", "by=0")),
        ("distill", ("coefficient=0.5", "reward=0", "limit=0.5"), ("coefficient=0", "reward=-1", "limit=0")),
        ("dpo", ("beta=0.5",), ("beta=0",)),
        ("inpo", ("eta=0.1, tau=0", "eta=0.1, tau=0.1"), ("eta=0", "tau=-0.01", "eta=0.1, tau=0.11")),
        ("mdpo", ("rate=0.5", "horizon=0"), ("rate=0", "horizon=-1")),
        ("nft", ("floor=0.5",), ("floor=0",)),
        ("opmd", ("tau=0.5",), ("tau=0",)),
    ],
)
def test_parameters_out_of_range_are_refused(id, allowed, refused):
    for parameters in allowed:
        policy_loss(LossConfig(name=f"{id}({parameters})"))
    for parameters in refused:
        with pytest.raises(InputError, match=r"must be|should be|at least"):
            policy_loss(LossConfig(name=f"{id}({parameters})"))


DUAL = sorted(id for id, text in DECLARED.items() if "dual" in text.split())


@pytest.mark.parametrize("id", DUAL)
@pytest.mark.parametrize("dual_clip", [None, 1.5])
def test_clipped_says_which_tokens_lost_their_gradient(id, dual_clip):
    """Where an advantage is not 0 the gradient is 0 if and only if a bound, the dual clip or a selection removed it."""
    both = set()
    for seed in range(6):
        leaf = drawn(seed)
        loss, given = prepared(id, leaf, dual_clip=dual_clip)
        losses, clipped = loss(given)
        losses.sum().backward()
        assert leaf.logp.grad is not None
        learned = leaf.logp.grad.abs() > 0
        new = ~given.replayed if id == "chord" else torch.ones_like(learned)
        assert clipped[new].tolist() == (~learned[new]).tolist()
        assert not clipped[~new].any()
        assert learned[~new].all()
        both |= set(clipped.tolist())
    assert both == {False, True}


def test_a_dual_clip_bounds_what_a_bad_token_costs():
    """A = -1: the loss is r up to 1.5 and flat above, without gradient; A = 1 is not affected."""
    given = loss_tokens([LOG(r) for r in (1.4, 1.5, 1.6, 0.9)], [-1.0, -1.0, -1.0, 1.0])
    losses, gradient = losses_and_gradient("ppo", given, dual_clip=1.5)
    assert losses == pytest.approx([1.4, 1.5, 1.5, -0.9])
    assert gradient == pytest.approx([1.4, 1.5, 0.0, -0.9])
    usual = losses_and_gradient("bapo", loss_tokens([LOG(2.9), LOG(3.1), 0.0], [-1.0, -1.0, 1.0]))
    assert usual[1] == pytest.approx([2.9, 0.0, -1.0], rel=1e-5)  # 3 without a setting


def test_shares_of_tokens_are_of_all_tokens_of_the_step():
    """Covariances 1.225, -1.675, -1.125, .675."""
    both = losses_and_gradient("clip-cov(share=0.5, low=0)", loss_tokens(**COVARIANCE))[1]  # type: ignore[arg-type]
    assert both == pytest.approx([0.0, -1, 1, 0])
    small = losses_and_gradient("clip-cov(share=0.5, low=0, high=1.2)", loss_tokens(**COVARIANCE))[1]  # type: ignore[arg-type]
    assert small == pytest.approx([-1.0, -1, 1, 0])
    drifted = loss_tokens([0.1, 0.0, 0.0, -0.1], [1.0, 1, -1, -1], old=[-0.2, -3.0, -0.2, -1.9])
    losses = losses_and_gradient("kl-cov(share=0.5, beta=2)", drifted)[0]
    assert losses == pytest.approx([-math.exp(0.1) + 0.2, -1, 1, math.exp(-0.1) + 0.2], abs=3e-4)
    near = loss_tokens([5e-5, 0.0], [1.0, -1.0], old=[-0.2, -3.0])  # within 1e-4 the penalty is a parabola
    assert losses_and_gradient("kl-cov", near)[0][0] == pytest.approx(-math.exp(5e-5) + 0.5 * 0.5 * 5e-5, abs=1e-6)
    half = loss_tokens([0.0] * 5, [1.0] * 5, entropies=[0.1, 0.2, 0.05, 1.5, 0.3])
    assert losses_and_gradient("high-entropy(share=0.5)", half)[1] == [0.0, -1.0, 0.0, -1.0, -1.0]


def test_chord_without_a_new_answer_only_imitates():
    given = loss_tokens([0.0] * 2, [9.0, 9.0], old=[LOG(0.5), LOG(0.9)], replayed=[True, True])
    assert losses_and_gradient("chord(peak=0.3)", given)[1] == pytest.approx([-0.25, -0.09], rel=1e-4)


def test_the_weight_of_imitation_rises_and_falls():
    rises = policy_loss(LossConfig(name="chord(peak=0.8, valley=0.2, warmup=4, decay=2)"))
    falls = policy_loss(LossConfig(name="chord(peak=0.8, valley=0.2, decay=2)"))
    steps = policy_loss(LossConfig(name="chord(peak=0.8, valley=0.2, warmup=4)"))
    assert isinstance(rises, ReplayMixture)
    assert isinstance(falls, ReplayMixture)
    assert isinstance(steps, ReplayMixture)
    assert [rises.mu(step) for step in (0, 1, 3, 4, 5, 6, 7)] == pytest.approx([0, 0.2, 0.6, 0.8, 0.5, 0.2, 0.2])
    assert [falls.mu(step) for step in (0, 1, 2)] == pytest.approx([0.8, 0.5, 0.2])
    assert [steps.mu(step) for step in (3, 4)] == pytest.approx([0.6, 0.2])  # without a decay it falls at once


def test_distillation_truncates_the_ratio_and_the_advantage():
    given = loss_tokens([LOG(3.0), LOG(0.5)], [0.0] * 2, old=[-2.0] * 2, teacher=[-0.5, -60.0])
    assert losses_and_gradient("distill(limit=4)", given)[1] == pytest.approx([-2 * (1.5 - LOG(3.0)), 0.5 * 4])


def test_mirror_descent_falls_to_its_last_step():
    """r = e, A = 0: (r log r - r + 1) / (rate left) = 1 / (rate left), left = max(1, horizon - number) / horizon."""
    given = loss_tokens([1.0], [0.0])
    for number, cost in ((0, 1.0), (2, 2.0), (3, 4.0), (9, 4.0)):
        at = replace(given, step=replace(given.step, number=number))
        assert losses_and_gradient("mdpo(horizon=4)", at)[0] == pytest.approx([cost], rel=1e-5)


def test_rising_bounds_end_at_the_highest():
    assert rising(0.6, 0.9, 0.2) == pytest.approx([0.6, 0.8, 0.9])
    assert rising(1.0, 1.0, 0.5) == [1.0]
    assert rising(0.0, 0.3, 0.1) == pytest.approx([0.0, 0.1, 0.2, 0.3])  # not a fourth step for a rest of 4e-17


def test_the_penalty_of_r2vpo_stops_at_a_ratio_of_10():
    loss, given = prepared("r2vpo(weight=1, delta=0, rate=0)", loss_tokens([LOG(20.0), LOG(9.0)], [0.0, 0.0]))
    assert loss(given)[0].tolist() == pytest.approx([81.0, 64.0], rel=1e-5)


def test_nft_weighs_by_the_rate_of_the_group():
    """c = 3/4: sqrt(1/3) or 1/4; wrong answers times `negative`; a draw counts half and has no loss."""
    group = {"rewards": [1.0, 1.0, 1.0, 0.0], "groups": [0] * 4}
    given = loss_tokens([0.1] * 4, [0.0] * 4, **group)  # type: ignore[arg-type]
    wrong = -LOG((1 - 0.75 * math.exp(0.1)) / 0.25)
    for id, weight, negative in (("weighting=sqrt", 3**-0.5, 1.0), ("weighting=linear, negative=0.5", 0.25, 0.5)):
        losses, _ = losses_and_gradient(f"nft(floor=0.01, {id})", given)
        assert losses == pytest.approx([-0.1 * weight] * 3 + [wrong * weight * negative], rel=1e-4)
    drawn_out = loss_tokens([0.1] * 2, [0.0] * 2, rewards=[1.0, 0.5], groups=[0, 0])
    assert losses_and_gradient("nft", drawn_out)[0] == pytest.approx([-0.1 * 3**-0.5, 0.0], abs=1e-6)
    assert losses_and_gradient("nft", drawn_out)[1] == pytest.approx([-(3**-0.5), 0.0], abs=1e-6)
    rare = loss_tokens([0.1] * 100, [0.0] * 100, rewards=[1.0] + [0.0] * 99, groups=[0] * 100)
    assert losses_and_gradient("nft", rare)[0][0] == pytest.approx(-0.1 * 7, rel=1e-4)  # the rate counts as .02


def test_empg_without_a_bonus_or_without_a_scale():
    """Entropies 0 and 1: exp(-2h) is 1 and .1353; A g / mean g less its mean."""
    given = loss_tokens([0.0] * 2, [1.0, 1.0], entropies=[1e-9, 1.0])
    g = [1.0, math.exp(-2.0)]
    scaled = [x / (sum(g) / 2) for x in g]
    expected = [-(x - sum(scaled) / 2) for x in scaled]
    assert losses_and_gradient("empg(k=2, zeta=0)", given)[0] == pytest.approx(expected, abs=1e-5)
    chain = loss_tokens([0.0] * 2, [0.0] * 2, entropies=[1e-9, 1.0], trajectories=[0, 0])
    bonus = 0.5 * math.exp(-3.0)  # of the first answer, because of the second
    assert losses_and_gradient("empg(k_next=3, zeta=0.5)", chain)[0] == pytest.approx([-bonus / 2, bonus / 2], abs=1e-5)


def test_gtpo_drops_answers_of_high_entropy_and_charges_the_others():
    given = loss_tokens([0.0] * 3, [1.0] * 3, entropies=[0.5, 0.7, 0.8], ids=[1, 2, 3])
    assert losses_and_gradient("gtpo", given)[1] == pytest.approx([-0.95, -0.93, 0.0])
    assert losses_and_gradient("gtpo(threshold=0.6, penalty=0.4)", given)[1] == pytest.approx([-0.8, 0.0, 0.0])


def test_cispo_has_a_lower_bound_if_it_is_asked_for():
    given = loss_tokens([LOG(0.5), LOG(0.9)], [1.0, 1.0])
    assert losses_and_gradient("cispo(low=0.3)", given)[1] == pytest.approx([-0.7, -0.9])
    assert losses_and_gradient("cispo(high=4)", loss_tokens([LOG(6.0)], [1.0]))[1] == pytest.approx([-5.0])


def test_opmd_divides_by_its_temperature():
    group = {"rewards": [1.0, 0.0], "groups": [0] * 2}
    given = loss_tokens([0.0] * 2, [9.0] * 2, **group)  # type: ignore[arg-type]
    base = 2 * LOG((math.exp(0.5) + 1) / 2)
    assert losses_and_gradient("opmd(tau=2)", given)[1] == pytest.approx([-(1 - base) / 3, base / 3], abs=1e-5)


def test_bapo_stops_at_the_first_bounds_whose_share_is_enough():
    """Gains and losses are equal at once; with A = -1.24 the lower bound cannot help, one step of the upper does."""
    bapo = policy_loss(LossConfig(name="bapo"))
    assert isinstance(bapo, BalancedClip)
    one, two = torch.tensor([1.0, 1.0]), torch.tensor([2.0, 1.0])
    assert bapo.bounds(one, torch.tensor([1.0, -1.0])) == pytest.approx((0.6, 1.2))
    assert bapo.bounds(two, torch.tensor([1.0, -1.24])) == pytest.approx((0.9, 1.25))
    assert bapo.bounds(two, torch.tensor([1.0, -9.0])) == pytest.approx((0.9, 3.0))
    assert bapo.bounds(torch.tensor([1.2, 0.7]), torch.tensor([1.0, -1.65])) == pytest.approx((0.6, 1.2))


def test_a_covariance_at_a_bound_of_clip_cov_is_outside():
    """Both covariances are exactly 1."""
    given = loss_tokens([0.0, 0.0], [1.0, -1.0], old=[-1.0, -3.0])
    for bounds in ("low=1", "low=0, high=1"):
        assert losses_and_gradient(f"clip-cov({bounds})", given)[1] == [-1.0, 1.0]
    assert 0.0 in losses_and_gradient("clip-cov(low=0.99, high=1.01)", given)[1]


def test_each_part_of_chord_is_a_mean_over_its_own_tokens():
    """One replayed token of three, and one new of three: 3 mu and 3 (1 - mu) / 2, or 3 mu / 2 and 3 (1 - mu)."""
    for replayed, weights in (
        ([True, False, False], [0.9, 1.05, 1.05]),
        ([True, True, False], [0.45, 0.45, 2.1]),
        ([False] * 3, [1.0] * 3),
        ([True] * 3, [1.0] * 3),
    ):
        given = loss_tokens([0.0] * 3, [1.0] * 3, replayed=replayed)
        assert prepared("chord(peak=0.3, valley=0.3)", given)[1].prepared["weight"].tolist() == pytest.approx(weights)


def test_nft_has_no_gradient_where_all_answers_are_wrong():
    given = loss_tokens([0.1] * 4, [0.0] * 4, rewards=[0.0, 0.0, 1.0, 1.0], groups=[0, 0, 1, 1])
    assert losses_and_gradient("nft", given)[1] == [0.0] * 4
    common = loss_tokens([0.1] * 100, [0.0] * 100, rewards=[0.0] + [1.0] * 99, groups=[0] * 100)
    assert losses_and_gradient("nft", common)[0][1] == pytest.approx(-0.1 / 7, rel=1e-4)  # the rate counts as .98
