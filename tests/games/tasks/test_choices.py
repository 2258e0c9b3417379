"""Lists of answers: any answer of a list is as likely to be right, whatever answers are frequent."""

from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games.tasks
from games.randomness import RandomStream, derive
from games.tasks import SourceTask, TaskKind, TaskSource
from games.tasks.choices import exchangeable
from games.verifiers import PASS, Verdict


class Decided(RandomStream):
    """A stream whose draws are given; it notes of how many possibilities each was one."""

    def __init__(self, decisions, answers):
        super().__init__(0)
        self.decisions, self.answers, self.sizes = list(decisions), answers, []

    def below(self, n):
        self.sizes.append(n)
        return self.decisions[len(self.sizes) - 1] if len(self.sizes) <= len(self.decisions) else 0

    def shuffled(self, items):
        """Decides the place of the truth among its equals; nothing else of the order matters."""
        if not isinstance(items, range):
            return list(items)  # the list itself
        same = [i for i in items if i and self.answers[i] == self.answers[0]]
        at = self.below(len(same) + 1)
        return [*same[:at], 0, *same[at:], *(i for i in items if i and i not in same)]


def every_list(truth, others, n):
    """Each list that the truth may get, with its probability."""
    answers, left = [truth, *others], [()]
    while left:
        decisions = left.pop()
        stream = Decided(decisions, answers)
        found = exchangeable(truth, others, n, stream)
        if len(stream.sizes) > len(decisions):
            left += [(*decisions, i) for i in range(stream.sizes[len(decisions)])]
            continue
        chance = Fraction(1)
        for size in stream.sizes:
            chance /= size
        yield frozenset(found), chance
        assert len(set(found)) == len(found)
        assert truth in found


def joint(answers, n):
    """List -> right answer of the list -> probability, if each of the answers is as likely to be the right one."""
    out = defaultdict(Counter)
    for i, truth in enumerate(answers):
        for found, chance in every_list(truth, [*answers[:i], *answers[i + 1 :]], n):
            out[found][truth] += chance / len(answers)
    return out


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-3, 9), min_size=4, max_size=20), st.integers(1, 3))
def test_the_best_guess_from_a_list_is_chance_or_the_most_frequent_answer(numbers, n):
    """For every way in which the same answers may be the right one and the others."""
    answers = list(map(str, numbers))
    lists = joint(answers, n)
    assert sum(sum(of.values()) for of in lists.values()) == 1
    best = sum(max(of.values()) for of in lists.values())
    frequent = Fraction(max(Counter(answers).values()), len(answers))
    assert best == max(frequent, Fraction(1, n + 1))


@pytest.mark.parametrize(
    "answers", ["0 1 2 3 4 5 6 7", "0 0 1 1 2 2 3 3", "a a b c d e f g h", "-1 -1 -1 5 6 7 8 8 9 20 30 40"]
)
def test_each_member_of_a_list_is_right_equally_often(answers):
    for found, of in joint(answers.split(), 3).items():
        assert len(found) == 4
        assert {of[member] for member in found} == {of.total() / 4}


def test_lists_are_of_neighbours_where_no_number_repeats():
    numbers = list(map(str, range(64)))
    for i, truth in enumerate(numbers):
        found = sorted(map(int, exchangeable(truth, [*numbers[:i], *numbers[i + 1 :]], 3, RandomStream(i))))
        assert found == list(range(i // 4 * 4, i // 4 * 4 + 4))


def test_an_answer_that_is_too_frequent_is_on_every_list():
    answers = ["0"] * 8 + list("12345678")
    lists = joint(answers, 3)
    assert all("0" in found and len(found) == 4 for found in lists)
    assert sum(of["0"] for of in lists.values()) == Fraction(1, 2)


def test_few_answers_make_a_short_list():
    assert sorted(exchangeable("no", ["yes"] * 5 + ["no"] * 9, 3, RandomStream(1))) == ["no", "yes"]
    assert exchangeable("no", ["no"] * 9, 3, RandomStream(1)) == ("no",)
    assert exchangeable("no", [], 3, RandomStream(1)) == ("no",)


def test_every_place_of_a_list_is_as_likely_to_be_right():
    numbers = list(map(str, range(16)))
    places = Counter(exchangeable("5", numbers, 3, RandomStream(seed)).index("5") for seed in range(800))
    assert max(places.values()) < 250  # 200 on average; 250 is four standard deviations more


@pytest.mark.parametrize(
    "id",
    [
        pytest.param("arithmetic", marks=pytest.mark.slow),
        "arithmetic(operation=add,digits=1)",
        pytest.param("arithmetic(operation=add,digits=1,split=dev)", marks=pytest.mark.slow),
        pytest.param("arithmetic(operation=multiply,digits=1)", marks=pytest.mark.slow),
        pytest.param("arithmetic(operation=mixed,digits=1,split=test)", marks=pytest.mark.slow),
        pytest.param("programs", marks=pytest.mark.slow),
    ],
)
def test_what_is_often_an_answer_is_no_better_guess(id):
    source, matches = games.tasks.make(id), 300
    tasks = [source.draw(seed) for seed in range(10_000, 12_000)]
    often = Counter((task.kind, task.answer) for task in tasks)
    right, chance = 0, 0.0
    for seed in range(matches):
        task = source.draw(seed)
        found = source.fair_choices(task, RandomStream(derive(seed, "list")), 3)
        of_kind = [n for (kind, _), n in often.items() if kind == task.kind]
        chance += max(1 / len(found), max(of_kind) / sum(of_kind)) / matches
        right += max(found, key=lambda answer: often[task.kind, answer]) == task.answer
    assert right < matches * chance + 30  # four standard deviations


class Names(TaskSource):
    """Asks for a name that begins with a letter; every such name passes."""

    NAMES = ("Ann", "Ada", "Bob", "Ben", "Cleo", "Cem", "Dan", "Dora")

    def __init__(self, **own):
        super().__init__("names", [TaskKind("names", "all")], "train")

    def make(self, kind, number):
        name = self.NAMES[number % 8]
        return f"Number {number}: a name with {name[0]}?", name

    def grade(self, task, answer):
        return PASS if answer[:1] == task.answer[0] else Verdict("fail", "another letter")


class Told(Names):
    """The same, with wrong answers of its own."""

    def wrong(self, task, stream, n):
        return ("X", "Y", "Z")[:n]


def test_only_one_answer_of_a_list_passes():
    source = Names()
    for seed in range(50):
        task = source.draw(seed)
        found = source.fair_choices(task, RandomStream(seed), 2)
        assert [name for name in found if source.verdict(task, name).ok] == [task.answer]
        assert len(found) == 3


def test_a_source_keeps_its_own_wrong_answers():
    source = Told()
    task = source.draw(0)
    assert sorted(source.fair_choices(task, RandomStream(0), 3)) == sorted([task.answer, "X", "Y", "Z"])


def test_the_others_are_drawn_as_the_game_says():
    source = games.tasks.make("arithmetic")
    task = source.draw(0)
    drawn = [SourceTask("", task.kind, "", str(n)) for n in (1, 2, 3, 4, 5)]
    found = source.fair_choices(task, RandomStream(0), 3, lambda seed: drawn[seed % 5])
    assert set(found) - {task.answer} < set("12345")
