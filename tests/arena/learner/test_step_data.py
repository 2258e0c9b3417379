"""The tables of a step, and what the objective reads of them."""

from dataclasses import replace

import pytest
import torch

from arena.learner import TurnSample
from arena.learner.distributions import TokenValues
from arena.learner.samples import check_ids, units_of
from arena.learner.shares import shares
from arena.learner.step_data import StepData
from games import InputError
from tests.arena.learner.drawing import KEY

CPU = torch.device("cpu")
FIRST = TurnSample(
    (1, 2), (7, 8, 9), (-0.5, 0.0, -0.25), (None, (8,), None), 2.0, 1.0, KEY, reward=0.5, turn=1, group=("g",),
    trajectory=("m", "a"), score=1.0,
)  # fmt: skip
SECOND = replace(
    FIRST, completion_ids=(5,), logprobs=(-1.0,), allowed=None, advantage=-1.0, reward=0.25, turn=0, group=("h",),
    trajectory=("m", "b"), key=("g", "r", "p"), replayed=True, score=0.0,
)  # fmt: skip
"""three decisions in all: the second token of the first sample is forced"""


def tokens(data, part=(0, 1)):
    flat = data.flat_of(part)
    return data.whole(flat, data.step(part, 4, seed=3))


def test_tables_hold_what_the_samples_say():
    data = StepData([FIRST, SECOND], CPU)
    step, t = data.step([0, 1], 4, seed=3), tokens(data)
    assert (step.number, step.samples, step.tokens) == (4, 2, 3)
    assert step.length.tolist() == [2, 1]
    assert step.reward.tolist() == [0.5, 0.25]
    assert step.keys == (KEY, ("g", "r", "p"))
    assert t.sampler.tolist() == t.old.tolist() == [-0.5, -0.25, -1.0]
    assert t.weight.tolist() == [1.0, 1.0, 1.0]
    assert t.advantage.tolist() == [2.0, 2.0, -1.0]
    assert t.sample.tolist() == [0, 0, 1]
    assert t.position.tolist() == [0, 2, 0]
    assert t.token.tolist() == [7, 9, 5]
    assert [t.turn.tolist(), t.group.tolist(), t.trajectory.tolist(), t.key.tolist()] == [
        [1, 1, 0], [0, 0, 1], [0, 0, 1], [0, 0, 1]
    ]  # fmt: skip
    assert t.replayed.tolist() == [False, False, True]
    assert t.sample_mean(torch.tensor([1.0, 3.0, 5.0])).tolist() == [2.0, 2.0, 5.0]
    assert all(values.isnan().all() for values in (t.logp, t.entropy, t.teacher, t.reference, t.kept))


def test_a_part_of_the_samples_has_its_own_tokens():
    data = StepData([FIRST, SECOND], CPU)
    step, t = data.step([1], 0, seed=0), tokens(data, [1])
    assert (step.samples, step.tokens) == (1, 1)
    assert (t.token.tolist(), t.sample.tolist()) == ([5], [1])
    assert data.flat_of([1, 0]).tolist() == [2, 0, 1]


def test_rewards_are_scores_for_losses_that_read_them():
    assert StepData([FIRST, SECOND], CPU, scored=True).step([0, 1], 0, 0).reward.tolist() == [1.0, 0.0]
    assert StepData([replace(FIRST, score=None)], CPU).step([0], 0, 0).reward.tolist() == [0.5]
    with pytest.raises(InputError, match="a sample has none"):
        StepData([FIRST, replace(SECOND, score=None)], CPU, scored=True)


def test_the_draws_of_a_step_follow_from_its_number_and_the_seed():
    data = StepData([FIRST], CPU)
    seeds = [data.step([0], number, seed).generator.initial_seed() for number, seed in ((0, 0), (5, 0), (2, 3))]
    assert seeds == [0, 5, 3_000_011]
    assert 0 <= data.step([0], 0, (1 << 63) + 1).generator.initial_seed() < 1 << 63


def test_measured_values_are_read_under_their_names():
    data = StepData([FIRST, SECOND], CPU)
    flat = data.flat_of([0, 1])
    data.set_now(flat, torch.tensor([-0.1, -0.2, -0.3]), torch.tensor([0.4, 0.5, 0.6]))
    for n, name in enumerate(("teacher", "reference", "kept")):
        data.set_other(name, flat, torch.tensor([-1.0, -2.0, -3.0]) - n)  # type: ignore[arg-type]
    t = tokens(data)
    assert t.logp.tolist() == pytest.approx([-0.1, -0.2, -0.3])
    assert t.entropy.tolist() == pytest.approx([0.4, 0.5, 0.6])
    assert t.teacher.tolist() == [-1.0, -2.0, -3.0]
    assert t.reference.tolist() == [-2.0, -3.0, -4.0]
    assert t.kept.tolist() == [-3.0, -4.0, -5.0]


def test_old_probabilities_are_replaced_and_weighted_up_to_the_cap():
    """exp(.25) = 1.2840 for the first token; exp(.75) is capped at 1.5."""
    data = StepData([FIRST, SECOND], CPU)
    data.set_now(data.flat_of([0, 1]), torch.tensor([-0.25, -0.25, -0.25]), torch.zeros(3))
    data.take_old(1.5)
    t = tokens(data)
    assert t.old.tolist() == [-0.25, -0.25, -0.25]
    assert t.sampler.tolist() == [-0.5, -0.25, -1.0]
    assert t.weight.tolist() == pytest.approx([1.2840, 1.0, 1.5], abs=1e-4)


def test_processes_add_up_what_each_has_measured():
    """Only the tokens of the part, and only the policy that is measured; the other process has twice the values."""
    data = StepData([FIRST, SECOND], CPU)
    everything, part = data.flat_of([0, 1]), data.flat_of([1])
    data.set_now(everything, torch.tensor([-1.0, -2.0, -4.0]), torch.tensor([0.1, 0.2, 0.3]))
    data.set_other("reference", everything, torch.tensor([-7.0, -8.0, -9.0]))
    with data.measured_together(part, None, lambda values: values.add_(2.0)):
        data.set_now(part, torch.tensor([-5.0]), torch.tensor([0.5]))
    assert tokens(data).logp.tolist() == [-1.0, -2.0, -3.0]
    assert tokens(data).entropy.tolist() == pytest.approx([0.1, 0.2, 2.5])
    with data.measured_together(part, "teacher", lambda values: values.add_(2.0)):
        data.set_other("teacher", part, torch.tensor([-5.0]))
    with data.measured_together(part, "kept", lambda values: None):
        pass  # the other process has these tokens
    t = tokens(data)
    assert t.teacher[2] == -3.0
    assert t.kept[2] == 0.0
    assert t.reference.tolist() == [-7.0, -8.0, -9.0]


def test_prepared_values_belong_to_their_tokens():
    data = StepData([FIRST, SECOND], CPU)
    data.set_prepared(data.flat_of([1, 0]), {"keep": torch.tensor([3.0, 1.0, 2.0])})
    assert tokens(data).prepared["keep"].tolist() == [1.0, 2.0, 3.0]
    assert tokens(data, [1]).prepared["keep"].tolist() == [3.0]
    data.set_prepared(data.flat_of([0]), {"width": torch.tensor([4.0, 5.0])})
    assert {name: values.tolist() for name, values in tokens(data).prepared.items()} == {"width": [4.0, 5.0, 0.0]}


def test_values_of_several_tables_are_joined_in_order():
    one, two = (torch.tensor([x]) for x in (1.0, 2.0))
    whole = TokenValues.joined([TokenValues(one, two, one, two), TokenValues(two, one, two, one)])
    assert [getattr(whole, n).tolist() for n in ("logp", "entropy", "kl", "magnet_kl")] == [[1, 2], [2, 1]] * 2
    bare = TokenValues.joined([TokenValues(one, two), TokenValues(two, one)])
    assert (bare.kl, bare.magnet_kl) == (None, None)


def test_the_first_and_the_last_id_of_the_model_are_allowed():
    inside = replace(FIRST, prompt_ids=(0, 9), allowed=((0, 9), (8,), None))
    check_ids([inside], 10)
    for sample, wrong in (
        (replace(inside, prompt_ids=(3, 10)), 10),
        (replace(inside, completion_ids=(7, -1, 9)), -1),
        (replace(inside, allowed=(None, (8,), (9, 10))), 10),
    ):
        with pytest.raises(InputError, match=rf"holds the token id {wrong}; the model has ids from 0 to 9"):
            check_ids([inside, sample], 10)


def test_units_keep_the_samples_of_a_trajectory_or_a_group_together():
    samples = [FIRST, SECOND, replace(SECOND, group=("g",)), FIRST]
    assert units_of(samples, "sample") == [[0], [1], [2], [3]]
    assert units_of(samples, "trajectory") == [[0, 3], [1, 2]]
    assert units_of(samples, "group") == [[0, 2, 3], [1]]


def test_a_sample_without_a_restriction_decides_every_token():
    assert replace(FIRST, allowed=None).decided() == replace(FIRST, allowed=()).decided() == (0, 1, 2)
    assert replace(FIRST, allowed=((7, 1), (), (9,))).decided() == (0,)


def test_processes_get_neighbours_of_equal_length():
    """Prompts of 10 tokens without a common beginning: 2 processes get halves, 4 get one each, in order."""
    samples = [replace(SECOND, prompt_ids=(n, *range(20, 29))) for n in range(4)]
    for world, expected in ((1, [[0, 1, 2, 3]]), (2, [[0, 1], [2, 3]]), (4, [[0], [1], [2], [3]])):
        made = shares(samples, range(4), 1 << 20, world)
        assert [[i for share in each for _, same in share.groups for i in same] for each in made] == expected
        assert all(share.counts for each in made for share in each)
    long = [replace(SECOND, prompt_ids=(0, *range(20, 49))), *samples[1:]]  # 30 tokens, and 10, 10, 10
    made = shares(long, range(4), 1 << 20, 2)
    assert [[i for share in each for _, same in share.groups for i in same] for each in made] == [[0], [1, 2, 3]]
