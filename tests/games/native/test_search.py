"""search-v1: the search tool, the rules for a question, the check of the reader, the rewards of Search Self-play."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games import InputError
from games.attack import CODES
from games.native.search.closed import first_collection
from games.native.search.documents import collection
from games.native.search.relations import RELATIONS, chain_question, facts_of, steps_of
from games.native.search.validity import defect, matches, normalised, solver_reward
from tests import golden

pytest.importorskip("bm25s")

OPEN = {"checksum", "consonants", "length"} | {
    "spelled", "roman", "in_base_16", "as_sum", "as_product", "by_digit"
}  # fmt: skip
"""codes that say too little of the letters, and those of numbers"""


def started(**params):
    """A match of the first seed."""
    options = ",".join(f"{key}={value}" for key, value in ({"solvers": 2} | params).items())
    game = games.make(f"search({options})")
    game.reset(0)
    return game


def asked(game):
    """The plain question of a match: the document that holds the answer is named."""
    of = game.data("proposer")
    facts = collection(game.facts()["collection"]).facts
    return chain_question([fact for fact in facts if (fact.value, fact.subject) == (of["answer"], of["title"])][:1])


def proposed(question="", searches=(), **params):
    game = started(**params)
    for query in searches or (game.data("proposer")["title"], "pages"):
        game.apply({"proposer": f"<search>{query}</search>"})
    game.apply({"proposer": f"<question>{question or asked(game)}</question>"})
    return game


def solved(game, *right):
    answer = game.data("proposer")["answer"]
    game.apply({"reader": f"<answer>{answer}</answer>"})
    game.apply({f"solver_{i}": f"<answer>{answer if told else 'x'}</answer>" for i, told in enumerate(right)})
    return game


@pytest.mark.parametrize(
    ("difficulty", "right", "paid"),
    [
        ("one_minus", (True, True), 0.0),
        ("one_minus", (True, False), 0.5),
        ("one_minus", (False, False), 1.0),
        ("zero_at_zero", (False, False), 0.0),
        ("parabola", (True, False), 1.0),
        ("parabola", (False, False), 0.0),
    ],
)
def test_the_published_rewards(difficulty, right, paid):
    """SSP: 1 - p, or 4 p (1 - p); the solver 1 for an exact match."""
    game = solved(proposed(difficulty=difficulty), *right)
    solvers = {f"solver_{i}": float(told) for i, told in enumerate(right)}
    assert game.returns() == {"proposer": paid, "reader": float(any(right)), **solvers}


def test_many_answer_tags_cost_three_quarters():
    assert [solver_reward(True, n) for n in (1, 10, 11)] == [1.0, 1.0, 0.25]
    assert solver_reward(False, 1) == 0.0


@pytest.mark.parametrize(("question", "searches", "why"), golden.rows(__file__, "search_when_a_question_counts"))
def test_when_a_question_counts(question, searches, why):
    found = defect(question, "Lima", searches, 2)
    assert why in found
    assert bool(why) == bool(found)


HONEST = (
    "I am looking for a name that I forgot. What I know of it is this entry: {}",
    "Please complete this sentence with the name that belongs to where it says this: {}",
)


def some_subjects():
    """Answers of five collections, with what the first search for them shows."""
    for number in range(5):
        drawn = collection(number)
        for subject in drawn.subjects[::4]:
            yield drawn, subject, drawn.read(drawn.index.find(subject.answer, 3))


def test_questions_made_from_the_documents_count():
    """At most 1 in 100 questions that quote what the documents say, without the answer, is refused."""
    asked, refused = 0, []
    for drawn, subject, read in some_subjects():
        text = next(text for text in drawn.documents if text.startswith(f"{subject.title}:"))
        for question in HONEST:
            asked += 1
            question = question.format(text.replace(subject.answer, "this"))
            if why := defect(question, subject.answer, 2, 2, read, (s.answer for s in drawn.subjects)):
                refused.append((question, why))
    assert asked > 100
    assert len(refused) <= asked / 100, refused


@pytest.mark.parametrize("code", sorted(set(CODES) - OPEN))
def test_questions_that_encode_the_answer_do_not_count(code):
    some = [(subject.answer, read) for _, subject, read in some_subjects()][::2]
    text = "Please tell us, which name in these documents do we mean: "
    refused = [answer for answer, read in some if defect(text + CODES[code](answer), answer, 2, 2, read)]
    assert len(refused) >= 0.8 * len(some)


@given(st.integers(0, 3_000_000 - 1))
def test_documents_and_questions_are_read_as_they_are_written(number):
    drawn = collection(number)
    assert set(facts_of(drawn.documents)) == set(drawn.facts)
    names = [text.partition(":")[0] for text in drawn.documents]
    assert len({word for name in names for word in name.split()} - {"The"}) > len(names)
    assert len(set(names)) == len(names) == 62
    values = {(fact.subject, fact.relation): fact.value for fact in drawn.facts}
    for last in drawn.facts:
        chain = [last]
        while len(chain) < 3 and (before := [fact for fact in drawn.facts if fact.value == chain[-1].subject]):
            chain.append(before[0])
        name, steps = steps_of(chain_question(chain))
        assert len(steps) == len(chain)
        for step in steps:
            name = values[name, step]
        assert name == last.value


def test_every_relation_leads_from_a_name_to_one_other():
    for drawn in map(collection, range(20)):
        kinds = {text.partition(":")[0]: text.partition(" is a ")[2].partition(",")[0] for text in drawn.documents}
        pairs = [(fact.subject, fact.relation) for fact in drawn.facts]
        assert len(set(pairs)) == len(pairs) == sum(len([r for r in RELATIONS if r.of == k]) for k in kinds.values())
        assert all(fact.subject != fact.value and kinds[fact.value] == fact.relation.to for fact in drawn.facts)


def test_a_question_that_tells_its_answer_is_a_leak():
    asks = "Which of all of the cities in the world do we mean, please? {}"
    answer = started().data("proposer")["answer"]
    games = [proposed(asks.format(code)) for code in ("", answer, f"Read it from its end: {answer[::-1]}")]
    games[0].apply({"reader": "<answer>nothing</answer>"})
    assert [game.outcomes()["proposer"].secret_told for game in games] == [False, True, True]


def test_the_reader_decides_whether_a_question_counts():
    """A question without an answer in the documents pays the proposer nothing, whatever the solvers would say."""
    game = proposed("Which of all of the cities in the world has the best football team ever?")
    game.apply({"reader": "<answer>nothing</answer>"})
    assert game.acting == ()
    assert game.facts()["verdict"] == "fail"
    assert set(game.returns().values()) == {0.0}


def test_the_reader_sees_what_was_found_and_as_much_about_others():
    """The documents mention the answer no more often than other names of its kind."""
    first, several = 0, 0
    for seed in range(40):
        game = started(noise=8)
        game.reset(seed)
        answer = game.data("proposer")["answer"]
        for query in (answer, game.data("proposer")["title"], "pages"):
            game.apply({"proposer": f"<search>{query}</search>"})
        game.apply({"proposer": f"<question>{asked(game)}</question>"})
        own, reads = game.data("proposer")["documents"], game.data("reader")["documents"]
        assert set(own) < set(reads)
        assert len(reads) == len(own) + 8
        assert answer not in game.observe("solver_0").text
        counts = {
            name: sum(name in text for text in reads) for name in collection(game.facts()["collection"]).alike(answer)
        }
        mine = sum(answer in text for text in reads)
        first += mine > max(counts.values())
        several += mine >= 2
    assert several > 20
    assert first <= 24


def test_solvers_search_alone_and_the_last_turn_ends():
    game = proposed(turns=3)
    of = game.data("proposer")
    line, answer = f"- {of['title']}: ", f"<answer>{of['answer']}</answer>"
    game.apply({"reader": answer})
    game.apply({"solver_0": f"<search>{of['title']}</search>", "solver_1": answer})
    assert game.acting == ("solver_0",)
    assert line in game.observe("solver_0").text
    assert line not in game.observe("solver_1").text
    game.apply({"solver_0": "no tag at all"})
    assert "last turn" in game.observe("solver_0").text
    game.apply({"solver_0": "<search>more</search>"})
    assert game.acting == ()
    assert game.returns()["solver_0"] == 0.0
    assert game.facts()["searches"]["solver_0"] == 1


def test_the_tool_ranks_by_bm25():
    drawn = collection(0)
    for at, text in enumerate(drawn.documents):
        assert drawn.index.find(text.partition(":")[0], 3)[0] == at
    founder = next(fact for fact in drawn.facts if fact.relation.of == "company" and fact.relation.to == "person")
    told = f"founded by {founder.value}"
    assert any(told in text for text in drawn.read(drawn.index.find(told, 3)))
    assert drawn.index.find("zzzz qqqq", 3) == drawn.index.find("", 3) == ()


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_a_query(text):
    assert len(collection(0).index.find(text, 3)) <= 3


def test_exact_match():
    assert normalised(" The  City of São Tomé. ") == "city of sao tome"
    assert matches("the lima.", "Lima")
    assert not matches("Lima or Cairo", "Lima")
    assert not matches("", "")
    assert not matches(None, "Lima")


def test_splits_have_collections_of_their_own():
    numbers = [started(split=split).facts()["collection"] for split in ("train", "dev", "test")]
    assert [number // 1_000_000 for number in numbers] == [0, 1, 2]
    assert len({collection(number).documents for number in numbers}) == 3


def pooled(**changes):
    drawn = collection(7)
    return json.dumps(
        {"question": chain_question(drawn.facts[:1]), "answer": drawn.facts[0].value, "collection": 7} | changes
    )


def test_a_question_of_a_pool_is_posed():
    game, (title, _, answer) = started(), collection(7).facts[0]
    game.load_task(pooled())
    game.reset(5)
    assert game.acting == ("solver_0", "solver_1")
    assert answer not in game.observe("solver_0").text + game.observe("proposer").text
    game.apply({"solver_0": f"<answer>{answer}</answer>", "solver_1": f"<search>{title}</search>"})
    assert answer in game.observe("solver_1").text
    game.apply({"solver_1": "<answer>nothing</answer>"})
    assert game.returns() == {"proposer": 0.0, "reader": 0.0, "solver_0": 1.0, "solver_1": 0.0}
    assert {"proposer", "reader"} <= set(game.facts()["idle"])


@pytest.mark.parametrize(
    "task",
    [
        *("x", "[1]", pooled(question=1), pooled(question="a" * 1001), pooled(answer="b"), pooled(answer=["b"])),
        *(pooled(collection=number) for number in (-1, 1_000_000, 0.5, "7", True, None)),
        json.dumps({"question": "a", "answer": "b"}),
    ],
)
def test_a_task_that_is_none_is_refused(task):
    with pytest.raises(InputError, match="search: "):
        started().load_task(task)


@pytest.mark.parametrize("split", ["train", "test"])
def test_a_closed_game_lists_everything(split):
    game = started(size=2, results=1, split=split)
    assert game.facts()["collection"] == first_collection(split)
    assert len(game.legal("proposer")) == 6
    title, answer = game.data("proposer")["title"], game.data("proposer")["answer"]
    for query in (title, answer):
        game.apply({"proposer": f"search: {query}"})
    game.apply({"proposer": next(q for q in game.legal("proposer") if q.startswith("Which") and title in q)})
    game.apply({"reader": answer})
    assert "search: " in game.legal("solver_0")[0]
    game.apply(dict.fromkeys(game.acting, answer))
    assert game.returns() == {"proposer": 0.0, "reader": 1.0, "solver_0": 1.0, "solver_1": 1.0}


def test_only_searches_that_show_something_new_count():
    answer = started().data("proposer")["answer"]
    for more in (answer, f"{answer} {answer}", "qqqq"):
        game = proposed(searches=(answer, more))
        assert game.facts()["defect"].startswith("1 searches that showed something new")
