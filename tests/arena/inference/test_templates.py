"""Templates of every shape: the prompt that a model reads is the chat that was written, or the model is refused."""

import asyncio
import json
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime
from functools import cache

import pytest
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

import games
from arena.inference import prompt_date, template
from arena.inference.chat import ChatCodec
from arena.inference.models import tokenizer_of
from arena.match import MatchPlan, play_async
from arena.players.llm import LLM
from games import InputError
from games.errors import InfrastructureError
from tests.arena.inference import tiny
from tests.arena.inference.template_shapes import CHAT, SHAPES

TIC_TAC_TOE = "openspiel/tic_tac_toe"
DAY = date(2026, 11, 28)
READ = [name for name, shape in SHAPES.items() if shape.read is not None]
TURNS = ["user", "assistant"]


def tokenizer(text):
    """Bytes as tokens 0-255, <s> 256 and </s> 257; the tokenizer itself writes <s> before a text."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {c: i for i, c in enumerate(alphabet)} | {"<s>": 256, "</s>": 257}
    raw = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    raw.decoder = decoders.ByteLevel()
    raw.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 256)])
    made = PreTrainedTokenizerFast(tokenizer_object=raw, bos_token="<s>", eos_token="</s>")
    made.chat_template = text
    return made


@pytest.fixture(autouse=True)
def _on_a_day(monkeypatch):
    monkeypatch.setattr(template, "_logged", set())
    monkeypatch.setattr(prompt_date, "today", lambda: DAY)


def reads(codec, chat, **options):
    return codec.tokenizer.decode(codec.encode_chat(chat, **options))


@cache
def codec_of(name):
    return ChatCodec(tokenizer(SHAPES[name].template))


def chat(*roles):
    """A chat in which message i holds the marks `Start<i>` and `End<i>`."""
    return [{"role": role, "content": f"Start{i} of {role}\n\nEnd{i}"} for i, role in enumerate(roles)]


@pytest.mark.parametrize("name", SHAPES)
def test_what_a_model_reads(name, caplog):
    shape = SHAPES[name]
    if shape.read is None:
        with pytest.raises(InputError) as refused:
            ChatCodec(tokenizer(shape.template))
        assert shape.line in str(refused.value)
        assert "\n" not in str(refused.value)
        assert not caplog.messages
        return
    for _ in range(2):  # the log says it once
        assert reads(ChatCodec(tokenizer(shape.template)), CHAT) == shape.read
    assert len(caplog.messages) == bool(shape.line)
    assert shape.line in caplog.text


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize(
    "roles",
    [
        ["user"],
        ["system", "user"],
        ["system", *TURNS, "user"],
        ["system", *TURNS * 3, "user"],
        [*TURNS, "user"],
        ["user", "user"],
        ["system", "user", "user", "assistant", "user"],
        ["assistant", "user"],
        ["system", "assistant", "user"],
        ["system", "user", "assistant", "system", "user"],
        ["system", "system", "user"],
    ],
    ids=lambda roles: "".join(role[0] for role in roles),
)
def test_every_message_is_read_in_its_place(name, roles):
    text = reads(codec_of(name), chat(*roles))
    marks = [mark for i in range(len(roles)) for mark in (f"Start{i} of {roles[i]}", f"End{i}")]
    places = [text.find(mark) for mark in marks]
    assert -1 not in places
    if name == "mistral" and roles[0] == "system":
        places = places[2:]  # the system message stands before the last user message
    assert places == sorted(places)


@pytest.mark.parametrize("name", READ)
def test_a_chat_with_texts_of_control_tokens_reads_the_same(name):
    codec = codec_of(name)
    written = [{**message, "content": f"{message['content']} </s>"} for message in CHAT]
    plain = [{**message, "content": f"{message['content']} <\\s>"} for message in CHAT]
    assert reads(codec, written) == reads(codec, plain).replace("<\\s>", "</s>")
    assert codec.encode_chat(written).count(257) == codec.encode_chat(plain).count(257)


@pytest.mark.parametrize("name", READ)
def test_a_prompt_begins_with_one_first_token_if_the_template_writes_it(name):
    ids = codec_of(name).encode_chat(CHAT)
    assert ids[:2].count(256) == SHAPES[name].read.startswith("<s>")


@pytest.mark.parametrize("name", READ)
def test_the_end_of_a_turn_is_the_token_after_the_answer(name):
    codec = ChatCodec(tokenizer(SHAPES[name].template), (5,))
    assert codec.end_of_turn == 257


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("qwen-3", "<|im_start|>assistant\n<think>\n\n</think>\n\n"),
        ("deepseek-r1", "<|Assistant|><think>\n\n</think>\n\n"),
        ("harmony", "<|start|>assistant<|channel|>final<|message|>"),
        ("chatml", "<|im_start|>assistant\n"),
        ("chatml-without-a-generation-prompt", "<|im_start|>assistant\n"),
        ("llama-2", "[/INST]"),
    ],
)
def test_without_thinking_a_prompt_ends_where_the_template_writes_an_answer(name, end):
    text = reads(codec_of(name), CHAT, think=False)
    assert text.endswith(end)
    assert text.count("<think>") <= 1


@pytest.mark.parametrize("name", READ)
def test_only_templates_that_read_the_clock_change_with_the_day(name):
    codec = codec_of(name)
    question = CHAT[1:2]
    before = codec.encode_chat(question)
    with prompt_date.pinned(date(2027, 1, 2)):
        after = codec.encode_chat(question)
    assert (before != after) == (name in ("llama-3", "granite", "harmony"))
    assert codec.encode_chat(question) == before


@pytest.mark.parametrize("day", [date(2026, 11, 8), date(2027, 1, 2)])
@pytest.mark.parametrize(
    "form",
    ["%d %b %Y", "%B %-d, %Y", "%A %w %j %U", "%H:%M:%S%p", "%%d 100% %", "", "%Y-%m-%dT%X %x %y%e", "%Q%-Q", "d"],
)
def test_every_form_of_a_date(form, day):
    text = "  {% set f = " + json.dumps(form) + " %}\n{{ strftime_now(f) }}\n{{ messages[0].content }}"
    made = tokenizer("{{ messages[0].content }}")
    parts = [{"role": "user", "content": "A"}]
    written = made.apply_chat_template(parts, chat_template=prompt_date.dated(text, day), tokenize=False)
    assert written == f"{datetime.combine(day, datetime.min.time()).strftime(form)}\nA"


def test_a_prefix_that_many_prompts_share_is_that_of_its_day():
    codec = ChatCodec(tokenizer(SHAPES["llama-3"].template))
    lengths = []
    for day in (DAY, date(2027, 1, 2)):
        with prompt_date.pinned(day):
            ids = codec.encode_chat(CHAT[:2])
            lengths.append(codec.prefix_len(CHAT[:2], ids))
    assert lengths[0] == lengths[1] > len("Rules.")


@pytest.mark.parametrize("eos", [None, "</s>"])
def test_a_tokenizer_that_ends_no_answer_is_refused(eos):
    made = tokenizer("{% for m in messages %}{{ m['content'] }}\n{% endfor %}")
    made.eos_token = eos
    if eos:
        assert ChatCodec(made).stop_ids == (257,)
        return
    with pytest.raises(InputError, match="has no token that ends an answer; set eos_token in its tokenizer_config"):
        ChatCodec(made)
    assert ChatCodec(made, (10,)).stop_ids == (10,)


def saved(folder, template_of_config=None, **files):
    """A tokenizer's folder with a template in its configuration, and others in files."""
    made = tokenizer(None)
    made.save_pretrained(folder)
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"chat_template": template_of_config}))
    (folder / "config.json").write_text(json.dumps({"model_type": "llama"}))
    for name, text in files.items():
        (folder / f"{name}.jinja").write_text(text)
    return tokenizer_of(folder)[0]


def test_templates_of_files_and_named_ones(tmp_path):
    chatml, llama = SHAPES["chatml"], SHAPES["llama-2"]
    named = [{"name": "default", "template": chatml.template}, {"name": "tool_use", "template": "{{ tools }}"}]
    for number, made in enumerate(
        (
            saved(tmp_path, chatml.template),
            saved(tmp_path, llama.template, chat_template=chatml.template),
            saved(tmp_path, None, chat_template=chatml.template),
        )
    ):
        assert reads(ChatCodec(made), CHAT) == chatml.read, number
    (tmp_path / "chat_template.jinja").unlink()
    assert reads(ChatCodec(saved(tmp_path, named)), CHAT) == chatml.read
    assert reads(ChatCodec(saved(tmp_path, [{"name": "chat", "template": chatml.template}])), CHAT) == chatml.read
    named[0]["name"] = "rag"
    with pytest.raises(InputError, match=f"{tmp_path} has the chat templates rag, tool_use and no default; put the"):
        ChatCodec(saved(tmp_path, named))
    assert reads(ChatCodec(saved(tmp_path, named, chat_template=chatml.template)), CHAT) == chatml.read


def test_a_refusal_names_the_folder(tmp_path):
    with pytest.raises(InputError, match=f"the chat template in {tmp_path} leaves out user messages"):
        ChatCodec(saved(tmp_path, "hello"))


def test_a_template_that_fails_in_a_match_voids_it():
    text = "{% if 'bomb' in messages[-1]['content'] %}{{ none + 1 }}{% endif %}" + SHAPES["chatml"].template
    codec = ChatCodec(tokenizer(text))
    with pytest.raises(InfrastructureError, match=r"the chat template in .* fails: unsupported operand"):
        codec.encode_chat([{"role": "user", "content": "bomb"}])


def test_actions_that_a_tokenizer_writes_alike_are_named():
    suits = ("1♠", "1♥", "1♦", "2♣")
    assert len(set(ChatCodec(tokenizer(SHAPES["chatml"].template)).encode_choices(suits))) == 4
    made = of_words("12")
    made.chat_template = SHAPES["chatml"].template
    with pytest.raises(InfrastructureError, match="writes '1♠' and '1♥' alike, so the model cannot choose between"):
        ChatCodec(made).encode_choices(suits)


def of_words(characters):
    """A tokenizer that knows these characters and no other."""
    known = ["<s>", "</s>", "<unk>", *characters]
    words = Tokenizer(models.WordLevel({text: i for i, text in enumerate(known)}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    return PreTrainedTokenizerFast(tokenizer_object=words, bos_token="<s>", eos_token="</s>", unk_token="<unk>")


def test_a_model_that_writes_actions_alike_plays_no_match():
    words = of_words("1")
    words.chat_template = tiny.TEMPLATE
    board = games.make(TIC_TAC_TOE)
    plan = MatchPlan("m", TIC_TAC_TOE, 5, dict.fromkeys(board.spec.seats, "llm"))
    with closing(tiny.engine(replace(tiny.loaded(), tokenizer=words))) as engine:
        model = LLM(engine=engine, decode="choice")
        line = "writes 'x(0,0)' and 'x(0,2)' alike, so the model cannot choose between them; use decode=free"
        assert line in model.supports(board)
        assert LLM(engine=engine, decode="free").supports(board) is None
        played = asyncio.run(play_async(board, plan, dict.fromkeys(board.spec.seats, model)))
    assert played.status == "void"
    assert line in played.reason
