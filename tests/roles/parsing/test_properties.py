"""Properties of every text: only ParseError is raised, and every action can be parsed from every form."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.dialogue.answers import mentions
from roles import ParseError
from roles.parsing.actions import parse
from roles.privacy import visible
from roles.prompts import written

FORMS = ("boxed", "json", "line", "bare")
PIECES = st.sampled_from(
    [
        r"\boxed{", "}", "{", '{"action": ', '"', "\\", "Action: ", "Final answer: ", "<think>", "</think>", "\n",
        "<|channel|>", "<|message|>", "final", "analysis", "<|im_end|>", "[INST]", "```", "**", ".", "Bet", "Pass",
        "bet", "\u200b", "\ud800", "assistantfinal", r"\text{", "$", "(", ")", "<", ">", "|", "◁think▷", "</s>",
    ]
)  # fmt: skip
HOSTILE = st.lists(PIECES | st.text(max_size=6), max_size=25).map("".join)
LEGAL = st.lists(st.text(max_size=8), max_size=5, unique=True).map(tuple)

# Actions as games write them: one line, no space around, braces balanced for the box.
ACTION = (
    st.text(
        st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="{}\\`"), min_size=1, max_size=12
    )
    | st.sampled_from(["x(0,0)", "offer 5 books", "Bet", "bet", "[4]", "{a}", "3.", "Answer: 3", "*", "_", "**", "$5"])
).filter(lambda a: visible(a) == a and "assistantfinal" not in a and not a.startswith("analysis"))
ACTIONS = st.lists(ACTION, min_size=1, max_size=6, unique=True).map(tuple)


@settings(deadline=None)
@given(HOSTILE, st.none() | LEGAL | st.just(("Pass", "Bet")))
@example("\ud800", None)
@example(r'{"action": "\ud800"}', None)
def test_nothing_but_a_legal_action_or_a_parse_error(text, legal):
    category, action = None, ""
    try:
        action = parse(text, legal)
    except ParseError as error:
        category = error.category
    if category is not None:
        assert category in ("truncated", "empty", "unparsable", "illegal")
    elif legal is None:
        assert action
        assert action.encode()
        assert "<think>" not in action
    else:
        assert action in legal


@settings(deadline=None)
@given(ACTIONS, st.data(), st.sampled_from(FORMS))
def test_every_action_reads_back_from_every_form(legal, data, form):
    action = data.draw(st.sampled_from(legal))
    assert parse(written(action, form), legal) == action
    decoys = data.draw(st.lists(st.tuples(st.sampled_from(legal), st.sampled_from(FORMS)), max_size=4))
    thought = "\n".join(f"Perhaps {written(a, f)}" for a, f in decoys)
    assert parse(f"<think>{thought}</think>\n{written(action, form)}", legal) == action
    assert parse(f"{thought}</think>{written(action, form)}", legal) == action


@settings(deadline=None)
@given(ACTIONS, st.data(), st.sampled_from(("boxed", "json")))
def test_marked_answers_win_over_what_came_before_and_prose_after(legal, data, form):
    """What came before is marked as strongly at most."""
    action, other = data.draw(st.sampled_from(legal)), data.draw(st.sampled_from(legal))
    before = written(other, data.draw(st.sampled_from([f for f in FORMS if (f, form) != ("json", "boxed")])))
    prose = data.draw(st.sampled_from(["", "\nGood luck!", "\nIt was close", "\nThat is all"]))
    mentioned = any(mentions((each,)).rival(prose, "") for each in legal if each != action)
    if not mentioned:
        assert parse(f"{before}\n{written(action, form)}{prose}", legal) == action


@settings(deadline=None)
@given(ACTIONS, st.data())
def test_an_action_named_in_a_sentence_is_no_answer(legal, data):
    action = data.draw(st.sampled_from(legal))
    sentence = f"I believe that playing {action} would be rather good for me in this particular position"
    with pytest.raises(ParseError):
        parse(sentence, legal)


@given(HOSTILE)
@settings(max_examples=200, deadline=None)
def test_visible_is_stable_and_encodable(text):
    once = visible(text)
    assert visible(once) == once
    assert once.encode().decode() == once
    assert "<|" not in once
    assert "|>" not in once
