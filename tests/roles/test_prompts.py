"""The prompt coverage matrix: one golden file per form of answer and kind of turn.

`python -m tests.roles.test_prompts` rewrites the files; read the difference before you commit it.
"""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import GameSpec, Observation
from roles import Exchange, Memory, ParseError, Rejected, Role
from roles.parsing.actions import parse
from roles.prompts import MAX_LEGAL, messages, system, written

GOLDEN = Path(__file__).parent / "golden"
FORMS = ("boxed", "json", "line", "bare")
CATEGORIES = {
    "illegal": "<think>I hold the king</think>Raise",
    "unparsable": "I believe I should bet because my king is high",
    "empty": "<think>I hold the king</think>",
    "truncated": r"My king is high so \boxed{B",
}
SPEC = GameSpec(
    id="openspiel/kuhn_poker(players=2)",
    seats={"player_0": "first", "player_1": "second"},
    payoff="zero_sum",
    rules="Each player antes 1 and gets one of the cards J, Q, K. Pass or Bet 1 in turn; the higher card wins.",
    max_turns=3,
)
LEGAL = ("Pass", "Bet")
NOW = Observation("Your card: K. Betting: Pass, Bet.")
BEFORE = Exchange(Observation("Your card: K. Betting: none."), "Pass")


def _rejected(category):
    with pytest.raises(ParseError) as error:
        parse(CATEGORIES[category], LEGAL)
    assert error.value.category == category
    return Rejected(CATEGORIES[category], str(error.value), category)


def _matrix(form):
    """Kind of turn -> (observation, legal, memory)."""
    yield "first", (BEFORE.observation, LEGAL, Memory(SPEC, "player_0", form))
    yield "later", (NOW, LEGAL, Memory(SPEC, "player_0", form, (BEFORE,)))
    yield "phase", (Observation("Who lies?", "vote"), ("player_0", "player_1"), Memory(SPEC, "player_1", form))
    yield "free", (NOW, None, Memory(SPEC, "player_1", form))
    yield "commas", (NOW, ("x(0,0)", "x(1,1)"), Memory(SPEC, "player_0", form))
    yield "many", (NOW, tuple(f"m{i}" for i in range(1000)), Memory(SPEC, "player_0", form))
    for category in CATEGORIES:
        yield category, (NOW, LEGAL, Memory(SPEC, "player_0", form, (BEFORE,), (_rejected(category),)))
    hidden = Memory(SPEC, "player_0", form, (), (_rejected("illegal"),), show_legal=False)
    yield "hidden-legal", (NOW, LEGAL, hidden)
    yield "twice", (NOW, LEGAL, Memory(SPEC, "player_0", form, (), (_rejected("empty"), _rejected("illegal"))))


CASES = {f"{form}-{kind}": asked for form in FORMS for kind, asked in _matrix(form)}


def _shown(name):
    observation, legal, memory = CASES[name]
    chat = Role(SPEC.seats[memory.seat]).messages(observation, legal, memory)
    return "\n".join(f"--- {m['role']}\n{m['content']}" for m in chat) + "\n"


@pytest.mark.parametrize("name", CASES)
def test_prompt_is_the_golden_one(name):
    assert _shown(name) == (GOLDEN / f"{name}.txt").read_text()


def test_every_golden_file_belongs_to_a_case():
    assert {path.stem for path in GOLDEN.glob("*-*.txt")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_only_the_seat_the_role_and_the_form_shape_the_system_message(name):
    observation, legal, memory = CASES[name]
    chat = messages(SPEC.seats[memory.seat], observation, legal, memory)
    assert chat[0] == {"role": "system", "content": system(SPEC.seats[memory.seat], SPEC, memory.seat, memory.answer)}
    assert not any(message["role"] == "system" for message in chat[1:])


@pytest.mark.parametrize("name", CASES)
def test_private_reasoning_does_not_come_back(name):
    assert "think>" not in _shown(name)
    assert "I hold the king" not in _shown(name)


def test_hidden_legal_actions_are_told_nowhere():
    text = _shown("boxed-hidden-legal")
    assert "'Raise' is not a legal action" in text
    assert "Bet," not in text.split("--- user", 1)[1].replace(NOW.text, "")
    assert "Pass" not in text.split("--- user", 1)[1].replace(NOW.text, "")


def test_many_legal_actions_are_shortened_evenly_and_honestly():
    legal = tuple(f"m{i}" for i in range(1000))
    text = messages("first", NOW, legal, Memory(SPEC, "player_0"))[-1]["content"]
    head, _, listed = text.partition(": m")
    assert head.endswith(f"There are 1000 legal actions; {MAX_LEGAL} of them are")
    shown = ("m" + listed.partition("\n")[0]).split(", ")
    assert len(set(shown)) == MAX_LEGAL
    assert set(shown) < set(legal)
    steps = [int(b[1:]) - int(a[1:]) for a, b in pairwise(shown)]
    assert max(steps) - min(steps) <= 1
    exact = messages("first", NOW, legal[:MAX_LEGAL], Memory(SPEC, "player_0"))[-1]["content"]
    assert f"Legal actions: {', '.join(legal[:MAX_LEGAL])}\n" in exact


@settings(deadline=None)
@given(st.lists(st.builds(Rejected, st.text(max_size=30), st.just("no"), st.sampled_from(["", *CATEGORIES]))))
def test_user_and_assistant_take_turns_whatever_was_refused(rejected):
    """Many chat templates reject anything else, and empty messages."""
    chat = messages("first", NOW, LEGAL, Memory(SPEC, "player_0", "boxed", (BEFORE, BEFORE), rejected))
    assert [m["role"] for m in chat[1:]] == (["user", "assistant"] * len(chat))[: len(chat) - 1]
    assert chat[-1]["role"] == "user"
    assert all(m["content"].strip() for m in chat)
    assert sum(m["content"].count("Refused: no.") for m in chat if m["role"] == "user") == len(rejected)


def test_a_long_refused_answer_is_bounded():
    long = Rejected("word " * 5000, "no", "unparsable")
    chat = messages("first", NOW, LEGAL, Memory(SPEC, "player_0", rejected=(long,)))
    assert sum(len(m["content"]) for m in chat) < 1500


@pytest.mark.parametrize("form", FORMS)
def test_the_example_in_the_instruction_is_read_by_the_parser(form):
    instruction = system("first", SPEC, "player_0", form).rpartition("write ")[2]
    assert instruction == written("abc", form)
    assert parse(instruction, ("abc", "Pass")) == "abc"


def test_the_role_is_named_unless_it_says_nothing():
    assert system("seller", SPEC, "player_0", "bare").startswith("You are player_0 (seller) in a game of kuhn poker.\n")
    assert system("player", SPEC, "player_0", "bare").startswith("You are player_0 in a game of")
    assert system("player_0", SPEC, "player_0", "bare").startswith("You are player_0 in a game of")


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.glob("*-*.txt"):
        old.unlink()
    for case in CASES:
        (GOLDEN / f"{case}.txt").write_text(_shown(case))
