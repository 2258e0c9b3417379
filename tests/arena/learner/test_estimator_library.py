"""Every estimator of the library on the example of its paper or of its authors' code, computed by hand."""

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest

from arena.learner import Credit, credits_of, estimator, turn_samples
from arena.learner.advantages import checked_turn_advantages, ids
from arena.learner.advantages.cumulative import visited
from arena.learner.advantages.normalised import beta_density, beta_parameters, disagreement
from arena.records import Decision, Episode, Sample, Turn
from games import InputError
from games.errors import PluginError
from roles import Role
from tests import golden


def credits(rewards, group="g", **more):
    """One group of answers to one task."""
    each = Credit("game", "solver", "", "seat", "live", "m", group, 0.0)
    return [replace(each, reward=r, match=f"{group}{i}", **more) for i, r in enumerate(rewards)]  # type: ignore[arg-type]


def advantages(id, *groups):
    return estimator(id).advantages([c for n, g in enumerate(groups) for c in credits(g, str(n))]).tolist()


def test_dr_grpo_subtracts_the_mean_only():
    assert advantages("grpo(scale=false)", [1, 0, 0, 0]) == [0.75, -0.25, -0.25, -0.25]
    assert advantages("grpo", [1, 0, 0, 0]) == pytest.approx([1.7321, *[-0.5774] * 3], abs=1e-4)  # ddof 0


def test_rloo():
    assert advantages("rloo", [1, 0, 0, 0]) == pytest.approx([1, *[-1 / 3] * 3])


def test_best_learns_from_the_best_answers_of_a_group_only():
    assert advantages("best", [0.2, 0.9, -1, 0.4]) == [0, 1, 0, 0]
    assert advantages("best", [1, 0, 1, 0], [0.5, 0.5], [3]) == [
        1,
        0,
        1,
        0,
        0,
        0,
        0,
    ]  # ties are all best; no difference


def test_psr_nsr_weighs_right_answers_by_lambda_and_wrong_ones_by_minus_one():
    assert advantages("psr-nsr", [1, 0, 0, 1]) == [0.1, -1, -1, 0.1]
    assert advantages("psr-nsr(positive=1, negative=0)", [1, 0, 0.5]) == [1, 0, 0]  # 1/2 is a draw


def test_ngrpo_has_a_virtual_answer_that_earned_the_most():
    assert advantages("ngrpo", [0, 0, 0, 0]) == pytest.approx([-0.4472] * 4, abs=1e-4)
    assert advantages("ngrpo", [1, 0, 0, 0]) == pytest.approx([1.0954, *[-0.7303] * 3], abs=1e-4)
    assert advantages("ngrpo", [1, 1, 1, 1]) == [0.0] * 4
    assert advantages("ngrpo", [0]) == [0.0]
    # the paper's example: one right answer of eight, where GRPO has 2.47 and -0.35
    assert advantages("ngrpo", [1, *[0] * 7]) == pytest.approx([1.76, *[-0.50] * 7], abs=6e-3)


def test_bnpo_divides_by_the_density_of_a_beta_distribution():
    """Success rates 1/4, 1/2 and 3/4: mean .5, variance .0625, so a = b = 1.5, and the density at 1/4 is 1.1027."""
    assert beta_density(0.25, 1.5, 1.5) == pytest.approx(1.1027, abs=1e-4)
    found = advantages("bnpo", [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0])
    assert found[:4] == pytest.approx([0.6802, *[-0.2267] * 3], abs=1e-4)
    assert found[4:6] == pytest.approx([0.5 / beta_density(0.5, 1.5, 1.5)] * 2)
    assert advantages("bnpo", [1, 0, 0, 0]) == [0.75, -0.25, -0.25, -0.25]  # one group has no spread
    assert advantages("bnpo", [1, 1], [0, 0], [1, 0])[:4] == [0.0] * 4
    assert advantages("bnpo(low=-1)", [1, -1]) == [0.5, -0.5]
    with pytest.raises(InputError, match="low must be below high"):
        estimator("bnpo(low=2)")


def test_seed_counts_less_where_answers_disagree():
    """Counts 2, 1, 1: entropy 1.0397 of log 4, a ratio of .75; 1 - .5 * .75 = .625."""
    assert disagreement(["7", " 7", "8", "9"]) == pytest.approx(0.75)
    answers = ["7", "7", "8", "9"]
    given = [replace(c, answer=a) for c, a in zip(credits([1, 0, 0, 0]), answers, strict=True)]
    assert estimator("seed").advantages(given)[0] == pytest.approx(0.75 * 0.625)
    assert estimator("seed(alpha=0)").advantages(given)[0] == 0.75
    assert estimator("seed(alpha=1)").advantages([replace(c, answer=str(i)) for i, c in enumerate(given)])[0] == (
        pytest.approx(0.0, abs=1e-12)
    )


def test_hapo_weighs_answers_by_their_tokens():
    given = [replace(c, tokens=n) for c, n in zip(credits([1, 0]), (2, 6), strict=True)]
    found = estimator("hapo").advantages(given)
    assert found.tolist() == pytest.approx([1.7321, -0.5774], abs=1e-4)
    assert found[0] * 2 + found[1] * 6 == pytest.approx(0)
    long = [replace(c, tokens=n) for c, n in zip(credits([1, 0]), (1, 99), strict=True)]  # 9.9 without the limit
    assert estimator("hapo").advantages(long).tolist() == pytest.approx([1.0, -1.0], rel=1e-5)


def test_dcpo_compares_with_everything_earned_on_the_task():
    assert visited((1, 0.25, 0.25), np.ones(4)) == (2, 0.625, 0.265625)
    dcpo = estimator("dcpo")
    state = {"visits": [[["game", "solver", "", ""], 1, 0.25, 0.25]]}
    dcpo.load_state_dict(json.loads(json.dumps(state)))
    assert dcpo.advantages(credits([1, 1, 1, 1])).tolist() == pytest.approx([0.3638] * 4, abs=1e-4)
    new = estimator("dcpo").advantages(credits([1, 0, 0, 0]))
    assert new.tolist() == pytest.approx(advantages("grpo", [1, 0, 0, 0]))  # the first visit is GRPO
    other = estimator("dcpo")
    other.advantages(credits([1, 0], task="a"))
    assert other.advantages(credits([1, 1], task="b")).tolist() == [0.0, 0.0]


def drawn(draw):
    """Three groups of four answers, two of them to one task, with rewards in quarters."""
    for group, task in (("a", "x"), ("b", "y"), ("c", "x")):
        for c in credits([draw.randrange(5) / 4 for _ in range(4)], group, task=task, role=draw.choice(("p", "q"))):
            yield replace(c, tokens=draw.randint(1, 9), answer=draw.choice("uvw"), turns=(draw.random(), draw.random()))


@pytest.mark.parametrize("id", ids())
def test_advantages_of_three_drawn_steps_are_those_of_the_table(id):
    """The other tests compare with formulas at chosen places; this one holds every estimator still at all others."""
    made, draw = estimator(id), random.Random(0)
    for step in golden.table(__file__, "advantages_of_drawn_answers")[id]:
        assert made.advantages(list(drawn(draw))).tolist() == pytest.approx(step, abs=2e-4)


def test_dcpo_is_the_smaller_mix_of_both_advantages_at_every_visit():
    """Compared with equations 5 to 7 over all rewards of the task, kept in a list."""
    dcpo, draw, earned = estimator("dcpo"), random.Random(1), []
    for i in range(1, 6):
        rewards = np.array([draw.random() for _ in range(4)])
        earned += rewards.tolist()
        new, all = (rewards - rewards.mean()) / rewards.std(), (rewards - np.mean(earned)) / np.std(earned)
        mixes = np.stack([all / i + (1 - 1 / i) * new, new / i + (1 - 1 / i) * all])
        smaller = mixes[np.abs(mixes).argmin(0), range(4)]
        assert dcpo.advantages(credits(rewards.tolist())) == pytest.approx(smaller, abs=1e-5)


@pytest.mark.parametrize("id", [i for i in ids() if i not in ("none", "rae", "global", "psr-nsr", "spo", "ngrpo")])
def test_rewards_that_are_equal_but_for_rounding_teach_nothing(id):
    """Whatever their scale, in the first step and after many; 0.1 three times has a mean that is not 0.1."""
    for reward in (0.1, -0.7, 1 / 3, 1e8 + 0.1):
        made = estimator(id)
        for _ in range(6):
            given = credits([reward, reward + 1e-16, reward * (1 + 1e-15)])
            assert made.advantages(given).tolist() == [0.0] * 3, (id, reward)
            assert all(not np.any(a) for a in checked_turn_advantages(id, made, given) or ())


def test_turn_level_sums_what_a_turn_and_the_later_ones_earn():
    """Two matches of three turns: gains .1, .2 and outcome 1; gains .3, -.1 and outcome 0."""
    won, lost = (replace(c, turns=t) for c, t in zip(credits([1, 0]), ((0.1, 0.2), (0.3, -0.1)), strict=True))
    made = estimator("turn-level")
    first, second = checked_turn_advantages("turn-level", made, [won, lost]) or ()
    assert first == pytest.approx([1.5303, 1.9477, 2.0868], abs=1e-4)
    assert second == pytest.approx([-1.5303, -1.6695, -0.6956], abs=1e-4)
    assert made.advantages([won, lost]).tolist() == pytest.approx([np.mean(first), np.mean(second)])
    (half, _) = checked_turn_advantages("turn-level", estimator("turn-level(gamma=0)"), [won, lost]) or ()
    assert half[2] == pytest.approx(2.0868, abs=1e-4)
    assert half[0] == pytest.approx((0.1 - 0.25) / 0.3594, abs=1e-3)


class Gains(Role):
    def turn_rewards(self, episode, seat):
        return [0.25, 0.5] if seat == "player_0" else None


def played():
    turns = []
    for token in (10, 11, 12):
        sample = Sample((1, 2), (token,), (-0.5,), ((token, 99),), policy="live")
        said = f"says {token}"
        turns.append(Turn("player_0", "first", "play", "live", said, (Decision(said, sample=sample),), trainable=True))
    seats = {"player_0": "live", "player_1": "live"}
    roles = {"player_0": "first", "player_1": "second"}
    return Episode("m", "kuhn", 1, seats, roles, tuple(turns), {"player_0": 1.0, "player_1": 0.0}, "finished")


def test_credits_hold_what_the_estimators_read():
    mine, other = credits_of([played()], {"live"}, role=Gains)
    assert mine.turns == (0.25, 0.5)
    assert other.turns is None
    assert mine.answer == "says 12"
    assert mine.tokens == 3
    assert other.tokens == 0


def test_every_turn_trains_with_its_own_advantage():
    mine, other = credits_of([played()], {"live"}, role=Gains)
    samples = turn_samples([played()], [mine, other], [0.0, 0.0], [[3.0, 2.0], [0.0]])
    assert [s.advantage for s in samples] == [3.0, 2.0, 2.0]  # later turns have the last one
    assert [(s.turn, s.reward, s.trajectory) for s in samples] == [(t, 1.0, ("m", "player_0")) for t in range(3)]
    assert {s.group for s in samples} == {mine.group_key}


def test_a_plugins_turns_are_checked():
    class Short:
        def turn_advantages(self, given):
            return [[math.nan] for _ in given]

    with pytest.raises(PluginError, match="2 sequences of finite numbers"):
        checked_turn_advantages("grpo", Short(), credits([1, 0]))  # type: ignore[arg-type]


def test_spo_is_the_share_of_wins_above_one_half():
    assert advantages("spo", [0.85, 0.35, 0.30]) == pytest.approx([0.35, -0.15, -0.2])
    assert advantages("spo", [0.85]) == [0.0]


@pytest.mark.parametrize(
    "id",
    [
        "bnpo(low=0, high=1)",
        "global(decay=0.95, debias=true)",
        "grpo(scale=true)",
        "ngrpo(best=1)",
        "psr-nsr(positive=0.1, negative=1)",
        "rae(decay=0.95, debias=true, by_phase=false)",
        "seed(alpha=0.5)",
        "turn-level(gamma=1)",
    ],
)
def test_parameters_that_are_left_out_are_those_of_the_paper(id):
    values = [vars(estimator(name)) for name in (id.partition("(")[0], id)]
    assert all(values)
    plain = [{name: v for name, v in each.items() if name != "baseline"} for each in values]
    assert plain[0] == plain[1]
    assert estimator(id.partition("(")[0]).state_dict() == estimator(id).state_dict()


def test_every_estimator_declares_what_it_reads():
    made = {id: estimator(id) for id in ids()}
    compares = {id for id, each in made.items() if getattr(each, "compares", False)}
    assert compares >= {"best", "bnpo", "grpo", "hapo", "ngrpo", "rloo", "seed", "spo", "turn-level"}
    assert not compares & {"none", "rae", "global", "whiten", "psr-nsr", "dcpo"}
    kinds = {id: kind for id, each in made.items() if (kind := getattr(each, "needs_kind", None))}
    assert (kinds["psr-nsr"], kinds["spo"]) == ("verdict", "preference")
    assert not kinds.keys() & {"none", "rae", "grpo", "rloo", "whiten"}
    assert estimator("bnpo(low=-1, high=3)").needs_range == (-1, 3)  # type: ignore[attr-defined]
    assert estimator("ngrpo(best=2)").needs_range == (-math.inf, 2)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("id", "refused"),
    [
        ("seed", ("alpha=-0.01", "alpha=1.01")),
        ("turn-level", ("gamma=-0.01", "gamma=1.01")),
        ("psr-nsr", ("positive=-0.01", "negative=-0.01")),
        ("bnpo", ("low=1", "low=1, high=0.5")),
    ],
)
def test_parameters_out_of_range_are_refused(id, refused):
    for parameters in refused:
        with pytest.raises(InputError, match=id):
            estimator(f"{id}({parameters})")


def test_the_parameters_of_a_beta_distribution_have_its_mean_and_variance():
    """Mean .5 and variance .0625: k = .25 / .0625 - 1 = 3. Mean .2, variance .02: k = 7."""
    assert beta_parameters([0.25, 0.5, 0.75]) == pytest.approx((1.5, 1.5))
    assert beta_parameters([0.1, 0.3]) == pytest.approx((1.4, 5.6))
    assert beta_parameters([0.0, 1.0]) == (0.0, 0.0)  # a larger variance than any such distribution has
    assert beta_parameters([0.4]) == beta_parameters([0.4, 0.4]) == beta_parameters([]) == (0.0, 0.0)


def test_the_density_of_a_beta_distribution():
    """12 p^2 (1 - p) at .5 is 1.5; uniform is 1; 2 p at .25 is .5."""
    assert beta_density(0.5, 3, 2) == pytest.approx(1.5)
    assert beta_density(0.3, 1, 1) == pytest.approx(1.0)
    assert beta_density(0.25, 2, 1) == pytest.approx(0.5)


def test_bnpo_divides_by_the_density_of_its_groups():
    """Means .1 and .3 of two roles apart: a = 1.4, b = 5.6, so the divisor is Beta(1 + 1.4 / 3, 1 + 5.6 / 3)."""
    first, second = [0.2, 0.0], [0.5, 0.1]
    expected = [0.1 / beta_density(0.1, 1 + 1.4 / 3, 1 + 5.6 / 3), 0.2 / beta_density(0.3, 1 + 1.4 / 3, 1 + 5.6 / 3)]
    other = credits([1, 0], "z", role="judge")  # of another role, with another density
    given = [*credits(first, "a"), *other, *credits(second, "b")]
    assert estimator("bnpo").advantages(given).tolist() == pytest.approx(
        [expected[0], -expected[0], 0.5, -0.5, expected[1], -expected[1]]
    )
    assert advantages("bnpo(low=-2, high=2)", [1, -1]) == [0.25, -0.25]
    assert advantages("bnpo", [3, 0.5, -4]) == pytest.approx([0.5, 0.0, -0.5])  # cut off at 0 and 1
    assert advantages("bnpo", [0.5], [1, 0]) == [0.0, 0.5, -0.5]  # a group of one has no rate


def test_disagreement_ignores_case_and_space():
    assert disagreement(["A  b", "a B", " a b "]) == 0.0
    assert disagreement(["a", "b", "b", "b"]) == pytest.approx(0.5623 / math.log(4), abs=1e-4)
    assert disagreement(["a", "b", "c"]) == pytest.approx(1.0)


def test_hapo_replaces_advantages_from_5_on():
    """Weights 1 and n: the first advantage is sqrt(n). At 26 it is above 5 and that of GRPO; at 24 it is not."""
    for tokens, first in ((24, math.sqrt(24)), (26, 1.0), (30, 1.0)):
        given = [replace(c, tokens=n) for c, n in zip(credits([1, 0]), (1, tokens), strict=True)]
        assert estimator("hapo").advantages(given)[0] == pytest.approx(first, rel=1e-5)
    silent = [replace(c, tokens=0) for c in credits([1, 0])]  # counts as one token
    assert estimator("hapo").advantages(silent).tolist() == pytest.approx([1.0, -1.0], rel=1e-5)
    assert estimator("hapo").advantages(credits([1], tokens=4)).tolist() == [0.0]


def test_dcpo_counts_visits_of_the_task_in_its_role_and_phase():
    for other in ({"role": "judge"}, {"phase": "vote"}, {"game": "chess"}, {"task": "2 + 2"}):
        dcpo = estimator("dcpo")
        dcpo.advantages(credits([1, 0, 0, 0]))
        assert dcpo.advantages(credits([1, 1], **other)).tolist() == [0.0, 0.0], other
        assert dcpo.advantages(credits([1, 1])).tolist() != [0.0, 0.0]
    alone = estimator("dcpo")
    assert alone.advantages(credits([1])).tolist() == [0.0]
    assert alone.advantages(credits([0]))[0] == pytest.approx(-0.5)  # mean and deviation .5: half of -1, and 0 within
    restored = estimator("dcpo")
    restored.load_state_dict(json.loads(json.dumps(alone.state_dict())))
    assert restored.advantages(credits([1])).tolist() == alone.advantages(credits([1])).tolist()


def test_turn_level_discounts():
    """gamma = .5, over the rewards of both matches, standardised together."""
    first, second = (replace(c, turns=t) for c, t in zip(credits([2, 0]), ((4.0, 0.0), (0.0, 2.0)), strict=True))
    (values, _) = checked_turn_advantages("turn-level", estimator("turn-level(gamma=0.5)"), [first, second]) or ()
    rewards = np.array([4.0, 0.0, 2.0, 0.0, 2.0, 0.0])
    z = (rewards - rewards.mean()) / rewards.std()
    assert values == pytest.approx([z[0] + z[1] / 2 + z[2] / 4, z[1] + z[2] / 2, z[2]])
    alone = checked_turn_advantages("turn-level", estimator("turn-level"), [first]) or ()
    assert list(alone[0]) == [0.0] * 3
