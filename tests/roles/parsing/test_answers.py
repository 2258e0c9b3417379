"""Answers of language models are read as a person reads them, or refused with a reason; none is inverted."""

from collections import Counter

import pytest

from games.native.common.answers import CORRECTNESS, final, letters, numbers, phrases, players, read
from games.native.redteam.rules import VERDICTS
from tests.roles.parsing.adversarial_answers import CASES
from tests.roles.parsing.answer_corpus import KINDS, answers

READERS = {
    "correctness": CORRECTNESS,
    "letter": letters("ABCD", "continue"),
    "mark": numbers(1, 3),
    "score": numbers(1, 10),
    "vote": players(4),
    "referee": phrases(tuple(VERDICTS)),
}
COUNT = 400
"""answers of each kind"""


def reading(kind, text):
    return final(text) if kind == "final" else read(text, READERS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_clear_answers_are_read_as_a_person_reads_them(kind):
    found, refused = Counter(), []
    for family, text, value in answers(kind, COUNT):
        seen = reading(kind, text)
        assert seen.value in (value, None), (family, text, seen)
        assert (seen.value is None) == bool(seen.reason)
        found[family] += seen.value == value
        if seen.value is None:
            refused.append((family, text, seen.reason))
    assert len(refused) <= COUNT // 50, refused[:5]
    assert len(found) == 6
    assert min(found.values()) >= 20, found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[1][:40]!r}")
def test_misleading_answers_are_never_read_as_something_else(case):
    kind, text, value = case
    seen = reading(kind, text)
    assert seen.value in (value, None)
    assert (seen.value is None) == bool(seen.reason)
