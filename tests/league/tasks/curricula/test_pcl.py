"""PCL: one gradient step by hand, what the value model learns, and which candidates are played."""

import math

import pytest

from league.tasks.curricula import make
from league.tasks.curricula.pcl import Pcl, features_of
from tests.league.tasks.curricula.pools import GAME, chosen, observed, shown, task


def test_a_gradient_step_by_hand():
    one, pcl = task(0, question="2"), Pcl(rate=2.0, epochs=1)
    assert len(features_of(" 2")) == 2  # the constant and the word
    assert pcl.predict(GAME, one) == 0.5
    observed(pcl, 0, shown(one, 1.0), shown(one, 0.5))  # the mean rate is 0.75
    weight = 2.0 * 2 * 0.25 * 0.25 / math.sqrt(2)  # rate * 2 (r - V) V (1 - V) * feature
    assert pcl.predict(GAME, one) == pytest.approx(1 / (1 + math.exp(-2 * weight / math.sqrt(2))))


def test_features_are_words_pairs_and_triples_without_repetition():
    assert len(features_of("1 + 1")) == 1 + 2 + 2 + 1  # constant; 1 and +; "1 +" and "+ 1"; "1 + 1"
    assert features_of("ONE") == features_of("one")
    assert features_of("") == (0,)


def test_it_predicts_tasks_that_were_never_tried():
    sums = [task(i, question=f"What is {i} + 1?") for i in range(20)]
    products = [task(20 + i, question=f"What is {i} * 77?") for i in range(20)]
    pcl = Pcl()
    for step in range(10):
        observed(pcl, step, *(shown(t, 1.0) for t in sums[:15]), *(shown(t, 0.0) for t in products[:15]))
    assert min(pcl.predict(GAME, t) for t in sums[15:]) > 0.7
    assert max(pcl.predict(GAME, t) for t in products[15:]) < 0.3


def test_the_candidates_nearest_to_the_target_are_played():
    tasks = [task(i, question=f"{'easy ' * (i < 10)}{'hard ' * (i >= 20)}") for i in range(30)]
    pcl = Pcl(candidates=1000)
    for step in range(30):
        observed(pcl, step, *(shown(t, 1.0 if t.index < 10 else 0.0 if t.index >= 20 else 0.5) for t in tasks))
    assert all(10 <= i < 20 for i in chosen(pcl, tasks, 4, matches=4))
    easy = make("pcl(target=1.0, candidates=1000)")
    easy.load_state_dict(pcl.state_dict())
    assert all(i < 10 for i in chosen(easy, tasks, 4, matches=4))
    few = [chosen(Pcl(candidates=1), tasks, 4, matches=4, seed=seed) for seed in range(3)]
    assert few[0] != few[1] != few[2]  # as many candidates as tasks: no choice
