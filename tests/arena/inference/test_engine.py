"""The engine against plain forward passes of the same model, in float32."""

import asyncio
import math
import random

import pytest
import torch

from arena.inference import Request
from games.errors import InfrastructureError
from tests.arena.inference import tiny

TEXTS = ("pass", "pat", "bet", "b", "10", "1", "100")


@pytest.fixture(scope="module")
def lm():
    return tiny.loaded(scale=0.25)


@pytest.fixture
def start(lm):
    """Makes engines and closes them."""
    made = []

    def make(**options):
        made.append(tiny.engine(lm, **options))
        return made[-1]

    yield make
    for engine in made:
        engine.close()


def complete(engine, requests):
    async def run():
        return await asyncio.gather(*(engine.complete(r) for r in requests))

    return asyncio.run(run())


def one_by_one(engine, requests):
    async def run():
        return [await engine.complete(r) for r in requests]

    return asyncio.run(run())


def prompts(count=40, seed=0):
    """Prompts of many lengths; two thirds start with one of two long prefixes, some with a hint."""
    rng = random.Random(seed)
    heads = [(), tuple(rng.randrange(256) for _ in range(33)), tuple(rng.randrange(256) for _ in range(70))]
    out = []
    for i in range(count):
        head = heads[i % 3]
        tail = tuple(rng.randrange(256) for _ in range(rng.choice([1, 2, 3, 5, 8, 40])))
        out.append(((*head, *tail), len(head) if i % 2 else 0))
    return out


def requests(**options):
    rng = random.Random(7)
    return [
        Request(p, seed=i, prefix_len=hint, max_tokens=rng.randrange(1, 30), temperature=rng.choice([0.6, 1.0]))
        for i, (p, hint) in enumerate(prompts(**options))
    ]


def test_free_text_in_batches_equals_single_rows(lm, start):
    asked = requests()
    together = complete(start(max_batch=8), asked)
    alone = one_by_one(start(max_batch=1, prefix_bytes=1), asked)
    assert [c.ids for c in together] == [c.ids for c in alone]
    for request, completion in zip(asked, together, strict=True):
        expected = tiny.logprobs(lm, request.prompt_ids, completion.ids, request.temperature)
        assert completion.logprobs == pytest.approx(expected, abs=1e-5)
        assert completion.allowed is None
        assert (completion.finish == "stop") == (completion.ids[-1] == 257)
        assert len(completion.ids) == request.max_tokens or completion.finish == "stop"


def test_choices_are_sampled_from_the_restricted_softmax(lm, start):
    engine = start(max_batch=8)
    choices = engine.encode_choices(TEXTS)
    asked = [Request(p, seed=i, prefix_len=hint, choices=choices) for i, (p, hint) in enumerate(prompts())]
    together = complete(engine, asked)
    assert [c.ids for c in together] == [c.ids for c in one_by_one(start(max_batch=1, memo_size=0), asked)]
    assert len({c.choice for c in together}) > 3
    for request, completion in zip(asked, together, strict=True):
        assert completion.ids == choices[completion.choice]
        assert completion.text == TEXTS[completion.choice]
        expected = [
            restricted(lm, (*request.prompt_ids, *completion.ids[:t]), completion.allowed[t], token)
            for t, token in enumerate(completion.ids)
        ]
        assert completion.logprobs == pytest.approx(expected, abs=1e-5)
        assert all(token in allowed for token, allowed in zip(completion.ids, completion.allowed, strict=True))


def restricted(lm, context, allowed, token):
    with torch.inference_mode():
        logits = lm.model(torch.tensor([context])).logits[0, -1]
    return float(torch.log_softmax(logits[list(allowed)], -1)[allowed.index(token)])


def test_the_policy_is_the_product_of_restricted_softmaxes(lm, start):
    engine = start(max_batch=4)
    choices = engine.encode_choices(TEXTS)
    prompt = prompts()[5][0]
    found = asyncio.run(engine.policy(prompt, choices))
    assert sum(found) == pytest.approx(1.0)
    for sequence, probability in zip(choices, found, strict=True):
        logp = 0.0
        for t, token in enumerate(sequence):
            allowed = sorted({c[t] for c in choices if c[:t] == sequence[:t]})
            logp += restricted(lm, (*prompt, *sequence[:t]), tuple(allowed), token)
        assert probability == pytest.approx(math.exp(logp), abs=1e-6)


def test_samples_follow_the_policy(start):
    engine = start(max_batch=64)
    choices = engine.encode_choices(TEXTS)
    prompt = prompts()[8][0]
    expected = asyncio.run(engine.policy(prompt, choices))
    drawn = complete(engine, [Request(prompt, seed=i, choices=choices) for i in range(1000)])
    for i, p in enumerate(expected):
        assert abs(sum(c.choice == i for c in drawn) / 1000 - p) < 0.063  # four standard deviations


def test_most_decisions_need_one_row_and_repeated_ones_none(start):
    engine = start(max_batch=64, memo_size=100)
    choices = engine.encode_choices(("a", "b", "c"))
    asked = [Request(p, seed=i, choices=choices) for i, (p, _) in enumerate(prompts(12))]
    complete(engine, asked)
    first = engine.stats
    assert first.rows <= 12 + 2  # and the two prefixes
    complete(engine, asked)
    assert engine.stats.batches == first.batches
    assert engine.stats.repeated == first.repeated + 12


def test_forced_tokens_need_no_pass(start):
    engine = start()
    completion = complete(engine, [Request((1, 2, 3), seed=0, choices=engine.encode_choices(("only this",)))])[0]
    assert engine.stats.batches == 0
    assert completion.text == "only this"
    assert set(completion.logprobs) == {0.0}


def test_prefixes_are_read_once(start):
    engine = start(max_batch=16, memo_size=0)
    head = tuple(range(100))
    choices = engine.encode_choices(("a", "b"))
    asked = [Request((*head, i, i), seed=i, prefix_len=100, choices=choices) for i in range(16)]
    complete(engine, asked[:8])
    assert engine.stats.rows == 1 + 8
    complete(engine, asked[8:])
    assert engine.stats.rows == 1 + 8 + 8
    assert engine.stats.prefix_hits == 16
    assert engine.stats.prefix_tokens == 15 * 100


def test_temperature_zero_takes_the_most_probable_token(lm, start):
    engine = start()
    prompt = prompts()[3][0]
    completion = complete(engine, [Request(prompt, seed=1, max_tokens=5, temperature=0.0)])[0]
    context = list(prompt)
    for token in completion.ids:
        with torch.inference_mode():
            assert int(lm.model(torch.tensor([context])).logits[0, -1].argmax()) == token
        context.append(token)
    assert set(completion.logprobs) == {0.0}


def test_top_p_records_the_nucleus(lm, start):
    prompt = prompts()[4][0]
    completion = complete(start(), [Request(prompt, seed=4, max_tokens=8, top_p=0.6)])[0]
    for t, (token, allowed) in enumerate(zip(completion.ids, completion.allowed, strict=True)):
        assert completion.logprobs[t] == pytest.approx(
            restricted(lm, (*prompt, *completion.ids[:t]), allowed, token), abs=1e-5
        )


def test_stop_tokens_of_a_request_end_an_answer(start):
    engine = start()
    free = complete(engine, [Request((1, 2, 3), seed=9, max_tokens=40)])[0]
    stop = free.ids[10]
    stopped = complete(engine, [Request((1, 2, 3), seed=9, max_tokens=40, stop_ids=(stop,))])[0]
    assert stopped.ids == free.ids[: free.ids.index(stop) + 1]
    assert stopped.finish == "stop"


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (Request((), 0), "prompt is empty"),
        (Request((1,) * 500, 0, max_tokens=100), "need 600 tokens; tiny can read 512"),
        (Request((1, 258), 0), "outside 0 to 257"),
        (Request((1,), 0, temperature=-1.0), "out of range"),
        (Request((1,), 0, top_p=0.0), "out of range"),
        (Request((1,), 0, max_tokens=0), "below 1"),
        (Request((1,), 0, choices=()), "no choices"),
        (Request((1,), 0, choices=((5,), (5, 6))), "prefix of choice"),
    ],
)
def test_a_request_that_cannot_be_answered_fails_alone(start, request_, said):
    engine = start()

    async def run():
        good = [engine.complete(Request((1, 2), i, choices=((5,), (6,)))) for i in range(3)]
        return await asyncio.gather(*good, engine.complete(request_), return_exceptions=True)

    *good, bad = asyncio.run(run())
    assert all(c.choice in (0, 1) for c in good)
    assert isinstance(bad, InfrastructureError)
    assert said in str(bad)


def test_long_answers_move_to_larger_buffers(lm, start):
    asked = [Request((i, 3, 5), seed=i, max_tokens=n, stop_ids=(300,)) for i, n in enumerate((300, 10, 150))]
    for request, completion in zip(asked, complete(start(max_batch=4), asked), strict=True):
        assert len(completion.ids) == request.max_tokens
        expected = tiny.logprobs(lm, request.prompt_ids, completion.ids)
        assert completion.logprobs == pytest.approx(expected, abs=2e-5)
