"""The built-in tiny model: its tokenizer is lossless, and its folder is an ordinary model."""

import shutil

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import SafetensorError
from transformers import LlamaForCausalLM

import games
from arena.inference import models
from arena.inference.chat import ChatCodec
from arena.inference.tiny import tiny_folder, tokenizer
from games import InputError

TOKENIZER = tokenizer()


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_decoding_restores_any_text(text):
    if "<|" in text:  # special tokens are not text
        return
    ids = TOKENIZER(text, add_special_tokens=False)["input_ids"]
    assert TOKENIZER.decode(ids) == text


def test_words_of_the_prompts_are_single_tokens():
    rules = games.make("openspiel/kuhn_poker").spec.rules
    ids = TOKENIZER(rules, add_special_tokens=False)["input_ids"]
    assert TOKENIZER.decode(ids) == rules
    assert len(ids) < 1.6 * len(rules.split())
    codec = ChatCodec(TOKENIZER)
    assert [len(c) for c in codec.encode_choices(["Pass", "Bet", "Fold", "call"])] == [2, 2, 2, 2]
    assert codec.stop_ids == (TOKENIZER.convert_tokens_to_ids("<|im_end|>"),)


def test_the_name_makes_an_ordinary_folder_once():
    folder = models.folder("tiny(layers=1, hidden=32, heads=2)")
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= {f.name for f in folder.iterdir()}
    before = (folder / "config.json").stat().st_mtime_ns
    assert models.folder("tiny(layers=1, hidden=32, heads=2)") == folder
    assert (folder / "config.json").stat().st_mtime_ns == before
    loaded = models.load("tiny(layers=1, hidden=32, heads=2)", dtype="fp32", device="cpu")
    by_path = models.load(str(folder), dtype="fp32", device="cpu")
    assert loaded.eos_ids == by_path.eos_ids == (TOKENIZER.eos_token_id,)
    for a, b in zip(loaded.model.parameters(), by_path.model.parameters(), strict=True):
        assert torch.equal(a, b)


def test_it_is_small_and_the_seed_decides_its_weights(tmp_path):
    torch.manual_seed(5)
    drawn = torch.rand(1)
    torch.manual_seed(5)
    one = tiny_folder(tmp_path)
    assert torch.rand(1) == drawn  # the global generator is unchanged
    weights = (one / "model.safetensors").read_bytes()
    assert len(weights) < 4_000_000  # fewer than a million parameters of four bytes
    shutil.rmtree(one)
    assert (tiny_folder(tmp_path) / "model.safetensors").read_bytes() == weights
    assert (tiny_folder(tmp_path, seed=1) / "model.safetensors").read_bytes() != weights


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("tiny(layers=0)", "layers is 0"),
        ("tiny(layers=true)", "layers must be a whole number"),
        ("tiny(hidden=50)", "multiple of 2"),
        ("tiny(hidden=big)", "hidden must be a whole number"),
        ("tiny(width=3)", "allowed: layers, hidden, heads, seed, context"),
    ],
)
def test_invalid_shapes_are_refused(name, why):
    with pytest.raises(InputError, match=why):
        models.folder(name)


def test_a_cache_that_cannot_be_written_is_one_line(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"^cannot write .*/file/models: Not a directory; set ARENA_CACHE to another"):
        tiny_folder(tmp_path / "file/models")

    def full(model, folder):
        raise SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")

    monkeypatch.setattr(LlamaForCausalLM, "save_pretrained", full)
    with pytest.raises(InputError, match=r"No space left on device; set ARENA_CACHE to another folder$"):
        tiny_folder(tmp_path / "models", layers=1, hidden=8, heads=1)
    assert list((tmp_path / "models").iterdir()) == []
