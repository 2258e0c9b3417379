"""The budget: never exceeded, used completely, and after a crash the store covers everything used."""

import asyncio

import pytest

from arena.players.budget import Budget, Spent
from games.errors import RunPaused


class Book:
    """A usage store on a list, for several budgets."""

    def __init__(self) -> None:
        self.lines: list[Spent] = []

    def total(self):
        return sum(self.lines, Spent())

    def add(self, amount):
        self.lines.append(amount)


async def use(budget, most, used, price=0.0):
    async with budget.reserve(Spent(most, most * price)) as reservation:
        await asyncio.sleep(0)
        reservation.used = Spent(used, used * price)


async def until_paused(budget, most, used, price=0.0):
    done = 0
    try:
        while True:
            await use(budget, most, used, price)
            done += 1
    except RunPaused as pause:
        if "Raise it under [budget] and start the run again" not in str(pause):
            raise
    return done


def test_it_is_used_to_the_end_and_never_passed():
    budget = Budget(tokens=1000)
    assert asyncio.run(until_paused(budget, most=100, used=30)) == 31  # 930 used: 100 more might be too much
    assert budget.used.tokens == 930


def test_many_at_once_wait_for_each_other_instead_of_stopping_early():
    async def many():
        await asyncio.gather(*(use(budget, 400, 10) for _ in range(50)))

    budget = Budget(tokens=900)  # holds two requests at their most, and all at their real use
    asyncio.run(many())
    assert budget.used.tokens == 500


def test_many_at_once_never_pass_it():
    async def many():
        return await asyncio.gather(*(until_paused(budget, 90, 80) for _ in range(20)))

    budget = Budget(tokens=1000)
    assert sum(asyncio.run(many())) == 12
    assert budget.used.tokens == 960


def test_cost():
    budget = Budget(cost=0.001)
    assert asyncio.run(until_paused(budget, most=100, used=100, price=1e-6)) == 10
    assert budget.used.cost == pytest.approx(0.001)


def test_what_a_request_did_not_use_is_free_again():
    async def fails():
        async with budget.reserve(Spent(1000)):
            raise ValueError("gone")

    budget = Budget(tokens=1000)
    for _ in range(3):
        with pytest.raises(ValueError, match="gone"):
            asyncio.run(fails())
    assert budget.used == Spent()


def test_no_limit_writes_once():
    book = Book()
    budget = Budget(store=book)
    for _ in range(10):
        asyncio.run(use(budget, 1000, 7, 0.5))
    assert book.lines == []
    budget.close()
    budget.close()
    assert book.lines == [Spent(70, 35.0)]
    assert budget.total == Spent(70, 35.0)


@pytest.mark.parametrize("limits", [{"tokens": 10_000}, {"cost": 0.01}, {"tokens": 10_000, "cost": 0.01}])
def test_the_store_is_ahead_of_every_request_and_right_at_the_end(limits):
    async def play():
        for _ in range(200):
            async with budget.reserve(Spent(25, 25e-6)) as reservation:
                ahead = book.total()
                if "tokens" in limits:
                    assert ahead.tokens >= budget.used.tokens + 25
                if "cost" in limits:
                    assert ahead.cost >= budget.used.cost + 25e-6 - 1e-12
                reservation.used = Spent(20, 20e-6)

    book = Book()
    budget = Budget(**limits, store=book)  # type: ignore[arg-type]
    asyncio.run(play())
    assert len(book.lines) < 60  # in blocks
    budget.close()
    assert book.total().tokens == 4000
    assert book.total().cost == pytest.approx(0.004)


def test_a_second_process_goes_on_where_the_first_was_killed():
    book = Book()
    first = Budget(tokens=1000, store=book)
    done = asyncio.run(_some(first, 5))
    second = Budget(tokens=1000, store=book)  # the first was never closed
    done += asyncio.run(until_paused(second, 50, 50))
    assert 950 <= 50 * done <= 1000
    second.close()
    assert 50 * done <= book.total().tokens <= 1000
    larger = Budget(tokens=2000, store=book)
    assert asyncio.run(until_paused(larger, 50, 50)) == 20


async def _some(budget, n):
    for _ in range(n):
        await use(budget, 50, 50)
    return n


def test_two_processes_at_once_share_it():
    async def both():
        return sum(await asyncio.gather(until_paused(one, 30, 30), until_paused(two, 30, 30)))

    book = Book()
    one, two = Budget(tokens=3000, store=book), Budget(tokens=3000, store=book)
    assert 95 <= asyncio.run(both()) <= 100


def test_what_exceeds_a_reservation_is_stored_at_once_and_stops_the_next_request():
    book = Book()
    budget = Budget(tokens=1000, store=book)
    asyncio.run(use(budget, 10, 5000))
    assert book.total() == budget.total == Spent(5000)  # also if the process is killed now
    with pytest.raises(RunPaused, match="5,000 of 1,000 tokens used"):
        asyncio.run(use(budget, 10, 10))
    budget.close()
    assert book.total() == Spent(5000)
