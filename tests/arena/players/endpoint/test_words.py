"""What servers say, in the shapes and words of real ones, and what the player makes of it."""

from __future__ import annotations

import asyncio
import json

import pytest

from arena.players import View
from arena.players.endpoint.errors import NO_KEY, of_status
from arena.players.endpoint.player import Endpoint
from arena.players.endpoint.words import payload_of, words_of
from games.errors import InfrastructureError, RunPaused
from tests.arena.players.endpoint.server import Behaviour, raw, says, serving
from tests.arena.players.endpoint.test_hostile_server import choice
from tests.toys.small_games import Race

pytest.importorskip("openai")

SAYS = "seed is not supported"
SHAPES = {
    "OpenAI": {"error": {"message": SAYS, "type": "invalid_request_error", "param": "seed", "code": None}},
    "text": {"error": SAYS},
    "list": [{"error": {"code": 400, "message": SAYS, "status": "INVALID_ARGUMENT"}}],
    "detail": {"detail": SAYS},
    "details": {
        "detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "type": "extra_forbidden"}]
    },
    "message": {"message": SAYS},
    "detail in a message": {"object": "error", "message": {"detail": [{"loc": ["body", "seed"], "msg": SAYS}]}},
    "old vLLM": {"object": "error", "message": SAYS, "type": "BadRequestError", "param": None, "code": 400},
    "errors": {"errors": [{"title": "Bad Request", "detail": SAYS}]},
    "two levels": {"error": {"error": {"message": SAYS}}},
    "JSON in a text": {
        "error": {"message": "Provider returned error", "metadata": {"raw": json.dumps({"error": SAYS})}}
    },
    "numeric code and type": {"error": {"code": 400, "type": "seed_not_supported", "message": SAYS}},
    "plain text": SAYS,
    "page": f"<!DOCTYPE html><html><head><title>400</title><style>p {{}}</style><body><p>{SAYS}</p></html>",
}


def player(server, **changes):
    return Endpoint("m", server.url, **{"backoff": 0.0, "timeout": 20.0, "retries": 0, **changes})


def decide(who):
    game = Race()
    game.reset(1)
    return asyncio.run(who.act_async(View(game, game.acting[0], "first", ("1", "2"), 77, 0)))


def body(payload):
    return payload.encode() if isinstance(payload, str) else json.dumps(payload).encode()


@pytest.mark.parametrize("status", [400, 404, 422, 500, 501])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_refused_parameter_is_found_in_any_shape_and_status(shape, status):
    def behave(handler, sent):
        if "seed" in sent or "random_seed" in sent:
            name = "random_seed" if "random_seed" in sent else "seed"
            handler.reply(status, body(SHAPES[shape]).replace(b"seed", name.encode()))
        else:
            says("\\boxed{1}")(handler, sent)

    with serving(behave) as server:
        assert decide(player(server)).action == "1"
    assert len(server.asked) == 3


@pytest.mark.parametrize("shape", SHAPES)
def test_the_servers_own_words_are_kept_in_any_shape(shape):
    text = words_of(payload_of(body(SHAPES[shape]))).text
    assert SAYS in text or "Extra inputs are not permitted" in text
    assert "<" not in text
    assert text.count(SAYS) <= 1


@pytest.mark.parametrize(
    "data", [b"", b"null", b"7", b"[[[[[[[[[[[[[1]]]]]]]]]]]]]", b'{"error": true}', b"[" * 99_999]
)
def test_a_body_that_says_nothing(data):
    failure = of_status(502, payload_of(data), {}, NO_KEY)
    assert failure.kind == "retry"
    assert failure.message.startswith("HTTP 502: ")


LONG = [
    (400, "This model's maximum context length is 2048 tokens. However, your request has 2050 input tokens."),
    (400, "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens"),
    (400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
    (400, "The input (61709 tokens) is longer than the model's context length (40960 tokens)."),
    (400, "Requested token count exceeds the model's maximum context length of 4096 tokens."),
    (422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3474 and 1024"),
    (422, "Input validation error: `inputs` must have less than 1024 tokens. Given: 5000"),
    (400, "the request exceeds the available context size, try increasing it"),
    (500, "the request exceeds the available context size. try increasing the context size or enable context shift"),
    (400, "Requested tokens (5000) exceed context window of 2048"),
    (400, "the input length exceeds the context length"),
    (400, "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context "
          "length of only 4096 tokens"),
    (400, "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens"),
    (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    (400, "prompt is too long: 213462 tokens > 200000 maximum"),
    (400, "input length and `max_tokens` exceed context limit: 143653 + 64000 > 200000, decrease input length"),
    (413, "Request exceeds the maximum size"),
    (400, "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"),
    (400, "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 477469 tokens."),
    (400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
    (400, "litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException"),
    (400, "Input is too long for requested model."),
    (413, "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000"),
    (429, "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 31000."),
    (400, "Please reduce the length of the messages or completion. Current length is 8500 while limit is 8192"),
    (400, "Range of input length should be [1, 30720]"),
    (400, "Your request exceeded model token limit: 8192"),
    (400, "too many tokens: total number of tokens in the prompt cannot exceed 4081"),
    (400, "prompt token count of 130000 exceeds the limit of 128000"),
    (413, ""),
    (200, "This model's maximum context length is 2048 tokens."),
]  # fmt: skip
OTHERS = [
    (400, "max_tokens is too large: 4096. This model supports at most 2048 completion tokens", "refused"),
    (400, "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for m", "refused"),
    (400, "Prompt flagged by moderation: 'your context length is too long'", "refused"),
    (400, "The response was filtered due to the prompt triggering Azure OpenAI's content management policy", "refused"),
    (403, "Your input was flagged by moderation", "refused"),
    (429, "Rate limit reached for m on tokens per min (TPM): Limit 6000, Used 5990, Requested 40.", "retry"),
    (429, "You exceeded your current quota, please check your plan and billing details.", "retry"),
    (429, "You exceeded your current quota. code: insufficient_quota", "fatal"),
    (400, "Your credit balance is too low to access the Anthropic API.", "fatal"),
    (402, "This request requires more credits", "fatal"),
    (504, "the request took too long", "retry"),
    (500, "the request took too long", "retry"),
    (529, "Overloaded", "retry"),
    (400, "API key not valid. Please pass a valid API key.", "fatal"),
    (400, "No connected db.", "fatal"),
    (404, "model 'm' not found, try pulling it first", "fatal"),
    (405, "", "fatal"),
    (200, "Unexpected endpoint or method. (POST /chat/completions)", "fatal"),
    (200, "Rate limit exceeded", "retry"),
    (200, "something", "retry"),
]


@pytest.mark.parametrize(("status", "words", "kind"), [*((status, words, "long") for status, words in LONG), *OTHERS])
def test_words_and_status_say_what_to_do(status, words, kind):
    for payload in (
        {"error": {"message": words}},
        {"error": words},
        [{"error": {"message": words}}],
        {"detail": words},
    ):
        assert of_status(status, payload, {}, NO_KEY).kind == kind


def test_the_type_counts_beside_a_numeric_code():
    error = {"code": 400, "message": "the request is odd", "type": "exceed_context_size_error", "n_ctx": 4096}
    assert of_status(400, {"error": error}, {}, NO_KEY).kind == "long"


INSIDE: list[tuple[object, type[Exception], str]] = [
    ({"error": {"message": "Rate limit exceeded", "code": 429}}, InfrastructureError, "Rate limit exceeded"),
    ({"choices": None, "error": {"message": "no instances", "code": 503}}, InfrastructureError, "no instances"),
    ({"choices": [], "error": "model crashed"}, InfrastructureError, "model crashed"),
    ({"error": {"message": "No auth credentials found", "code": 401}}, RunPaused, "No auth credentials found"),
    ({"error": {"message": "Insufficient credits", "code": 402}}, RunPaused, "Insufficient credits"),
    ({"error": "Unexpected endpoint or method. (POST /x)"}, RunPaused, "Unexpected endpoint"),
    ({"object": "error", "message": "the engine died", "code": 500}, InfrastructureError, "the engine died"),
    ({"code": "Throttling", "message": "Requests are throttled"}, InfrastructureError, "Requests are throttled"),
    ({"detail": "Not Found", "code": 404}, RunPaused, "Not Found"),
    ("<html><title>Sign in</title><body>to our wifi</body></html>", InfrastructureError, "Sign in to our wifi"),
    ("upstream connect error", InfrastructureError, "upstream connect error"),
    ("", InfrastructureError, "it is empty"),
    ("null", InfrastructureError, "it says: null"),
    ({"id": "c", "choices": []}, InfrastructureError, '"choices": \\[\\]'),
    ({"done": True, "response": "hi"}, InfrastructureError, "it says: .*response"),
    ('data: {"error": {"message": "cannot stream", "code": 500}}\n\n', InfrastructureError, "cannot stream"),
    ({"choices": [{"finish_reason": "error", "error": {"message": "gone", "code": 502}}]}, InfrastructureError, "gone"),
    ({"choices": [{"finish_reason": "error", "error": {"message": "out", "code": 401}}]}, RunPaused, "out"),
]


@pytest.mark.parametrize(("payload", "kind", "words"), INSIDE)
def test_an_error_inside_an_answer_is_said_in_the_servers_words(payload, kind, words):
    with serving(raw(body(payload))) as server, pytest.raises(kind, match=words) as caught:
        decide(player(server))
    assert type(caught.value) is kind
    assert len(server.asked) == 1
    assert str(caught.value).isprintable()


def test_a_key_in_an_error_inside_an_answer_is_not_shown(monkeypatch):
    monkeypatch.setenv("MY_KEY", "Qx7-f0C1a9b7dZp")
    monkeypatch.setenv("OTHER", "Wr55-ab0c-11zT")
    headers = '{"x-token": "Token env:OTHER", "X-Title": "arena"}'
    for payload in ({"error": "no Qx7-f0C1a9b7dZp"}, "your Wr55-ab0c-11zT", {"error": {"message": "WR55-AB0C-11ZT"}}):
        with serving(raw(body(payload))) as server, pytest.raises(InfrastructureError, match=r"\*\*\*") as caught:
            decide(player(server, key="MY_KEY", headers=headers))
        assert "11z" not in str(caught.value).lower()
        assert "f0c1" not in str(caught.value).lower()
    assert server.headers[0]["x-token"] == "Token Wr55-ab0c-11zT"
    assert server.headers[0]["x-title" if "x-title" in server.headers[0] else "X-Title"] == "arena"


def stream(*deltas, end="stop", done=True) -> Behaviour:
    events = [{"model": "m", "choices": [{"delta": delta}]} for delta in deltas]
    events.append(
        {"choices": [{"delta": {}, "finish_reason": end}], "usage": {"prompt_tokens": 90, "completion_tokens": 7}}
    )
    lines = [": keep alive", *(f"data: {json.dumps(event)}" for event in events), *["data: [DONE]"] * done]
    return raw("\n\n".join(lines).encode(), "text/event-stream")


def test_a_stream_that_nobody_asked_for_is_read():
    deltas = (
        {"role": "assistant", "reasoning_content": "\\boxed{1}"},
        {"content": "I take \\box"},
        {"content": "ed{2}"},
    )
    for done in (True, False):
        behave = stream(*deltas, done=done)
        with serving(lambda handler, sent, behave=behave: behave(handler, sent)) as server:
            decision = decide(player(server))
        assert (decision.action, decision.read, decision.written) == ("2", 90, 7)


PROSE = "a long sentence that names no action whatsoever"
ENDS = ("stop", "STOP", "eos", "eos_token", "end_turn", "stop_sequence", "COMPLETE", "", None)
CUTS = ("length", "max_tokens", "model_length", "MAX_TOKENS", "max_output_tokens", "model_context_window_exceeded")
LOST = ("content_filter", "SAFETY", "RECITATION", "refusal", "error", "abort")


@pytest.mark.parametrize("end", [*ENDS, *CUTS, *LOST])
def test_how_an_answer_ended(end):
    behave = choice(finish_reason=end, message={"role": "assistant", "content": PROSE})
    with serving(behave) as server:
        if end in LOST:
            with pytest.raises(InfrastructureError, match=f"it ended by '{end.lower()}'"):
                decide(player(server))
        else:
            assert decide(player(server)).category == ("truncated" if end in CUTS else "unparsable")


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "reasoning_content": "\\boxed{2}"},
        {"content": "", "reasoning": "\\boxed{2}"},
        {"content": None, "reasoning_details": [{"type": "reasoning.text", "text": "\\boxed{2}"}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "\\boxed{2}"}]}]},
        {"content": "<think>\\boxed{2}"},
    ],
)
def test_reasoning_is_never_read_as_the_answer(message, caplog):
    in_a_field = len(message) > 1
    for end, category, lines in (("length", "truncated", 0), ("stop", "empty", int(in_a_field))):
        with serving(choice(finish_reason=end, message={"role": "assistant", **message})) as server:
            decision = decide(player(server))
        said = [r.getMessage() for r in caplog.records if "is the server's reasoning parser" in r.getMessage()]
        assert len(said) == lines
        assert decision.action is None
        assert decision.category in (category, "truncated" if message["content"] else category)
