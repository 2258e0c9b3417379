"""The player `openai` against a server that tries to exhaust, stall, mislead or spy, over real HTTP."""

import asyncio
import base64
import gzip
import json
import logging
import time
import zlib
from urllib.parse import quote

import pytest

from arena.players import View
from arena.players.budget import Budget
from arena.players.endpoint.player import Endpoint
from arena.players.endpoint.redaction import Redactor
from arena.players.endpoint.transport import most_bytes
from games.errors import InfrastructureError, RunPaused
from tests.arena.players.endpoint.server import completion, raw, says, serving, status
from tests.toys.small_games import Race

pytest.importorskip("openai")

KEY = "Qx7-f0C1a9b7dZp"


def player(server, **changes):
    return Endpoint("m", server.url, **{"backoff": 0.0, "timeout": 30.0, "retries": 0, "patience": 9, **changes})


def decide(who):
    game = Race()
    game.reset(1)
    return asyncio.run(who.act_async(View(game, game.acting[0], "first", ("1", "2"), 77, 0)))


def stopped(handler):
    return bool(handler.server.over.is_set())


# -- too much ----------------------------------------------------------------------------------------------------


def bomb(handler, _):
    """64 MiB of spaces in 64 KiB of gzip, then a valid answer, for a client that reads everything."""
    pack = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    data = b"".join(pack.compress(b" " * (1 << 20)) for _ in range(64))
    data += pack.compress(completion("\\boxed{1}")) + pack.flush()
    handler.reply(200, data, content_encoding="gzip")


def flood(handler, _):
    """An uncompressed body of 64 MiB of spaces, then a valid answer."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.end_headers()
    for _ in range(64):
        handler.wfile.write(b" " * (1 << 20))
    handler.wfile.write(completion("\\boxed{1}"))


def flood_after_the_end(handler, _):
    """A whole answer in gzip, then bytes for as long as they are read."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-encoding", "gzip")
    handler.end_headers()
    handler.wfile.write(gzip.compress(completion("\\boxed{1}")))
    for _ in range(1000):
        if stopped(handler):
            break
        handler.wfile.write(bytes(1 << 20))


def blocks_of_nothing(handler, _):
    """Gzip that never unpacks to a byte."""
    handler.send_response(200)
    handler.send_header("content-encoding", "gzip")
    handler.end_headers()
    handler.wfile.write(gzip.compress(b"")[:10])
    for _ in range(1000):
        if stopped(handler):
            break
        handler.wfile.write(b"\x00\x00\x00\xff\xff" * 100_000)


@pytest.mark.parametrize("behaviour", [flood_after_the_end, blocks_of_nothing])
def test_what_is_received_is_bounded_though_it_unpacks_to_little(behaviour):
    said = r"goes on after its end|than max_tokens can need"
    with serving(behaviour) as server, pytest.raises(InfrastructureError, match=said):
        decide(player(server))


@pytest.mark.parametrize("behaviour", [bomb, flood, says("x" * 3_000_000 + "\\boxed{1}")])
def test_an_answer_larger_than_any_model_gives_is_not_read(behaviour):
    with serving(behaviour) as server, pytest.raises(InfrastructureError, match="more than max_tokens can need"):
        decide(player(server))


def test_a_text_longer_than_max_tokens_is_no_answer():
    with serving(says("x" * 20_000 + "\\boxed{1}")) as server:
        with pytest.raises(InfrastructureError, match=r"more than max_tokens=8 can give"):
            decide(player(server, max_tokens=8))
        assert decide(player(server, max_tokens=1024)).action == "1"


def test_an_error_is_limited_as_an_answer_is():
    with serving(status(400, "x" * 3_000_000)) as server, pytest.raises(InfrastructureError) as caught:
        decide(player(server))
    assert len(str(caught.value)) < 400


def test_honest_compression_is_read():
    packed = gzip.compress(completion("\\boxed{2}"))
    with serving(lambda h, _: h.reply(200, packed, content_encoding="gzip")) as server:
        assert decide(player(server)).action == "2"


@pytest.mark.parametrize(("encoding", "data"), [("br", b"\x0b\x02\x80abc\x03"), ("gzip, gzip", b"x"), ("gzip", b"no")])
def test_other_compression_is_refused(encoding, data):
    packed = lambda handler, _: handler.reply(200, data, content_encoding=encoding)  # noqa: E731
    with serving(packed) as server, pytest.raises(InfrastructureError, match="unreadable answer"):
        decide(player(server))


def test_json_that_exhausts_the_parser_is_unreadable():
    with serving(raw(b"[" * 200_000), raw(b'{"a": ' + b"9" * 200_000 + b"}")) as server:
        who = player(server, retries=1)
        with pytest.raises(InfrastructureError, match="unreadable answer"):
            decide(who)


# -- too slow ----------------------------------------------------------------------------------------------------


def drips(handler, data):
    """A byte every 50 ms for at most 20 s, then the rest, so that a client without a deadline gets an answer."""
    end = time.monotonic() + 20
    while time.monotonic() < end and not stopped(handler):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)
    handler.wfile.write(data)


def dripped_body(handler, _):
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.end_headers()
    drips(handler, completion("\\boxed{1}"))


def dripped_header(handler, _):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nx-slow:")
    drips(handler, b"\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n" + completion("\\boxed{1}"))


@pytest.mark.parametrize("behaviour", [dripped_body, dripped_header])
def test_one_deadline_for_the_whole_request(behaviour):
    with serving(behaviour) as server, pytest.raises(InfrastructureError, match="no answer in time"):
        decide(player(server, timeout=0.5))


# -- redirects ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(code):
    with serving(says("\\boxed{1}")) as other:
        away = status(code, "this way", location=f"{other.url}/chat/completions")
        with serving(away) as server, pytest.raises(RunPaused, match="redirects to another address") as caught:
            decide(player(server))
        assert not other.asked
    assert "\n" not in str(caught.value)


def test_an_account_in_the_environment_is_not_shown_to_other_servers(monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-mine")
    with serving(says("\\boxed{1}")) as server:
        decide(player(server))
        assert not [value for value in server.headers[0].values() if "mine" in value]


# -- answers that are not the model's ------------------------------------------------------------------------------

CALL = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]


def choice(**fields):
    """Answers with one choice of these fields, `message` included."""
    return raw(json.dumps({"model": "m", "choices": [{"index": 0, **fields}]}).encode())


BESIDE = {"role": "assistant", "content": "<think>a tool may help</think>\n\n"}


@pytest.mark.parametrize(
    "behaviour",
    [
        says("\n\n", finish="tool_calls", tool_calls=CALL),
        says("\u200b", finish="stop", tool_calls=CALL),
        choice(finish_reason="tool_calls", message={**BESIDE, "tool_calls": CALL}),
        choice(finish_reason="stop", message={**BESIDE, "function_call": CALL[0]["function"]}),
        choice(finish_reason="Content_Filter ", message=None),
        choice(finish_reason="content_filter: PROHIBITED_CONTENT"),
        choice(finish_reason="stop", message={"content": ""}, content_filter_results={"hate": {"filtered": True}}),
        choice(finish_reason=None, message={"content": ""}, error={"code": 502, "message": "gone"}),
        choice(finish_reason="stop", message={"content": "half a"}, error={"code": 502, "message": "gone"}),
        says(None, finish="content_filter"),
        says("", finish="content_filter"),
        says("I would bet, bec", finish="content_filter"),
        says(None, finish="tool_calls", tool_calls=CALL),
        says("", finish="tool_calls", tool_calls=CALL),
        says(None, finish="function_call"),
        says(None, finish="stop", tool_calls=CALL),
        says("half a sent", finish="insufficient_system_resource"),
        says(None, finish="error"),
    ],
)
def test_an_answer_taken_away_is_tried_again_and_never_a_loss(behaviour):
    with serving(says("\\boxed{1}"), behaviour) as server:
        assert decide(player(server, retries=1)).action == "1"
        assert server.asked[0]["seed"] != server.asked[1]["seed"]  # the same seed would give the same answer
    with (
        serving(behaviour) as server,
        pytest.raises(InfrastructureError, match="contains no text of the model") as caught,
    ):
        decide(player(server, retries=1))
    assert not isinstance(caught.value, RunPaused)


PARTS = [
    {"type": "thinking", "thinking": [{"type": "text", "text": "two or one"}]},
    {"type": "text", "text": "I take two. "},
    {"type": "text", "text": "\\boxed{2}"},
]


def test_an_answer_in_parts_is_its_text_without_the_reasoning():
    with serving(choice(finish_reason="stop", message={"role": "assistant", "content": PARTS})) as server:
        decision = decide(player(server))
    assert (decision.action, decision.text) == ("2", "I take two. \\boxed{2}")


ODD = [
    *(choice(finish_reason="stop", message={"content": c}) for c in ([], [1], ["x"], {}, True, [{"type": "text"}])),
    *(choice(finish_reason="stop", message={"content": [{"type": "text", "text": c}]}) for c in (None, 5, {})),
    *(choice(finish_reason=f, message=None) for f in ("stop", None, 3, [], {})),
    *(raw(json.dumps(body).encode()) for body in (None, 1, "x", {}, {"choices": None}, {"choices": {}})),
    *(raw(json.dumps({"choices": body}).encode()) for body in ([None], [1], [[]], "ab", [{}], [{"message": {}}])),
    raw(b'data: {"choices": [{"delta": {"content": "1"}}]}\n\n', "text/event-stream"),  # it breaks off
    raw(b'data: {"choices": [{"delta": 7}, 7]}\n\ndata: [DONE]\n\n'),
    raw(b"data: [1]\n\n"),
    raw(b'data: {"choices": 3}\n\ndata: [DONE]'),
    raw(b'{"error": {"message": "rate limited", "code": 429}}'),
    raw(b'{"choices": ' + b"[" * 100_000),
]


@pytest.mark.parametrize("behaviour", ODD)
def test_no_shape_of_an_answer_is_a_loss_or_asked_for_without_end(behaviour):
    with serving(behaviour) as server:
        who = player(server, retries=2, backoff=0.0)
        try:
            category, message = decide(who).category, ""
        except InfrastructureError as error:
            category, message = "", str(error)
    assert message.isprintable()
    # A message without text is an empty answer of the model.
    assert (category, len(server.asked)) == (("", 3) if message else ("empty", 1))


@pytest.mark.parametrize("code", [400, 403])
def test_a_prompt_that_a_filter_refuses_makes_the_match_void_whatever_the_filter_quotes(code):
    """403 is OpenRouter's moderation; a quoted prompt may say that it is too long."""
    refused = status(code, "flagged by moderation: 'your context length is too long'")
    with serving(refused) as server, pytest.raises(InfrastructureError, match="flagged") as caught:
        decide(player(server))
    assert not isinstance(caught.value, RunPaused)
    assert len(server.asked) == 1


def test_words_beside_a_call_of_a_tool_are_an_answer():
    with serving(says("\\boxed{2}", finish="tool_calls", tool_calls=CALL)) as server:
        assert decide(player(server)).action == "2"


def test_a_refusal_of_the_model_itself_is_its_answer():
    with serving(says(None, refusal="I do not gamble.")) as server:
        decision = decide(player(server))
    assert (decision.action, decision.category, decision.text) == (None, "unparsable", "I do not gamble.")


# -- texts -------------------------------------------------------------------------------------------------------

WILD = "\ud83d\x00\x1b[31m\x1b]52;c;aGk=\x07\x9b\u202e\u200b\u2066"


def test_an_answer_comes_in_clean():
    with serving(says(f"{WILD}I take two.\r\n\\boxed{{2\u200b\x00\u202e}}")) as server:
        decision = decide(player(server))
    assert decision.action == "2"
    assert decision.text is not None
    decision.text.encode()
    assert all(c.isprintable() or c == "\n" for c in decision.text)


@pytest.mark.parametrize("code", [400, 401, 500])
def test_an_error_comes_in_clean_and_in_one_line(code):
    wild = status(code, f"no{WILD}\nWARNING forged: line")
    with serving(wild) as server, pytest.raises(InfrastructureError) as caught:
        decide(player(server))
    assert str(caught.value).isprintable()


# -- keys --------------------------------------------------------------------------------------------------------


def spellings():
    split = "\u200b".join(KEY)
    return {
        "as it is": KEY,
        "upper case": KEY.upper(),
        "lower case": KEY.lower(),
        "reversed": KEY[::-1],
        "reversed in upper case": KEY[::-1].upper(),
        "spaced": " ".join(KEY),
        "line breaks": "\n".join(KEY),
        "zero width": split,
        "dashes": "-".join(KEY),
        "in part": KEY[3:12],
        "wide": "".join(chr(ord(c) + 0xFEE0) for c in KEY),
        "percent": "".join(f"%{ord(c):02X}" for c in KEY),
        "url": quote(KEY, safe=""),
        "hexadecimal": KEY.encode().hex(),
        "hexadecimal with spaces": KEY.encode().hex(" "),
        "escapes": "".join(f"\\u{ord(c):04x}" for c in KEY),
        "html": "".join(f"&#{ord(c)};" for c in KEY),
        "percent of percent": "".join(f"%25{ord(c):02X}" for c in KEY),
        "escapes in braces": "".join(f"\\u{{{ord(c):x}}}" for c in KEY),
        "long escapes": "".join(f"\\U{ord(c):08x}" for c in KEY),
        "octal escapes": "".join(f"\\{ord(c):o}" for c in KEY),
        "binary": " ".join(f"{ord(c):08b}" for c in KEY),
        "numbers": str([ord(c) for c in KEY]),
        "base32": base64.b32encode(KEY.encode()).decode(),
        "a header in base32": base64.b32encode(f"Bearer {KEY}".encode()).decode(),
        "base64": base64.b64encode(KEY.encode()).decode(),
        "a header in base64": base64.b64encode(f"Authorization: Bearer {KEY}".encode()).decode(),
        "a header in url-safe base64": base64.urlsafe_b64encode(f"xx{KEY}yy".encode()).decode(),
    }


@pytest.mark.parametrize("said", spellings().values(), ids=spellings().keys())
def test_a_key_is_blotted_out_in_any_spelling(said):
    redact = Redactor(KEY)
    for text in (said, f"your key {said} is wrong", "x" * 195 + said):
        left = redact(text)
        assert "***" in left
        assert redact(left) == left
    assert redact("a harmless line") == "a harmless line"


@pytest.mark.parametrize(
    "word", ["a task-oriented risk-averse plan", "sk-learning", "desk-bound, ask-me-anything-2024"]
)
def test_words_that_look_like_a_key_stay(word):
    assert Redactor("")(word) == word
    assert Redactor("")(f"{word}: sk-proj-a1b2c3, (sk-ab***yz") == f"{word}: ***, (***"


def test_every_piece_of_a_key_is_blotted_out():
    assert Redactor(KEY)((KEY[:9] + "!z") * 20_000) == "***!z" * 20_000


def test_a_short_key_is_no_secret_and_words_stay():
    assert Redactor("EMPTY")("the list is empty") == "the list is empty"


@pytest.mark.parametrize("said", spellings().values(), ids=spellings().keys())
def test_no_spelling_of_the_key_is_kept_or_logged(said, monkeypatch, caplog):
    monkeypatch.setenv("MY_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    padded = "x" * 190 + said  # an error is cut at 200 characters: that must not leave a part of the key
    header = {"x_echo": said} if said.isascii() and said.isprintable() else {}
    with serving(says(f"I know {said}. \\boxed{{1}}", **header), status(500, padded, **header)) as server:
        decision = decide(player(server, key="MY_KEY", retries=1))
    kept = f"{decision.text} {decision.reason} {caplog.text}"
    assert decision.action == "1"
    assert Redactor(KEY)(kept) == kept


def test_the_key_in_errors_that_end_a_match_or_a_run(monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    for fault in (status(400, f"key {KEY.upper()}"), status(401, KEY[::-1]), says("1", model=f"m-{KEY.lower()}")):
        with serving(fault) as server, pytest.raises(InfrastructureError) as caught:
            decide(player(server, key="MY_KEY"))
        error: BaseException | None = caught.value
        while error is not None:  # a traceback shows the whole chain
            assert Redactor(KEY)(str(error)) == str(error)
            error = error.__cause__ or error.__context__


# -- bills -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claimed", [(2**70, 2**70), (-5, 3), (1.5, 2), (float("nan"), 2), ("many", 2), (None, None), (0, 0), (20, 0)]
)
def test_a_bogus_bill_books_the_most_that_can_have_been_used(claimed):
    with serving(says("\\boxed{1}", usage=claimed)) as server:
        who = player(server, max_tokens=50)
        who.budget = Budget(tokens=10**6)
        decide(who)
        prompt = sum(len(m["content"].encode()) + 16 for m in server.asked[0]["messages"]) + 16
    assert who.budget.used.tokens == prompt + 50


def test_the_limit_grows_with_what_may_be_written():
    assert most_bytes(1) < most_bytes(1024) < most_bytes(100_000)


@pytest.mark.parametrize("message", ["hi", 5, [], ["hi"], True])
def test_a_message_that_is_no_object_is_not_an_answer_of_the_model(message):
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    answer = json.dumps({"object": "chat.completion", "model": "m", "choices": [choice]}).encode()
    with serving(raw(answer)) as server, pytest.raises(InfrastructureError, match="unreadable answer"):
        decide(player(server))
