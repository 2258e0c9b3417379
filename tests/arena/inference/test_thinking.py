"""Thinking budgets: closed with the model's own mark, forced tokens are stored as forced, the answer follows."""

import asyncio

import pytest

from arena.inference.engine import Request
from arena.inference.thinking import (
    PLAIN_TOKENS,
    THINKING_TOKENS,
    answer_tokens,
    check_budget,
    complete_within,
    marks_of,
    open_block,
    visible_marks,
)
from arena.learner import TurnSample
from arena.players.llm import LLM
from games import InputError
from tests.arena.inference import tiny
from tests.toys.scripted_engine import Scripted, decide, view
from tests.toys.small_games import Auction

THINKS = tiny.TEMPLATE.replace("assistant\n{% endif %}", "assistant\n<think>\n{% endif %}{# ends with </think> #}")
CLOSES = "\n\nMy thinking time is over. I have to give my answer now.\n</think>\n\n"


@pytest.fixture(scope="module")
def thinker():
    loaded = tiny.loaded(context=4096, scale=0.25)
    loaded.tokenizer.chat_template = THINKS
    made = tiny.engine(loaded)
    yield made
    made.close()


def request(engine, tokens=200, seed=5, top_p=1.0):
    ids = engine.encode_chat([{"role": "user", "content": "Hello"}])
    return Request(ids, seed, max_tokens=tokens, top_p=top_p)


def test_the_marks_come_from_the_template(thinker):
    assert marks_of(thinker.tokenizer) == ("<think>", "</think>")
    assert marks_of(tiny.tokenizer()) is None
    assert open_block(thinker.tokenizer, request(thinker).prompt_ids) == "<think>"
    assert open_block(tiny.tokenizer(), request(thinker).prompt_ids) == ""


def test_models_that_think_get_more_tokens(thinker):
    assert answer_tokens(thinker.tokenizer, None, 1 << 20) == THINKING_TOKENS
    assert answer_tokens(thinker.tokenizer, None, 4096) == 2048
    assert answer_tokens(thinker.tokenizer, False, 1 << 20) == PLAIN_TOKENS
    assert answer_tokens(tiny.tokenizer(), None, 1 << 20) == PLAIN_TOKENS
    assert LLM(engine=thinker).max_tokens == 2048
    assert LLM(engine=thinker, max_tokens=9).max_tokens == 9
    assert LLM(engine=thinker, decode="choice").max_tokens == PLAIN_TOKENS


@pytest.mark.parametrize("top_p", [1.0, 0.5])
def test_the_budget_closes_the_block_and_the_answer_follows(thinker, top_p):
    asked = request(thinker, top_p=top_p)
    made = asyncio.run(complete_within(thinker, asked, 20, "<think>"))
    forced = tuple(thinker.tokenizer(CLOSES, add_special_tokens=False)["input_ids"])
    assert made.ids[20 : 20 + len(forced)] == forced
    assert 20 + len(forced) < len(made.ids) <= 200
    assert made.logprobs[20 : 20 + len(forced)] == (0.0,) * len(forced)
    assert CLOSES in made.text
    assert len(made.ids) == len(made.logprobs) == len(made.allowed)
    sample = TurnSample(asked.prompt_ids, made.ids, made.logprobs, made.allowed, 1.0, 1.0, ("g", "r", "p"))
    decided = sample.decided()
    assert not set(decided) & set(range(20, 20 + len(forced)))  # nothing is trained on tokens that were not sampled
    if top_p == 1.0:
        assert decided == (*range(20), *range(20 + len(forced), len(made.ids)))


def test_the_answer_is_sampled_after_exactly_the_stored_tokens(thinker):
    """Asked again for the rest alone, with the seed of the second request, the engine gives the same tokens."""
    asked = request(thinker, tokens=120)
    made = asyncio.run(complete_within(thinker, asked, 10, "<think>"))
    at = 10 + len(thinker.tokenizer(CLOSES, add_special_tokens=False)["input_ids"])
    seen = Scripted(thinker, "so", "length")
    asyncio.run(complete_within(seen, asked, 10, "<think>"))
    rest = Request((*asked.prompt_ids, *made.ids[:at]), seen.asked[1].seed, max_tokens=120 - at)
    again = asyncio.run(thinker.complete(rest))
    assert again.ids == made.ids[at:]
    assert again.logprobs == pytest.approx(made.logprobs[at:], abs=1e-4)


def test_a_model_that_stops_or_has_closed_its_block_is_not_forced(thinker):
    closed = asyncio.run(complete_within(thinker, request(thinker), 20, ""))
    assert "My thinking time is over" not in closed.text
    assert closed.allowed is None
    done = Scripted(thinker, "<think>a</think>b", "stop")
    assert asyncio.run(complete_within(done, request(thinker), 20, "<think>")).text == "<think>a</think>b"
    assert len(done.asked) == 1


def test_a_budget_needs_a_model_that_thinks_and_room_for_the_answer(thinker):
    check_budget(thinker.tokenizer, 20, 200, "m")
    with pytest.raises(InputError, match="has no thinking"):
        check_budget(tiny.tokenizer(), 20, 200, "m")
    with pytest.raises(InputError, match="leaves no tokens for the answer"):
        LLM(engine=thinker, think_budget=199, max_tokens=200)


def test_thinking_that_the_template_opens_and_nothing_closes_is_not_the_message(thinker):
    cut = decide(LLM(engine=Scripted(thinker, "I bid 3, so that", "length")), view(Auction(), legal=None))
    assert (cut.action, cut.category) == (None, "truncated")
    assert cut.sample.truncated
    said = decide(LLM(engine=Scripted(thinker, "It is 3.</think>I bid 4.")), view(Auction(), legal=None))
    assert said.action == "I bid 4."
    assert not said.sample.truncated


def test_marks_that_are_special_tokens_are_shown(thinker):
    tokenizer = tiny.tokenizer(THINKS)
    tokenizer.add_special_tokens({"additional_special_tokens": ["<think>", "</think>"]})
    ids = tuple(tokenizer("no</think>yes", add_special_tokens=False)["input_ids"])

    class Said:
        def __init__(self):
            self.ids, self.text = ids, tokenizer.decode(list(ids), skip_special_tokens=True)

    assert Said().text == "noyes"
    assert visible_marks(tokenizer, Said(), "<think>") == "<think>no</think>yes"
