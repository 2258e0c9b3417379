"""SPPO, INPO, Nash mirror prox, DPO and Temporal Self-Rewarding: by hand, and on cyclic preferences."""

import json
import math
from dataclasses import replace
from typing import Literal

import pytest
import torch

from arena.learner import LossConfig, OptimizerConfig, ReplayConfig, Trainer, TrainerConfig, checkpoint
from arena.learner.losses import policy_loss
from arena.learner.losses.answers import Answers
from arena.learner.replay import ReplayBuffer
from games import InputError
from games.native.prefer.tables import TABLES
from tests.arena.learner.drawing import made_up
from tests.arena.learner.tabular import TabularTraining, exploitability
from tests.arena.learner.tokens import loss_tokens, losses_and_gradient

PAIR = {"old": [-1.0, -1.0], "rewards": [1.0, 0.0]}


def test_sppo_pulls_each_answer_to_its_own_target():
    """eta = 1, log ratios .1 and -.2, P = .8 and .2: (.1 - .3)^2 = .04 and (-.2 + .3)^2 = .01."""
    tokens = loss_tokens([0.1, -0.2], [0.0, 0.0], rewards=[0.8, 0.2])
    losses, gradient = losses_and_gradient("sppo(eta=1.0)", tokens)
    assert losses == pytest.approx([0.04, 0.01], abs=1e-6)
    assert gradient == pytest.approx([-0.4, 0.2], abs=1e-6)


def test_a_ratio_is_that_of_the_whole_answer():
    """Two tokens of .1 and .2: .3 = eta (P - 1/2), so the loss is 0; a mean would be .15."""
    tokens = loss_tokens([0.1, 0.2, 0.0], [0.0] * 3, lengths=[2, 1], rewards=[0.8, 0.2])
    losses, gradient = losses_and_gradient("sppo(eta=1.0)", tokens)
    assert losses == pytest.approx([0.0, 0.0, 0.09], abs=1e-6)
    assert gradient == pytest.approx([0.0, 0.0, 0.6], abs=1e-6)


def test_inpo_is_the_squared_distance_of_a_pair_from_half_a_step():
    """eta = 2, tau = .5: h = D - .25 D_ref - .75 D_t = .6 - .05 - .3 = .25 = 1 / (2 eta); with D = 1, .4^2 = .16."""
    reference, old = [-1.0, -1.2], [-1.0, -1.4]
    at = loss_tokens([0.0, -0.2], [0.0] * 2, old=old, rewards=[1.0, 0.0], reference=reference)
    assert sum(losses_and_gradient("inpo(eta=2.0, tau=0.5)", at)[0]) == pytest.approx(0.0, abs=1e-6)
    off = loss_tokens([0.0, -0.6], [0.0] * 2, old=old, rewards=[1.0, 0.0], reference=reference)
    losses, gradient = losses_and_gradient("inpo(eta=2.0, tau=0.5)", off)
    assert sum(losses) == pytest.approx(0.16, abs=1e-6)
    assert gradient == pytest.approx([0.8, -0.8], abs=1e-6)  # 2 (h - 1 / (2 eta)), and its opposite


def test_inpo_of_a_group_has_the_gradient_of_all_its_pairs():
    """By shares of wins: the gradient of the sum over pairs of (x_i - x_j - (2 P_ij - 1) / (2 eta))^2 / (k - 1)."""
    wins = torch.tensor([[0.5, 0.9, 0.3], [0.1, 0.5, 0.8], [0.7, 0.2, 0.5]])
    drift = [0.3, -0.2, 0.1]
    x = torch.tensor(drift, requires_grad=True)
    pairs = [(x[i] - x[j] - (2 * wins[i, j] - 1) / 6).square() / 2 for i in range(3) for j in range(i)]
    torch.stack(pairs).sum().backward()
    shares = ((wins.sum(1) - 0.5) / 2).tolist()
    _, gradient = losses_and_gradient("inpo(eta=3.0, tau=0.0)", loss_tokens(drift, [0.0] * 3, rewards=shares))
    assert x.grad is not None
    assert gradient == pytest.approx(x.grad.tolist(), abs=1e-5)


def test_inpo_refuses_a_penalty_above_its_step():
    with pytest.raises(InputError, match="tau must be at most eta"):
        policy_loss(LossConfig(name="inpo(eta=1.0, tau=2.0)"))


def test_nash_mirror_prox_is_at_its_minimum_at_the_proximal_points():
    """The steps of three options computed with numpy (beta = .5, eta = 1, even reference, pi_k = .6, .2, .2)."""
    wins = torch.tensor([[0.5, 0.9, 0.3], [0.1, 0.5, 0.8], [0.7, 0.2, 0.5]])
    start = torch.tensor([0.6, 0.2, 0.2])
    half, whole = torch.tensor([0.5257, 0.2182, 0.2561]), torch.tensor([0.5232, 0.2247, 0.2521])
    for opponent, found in ((start, half), (half, whole)):
        expected = wins @ opponent
        shares = expected * 3 / 2  # t = (k - 1) / k of a group of three, undone
        tokens = loss_tokens(
            (found / start).log().tolist(),
            [0.0] * 3,
            old=start.log().tolist(),
            kept=start.log().tolist(),
            reference=[-math.log(3)] * 3,
            rewards=shares.tolist(),
        )
        assert losses_and_gradient("nash-mp(beta=0.5, eta=1.0)", tokens)[1] == pytest.approx([0.0] * 3, abs=1e-3)


def test_dpo_is_the_likelihood_of_the_preference():
    """beta = .5, h = log 2 and 0: -log sigmoid(.3466) = .5348; soft with P = .75 adds the other way round."""
    tokens = loss_tokens([math.log(2), 0.0], [0.0] * 2, **PAIR)
    losses, gradient = losses_and_gradient("dpo(beta=0.5)", tokens)
    sure = math.log(1 + math.exp(-0.5 * math.log(2)))
    assert losses == pytest.approx([sure / 2] * 2, abs=1e-6)
    slope = -0.5 / (1 + math.exp(0.5 * math.log(2)))
    assert gradient == pytest.approx([slope, -slope], abs=1e-6)
    soft = loss_tokens([math.log(2), 0.0], [0.0] * 2, old=[-1.0, -1.0], rewards=[0.75, 0.25])
    other = math.log(1 + math.exp(0.5 * math.log(2)))
    assert sum(losses_and_gradient("dpo(beta=0.5, soft=true)", soft)[0]) == pytest.approx(0.75 * sure + 0.25 * other)


def test_dpo_has_no_loss_without_a_difference():
    tokens = loss_tokens([0.5, 0.0], [0.0] * 2, rewards=[0.5, 0.5])
    assert losses_and_gradient("dpo", tokens) == ([0.0, 0.0], [0.0, 0.0])


def test_temporal_rejects_an_answer_of_the_first_policy():
    """Of four answers the third and fourth are replayed: chosen .9 is the earlier one, rejected .2 the first one."""
    tokens = loss_tokens(
        [0.0] * 4, [0.0] * 4, rewards=[0.5, 0.1, 0.9, 0.2], replayed=[False, False, True, True], kept=[-1.5] * 4
    )
    losses, gradient = losses_and_gradient("temporal(beta=1.0)", tokens)
    assert losses == pytest.approx([0.0, 0.0, math.log(2) / 2, math.log(2) / 2])
    assert gradient == pytest.approx([0.0, 0.0, -0.5, 0.5])
    alone = replace(tokens, step=replace(tokens.step, replayed=torch.zeros(4, dtype=torch.bool)))
    assert losses_and_gradient("temporal", alone)[0] == [0.0] * 4  # nothing to reject yet


def test_the_temporal_buffer_keeps_the_first_worst_and_the_last_best_of_a_task():
    made = [s for s in made_up(30) if s.decided()][:6]

    def of(match, task, rewards):  # type: ignore[type-arg]
        group = ("game", "role", "", match, task)
        each = zip(made, rewards, strict=False)  # turns of one seat where rewards are equal
        return [replace(s, group=group, trajectory=(match, str(r)), reward=r) for s, r in each]

    buffer = ReplayBuffer(ReplayConfig(keep="temporal", size=8), seed=0)
    assert buffer.draw(of("m0", "a", (0.5, 0.1)), 0) == []
    buffer.add(of("m0", "a", (0.5, 0.1)) + of("m1", "", (1.0,)))
    buffer.add(of("m2", "a", (0.7, 0.3, 0.7)))
    again = ReplayBuffer(ReplayConfig(keep="temporal", size=8), seed=0)
    again.load_state_dict(buffer.state_dict())
    for each in (buffer, again):
        drawn = each.draw(of("m3", "a", (0.0,)) + of("m4", "b", (0.0,)), 2)
        assert [s.reward for s in drawn] == [0.1, 0.7, 0.7]  # all turns of an answer
        assert all(s.replayed and s.group[3] == "m3" for s in drawn)
    assert len({s.trajectory for s in drawn}) == 2


def test_temporal_needs_earlier_answers(fresh):
    with pytest.raises(InputError, match='set keep = "temporal" under'):
        Trainer(fresh().model, TrainerConfig(loss=LossConfig(name="temporal")))


@pytest.mark.parametrize("table", ["biased", "mild"])
@pytest.mark.parametrize("loss", ["inpo(eta=5.0, tau=0.05)", "nash-mp(beta=0.02, eta=1.0)"])
def test_the_last_iterate_on_cyclic_preferences_cannot_be_exploited(loss, table):
    wins = TABLES[table].wins  # type: ignore[index]
    training = TabularTraining(loss, wins, count=300)
    training.logits = torch.tensor([1.0, 0.0, 0.0, 0.0])
    before = exploitability(wins, training.probs)
    seen = []
    for _ in range(300):
        training.step()
        seen.append(exploitability(wins, training.probs))
    assert before > 0.05
    assert max(seen[-4:]) <= 0.02
    assert training.probs[3] < 0.01  # nobody prefers the straw


@pytest.mark.parametrize(("table", "loses"), [("biased", 0.15), ("mild", 0.08)])
def test_the_bradley_terry_maximiser_is_exploitable(table, loses):
    wins = TABLES[table].wins  # type: ignore[index]
    training = TabularTraining("dpo(beta=0.1, soft=true)", wins, inner=40, lr=5.0)
    for _ in range(4):
        training.pairs()
    assert exploitability(wins, training.probs) > loses
    assert training.probs.max() > 0.9  # it plays the most popular option, which another one beats


@pytest.mark.parametrize("loss", ["nash-mp(beta=0.1, eta=0.5)", "inpo(eta=1.0, tau=0.5)", "temporal"])
def test_a_training_resumes_bit_for_bit(loss, fresh, tmp_path):
    """In the middle of a mirror prox step the kept copy, the policy before training and the replayed answers matter."""
    keep: Literal["temporal", "newest"] = "temporal" if loss == "temporal" else "newest"
    config = TrainerConfig(
        loss=LossConfig(name=loss), optimizer=OptimizerConfig(lr=1e-2), replay=ReplayConfig(keep=keep)
    )
    batches = [[replace(s, group=(*"grp", str(n), s.group[0])) for s in made_up(12, n)] for n in range(4)]
    whole, first = (Trainer(fresh().model, config) for _ in range(2))
    expected = [whole.step(b).metrics() for b in batches]
    assert len({m["grad_norm"] for m in expected}) == 4
    for batch in batches[:3]:
        first.step(batch)
    checkpoint.save(tmp_path, 3, write=first.write, state={"trainer": json.loads(json.dumps(first.state_dict()))})
    second = Trainer(fresh().model, config)
    second.load(checkpoint.load(tmp_path / "step-00000003"))
    assert second.step(batches[3]).metrics() == expected[3]


def test_the_kept_copy_is_the_policy_before_every_second_step(fresh):
    trainer = Trainer(fresh().model, TrainerConfig(loss=LossConfig(name="nash-mp"), optimizer=OptimizerConfig(lr=1e-2)))
    kept, before = [], []
    for n in range(4):
        before.append(trainer.weights.copy())
        trainer.step(made_up(12, n))
        assert trainer.kept is not None
        kept.append(trainer.kept)
    name = next(iter(before[0]))
    assert [bool(torch.equal(kept[n][name], before[n - n % 2][name])) for n in range(4)] == [True] * 4
    assert not torch.equal(kept[1][name], before[1][name])
    assert trainer.reference is not None
    assert torch.equal(trainer.reference[name], before[0][name])


def test_the_best_answer_of_a_group_is_the_first_of_those_allowed():
    """Groups 0, 1, 0, 1, 2 with scores 1, 5, 3, 5, 0; of group 2 none is allowed."""
    tokens = loss_tokens([0.0] * 5, [0.0] * 5, groups=[0, 1, 0, 1, 2], rewards=[1.0, 5.0, 3.0, 5.0, 0.0])
    answers = Answers.of_step(tokens)
    assert answers.group.tolist() == [0, 0, 1, 1, 2]  # answers are sorted by their groups
    assert answers.reward.tolist() == [1.0, 3.0, 5.0, 5.0, 0.0]
    allowed = torch.tensor([True, True, True, True, False])
    assert answers.best(answers.reward, allowed).tolist() == [1, 2, -1]
    assert answers.best(-answers.reward, allowed).tolist() == [0, 2, -1]
    assert answers.best(answers.reward, torch.ones(5)).tolist() == [1, 2, 4]
    assert answers.best(answers.reward, torch.zeros(5)).tolist() == [-1, -1, -1]
    assert answers.size.tolist() == [2, 2, 2, 2, 1]
    assert answers.mean(answers.reward).tolist() == [2.0, 2.0, 5.0, 5.0, 0.0]


def test_an_answer_is_all_turns_of_a_seat_in_its_group():
    """Two turns of two and one tokens, and the same trajectory in another group."""
    tokens = loss_tokens(
        [0.1, 0.2, 0.3, 0.4], [0.0] * 4, lengths=[2, 1, 1], groups=[0, 0, 1], trajectories=[0, 0, 0],
        rewards=[0.5, 0.5, 1.0], replayed=[False, False, True], reference=[-1.0, -2.0, -3.0, -4.0],
    )  # fmt: skip
    answers = Answers.of_step(tokens)
    assert answers.tokens.tolist() == [3, 1]
    assert answers.of.tolist() == [0, 0, 0, 1]
    assert (answers.policy - answers.old).tolist() == pytest.approx([0.6, 0.4])
    assert answers.reference.tolist() == [-6.0, -4.0]
    assert answers.reward.tolist() == [0.5, 1.0]
    assert answers.replayed.tolist() == [False, True]
    assert answers.groups == 2
