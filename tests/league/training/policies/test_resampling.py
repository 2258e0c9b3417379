"""Dynamic sampling: matches of groups that teach nothing are played again, counted, and repeated exactly on resume."""

from typing import Any

import pytest

from arena.learner import Credit
from league.records.metrics_file import read_metrics
from league.store import Store
from league.training.policies.resampling import informative
from league.training.run import run_training
from tests import golden
from tests.league.training.runs import config

GRPO: dict[str, Any] = golden.table(__file__, "resampling_grpo")


def credit(match, group, reward, role="first"):
    return Credit("g", role, "", "s", "live", match, group, reward)


def test_only_groups_with_different_rewards_teach_something():
    equal = [credit("a", "1", 1.0), credit("b", "1", 1.0)]
    differ = [credit("c", "2", 1.0), credit("d", "2", -1.0), credit("e", "2", 1.0)]
    alone = [credit("f", "3", 1.0)]
    assert informative([*equal, *differ, *alone]) == {"c", "d", "e", "f"}
    other_role = [credit("a", "1", 0.0, "second"), credit("b", "1", 0.5, "second")]
    assert informative([*equal, *other_role]) == {"a", "b"}


def test_a_step_is_filled_for_a_limited_number_of_rounds_and_exactly_so_on_resume(tmp_path):
    (tmp_path / "whole").mkdir()
    (tmp_path / "cut").mkdir()
    whole = config(tmp_path / "whole", resample=2, **GRPO)
    assert run_training(whole, board="off").complete
    for steps in (1, 3):
        run_training(config(tmp_path / "cut", resample=2, **GRPO | {"steps": steps}), board="off")
    rows = read_metrics(whole.place)
    assert read_metrics(tmp_path / "cut" / "run") == rows
    assert sum(row["resample/matches"] for row in rows) > 0
    for row in rows:
        assert row["resample/rounds"] <= 2
        assert row["resample/missing"] == 0 or row["resample/rounds"] == 2
        assert row["matches"] >= 16 + row["resample/matches"]
    with Store.open(whole.db, read_only=True) as store:
        run = store.run("kuhn.training")
        played = [result for result, _ in store.episodes(run)]
        assert store.counts(run).planned == len(played) == sum(row["matches"] for row in rows)
        assert len({(r.seed, tuple((s.seat, s.player) for s in r.seats)) for r in played}) == len(played)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"loss": {}}, 'set filter = "zero" under'),
        ({"overlap": 1}, "resample needs overlap = 0"),
        ({"policies": [{"name": "a"}, {"name": "b"}]}, r"one policy, not \[\[policies\]\]"),
    ],
)
def test_settings_that_do_not_fit_are_refused(tmp_path, more, words):
    with pytest.raises(ValueError, match=words):
        config(tmp_path, resample=1, **GRPO | more)
