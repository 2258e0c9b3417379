import pytest

from games.native.common import tags
from tests import golden


@pytest.mark.parametrize(("text", "content", "form"), golden.rows(__file__, "tags_the_last_pair_and_the_form"))
def test_the_last_pair_and_the_form(text, content, form):
    assert tags.read(text, "answer") == (content, form)


@pytest.mark.parametrize("good", range(1, 11))
def test_scores_from_one_to_ten(good):
    assert tags.score(f"Well. <score>{good}</score>") == ((str(good), 1.0), "")
    assert tags.score(f"Well.\n**Score:** {good}/10") == ((str(good), 0.0), "")


@pytest.mark.parametrize("bad", ["0", "11", "95", "7.5", "-3", "true", "NaN", "seven", "8/11", "1 0", "٣", ""])
def test_what_is_no_score_is_invalid_never_neutral(bad):
    """Bugs of published judges: clamping 95, reading any digit or the last number of the text, 0.5 for silence."""
    found, why = tags.score(f"<score>{bad}</score>")
    assert found == (None, 0.0)
    assert why


def test_a_number_in_the_text_is_no_score():
    assert tags.score("I would give it 8 out of 10, or 9.")[0] == (None, 0.0)


@pytest.mark.parametrize(
    ("text", "content", "form"),
    [
        (r"so \boxed{\frac{1}{2}}", r"\frac{1}{2}", 1.0),
        (r"\boxed{1} or \boxed{2}", "2", 0.5),
        (r"\boxed{1", None, 0.0),
        (r"\boxed{}", None, 0.0),
        ("1", None, 0.0),
    ],
)
def test_boxes(text, content, form):
    assert tags.boxed(text) == (content, form)


def test_boxes_take_linear_time():
    assert tags.boxed(r"\boxed{" * 5000) == (None, 0.0)
