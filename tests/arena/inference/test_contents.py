"""What a message holds is never read as a control token, and everything else is encoded as before."""

import random

import pytest

from arena.inference import models
from arena.inference.chat import ChatCodec
from arena.inference.tiny import tokenizer as built_in
from arena.players.chat import sendable, sendable_outside
from tests.arena.inference import tiny

# fmt: off
FAMILIES = [
    "<|im_start|>", "<|im_end|>", "<s>", "</s>", "<bos>", "<eos>", "<unk>", "<pad>", "<start_of_turn>",
    "<end_of_turn>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]",
    "[THINK]", "[/THINK]", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "<think>", "</think>", "<tool_call>",
    "</tool_call>", "<|begin_of_text|>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>",
    "<|python_tag|>", "<|endoftext|>", "<｜User｜>", "<｜Assistant｜>", "<｜begin▁of▁sentence｜>",
    "<｜end▁of▁sentence｜>", "<|channel|>", "<|message|>", "<|start|>", "<|return|>", "<|system|>", "<|user|>",
    "<|assistant|>", "<|end|>", "<|START_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>", "<unused94>", "<|fim_prefix|>",
]
# fmt: on


def with_tokens(made):
    made.add_tokens([token for token in FAMILIES if token.startswith("<")], special_tokens=False)
    made.add_tokens([token for token in FAMILIES if token.startswith("[")], special_tokens=True)
    return made


def unigram():
    """A tokenizer in the manner of sentencepiece: NFKC, and a mark for spaces."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    pieces = [("<unk>", 0.0), *((f"<0x{i:02X}>", -9.0) for i in range(256))]
    pieces += [(c, -3.0) for c in "▁" + "".join(map(chr, range(33, 127)))]
    core = Tokenizer(models.Unigram(pieces, unk_id=0, byte_fallback=True))
    core.normalizer = normalizers.NFKC()
    core.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never", split=False)
    core.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    made = PreTrainedTokenizerFast(tokenizer_object=core, unk_token="<unk>", eos_token="<|im_end|>")
    made.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
    made.chat_template = tiny.TEMPLATE
    return made


MAKERS = {
    "smollm2": lambda: models.tokenizer_of(models.folder("smollm2-135m"))[0],
    "built-in": built_in,
    "bytes": tiny.tokenizer,
    "all families": lambda: with_tokens(tiny.tokenizer()),
    "unigram": unigram,
}


PARAMETERS = [pytest.param("smollm2", marks=pytest.mark.slow), *list(MAKERS)[1:]]  # slow: the model is converted first


@pytest.fixture(params=PARAMETERS, scope="module")
def codec(request):
    return ChatCodec(MAKERS[request.param]())


def chat(content, answer="Yes."):
    return [
        {"role": "system", "content": "The rules."},
        {"role": "user", "content": content},
        {"role": "assistant", "content": answer},
        {"role": "user", "content": "Next?"},
    ]


def controls(codec):
    return {token: i for token, i in codec.tokenizer.get_added_vocab().items() if token.strip()}


def contents(codec):
    """Every control token and those of known families: alone, in a text, doubled, one inside another."""
    tokens = list(dict.fromkeys([*controls(codec), *FAMILIES]))
    for token in tokens:
        yield f"{token} I say {token}system {token}{token}{token[:3]}{token}{token[3:]}"
    yield from ("".join(tokens), "\n".join(reversed(tokens)))


def test_no_content_is_encoded_to_a_control_token(codec):
    special = set(controls(codec).values())
    expected = [i for i in codec.encode_chat(chat("A")) if i in special]
    for content in contents(codec):
        for one in (chat(content), chat("A", answer=content)):
            assert [i for i in codec.encode_chat(one) if i in special] == expected, content


def test_the_prompt_decodes_to_what_the_template_wrote(codec):
    for content in contents(codec):
        if not content.isascii():
            continue  # a tokenizer may fold other characters
        text = codec.tokenizer.apply_chat_template(chat(content), tokenize=False, add_generation_prompt=True)
        assert codec.tokenizer.decode(codec.encode_chat(chat(content)), skip_special_tokens=False) == text


def test_a_chat_without_control_tokens_is_encoded_by_the_template(codec):
    stream = random.Random(3)
    words = ["deal", "9", "<", ">", "|", "[", "]", "\n", "  ", "é", "漢字", "𒀀", "im_start", "x<y", "/s", "\t", "don't"]
    for _ in range(30):
        one = sendable(chat("".join(stream.choices(words, k=12)), answer=" ".join(stream.choices(words, k=3))))
        plain = codec.tokenizer.apply_chat_template(one, tokenize=True, return_dict=False, add_generation_prompt=True)
        assert codec.encode_chat(one) == tuple(plain)


def test_choices_hold_no_control_token_but_the_end(codec):
    special = set(controls(codec).values()) | {codec.end_of_turn}
    for ids in codec.encode_choices(tuple(contents(codec))):
        assert [i for i in ids if i in special] == [codec.end_of_turn]


def test_a_later_turn_begins_with_the_tokens_of_the_earlier_one(codec):
    for content in contents(codec):
        first, whole = codec.encode_chat(chat(content)[:2]), codec.encode_chat(chat(content))
        assert whole[: len(first)] == first
        assert codec.prefix_len(chat(content), whole) == codec.prefix_len(chat("A"), codec.encode_chat(chat("A"))) > 0


@pytest.mark.parametrize("name", PARAMETERS)
def test_what_goes_to_a_server_holds_no_control_token_of_any_tokenizer(name):
    """A server encodes contents together with its template."""
    tokenizer = MAKERS[name]()
    tokens = {text: i for text, i in tokenizer.get_added_vocab().items() if text.strip()}
    for token in [*tokens, *FAMILIES]:
        for text in (token, f"What is{token}2 + 2?", token * 3, f"x {token}\n{token} y"):
            (message,) = sendable_outside([{"role": "user", "content": text}])
            assert message["content"].replace(" ", "") == text.replace(" ", "")
            ids = tokenizer(message["content"], add_special_tokens=False)["input_ids"]
            assert not set(ids) & set(tokens.values()), (token, message["content"])
