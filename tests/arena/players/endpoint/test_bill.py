"""What servers claim is booked, and a claim above the limit of a request stops the run in time."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from arena.players.budget import Budget, Spent
from arena.players.endpoint.bill import Bill, Usage
from arena.players.endpoint.player import Endpoint
from arena.players.player import View
from games.errors import RunPaused
from tests.arena.players.endpoint.server import says, serving
from tests.toys.small_games import Race

pytest.importorskip("openai")

CHAT: Any = [{"role": "user", "content": "x" * 160}]
MOST_READ = 160 + 16 + 16


def answer(read, wrote):
    return {"prompt_tokens": read, "completion_tokens": wrote}


async def ask_until_paused(who, at_once):
    """Requests one after the other, in so many tasks, until the budget ends them all."""

    async def ask():
        game = Race()
        game.reset(1)
        while True:
            await who.act_async(View(game, game.acting[0], "first", ("1", "2"), 77, 0))

    for end in await asyncio.gather(*(ask() for _ in range(at_once)), return_exceptions=True):
        assert isinstance(end, RunPaused), end


def spend(server, budget, at_once=4, **more):
    """The number of requests before the budget stops a player."""
    who = Endpoint("m", server.url, timeout=30.0, retries=0, max_tokens=64, concurrency=at_once, **more)
    who.budget = budget
    asyncio.run(ask_until_paused(who, at_once))
    return len(server.asked)


def test_an_honest_claim_is_booked_as_it_is():
    bill = Bill("m", 64, 1.0, 10.0)
    assert bill.used(CHAT, answer(40, 6), "x" * 20) == (40, 6)
    assert bill.cost(Usage(40, 6)) == Spent(46, (40 + 60) / 1e6)
    assert bill.most(CHAT) == Spent(MOST_READ + 64, (MOST_READ + 640) / 1e6)


@pytest.mark.parametrize("total", [46, 10_046, 3, None, 2**70, -1, "10046", True])
def test_reasoning_that_only_the_total_counts_is_booked(total):
    """As xAI and Gemini report it: total = prompt + completion + reasoning."""
    usage = {**answer(40, 6), "total_tokens": total}
    assert Bill("m", 64, 0, 0).used(CHAT, usage, "x" * 20) == (40, 10_006 if total == 10_046 else 6)


def test_a_claim_below_what_the_texts_need_is_raised():
    assert Bill("m", 64, 0, 0).used(CHAT, answer(1, 1), "x" * 320) == (160 // 16, 320 // 16)


@pytest.mark.parametrize("claim", [(0, 0), (0, 5), (40, 0), (-1, 5), (2**70, 5), ("40", "6"), (True, 1), (1e3, 2)])
def test_a_claim_that_says_nothing_is_booked_as_the_most(claim):
    bill = Bill("m", 64, 0, 0)
    assert bill.used(CHAT, answer(*claim), "text") == (MOST_READ, 64)
    assert bill.most(CHAT).tokens == MOST_READ + 64


def test_an_answer_without_text_may_have_written_nothing():
    assert Bill("m", 64, 0, 0).used(CHAT, answer(40, 0), "") == (40, 0)


def test_a_larger_claim_is_booked_reserved_and_reported_once(caplog):
    bill = Bill("m", 64, 0, 1.0)
    for _ in range(3):
        assert bill.used(CHAT, answer(40, 50_000), "x") == (40, 50_000)
    assert bill.most(CHAT) == Spent(MOST_READ + 50_000, 0.05)
    assert bill.cost(bill.used(CHAT, None, "x")) == bill.most(CHAT)
    (line,) = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert "50,000 written for one request with max_tokens=64" in line


@pytest.mark.parametrize("limit", [{"tokens": 20_000}, {"tokens": 220_000}, {"cost": 0.2}])
def test_hidden_reasoning_stops_the_run(limit):
    budget = Budget(**limit)
    with serving(says("\\boxed{1}", usage=(90, 50_000))) as server:
        asked = spend(server, budget, at_once=4, price_in=1.0, price_out=1.0)
    assert budget.used.tokens == asked * 50_090
    most = limit.get("tokens", 200_000)
    assert budget.used.tokens <= most + 4 * 50_090  # the requests in flight


def test_a_server_that_counts_nothing_stops_too():
    budget = Budget(tokens=20_000)
    with serving(says("\\boxed{1}", usage=(0, 0))) as server:
        assert 5 < spend(server, budget) < 100
    assert budget.used.tokens <= 20_000
