"""The player `openai` with the habits of each vendor: what a server refuses or ignores is no fault of its model."""

from __future__ import annotations

import asyncio

import pytest

from arena.match import MatchPlan, play_async
from arena.match.illegal_policy import IllegalPolicy
from arena.players import View
from arena.players.bots.random import RandomPlayer
from arena.players.endpoint.player import Endpoint
from games.errors import RunPaused
from roles import Exchange
from tests.arena.players.endpoint.server import serving
from tests.arena.players.endpoint.vendors import VENDORS
from tests.toys.small_games import Race

pytest.importorskip("openai")

DECODE = ("free", "choice")
every_vendor = pytest.mark.parametrize("vendor", VENDORS)
both_ways = pytest.mark.parametrize("decode", DECODE)


def player(server, **changes):
    return Endpoint("m", server.url, **{"backoff": 0.001, "timeout": 20.0, "temperature": 0.5, **changes})


def view(**changes):
    game = Race()
    game.reset(1)
    return View(game, game.acting[0], "first", ("1", "2"), 77, 0, **changes)


@every_vendor
@both_ways
def test_no_fault_is_charged_while_the_form_of_a_request_settles(vendor, decode, caplog):
    """Eight matches begin at the same time, and no failed answer is forgiven."""

    async def play(who, seed):
        seats = {"player_0": who, "player_1": RandomPlayer()}
        plan = MatchPlan(f"m{seed}", "race-v0", seed, {s: s for s in seats})
        return await play_async(Race(), plan, seats, IllegalPolicy(retries=0))

    async def all_of(who):
        return await asyncio.gather(*(play(who, seed) for seed in range(8)))

    with serving(VENDORS[vendor]) as server:
        episodes = asyncio.run(all_of(player(server, decode=decode, top_p=0.9)))
        assert not server.now
    assert [e.status for e in episodes] == ["finished"] * 8
    attempts = [d for e in episodes for t in e.turns if t.seat == "player_0" for d in t.attempts]
    assert attempts
    assert {d.category for d in attempts} == {"ok"}
    lines = [r.getMessage() for r in caplog.records if r.levelname == "WARNING"]
    assert len(lines) <= 1, lines  # one line says all that the server refuses or ignores


@every_vendor
@both_ways
def test_the_history_is_shortened_in_whatever_words_a_server_says_that_it_is_too_long(vendor, decode):
    turn = view(exchanges=[Exchange(view().observation, str(i)) for i in range(8)])
    with serving(VENDORS[vendor]) as server:
        decision = asyncio.run(player(server, decode=decode, memory=True).act_async(turn))
    assert decision.action == "2"
    assert len(server.asked[-1]["messages"]) <= 6


@every_vendor
@both_ways
def test_an_overloaded_server_is_asked_again(vendor, decode):
    habits = VENDORS[vendor]
    with serving(habits, habits.be_busy, habits.be_busy) as server:
        assert asyncio.run(player(server, decode=decode).act_async(view())).action == "2"


@every_vendor
@pytest.mark.parametrize("key", ["MY_KEY", None])
def test_a_refused_key_is_said_in_the_servers_words(vendor, key, monkeypatch):
    monkeypatch.setenv("MY_KEY", "wrong")
    habits = VENDORS[vendor]

    def locked(handler, body):
        handler.headers.replace_header("authorization", "Bearer wrong")
        habits(handler, body)

    with serving(locked) as server, pytest.raises(RunPaused) as caught:
        asyncio.run(player(server, key=key).act_async(view()))
    line = str(caught.value)
    assert "\n" not in line
    assert habits.locked[1] in line
    assert ("is the key right?" if key else "no key was sent") in line


@every_vendor
def test_a_prompt_that_nothing_shortens_pauses_the_run_if_no_prompt_fits(vendor):
    """`max_tokens` fills the context: every match would be void."""
    habits = VENDORS[vendor]

    def full(handler, body):
        status, words, code = habits.long
        body["messages"] = [{"role": "user", "content": ""}] * 9
        habits._fail(handler, status, words, code=code)

    with serving(full) as server, pytest.raises(RunPaused, match="use a smaller max_tokens"):
        asyncio.run(player(server).act_async(view()))


def test_what_each_vendor_is_sent_in_the_end():
    """The table of docs/players.md."""
    sent = {}
    for name, habits in VENDORS.items():
        with serving(habits) as server:
            asyncio.run(player(server, decode="choice").act_async(view()))
        body = server.asked[-1]
        form = [key for key in body if key in ("structured_outputs", "guided_choice", "response_format")]
        length = "max_tokens" if "max_tokens" in body else "max_completion_tokens"
        seed = [key for key in body if "seed" in key]
        folded = body["messages"][0]["role"] == "user"
        sent[name] = (length, *seed, *form, *(["folded"] if folded else []), *(["T"] if "temperature" in body else []))
    assert sent == {
        "vllm": ("max_tokens", "seed", "structured_outputs", "T"),
        "vllm-old": ("max_tokens", "seed", "guided_choice", "folded", "T"),
        "sglang": ("max_tokens", "seed", "response_format", "folded", "T"),
        "tgi": ("max_tokens", "seed", "folded", "T"),
        "llama.cpp": ("max_tokens", "seed", "response_format", "folded", "T"),
        "ollama": ("max_tokens", "seed", "response_format", "T"),
        "lm-studio": ("max_tokens", "seed", "response_format", "T"),
        "openrouter": ("max_tokens", "seed", "response_format"),
        "gemini": ("max_tokens", "response_format", "T"),
        "anthropic": ("max_tokens", "seed", "T"),
        "mistral": ("max_tokens", "random_seed", "response_format", "T"),
        "azure": ("max_completion_tokens", "response_format", "folded"),
        "litellm": ("max_tokens", "response_format", "T"),
        "groq": ("max_tokens", "seed", "T"),
        "proxy": ("max_tokens", "seed", "T"),
    }
