import pytest

from arena.common_prefix import common_prefix
from arena.inference.chat import ChatCodec
from tests.arena.inference import tiny

CHAT = [{"role": "system", "content": "Rules. " * 20}, {"role": "user", "content": "Your move?"}]
THINKING = tiny.TEMPLATE + "{% if enable_thinking is false %}<think></think>{% endif %}"


@pytest.fixture
def codec():
    return ChatCodec(tiny.tokenizer(), (257,))


def test_a_chat_is_encoded_with_its_template(codec):
    ids = codec.encode_chat(CHAT)
    text = codec.tokenizer.decode(ids)
    assert text == f"<|im_start|>system\n{'Rules. ' * 20}<|im_end|>\n<|im_start|>user\nYour move?<|im_end|>\n" + (
        "<|im_start|>assistant\n"
    )


def test_choices_end_with_the_token_that_ends_a_turn(codec):
    assert codec.end_of_turn == 257
    one, ten = codec.encode_choices(("1", "10"))
    assert one[-1] == ten[-1] == 257
    assert codec.decode(ten) == "10"
    assert ten[: len(one)] != one
    assert codec.encode_choices(()) == ()


def test_the_end_of_a_turn_comes_from_the_template():
    tokenizer = tiny.tokenizer(tiny.TEMPLATE.replace("<|im_end|>", "<|im_start|>"))
    codec = ChatCodec(tokenizer, (257,))
    assert codec.end_of_turn == 256
    assert codec.stop_ids == (256, 257)


def test_the_prefix_is_the_system_message(codec):
    ids = codec.encode_chat(CHAT)
    shared = codec.prefix_len(CHAT, ids)
    other = codec.encode_chat([CHAT[0], {"role": "user", "content": "Zebra"}])
    assert ids[:shared] == other[:shared]
    assert shared == common_prefix(ids, other)
    assert codec.prefix_len(CHAT[1:], codec.encode_chat(CHAT[1:])) == 0


def test_demonstrations_are_part_of_the_prefix_once_they_have_been_seen(codec):
    shown = [CHAT[0], {"role": "user", "content": "3 + 3?"}, {"role": "assistant", "content": "6"}]
    chat = [*shown, CHAT[1]]
    ids = codec.encode_chat(chat)
    first = codec.prefix_len(chat, ids, 3)
    assert first == codec.prefix_len(chat, ids) < codec.prefix_len(chat, ids, 3)
    assert (
        ids[: codec.prefix_len(chat, ids, 3)]
        == codec.encode_chat([*shown, {"role": "user", "content": "Zebra"}])[: codec.prefix_len(chat, ids, 3)]
    )
    assert codec.prefix_len(chat, ids, 9) < len(ids)  # the last message is never part of the prefix


def test_a_model_without_a_template_gets_a_plain_one(caplog):
    codec = ChatCodec(tiny.tokenizer(None), (257,))
    assert "no chat template" in caplog.text
    assert codec.tokenizer.decode(codec.encode_chat(CHAT)).endswith("user: Your move?<|im_end|>\n\nassistant: ")
    assert codec.end_of_turn == 257


def test_thinking_is_passed_to_the_template():
    codec = ChatCodec(tiny.tokenizer(THINKING), (257,))
    assert codec.tokenizer.decode(codec.encode_chat(CHAT, think=False)).endswith("<think></think>")
    assert not codec.tokenizer.decode(codec.encode_chat(CHAT, think=True)).endswith("<think></think>")
    assert codec.encode_chat(CHAT) == codec.encode_chat(CHAT, think=True)
