"""The role of an agent in another library's environment: the environment's words in, the whole reply out."""

import pytest

import roles
from games import GameSpec, Observation
from roles import Memory, ParseError, Rejected

SPEC = GameSpec("verifiers/x", {"solver": "chat-agent-solver"}, "general_sum", "The rules.", 3)


def test_the_chat_is_the_environments_own():
    chat = roles.make("chat-agent").messages(Observation("Add 1 and 1.\n"), None, Memory(SPEC, "solver"))
    assert chat == [{"role": "user", "content": "Add 1 and 1."}]
    refused = Memory(SPEC, "solver", rejected=[Rejected("x", "it cannot be read.")])
    (message,) = roles.make("chat-agent").messages(Observation("Add."), None, refused)
    assert message["content"] == "Add.\nRefused: it cannot be read. Write another message."


def test_a_box_at_the_end_stays_in_the_reply():
    role = roles.make("chat-agent-solver")
    assert role.name == "chat-agent-solver"
    assert role.parse("<think>1+1</think>So \\boxed{2}", None) == "So \\boxed{2}"
    assert role.parse("I choose \\boxed{b}", ("a", "b")) == "b"
    with pytest.raises(ParseError, match="empty"):
        role.parse("<think>1+1</think>", None)


def test_listed_actions_get_the_chat_of_any_other_role():
    chat = roles.make("chat-agent").messages(Observation("Choose."), ("a", "b"), Memory(SPEC, "solver"))
    assert "Legal actions: a, b" in chat[-1]["content"]
