"""search-v1: the search tool, the rules for a question, the check of the reader, the rewards of Search Self-play."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games import InputError
from games.attack import CODES
from games.native.search.documents import documents, subjects
from games.native.search.index import find
from games.native.search.validity import defect, matches, normalised, solver_reward
from tests import golden

pytest.importorskip("bm25s")

OPEN = {"checksum", "consonants", "length"} | {
    "spelled", "roman", "in_base_16", "as_sum", "as_product", "by_digit"
}  # fmt: skip
"""codes that say too little of the letters, and those of numbers"""
EGYPT = "What is the name of the capital city of the country that is called Egypt?"


def started(answer="Cairo", **params):
    """A match in which the proposer is given this answer."""
    options = ",".join(f"{key}={value}" for key, value in ({"solvers": 2} | params).items())
    game = games.make(f"search({options})")
    seed = 0
    game.reset(seed)
    while answer and game.data("proposer")["answer"] != answer:
        seed += 1
        assert seed < 5000, f"{answer} is not drawn"
        game.reset(seed)
    return game


def proposed(question=EGYPT, searches=("Cairo", "Egypt code"), **params):
    game = started(**params)
    for query in searches:
        game.apply({"proposer": f"<search>{query}</search>"})
    game.apply({"proposer": f"<question>{question}</question>"})
    return game


def solved(game, *answers):
    game.apply({"reader": "<answer>Cairo</answer>"})
    game.apply({f"solver_{i}": f"<answer>{text}</answer>" for i, text in enumerate(answers)})
    return game


@pytest.mark.parametrize(
    ("difficulty", "answers", "paid"),
    [
        ("one_minus", ("Cairo", "Cairo"), 0.0),
        ("one_minus", ("Cairo", "x"), 0.5),
        ("one_minus", ("x", "x"), 1.0),
        ("zero_at_zero", ("x", "x"), 0.0),
        ("parabola", ("Cairo", "x"), 1.0),
        ("parabola", ("x", "x"), 0.0),
    ],
)
def test_the_published_rewards(difficulty, answers, paid):
    """SSP: 1 - p, or 4 p (1 - p); the solver 1 for an exact match."""
    game = solved(proposed(difficulty=difficulty), *answers)
    right = [float(a == "Cairo") for a in answers]
    reader = float(any(right))
    assert game.returns() == {"proposer": paid, "reader": reader, "solver_0": right[0], "solver_1": right[1]}


def test_many_answer_tags_cost_three_quarters():
    assert [solver_reward(True, n) for n in (1, 10, 11)] == [1.0, 1.0, 0.25]
    assert solver_reward(False, 1) == 0.0


@pytest.mark.parametrize(("question", "searches", "why"), golden.rows(__file__, "search_when_a_question_counts"))
def test_when_a_question_counts(question, searches, why):
    found = defect(question, "Lima", searches, 2)
    assert why in found
    assert bool(why) == bool(found)


SUBJECTS = [subject for split in ("train", "dev", "test") for subject in subjects(split)]
HONEST = (
    "I am looking for a capital city. Its country has the following entry: {}",
    "Name the chemical element or the capital that this sentence is about, please: {}",
)


def read_by(subject):
    return [str(documents()[i]) for i in find(subject.answer, 3)]


def test_questions_made_from_the_documents_count():
    """At most 1 in 100 questions that quote what the documents say, without the answer, is refused."""
    asked, refused = 0, []
    for subject in SUBJECTS[:255]:
        text, read = next(d.text for d in documents() if d.title == subject.title), read_by(subject)
        for question in HONEST:
            asked += 1
            question = question.format(text.replace(subject.answer, "this"))
            if why := defect(question, subject.answer, ["x", "y"], 2, read):
                refused.append((question, why))
    assert asked > 500
    assert len(refused) <= asked / 100, refused


@pytest.mark.parametrize("code", sorted(set(CODES) - OPEN))
def test_questions_that_encode_the_answer_do_not_count(code):
    some = SUBJECTS[::12]
    texts = {s: f"Please tell us, which name in these documents do we mean: {CODES[code](s.answer)}" for s in some}
    refused = [s for s in some if defect(texts[s], s.answer, ["x", "y"], 2, read_by(s))]
    assert len(refused) >= 0.8 * len(some)


def test_a_question_that_tells_its_answer_is_a_leak():
    asks = "Which of all of the cities in the world do we mean, please? {}"
    games = [proposed(asks.format(code)) for code in ("", "Cairo", "Read it from its end: oriac")]
    games[0].apply({"reader": "<answer>Lima</answer>"})
    assert [game.outcomes()["proposer"].secret_told for game in games] == [False, True, True]


def test_the_reader_decides_whether_a_question_counts():
    """A question without an answer in the documents pays the proposer nothing, whatever the solvers would say."""
    game = proposed("Which of all of the cities in the world has the best football team ever?")
    game.apply({"reader": "<answer>Lima</answer>"})
    assert game.acting == ()
    assert game.facts()["verdict"] == "fail"
    assert set(game.returns().values()) == {0.0}


def test_the_reader_sees_what_was_found_and_foreign_documents():
    game = proposed(noise=4)
    lines = [line for line in game.observe("reader").text.splitlines() if line.startswith("- ")]
    own = game.data("proposer")["documents"]
    assert len(lines) == len(own) + 4
    assert sum("Its capital is Cairo" in line for line in lines) == 1
    assert "Cairo" not in game.observe("solver_0").text


def test_a_reader_without_the_right_documents_cannot_answer():
    game = proposed(searches=("iron", "gold"))
    assert "Cairo" not in game.observe("reader").text


def test_solvers_search_alone_and_the_last_turn_ends():
    game = proposed(turns=3)
    game.apply({"reader": "<answer>Cairo</answer>"})
    game.apply({"solver_0": "<search>Egypt</search>", "solver_1": "<answer>Cairo</answer>"})
    assert game.acting == ("solver_0",)
    assert "Its capital is Cairo" in game.observe("solver_0").text
    assert "Its capital is" not in game.observe("solver_1").text
    game.apply({"solver_0": "no tag at all"})
    assert "last turn" in game.observe("solver_0").text
    game.apply({"solver_0": "<search>more</search>"})
    assert game.acting == ()
    assert game.returns()["solver_0"] == 0.0
    assert game.facts()["searches"]["solver_0"] == 1


def test_the_tool_ranks_by_bm25():
    titles = [documents()[i].title for i in find("Egypt", 3)]
    assert titles[0] == "Egypt"
    assert documents()[find("country code PE", 1)[0]].title == "Peru"
    assert documents()[find("symbol Fe", 1)[0]].title == "Iron"
    assert find("zzzz qqqq", 3) == ()
    assert find("", 3) == ()


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_a_query(text):
    assert len(find(text, 3)) <= 3


def test_exact_match():
    assert normalised(" The  City of São Tomé. ") == "city of sao tome"
    assert matches("the lima.", "Lima")
    assert not matches("Lima or Cairo", "Lima")
    assert not matches("", "")
    assert not matches(None, "Lima")


def test_no_subject_belongs_to_two_splits():
    parts = [{s.title for s in subjects(split)} for split in ("train", "dev", "test")]
    assert sum(map(len, parts)) == len(set().union(*parts)) > 300


def test_a_question_of_a_pool_is_posed():
    game = started()
    game.load_task(json.dumps({"question": EGYPT, "answer": "Cairo"}))
    game.reset(5)
    assert game.acting == ("solver_0", "solver_1")
    assert "Cairo" not in game.observe("solver_0").text + game.observe("proposer").text
    game.apply({"solver_0": "<answer>Cairo</answer>", "solver_1": "x"})
    game.apply({"solver_1": "<answer>Lima</answer>"})
    assert game.returns() == {"proposer": 0.0, "reader": 0.0, "solver_0": 1.0, "solver_1": 0.0}
    assert {"proposer", "reader"} <= set(game.facts()["idle"])


@pytest.mark.parametrize("task", ["x", "[1]", '{"question": 1, "answer": "Cairo"}', '{"question": "a", "answer": "b"}'])
def test_a_task_that_is_none_is_refused(task):
    with pytest.raises(InputError, match="search: "):
        started("").load_task(task)


def test_a_closed_game_lists_everything():
    game = started("", size=2, results=1)
    assert game.spec.id == "search-v1(solvers=2,results=1,size=2)"
    assert len(game.legal("proposer")) == 6
    title, answer = game.data("proposer")["title"], game.data("proposer")["answer"]
    for query in (title, answer):
        game.apply({"proposer": f"search: {query}"})
    game.apply({"proposer": next(q for q in game.legal("proposer") if q.startswith("What") and title in q)})
    game.apply({"reader": answer})
    assert "search: " in game.legal("solver_0")[0]
    game.apply(dict.fromkeys(game.acting, answer))
    assert game.returns() == {"proposer": 0.0, "reader": 1.0, "solver_0": 1.0, "solver_1": 1.0}
