"""Scores of real matches: what losses and estimators that need right or wrong, or shares of wins, read."""

from dataclasses import replace

import msgspec
import pytest

import games
from arena import IllegalPolicy, MatchPlan, event_loop
from arena.learner import LossConfig, ReplayConfig, Trainer, TrainerConfig, credits_of, estimator
from arena.learner.advantages import checked_advantages
from arena.learner.replay import ReplayBuffer
from arena.match import play as play_match
from arena.match import play_async as play_match_async
from arena.players import make
from arena.players.bots.scripted import ScriptedPlayer
from games import InputError
from roles.rewards.credit import with_facts
from roles.rewards.monitors import truths
from tests.arena.learner.drawing import made_up, near_policy

ANSWERS = frozenset({"debate-judge", "judge", "listener", "prover", "refiner", "solver", "speaker", "translator"})
"""roles that are paid for being right, and of which the facts of a match tell whether they were"""
VERIFIED = (
    "psj(solvers=2)", "math-duel(solvers=4)", "code-io(solvers=2)", "solve(solvers=2)",
    "refine", "search(solvers=2)", "pragmatic", "conjecture(provers=2)", "debate", "efg",
)  # fmt: skip


def played(game, plays, seed):
    """A match of scripted policies, by role."""
    seated = {seat: ScriptedPlayer("live", plays[role]) for seat, role in game.spec.seats.items()}
    plan = MatchPlan(str(seed), game.spec.id, seed, dict.fromkeys(seated, "live"))
    if game.blocking:
        return event_loop.run(play_match_async(game, plan, seated, IllegalPolicy(retries=0)))
    return play_match(game, plan, seated, IllegalPolicy(retries=0))


@pytest.mark.parametrize("id", VERIFIED)
def test_the_score_of_an_answer_is_the_truth(id):
    game = games.make(id)
    suite = game.shortcuts()
    assert suite is not None
    ways = [dict(suite.honest), dict(suite.competent), *({**suite.competent, **s.plays} for s in suite.every())]
    open = {(role, truth) for role in ANSWERS & set(game.spec.seats.values()) for truth in (0.0, 1.0)}
    for n, way in enumerate(ways * 2):
        episode = played(game, {**suite.partners, **way}, n)
        checked = with_facts(episode)
        for c in credits_of([episode], {"live"}, specs={game.spec.id: game.spec}):
            truth = (truths(checked) or checked.facts.get("right", {})).get(c.seat)
            if c.role in ANSWERS and truth in (0.0, 1.0) and c.score != 0.5:  # as where a judge met one kind of answer
                open.discard((c.role, truth))
                assert c.score == truth, (c.role, c.reward)
        if not open and n >= 3:
            return
    assert not open


def against_random(id, matches):
    """Matches of random players, all of whose seats are credited."""
    game = games.make(id)
    player = make("random", name="live")
    plans = [MatchPlan(str(n), game.spec.id, n, dict.fromkeys(game.spec.seats, "live")) for n in range(matches)]
    return [
        play_match(game, plan, dict.fromkeys(game.spec.seats, player), IllegalPolicy()) for plan in plans
    ], game.spec


@pytest.mark.parametrize("id", ["openspiel/kuhn_poker", "openspiel/tic_tac_toe", "openspiel/leduc_poker", "bargain"])
def test_the_score_of_an_outcome_is_who_won(id):
    episodes, spec = against_random(id, 120)
    credits = credits_of(episodes, {"live"}, specs={spec.id: spec})
    assert {c.score for c in credits} >= {0.0, 1.0}
    assert [c.score for c in credits] == [0.5 + 0.5 * ((c.reward > 0) - (c.reward < 0)) for c in credits]


def test_the_score_of_taboo_is_who_won_although_a_loss_and_a_tie_pay_nothing():
    """Credits are 1 and 0, or less than 0 for a wrong guess."""
    game = games.make("taboo")
    suite = game.shortcuts()
    assert suite is not None
    episodes = [played(game, suite.competent, n) for n in range(8)] + [played(game, suite.honest, n) for n in (8, 9)]
    won = {(e.match, with_facts(e).facts["winner"]) for e in episodes}
    credits = credits_of(episodes, {"live"}, specs={game.spec.id: game.spec})
    assert [c.score for c in credits] == [float((c.match, c.seat) in won) for c in credits]
    assert {c.score for c in credits} == {0.0, 1.0}


def test_the_score_of_an_answerer_is_its_share_of_wins():
    episodes, spec = against_random("prefer(table=ladder)", 12)
    credits = credits_of(episodes, {"live"}, specs={spec.id: spec})
    assert [c.score for c in credits] == [c.reward for c in credits]


def test_without_the_games_an_outcome_has_no_score_and_is_not_used():
    credits = credits_of(against_random("openspiel/kuhn_poker", 2)[0], {"live"})
    assert {c.score for c in credits} == {None}
    with pytest.raises(InputError, match=r"the reward of role 'first' in openspiel/kuhn_poker.* has no score"):
        checked_advantages("psr-nsr", estimator("psr-nsr"), credits)


def kuhn(scale, shift):
    """The credits of Kuhn poker with its returns on another scale, in groups of four matches."""
    episodes, spec = against_random("openspiel/kuhn_poker", 24)
    moved = [
        msgspec.structs.replace(e, returns={seat: scale * r + shift for seat, r in e.returns.items()}) for e in episodes
    ]
    assert spec.returns_range is not None
    low, high = (scale * bound + shift for bound in spec.returns_range)
    other = replace(spec, payoff="constant_sum", payoff_sum=2 * shift, returns_range=(low, high))
    return credits_of(moved, {"live"}, specs={spec.id: other}, group=lambda e: str(int(e.match) // 4))


@pytest.mark.parametrize("id", ["psr-nsr", "spo"])
def test_estimators_see_wins_on_any_scale(id):
    expected = checked_advantages(id, estimator(id), kuhn(1.0, 0.0))
    values = {"psr-nsr": {0.1, -1.0}, "spo": {0.5, -0.5}}[id]
    assert set(expected) == values
    won = [c.reward > 0 for c in kuhn(1.0, 0.0)]
    assert [a > 0 for a in expected] == won
    for scale, shift in ((0.1, 0.0), (5.0, 3.0), (1.0, -9.0)):
        assert checked_advantages(id, estimator(id), kuhn(scale, shift)) == expected


def test_the_replay_buffer_keeps_what_was_won_on_any_scale():
    for scale, shift in ((1.0, 0.0), (5.0, 33.0), (0.1, -9.0)):
        credits = kuhn(scale, shift)
        made = [s for s in made_up(len(credits) * 2) if s.decided()][: len(credits)]
        samples = [replace(s, reward=c.reward, score=c.score) for s, c in zip(made, credits, strict=True)]
        buffer = ReplayBuffer(ReplayConfig(share=1.0, size=100), seed=0)
        buffer.add(samples)
        won = [s.completion_ids for s, c in zip(samples, kuhn(1.0, 0.0), strict=True) if c.reward > 0]
        assert [row["completion_ids"] for row in buffer.state_dict()] == won


@pytest.mark.parametrize("id", ["nft", "sppo(eta=1.0)", "inpo(eta=1.0,tau=0.1)", "dpo(soft=true)"])
def test_losses_see_scores_and_not_rewards(id, fresh):
    def steps(scale, shift):
        trainer = Trainer(fresh().model, TrainerConfig(loss=LossConfig(name=id)))
        samples = near_policy(trainer.model, made_up(16))
        trainer.step([replace(s, reward=scale * s.reward + shift) for s in samples])
        return {name: p.detach().clone() for name, p in trainer.weights.params.items()}

    start = {name: p.detach().clone() for name, p in fresh().model.named_parameters()}
    expected, moved = steps(1.0, 0.0), steps(7.0, -3.0)
    assert all(expected[name].equal(moved[name]) for name in expected)
    assert any(not expected[name].equal(start[name]) for name in expected)


def test_a_loss_that_reads_scores_refuses_samples_without_one(fresh):
    trainer = Trainer(fresh().model, TrainerConfig(loss=LossConfig(name="nft")))
    with pytest.raises(InputError, match="the loss reads scores of rewards, and a sample has none"):
        trainer.step([replace(s, score=None) for s in made_up(8)])
