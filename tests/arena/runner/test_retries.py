"""Which interrupted matches are played again."""

from arena.match import MatchPlan
from arena.runner.retries import RetryQueue


def test_a_match_that_is_given_up_is_void_and_names_its_task():
    retries = RetryQueue(5, isolate_after=2)
    plan = MatchPlan("m1", "openspiel/kuhn_poker", 7, {"player_0": "a", "player_1": "b"}, task="the task")
    for _ in range(4):
        assert retries.add_all([plan], "its worker died 5 times") == []
        retries.clear()
    (episode,) = retries.add_all([plan], "its worker died 5 times")
    assert (episode.status, episode.task, episode.turns) == ("void", "the task", ())
    assert episode.reason == "its worker died 5 times"
    assert set(episode.returns) == set(plan.seats)
    assert not any(episode.returns.values())


def test_a_match_that_failed_often_is_a_suspect_and_no_longer_taken_with_the_others():
    retries = RetryQueue(5, isolate_after=2)
    plans = [MatchPlan(f"m{i}", "openspiel/kuhn_poker", i, {"player_0": "a", "player_1": "b"}) for i in range(3)]
    assert retries.add(plans[1])
    assert retries.take(9) == [plans[1]]
    assert all(retries.add(plan) for plan in plans)
    assert retries.suspect() == plans[1]
    assert [plan.id for plan in retries.take(9)] == ["m0", "m2"]
    retries.remove(plans[1])
    assert retries.suspect() is None


def test_a_match_has_three_attempts():
    retries = RetryQueue()
    plan = MatchPlan("m", "openspiel/kuhn_poker", 1, {"player_0": "a", "player_1": "b"})
    for _ in range(2):
        assert retries.add(plan)
        assert retries.take(0) == []
        assert retries.take(9) == [plan]
    assert not retries.add(plan)
    assert retries.take(9) == []
