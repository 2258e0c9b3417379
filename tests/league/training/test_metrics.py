"""The metrics of a step, on handmade episodes."""

import msgspec
import pytest

from arena.learner import Credit, StepStats, estimator
from arena.match import Decision, Episode, Sample, Turn
from arena.players.by_role import WHOLE
from league.training.metrics import message_metrics, staleness, step_metrics, task_metrics, version_mixture

STATS = StepStats(*[0] * 20)


def decision(category="ok", version=3, tokens=2):
    return Decision(
        "bet", category, sample=Sample((1,), (5,) * tokens, (-0.5,) * tokens, None, 1.0, policy="live", version=version)
    )


def episode(match, seats, returns, *turns, **more):
    roles = {"player_0": "first", "player_1": "second"}
    made = [Turn(s, roles[s], "play", seats[s], "bet", attempts, 0.0) for s, attempts in turns]
    status = more.pop("status", "finished")
    return Episode(match, "kuhn", 0, seats, roles, tuple(made), returns, status, **more)


def metrics(episodes, credits=()):
    return step_metrics(episodes, credits, [c.reward / 2 for c in credits], {WHOLE: STATS}, estimator("none"), PLAYERS)


PLAYERS = {"live", "live#1"}
SELF = {"player_0": "live", "player_1": "live"}
OTHER = {"player_0": "old", "player_1": "live"}


def test_rewards_are_means_with_their_sign():
    """Not of each match's best (oat logs the mean of the maximum, which hardly ever falls below 0)."""
    credits = [
        Credit("kuhn", role, "", "player_0", "live", "m", "", reward)
        for role, reward in (("first", -2.0), ("first", 1.0), ("second", 0.5))
    ]
    out = metrics([], credits)
    assert out["reward/kuhn/first"] == -0.5
    assert out["reward/kuhn/second"] == 0.5
    assert out["advantage_square/kuhn/first"] == (1.0 + 0.25) / 2


def test_illegal_answers_count_in_every_seat_and_only_those_of_the_live_policy():
    bad = decision("illegal", tokens=8)
    record = episode(
        "a", SELF, {"player_0": -1.0, "player_1": 1.0}, ("player_0", (bad, decision())), ("player_1", (bad, decision()))
    )
    met = episode(
        "b", OTHER, {"player_0": -1.0, "player_1": 1.0}, ("player_0", (bad, bad)), ("player_1", (decision(),))
    )
    lost = episode(
        "c", SELF, {"player_0": -1.0, "player_1": 1.0}, status="forfeit", forfeited_by="player_0", failure=(bad,)
    )
    out = metrics([record, met, lost])
    assert (out["answers"], out["illegal"]) == (6, 3 / 6)
    assert out["length"] == (8 + 2 + 8 + 2 + 2 + 8) / 6


def test_seats_are_compared_in_decided_matches_against_itself():
    wins = [episode(str(i), SELF, {"player_0": 1.0, "player_1": -1.0}) for i in range(3)]
    others = [
        episode("d", SELF, {"player_0": -1.0, "player_1": 1.0}),
        episode("e", SELF, {"player_0": 0.0, "player_1": 0.0}),
        episode("f", OTHER, {"player_0": -1.0, "player_1": 1.0}),
        episode("g", SELF, {"player_0": -1.0, "player_1": 1.0}, status="void"),
    ]
    out = metrics([*wins, *others])
    assert (out["seat_win/kuhn/player_0"], out["seat_win/kuhn/player_1"]) == (0.75, 0.25)
    assert (out["matches"], out["void"]) == (7, 1)


def test_who_plays_alone_wins_over_nobody():
    assert "seat_win/kuhn/player_0" not in metrics([episode("a", {"player_0": "live"}, {"player_0": 1.0})])


def test_an_old_opponent_does_not_make_fresh_answers_stale():
    record = episode(
        "a",
        OTHER,
        {"player_0": 1.0, "player_1": -1.0},
        ("player_0", (decision(version=0),)),
        ("player_1", (decision(version=8), decision(version=9))),
    )
    assert staleness([record], 10, PLAYERS) == {"staleness": 1.5, "staleness_max": 2}


def test_the_mixture_of_versions_counts_answers_and_tokens():
    mixed = decision(version=9, tokens=4)
    mixed = msgspec.structs.replace(mixed, sample=msgspec.structs.replace(mixed.sample, versions=(7, 7, 9, 9)))
    turns = ("player_0", (decision(version=0),)), ("player_1", (mixed, decision(version=9)))
    record = episode("a", OTHER, {"player_0": 1.0, "player_1": -1.0}, *turns)
    assert staleness([record], 10, PLAYERS) == {"staleness": (2 + 1) / 2, "staleness_max": 3}
    assert version_mixture([record], 10, PLAYERS) == {
        "mixed_versions": 0.5,
        "token_staleness": (3 + 3 + 1 + 1 + 1 + 1) / 6,
    }
    assert version_mixture([], 10, PLAYERS) == {"mixed_versions": 0.0, "token_staleness": 0.0}


def match(task, verdict="pass", rate=0.5, **more):
    facts = {"task": task, "verdict": verdict, "solve_rate": rate, **more}
    return Episode("m", "g", 0, {"p": "live"}, {"p": "proposer"}, (), {"p": 0.0}, "finished", facts=facts)


def test_metrics_of_tasks():
    marks = [{"agrees": True}, {"agrees": False}, {"agrees": None}]
    episodes = [
        match("1 + 1", marks=marks),
        match("1  +  1", rate=1.0, label_right=True, control={"right": {"a": True, "b": False}}),
        match("2 + 2", rate=None),
        match("", "invalid", None),
        match("1 + 1", pooled=True, rate=0.0),
    ]
    assert task_metrics(episodes) == pytest.approx(
        {
            "valid/g": 0.75,
            "distinct/g": 2 / 3,
            "task_length/g": (5 + 7 + 5) / 3,
            "solve_rate/g": 0.5,
            "controls/g": 0.5,
            "agreement/g": 0.5,
            "label_right/g": 1.0,
        }
    )
    assert task_metrics([Episode("m", "g", 0, {}, {}, (), {}, "finished")]) == {}


def said(role, *texts, player="live", **more):
    turns = tuple(Turn(role, role, "play", player, text, (Decision(text),), **more) for text in texts)
    return Episode("m", "taboo-v0", 0, {role: player}, {role: role}, turns, {}, "finished", facts={"how": "tie"})


def test_metrics_of_messages():
    episodes = [
        said("attacker", "Hello.", "hello", "What is it?"),
        said("attacker", "Hello", player="live#1"),
        said("defender", "No.", "No."),
        said("defender", "drawn", substituted=True),
        said("defender", "of somebody else", player="random"),
        Episode("m", "openspiel/kuhn_poker", 0, {"a": "live"}, {"a": "a"}, said("a", "bet").turns, {}, "finished"),
    ]
    found = message_metrics(episodes, PLAYERS)
    assert found == {
        "messages/taboo-v0/attacker": 0.5,
        "messages/taboo-v0/defender": 0.5,
        "same/taboo-v0/attacker": 0.75,
        "same/taboo-v0/defender": 1.0,
    }


def test_choices_from_a_list_are_no_messages():
    free, chosen = (Sample((1,), (2,), (0.0,), allowed=allowed) for allowed in (None, ((2, 3),)))
    episodes = [
        msgspec.structs.replace(
            said("defender"),
            turns=tuple(
                Turn("defender", "defender", "reply", "live", text, (Decision(text, sample=sample),)) for text in texts
            ),
        )
        for sample, texts in ((chosen, ("No.",) * 9), (free, ("No.", "Why?")))
    ]
    assert message_metrics(episodes, PLAYERS)["messages/taboo-v0/defender"] == 1.0


def test_a_game_that_cuts_no_messages_need_not_say_so():
    turns = (("player_0", (decision(),)), ("player_1", (decision(),)))
    record = episode("a", SELF, {"player_0": 0.0, "player_1": 0.0}, *turns)
    out = metrics([msgspec.structs.replace(record, facts={"unread": {"player_0": ["no command"]}})])
    assert (out["unread/kuhn/first"], out["cut/kuhn/first"]) == (1.0, 0.0)


def test_unreadable_answers_and_cut_messages_are_shares_of_the_turns_of_a_role():
    facts = {"unread": {"player_0": ["no verdict"]}, "cut": {"player_1": 2}}
    turns = (("player_0", (decision(),)), ("player_0", (decision(),)), ("player_1", (decision(),)))
    record = episode("a", SELF, {"player_0": 0.0, "player_1": 0.0}, *turns)
    out = metrics([msgspec.structs.replace(record, facts=facts), record])
    assert {k: v for k, v in out.items() if k.startswith(("unread/", "cut/"))} == {
        "unread/kuhn/first": 0.5,
        "cut/kuhn/first": 0.0,
        "unread/kuhn/second": 0.0,
        "cut/kuhn/second": 2.0,
    }
