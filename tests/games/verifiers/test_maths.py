"""Equivalence of answers: what is equal passes, and what is not or cannot be read, does not."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from games import InputError
from games.verifiers.maths import UnreadReference, equal, readable, settles
from tests import golden
from tests.games.verifiers.needs import mathematical

pytestmark = mathematical


def test_hole_8_words_in_common_prove_nothing():
    """R-Zero's grader treats two answers as equal because both contain "no "."""
    assert readable("there is no solution")[0] is None
    assert equal("no solution", "no idea").kind == "invalid"
    assert equal("no solution", "There are no solutions.").kind == "pass"
    with pytest.raises(InputError, match="not a single mathematical expression"):
        equal("no idea", "no solution")


def test_hole_11_a_tower_is_stopped_and_the_next_answer_is_judged():
    """math-verify raises in a thread, and a tower of powers costs it its full time; here it is refused anywhere."""
    found = []

    def judge():
        found.append(equal("9", "9^{9^{9^{9}}}", seconds=60).kind)
        found.append(settles("9^{9^{9^{9}}}", seconds=60))
        found.append(equal("1/2", "0.5", seconds=60).kind)

    thread = threading.Thread(target=judge)
    thread.start()
    thread.join()
    assert found == ["invalid", False, "pass"]


def _rows(name):
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [line.split(" ;; ") for line in lines if line and not line.startswith("#")]


def _table():
    return [(gold, given, kind) for gold, given, kind in _rows("maths_pairs.txt")]


def _said(gold, given):
    try:
        return equal(gold, given, seconds=120).kind
    except UnreadReference:
        return "gold"


def test_the_table_of_pairs():
    """Over 400 pairs by the workers; `gold` says that the reference itself cannot be read."""
    table = _table()
    assert len(table) > 400
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda row: _said(row[0], row[1]), table))
    assert [(*row[:2], kind) for row, kind in zip(table, said, strict=True)] == table


def test_notations_of_models_and_data_sets():
    """Intervals, solutions, ratios, units and words: no unequal pair passes, and few equal ones are refused."""
    rows = _rows("notations.txt")
    equal_rows = [row for row in rows if row[2] == "equal"]
    assert len(rows) >= 195
    assert len(equal_rows) >= 144
    with ThreadPoolExecutor(2) as pool:
        kinds = list(pool.map(lambda row: _said(row[0], row[1]), rows))
    passed = [row for row, kind in zip(rows, kinds, strict=True) if kind == "pass"]
    assert [row for row in passed if row[2] == "unequal"] == []
    assert len(equal_rows) - len(passed) <= 4


def test_the_vectors_of_math_verify():
    """None of those that differ passes; of those that are equal without prose, units or rounding nearly all pass."""
    vectors = golden.rows(__file__, "math_verify")
    with ThreadPoolExecutor(2) as pool:
        kinds = list(pool.map(lambda row: _said(row[0], row[1]), vectors))
    rows = [(*row, kind == "pass") for row, kind in zip(vectors, kinds, strict=True)]
    assert len(rows) == 269
    assert [row for row in rows if row[2] == "different" and row[4]] == []
    passed = [passes for _, _, expected, excluded, passes in rows if expected == "equal" and not excluded]
    assert len(passed) >= 140
    assert sum(passed) >= 0.95 * len(passed)  # 137 of 142; all 234 that should be equal: 140


def test_no_pair_of_neighbouring_values_passes():
    rows = _rows("unequal_pairs.txt")
    assert len(rows) >= 200
    with ThreadPoolExecutor(2) as pool:
        kinds = list(pool.map(lambda row: _said(row[0], row[1]), rows))
    assert [row for row, kind in zip(rows, kinds, strict=True) if kind == "pass"] == []


def test_being_equal_does_not_depend_on_which_is_the_reference():
    both = [row for row in _table() if row[2] in ("pass", "fail") and not {"=", ","} & set(row[0] + row[1])]
    glued = ("2e-3", "10800 s", "168 h", "5000m")  # beside a text with two readings, of which a reference has the first
    both = [row for row in both if row[1] not in glued]
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda row: _said(row[1], row[0]), both))
    assert [(*row[:2], kind) for row, kind in zip(both, said, strict=True)] == both


@pytest.mark.parametrize(
    "text",
    [
        "(" * 390, "-" * 390 + "1", "2^" * 190 + "2", "!" * 100, "9" * 390 + "!", r"\frac" * 70, "1,2;" * 90,
        r"\sqrt{" * 60 + "2" + "}" * 60, "((((x+1)^99)^99)^99)^99", r"\binom{99999}{50000}", "{" * 200 + "}" * 200,
        "sin " * 90 + "x", "|" * 200, r"\begin{pmatrix}" + "1&" * 100, "9e999999999", "1" + "e5" * 90, r"\pm" * 100,
    ],
)  # fmt: skip
def test_hostile_answers_are_refused_in_time_and_leave_the_worker_well(text):
    assert equal("7", text, seconds=3).kind in ("invalid", "fail", "timeout")
    assert equal("7", "14/2", seconds=60).ok


@pytest.mark.timeout(5)
@pytest.mark.parametrize("piece", [r"\boxed{1} ", r"x = \boxed{1} and ", r"\boxed{1} or ", "wait "])
def test_a_long_text_of_boxes_is_refused_at_once(piece):
    assert equal("1", piece * (100_000 // len(piece))).kind == "invalid"
