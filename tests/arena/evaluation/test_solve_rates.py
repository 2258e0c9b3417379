"""Exact solve rates: known policies, repeated questions, and players that do not know their probabilities."""

import asyncio

import pytest

import games
from arena.evaluation.solve_rates import solve_rates
from games import InputError
from tests.toys.players import Mixing

GAME = games.make("psj(solvers=2, votes=0, listed=true, tasks='letters(families=code1+copy, letters=2, length=3)')")


def giving(share):
    """Returns probabilities that give each legal answer the share that a function says."""
    return lambda view: {answer: share(answer, view.legal) for answer in view.legal}


def rates(share):
    return asyncio.run(solve_rates(Mixing(giving(share)), GAME, 4, seed=1))


def test_a_guess_is_right_once_in_as_many_answers_as_there_are():
    every = rates(lambda answer, legal: 1 / len(legal))
    assert {kind: set(tasks.values()) for kind, tasks in every.items()} == {
        f"{family}/2x{n}": {0.5**n} for family in ("code1", "copy") for n in (1, 2, 3)
    }
    assert {len(tasks) for kind, tasks in every.items() if kind.startswith("code1")} == {1}  # one question each


def test_a_constant_answer_solves_the_tasks_that_have_it():
    first = rates(lambda answer, legal: float(answer == legal[0]))
    source = GAME.task_source
    for tasks in first.values():
        assert tasks == {id: float(set(source.load(id).answer) <= {"a", " "}) for id in tasks}


def test_a_player_without_probabilities_and_a_game_without_a_source_are_refused():
    hidden = Mixing(lambda view: None)
    with pytest.raises(InputError, match="set decode = choice"):
        asyncio.run(solve_rates(hidden, GAME, 4, seed=1))
    with pytest.raises(InputError, match="has no task source"):
        asyncio.run(solve_rates(hidden, games.make("psj(size=1)"), 4, seed=1))


def test_a_player_that_waits_is_asked_many_questions_at_once():
    class Waits(Mixing):
        waits, asked, most = True, 0, 0

        async def probabilities(self, view):
            self.asked += 1
            await asyncio.sleep(0)
            self.most, self.asked = max(self.most, self.asked), self.asked - 1
            return await super().probabilities(view)

    even = lambda answer, legal: 1 / len(legal)  # noqa: E731
    player = Waits(giving(even))
    assert asyncio.run(solve_rates(player, GAME, 4, seed=1)) == rates(even)
    assert player.most > 5
