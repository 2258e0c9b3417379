"""The completions that become samples, and their advantages."""

from dataclasses import replace

import pytest
from msgspec import structs

import roles
from arena.learner import Credit, credits_of, turn_samples
from arena.learner.credit import NamedPhases
from arena.records import Decision, Episode, Sample, Turn
from games import PluginError, plugins
from roles import Role
from roles.rewards.credit import with_facts


def decision(token, action="bet", temperature=1.0):
    sample = Sample((1, 2), (token,), (-0.5,), ((token, 99),), temperature, policy="live", version=4)
    return Decision(action, "ok" if action else "unparsable", sample=sample)


def turn(seat, *attempts, **more):
    return Turn(seat, f"role of {seat}", more.pop("phase", "play"), "live", "bet", attempts, 0.0, **more)


def episode(*turns, **more):
    names = ("player_0", "player_1")
    return Episode(
        "m", "kuhn", 0, dict.fromkeys(names, "live"), {n: f"role of {n}" for n in names}, turns, {}, "finished", **more
    )


def credit(seat, phase=""):
    return Credit("kuhn", f"role of {seat}", phase, seat, "live", "m", "", 1.0)


def test_every_attempt_of_a_credited_seat_is_a_sample():
    record = episode(
        turn("player_0", decision(10, None), decision(11), trainable=True),
        turn("player_1", decision(12), trainable=True),
        turn("player_0", decision(13), trainable=True),
    )
    samples = turn_samples([record], [credit("player_0"), credit("player_1")], [0.5, -2.0])
    assert [(s.completion_ids, s.advantage) for s in samples] == [
        ((10,), 0.5),
        ((11,), 0.5),
        ((12,), -2.0),
        ((13,), 0.5),
    ]
    first = samples[0]
    assert (first.key, first.version, first.logprobs, first.allowed, first.prompt_ids) == (
        ("kuhn", "role of player_0", "play"), 4, (-0.5,), ((10, 99),), (1, 2),
    )  # fmt: skip


def test_frozen_players_and_uncredited_seats_have_no_samples():
    record = episode(turn("player_0", decision(10), trainable=False), turn("player_1", decision(11), trainable=True))
    assert turn_samples([record], [credit("player_0")], [1.0]) == []


def test_a_substituted_turn_has_samples_of_its_attempts_but_not_of_the_random_action():
    record = episode(turn("player_0", decision(10, None), decision(11, None), trainable=True, substituted=True))
    assert [s.completion_ids for s in turn_samples([record], [credit("player_0")], [1.0])] == [(10,), (11,)]


def test_a_random_action_gives_no_positive_advantage_to_the_failed_attempts():
    record = episode(
        turn("player_0", decision(10, None), trainable=True, substituted=True),
        turn("player_0", decision(11, None), decision(12), trainable=True),
    )
    for advantage, replaced in ((1.0, 0.0), (-2.0, -2.0)):
        samples = turn_samples([record], [credit("player_0")], [advantage])
        assert [s.advantage for s in samples] == [replaced, advantage, advantage]


def test_the_attempts_of_a_forfeit_are_samples():
    record = episode(
        turn("player_0", decision(10), trainable=True, phase="bid"),
        forfeited_by="player_0",
        failure=(decision(11, None), decision(12, None)),
        last_phase="bid",
    )
    samples = turn_samples([record], [credit("player_0")], [-1.5])
    assert [(s.completion_ids, s.advantage, s.key[2]) for s in samples] == [
        ((10,), -1.5, "bid"), ((11,), -1.5, "bid"), ((12,), -1.5, "bid"),
    ]  # fmt: skip
    assert turn_samples([record], [credit("player_1")], [1.0]) == []


def test_a_credit_for_a_phase_applies_to_that_phase():
    record = episode(
        turn("player_0", decision(10), trainable=True, phase="bid"),
        turn("player_0", decision(11), trainable=True, phase="play"),
        turn("player_0", decision(12), trainable=True, phase="other"),
    )
    credits = [credit("player_0", "bid"), credit("player_0", "play")]
    samples = turn_samples([record], credits, [0.1, 0.2])
    assert [(s.completion_ids, s.advantage) for s in samples] == [((10,), 0.1), ((11,), 0.2)]


def test_bots_and_greedy_answers_were_not_sampled():
    record = episode(
        turn("player_0", Decision("bet"), trainable=True),
        turn("player_0", decision(10, temperature=0.0), trainable=True),
    )
    assert turn_samples([record], [credit("player_0")], [1.0]) == []


def test_a_split_credit_gives_each_turn_its_factor():
    played = episode(
        turn("player_0", decision(1), trainable=True),
        turn("player_1", decision(2), trainable=True),
        turn("player_0", decision(3, None), decision(4), trainable=True),
    )
    samples = turn_samples([played], [replace(credit("player_0"), split=(0.25, 0.75))], [2.0])
    assert [(s.completion_ids[0], s.advantage) for s in samples] == [(1, 0.5), (3, 1.5), (4, 1.5)]
    assert [
        s.completion_ids[0] for s in turn_samples([played], [replace(credit("player_0"), split=(1.0,))], [2.0])
    ] == [1]


class _Phased(Role):
    name = "phased"

    def phases(self, episode, seat):
        return {"clue": 0.5, "vote": -1.0}

    def split_batch(self, episodes):
        return [dict.fromkeys(with_facts(episode).roles, (1.0, 0.5)) for episode in episodes]


def test_a_role_that_names_no_phase_of_a_turn_is_refused(caplog):
    played = episode(turn("player_0", decision(1), phase="bid", trainable=True))
    with plugins.isolated():
        roles.register("phased")(_Phased)
        with pytest.raises(PluginError, match=r"role 'phased' of .* 'clue', 'vote', .* have the phases 'bid' \(.*line"):
            credits_of([played], {"live"}, role=lambda name: roles.make("phased"))
        credits_of([structs.replace(played, status="forfeit")], {"live"}, role=lambda name: roles.make("phased"))
        reached, seen = episode(turn("player_0", decision(1), phase="clue", trainable=True)), dict[str, NamedPhases]()
        for matches in ([reached], [played]):
            credits_of(matches, {"live"}, role=lambda name: roles.make("phased"), phases=seen)
    assert caplog.text.count("phases names 'vote', and the turns of its seats have the phases 'clue'") == 1


def test_a_role_may_credit_phases_and_split_turns():
    played = episode(
        turn("player_0", decision(1), phase="clue", trainable=True),
        turn("player_0", decision(2), phase="vote", trainable=True),
    )
    credits = credits_of([played], {"live"}, role=lambda name: _Phased())
    mine = [c for c in credits if c.seat == "player_0"]
    assert [(c.phase, c.reward, c.split) for c in mine] == [("clue", 0.5, (1.0, 0.5)), ("vote", -1.0, (1.0, 0.5))]
    samples = turn_samples([played], mine, [c.reward for c in mine])
    assert [(s.completion_ids[0], s.advantage) for s in samples] == [(1, 0.5), (2, -0.5)]


def test_a_second_turn_is_numbered_among_those_of_its_seat():
    """An opening move is no turn of the seat; a turn of a frozen player is one, without a sample."""
    record = episode(
        Turn("player_0", "role of player_0", "play", "", "bet", (decision(9),), trainable=True),
        turn("player_0", decision(10), trainable=False),
        turn("player_1", decision(11), trainable=True),
        turn("player_0", decision(12), trainable=True),
        forfeited_by="player_0",
        failure=(decision(13, None),),
        last_phase="play",
    )
    samples = turn_samples([record], [credit("player_0"), credit("player_1")], [1.0, 1.0])
    assert [(s.completion_ids[0], s.turn) for s in samples] == [(11, 0), (12, 1), (13, 2)]


def test_a_sample_holds_what_losses_read_of_its_credit():
    record = episode(turn("player_0", decision(10, temperature=0.7), trainable=True))
    (made,) = turn_samples([record], [replace(credit("player_0"), reward=0.25, score=1.0, task="t")], [0.5])
    assert (made.temperature, made.reward, made.score, made.turn, made.replayed) == (0.7, 0.25, 1.0, 0, False)
    assert (made.group, made.trajectory) == (("kuhn", "role of player_0", "", "", "t"), ("m", "player_0"))


def test_tokens_of_a_credit_are_those_sampled_in_its_phase():
    turns = (
        turn("player_0", decision(1, None), decision(2), phase="clue", trainable=True),
        turn("player_0", decision(3), Decision("bet"), phase="vote", trainable=True),
        turn("player_1", decision(4), phase="clue", trainable=True),
    )
    credits = credits_of([episode(*turns)], {"live"}, role=lambda name: _Phased())
    assert [(c.seat, c.phase, c.tokens) for c in credits] == [
        ("player_0", "clue", 2), ("player_0", "vote", 1), ("player_1", "clue", 1), ("player_1", "vote", 0)
    ]  # fmt: skip
