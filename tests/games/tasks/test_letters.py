"""The source of strings and codes: known answers, all answers of a kind, and what belongs to a split."""

import itertools

import pytest

from games import InputError, tasks

TRAIN = tasks.make("letters(families=copy+reverse+sort+next+code1, letters=3, length=5)")


@pytest.mark.parametrize(
    ("family", "answer"), [("copy", "c a b"), ("reverse", "b a c"), ("sort", "a b c"), ("next", "a b c")]
)
def test_known_answers(family, answer):
    kind = tasks.TaskKind(family, "3x3")
    task = next(t for n in range(500) if (t := TRAIN.numbered(kind, n)).question.endswith(": c a b"))
    assert task.answer == answer
    assert TRAIN.grade(task, answer.replace(" ", "").upper()).ok
    assert TRAIN.grade(task, "a c b").kind == "fail"
    assert TRAIN.grade(task, "3 1 2").kind == "invalid"


def test_every_answer_of_a_kind_is_listed_once_and_one_of_them_passes():
    for kind in TRAIN.kinds:
        listed = TRAIN.answers(kind)
        assert len(set(listed)) == len(listed) == 3 ** int(kind.difficulty[2:])
        task = TRAIN.draw(5, kind)
        assert [text for text in listed if TRAIN.grade(task, text).ok] == [task.answer]
    assert tasks.make("letters(letters=26, length=4)").answers(tasks.TaskKind("copy", "26x4")) == ()


def test_a_longer_part_of_a_code_begins_with_the_shorter_one():
    answers = [TRAIN.draw(0, tasks.TaskKind("code1", f"3x{n}")).answer for n in range(1, 6)]
    assert all(longer.startswith(shorter) for shorter, longer in itertools.pairwise(answers))


def test_codes_and_short_strings_are_for_training_alone():
    test = tasks.make("letters(families=copy+code1, letters=3, length=5, split=test)")
    assert [str(kind) for kind in test.kinds] == ["copy/3x4", "copy/3x5"]
    strings = {source: {source.draw(n, test.kinds[0]).question for n in range(300)} for source in (TRAIN, test)}
    assert not strings[TRAIN] & strings[test]


def test_an_unknown_family_is_refused():
    with pytest.raises(InputError, match=r"no family 'rot13'; families: copy, reverse"):
        tasks.make("letters(families=copy+rot13)")
