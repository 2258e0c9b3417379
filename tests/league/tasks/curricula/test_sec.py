"""SEC: values by hand, and the share of each category."""

from collections import Counter

import pytest

from league.tasks.curricula.sec import Sec, band
from tests.league.tasks.curricula.pools import GAME, chosen, observed, shown, task


def test_values_and_probabilities_by_hand():
    tasks = [task(0, kind="add/easy"), task(1, kind="add/hard")]
    sec = Sec(rate=0.5, temperature=0.5)
    observed(sec, 0, shown(tasks[0], 0.5, gain=0.6), shown(tasks[0], 0.5, gain=1.0), shown(tasks[1], 0.0, gain=0.0))
    assert sec.values[GAME] == {"add/easy": 0.4, "add/hard": 0.0}  # 0.5 * mean(0.6, 1.0)
    shares = Counter(chosen(sec, tasks, 4000))
    assert shares[0] / 4000 == pytest.approx(0.69, abs=0.02)  # 1 / (1 + exp(-0.8))
    observed(sec, 1, shown(tasks[0], 1.0, gain=0.0))
    assert sec.values[GAME]["add/easy"] == 0.2


def test_tasks_set_in_the_match_and_matches_nobody_learned_from_do_not_count():
    one = task(0, kind="k")
    sec = observed(Sec(), 0, shown(one, 0.5, gain=0.9, pooled=False), shown(one, 0.5, gain=None))
    assert sec.values == {GAME: {}}


def test_tasks_without_a_kind_are_divided_by_their_solve_rate():
    sec = Sec()
    assert [sec.arm(task(0, rate)) for rate in (None, 0.0, 0.25, 0.3, 0.9, 1.0)] == ["-1", "0", "1", "2", "4", "5"]
    assert sec.arm(task(0, 0.3, kind="gcd/small")) == "gcd/small"
    assert Sec(arms="band").arm(task(0, 0.3, kind="gcd/small")) == "2"
    assert band(0.75) == 3
