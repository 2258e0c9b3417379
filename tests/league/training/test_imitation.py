"""Policies that imitate stored matches before they play."""

import asyncio
import math
import re

import pytest
import torch
from msgspec.structs import replace

import games
from arena import players
from arena.inference import models
from arena.learner import TrainerConfig, credits_of, turn_samples
from arena.learner.config import LossConfig, OptimizerConfig
from arena.learner.imitation import imitate
from arena.learner.trainer import Trainer
from arena.match import MatchPlan, play, play_async
from arena.players.llm import LLM
from arena.players.player import View
from games import InputError
from league import run_tournament, run_training
from league.config.policy import PolicyConfig
from league.records.metrics_file import read_metrics
from league.store import Store
from league.training.demonstrations import Demonstrator
from league.training.imitation import _contradicts, read
from league.training.policy_trainer import trainable_engine
from league.training.resolve import resolve
from tests.league.training.runs import KUHN, config

SELF = {"self": 1.0, "snapshots": 0.0, "anchors": 0.0}


@pytest.fixture(scope="module")
def teachers(tmp_path_factory):
    """A store with 80 matches of solver and random."""
    db = f"sqlite:///{tmp_path_factory.mktemp('teachers')}/teachers.db"
    both = [{"name": name, "player": name} for name in ("solver", "random")]
    played = {"name": "teachers", "db": db, "games": [KUHN], "rounds": 40, "seed": 3, "players": both}
    run_tournament(played, board="off")
    return db


def imitating(folder, teachers, **source):
    short = {"model": "tiny(layers=1, hidden=32)", "show_rules": False}
    alone = {"opponents": SELF, "anchors": [], "snapshots": {"matches": 0}, "policy": short}
    return config(folder, imitation={"run": "teachers", "db": teachers, **source}, **alone)


def demonstrations(folder, teachers, **source):
    settings = imitating(folder, teachers, **source)
    with Store.open(teachers, read_only=True) as store:
        return read(settings.imitation, resolve(settings), store)


def events(settings):
    with Store.open(settings.db, read_only=True) as store:
        return [event.text for event in store.events(store.run("kuhn")) if event.kind == "imitation"]


def test_a_policy_imitates_before_its_first_step_and_only_once(tmp_path, teachers):
    settings = imitating(tmp_path, teachers, players=["solver"], epochs=6, batch=16, lr=5e-3)
    settings = settings.model_copy(update={"steps": 1})
    run_training(settings, board="off")
    (line,) = events(settings)
    assert "80 seats of solver in run teachers; mean -log p of a token " in line
    first, last = re.findall(r"0\.\d{3}", line)
    assert float(last) < float(first) - 0.05
    rows = read_metrics(settings.place)
    assert rows[1]["updates"] == 1  # the schedule begins after imitation
    run_training(settings.model_copy(update={"steps": 2}), board="off")
    assert events(settings) == [line]
    assert read_metrics(settings.place)[:2] == rows


def test_training_begins_anew_from_the_weights_that_imitation_left():
    loaded = models.load("tiny(layers=1, hidden=32)", dtype="fp32", device="cpu")
    trainer = Trainer(loaded.model, TrainerConfig(loss=LossConfig(tau=0.3, kl=0.1), optimizer=OptimizerConfig(lr=3e-3)))
    policy = LLM(engine=trainable_engine(loaded, PolicyConfig()), decode="choice")
    plan = MatchPlan("m", KUHN, 5, {"player_0": "random", "player_1": "random"})
    episode = play(games.make(KUHN), plan, dict.fromkeys(plan.seats, players.make("random")))
    samples = [s for seat in plan.seats for s in Demonstrator(policy, loaded.tokenizer).samples(episode, seat)]
    start, usual, objective = trainer.weights.copy(), trainer.config, type(trainer.objective.policy_loss)
    imitated = imitate(trainer, samples, epochs=6, batch=8, lr=None)
    assert imitated.after < 0.7 * imitated.before
    assert (trainer.steps, trainer.config, type(trainer.objective.policy_loss)) == (0, usual, objective)
    assert not trainer.optimizer.state
    for name, master in trainer.weights.masters.items():
        assert torch.equal(trainer.magnet[name], master)
        assert torch.equal(trainer.reference[name], master)
    assert any(not torch.equal(start[name], master) for name, master in trainer.weights.masters.items())


def test_what_is_imitated(tmp_path, teachers):
    everyone = demonstrations(tmp_path, teachers)
    assert len(everyone) == 160
    solver = demonstrations(tmp_path, teachers, players=["solver"])
    assert {d.episode.seats[d.seat] for d in solver} == {"solver"}
    assert len(solver) == 80
    assert len(demonstrations(tmp_path, teachers, matches=10)) == 20
    winners = demonstrations(tmp_path, teachers, keep="winners")
    assert len(winners) == 80  # nobody wins nothing in Kuhn poker
    assert all(d.reward > 0 for d in winners)
    best = demonstrations(tmp_path, teachers, keep="best", share=0.1)
    assert len(best) == 16
    least = {key: min(d.reward for d in best if d.key == key) for key in {d.key for d in best}}
    rest = [d for d in everyone if d not in best]
    assert all(d.reward <= least[d.key] for d in rest)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            {"players": ["nobody"]},
            "no matches of nobody in openspiel/kuhn_poker; its players in these games: random, solver",
        ),
        ({"games": ["chess"]}, "the training has no game 'chess'"),
        ({"run": "other"}, "other"),
    ],
)
def test_a_source_that_holds_nothing(tmp_path, teachers, source, reason):
    with pytest.raises(InputError, match=reason):
        demonstrations(tmp_path, teachers, **source)


def test_a_wrong_source_is_refused_before_the_training_is_stored(tmp_path, teachers):
    settings = imitating(tmp_path, teachers, players=["nobody"])
    with pytest.raises(InputError, match="no matches of nobody"):
        run_training(settings, board="off")
    with Store.open(settings.db, read_only=True) as store:
        assert not list(store.runs())


def test_several_processes_do_not_imitate(tmp_path, teachers):
    settings = imitating(tmp_path, teachers)
    several = settings.model_copy(update={"learner": settings.learner.model_copy(update={"processes": 2})})
    with pytest.raises(InputError, match="processes = 1"):
        resolve(several)


def test_a_turn_becomes_the_tokens_that_the_policy_would_have_sampled():
    policy = LLM("tiny(layers=1, hidden=32)", decode="choice", dtype="fp32")
    policy.trainable = True
    demonstrator = Demonstrator(policy, policy.engine.tokenizer)
    for seed in range(6):
        plan = MatchPlan("m", KUHN, seed, {"player_0": "llm", "player_1": "llm"})
        episode = asyncio.run(play_async(games.make(KUHN), plan, dict.fromkeys(plan.seats, policy)))
        credits = credits_of([episode], {"llm"})
        sampled = turn_samples([episode], credits, [1.0] * len(credits))
        imitated = [sample for seat in plan.seats for sample in demonstrator.samples(episode, seat)]

        def tokens(samples):
            return sorted(
                (s.key, s.trajectory[1], s.turn, s.prompt_ids, s.completion_ids, s.decided()) for s in samples
            )

        assert tokens(imitated) == tokens(sampled)
        assert {s.allowed[t] for s in imitated for t in s.decided()} == {
            s.allowed[t] for s in sampled for t in s.decided()
        }
    policy.close()


def test_text_of_others_is_written_in_the_form_that_the_policy_answers_in():
    policy = LLM("tiny(layers=1, hidden=32)", decode="free", dtype="fp32")
    demonstrator = Demonstrator(policy, policy.engine.tokenizer)
    plan = MatchPlan("m", KUHN, 5, {"player_0": "random", "player_1": "random"})
    episode = play(games.make(KUHN), plan, dict.fromkeys(plan.seats, players.make("random")))

    def texts(played):
        return [policy.engine.codec.decode(s.completion_ids) for s in demonstrator.samples(played, "player_0")]

    def answering(text):
        attempt = replace(first.attempts[-1], text=text)
        return texts(replace(episode, turns=(replace(first, attempts=(attempt,)), *episode.turns[1:])))[0]

    first = episode.turns[0]
    boxed = f"\\boxed{{{first.action}}}"
    assert texts(episode)[0] == boxed
    assert answering(f"I hold a king. {boxed}") == f"I hold a king. {boxed}"
    assert answering("Nothing that names an action") == boxed
    policy.close()


def test_a_record_that_contradicts_the_rules_is_not_imitated():
    plan = MatchPlan("m", KUHN, 5, {"player_0": "random", "player_1": "random"})
    episode = play(games.make(KUHN), plan, dict.fromkeys(plan.seats, players.make("random")))
    assert not _contradicts(episode)
    assert _contradicts(replace(episode, returns={"player_0": 5.0, "player_1": -5.0}))
    assert _contradicts(replace(episode, turns=(replace(episode.turns[0], action="All in"), *episode.turns[1:])))


def sampled(loaded):
    """Two matches of a language model against itself, and the model."""
    policy = LLM(engine=trainable_engine(loaded, PolicyConfig()), decode="choice")
    plans = [MatchPlan(f"m{n}", KUHN, n, {"player_0": "a", "player_1": "a"}) for n in range(2)]
    return policy, [
        asyncio.run(play_async(games.make(KUHN), plan, dict.fromkeys(plan.seats, policy))) for plan in plans
    ]


def test_returns_are_learned_from_turns_exactly_as_they_were_sampled():
    loaded = models.load("tiny(layers=1, hidden=32)", dtype="fp32", device="cpu")
    policy, episodes = sampled(loaded)
    demonstrator = Demonstrator(policy, loaded.tokenizer)
    for episode in episodes:
        for seat in episode.seats:
            samples = demonstrator.samples(episode, seat, advantage=0.5)
            stored = [turn.sample for turn in episode.turns if turn.seat == seat]
            fields = ("prompt_ids", "completion_ids", "logprobs", "allowed", "temperature")
            assert [[getattr(s, f) for f in fields] for s in samples] == [
                [getattr(s, f) for f in fields] for s in stored
            ]
            assert {sample.advantage for sample in samples} <= {0.5}
    assert not demonstrator.skipped


@pytest.mark.parametrize("advantage", [1.0, -1.0])
def test_a_return_above_the_mean_makes_an_answer_more_likely_and_one_below_less(advantage):
    loaded = models.load("tiny(layers=1, hidden=32)", dtype="fp32", device="cpu")
    trainer = Trainer(loaded.model, TrainerConfig())
    policy, (match, _) = sampled(loaded)
    board = games.make(KUHN)
    board.reset(match.seed)
    view = View(board, "player_0", "first", board.legal("player_0"), 0, 0)

    def chance():
        with policy.engine.updating(version=0):  # forgets what it has read
            pass
        return asyncio.run(policy.probabilities(view))[match.turns[0].action]

    before = chance()
    samples = Demonstrator(policy, loaded.tokenizer).samples(match, "player_0", advantage)[:1]
    imitate(trainer, samples, epochs=3, batch=8, lr=1e-3, returns=True)
    assert (chance() - before) * advantage > 1e-3


def test_stored_probabilities_that_cannot_be_true_are_left_out():
    loaded = models.load("tiny(layers=1, hidden=32)", dtype="fp32", device="cpu")
    policy, (match, _) = sampled(loaded)
    turn = match.turns[0]
    good = turn.sample
    false = [
        {"logprobs": (math.nan,) * len(good.logprobs)},
        {"logprobs": (0.5,) * len(good.logprobs)},
        {"logprobs": good.logprobs[1:]},
        {"completion_ids": (10**9,) * len(good.completion_ids)},
        {"allowed": ((3, 4),) * len(good.completion_ids)},
        {"prompt_ids": good.prompt_ids[1:]},
        {"temperature": 0.0},
    ]
    for changes in false:
        attempt = replace(turn.attempts[-1], sample=replace(good, **changes))
        damaged = replace(turn, attempts=(*turn.attempts[:-1], attempt))
        demonstrator = Demonstrator(policy, loaded.tokenizer)
        samples = demonstrator.samples(replace(match, turns=(damaged, *match.turns[1:])), "player_0", 1.0)
        assert demonstrator.skipped.total() == 1, changes
        assert all(sample.logprobs != damaged.sample.logprobs for sample in samples)


def test_a_policy_learns_from_returns_of_an_earlier_training(tmp_path, teachers):
    with pytest.raises(InputError, match="no probabilities are stored, or those of another prompt"):
        run_training(imitating(tmp_path / "solver", teachers, learn="returns"), board="off")
    first = imitating(tmp_path, teachers, matches=1).model_copy(update={"imitation": None, "steps": 1})
    run_training(first, board="off")
    again = imitating(tmp_path, first.db, run="kuhn.training", learn="returns", epochs=2, batch=16)
    again = again.model_copy(update={"name": "again", "folder": str(tmp_path / "again"), "steps": 1})
    run_training(again, board="off")
    with Store.open(again.db, read_only=True) as store:
        (line,) = [e.text for e in store.events(store.run("again")) if e.kind == "imitation"]
    assert re.match(r"again learns from the returns of \d+ turns of 32 seats of all players in run kuhn", line), line
