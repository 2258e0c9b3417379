"""A folder whose weights are not those of its configuration, or no numbers, is refused in a line, on every way in."""

import json
import re
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import arena
from arena.inference import fidelity, models, registry, weights
from arena.inference.elsewhere import write_adapter, write_whole
from arena.inference.huggingface import quiet
from arena.inference.vllm.engine import VLLMEngine
from games import InputError
from league.config.training import parse_training
from league.training.run import run_training

BASE = "tiny(layers=2, hidden=32)"
KUHN = "openspiel/kuhn_poker"
FILE, INDEX = "model.safetensors", "model.safetensors.index.json"
ADAPTER, PEFT = "adapter_model.safetensors", "base_model.model."
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
UP, HEAD, EMBEDDING = "model.layers.1.mlp.up_proj.weight", "lm_head.weight", "model.embed_tokens.weight"


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(models.folder(BASE), tmp_path / "lm")


def rename(change):
    return lambda tensors: {change(name): tensor for name, tensor in tensors.items()}


def before(prefix):
    return rename(lambda name: prefix + name)


def without(part):
    return lambda tensors: {name: tensor for name, tensor in tensors.items() if part not in name}


def with_(**more):
    return lambda tensors: tensors | {name.replace("__", "."): tensor for name, tensor in more.items()}


def having(name, number):
    def change(tensors):
        tensors[name].view(-1)[3] = number
        return tensors

    return change


def rewrite(file, change):
    tensors = {name: tensor.contiguous().clone() for name, tensor in change(load_file(file)).items()}
    save_file(tensors, file, {"format": "pt"})


def configure(file, **values):
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (before("_orig_mod."), r"saved from torch.compile: strip `_orig_mod.`"),
        (before("module."), r"tensors without a place: 21 of 21 \(module.*DDP or DeepSpeed: strip `module.`"),
        (
            before("module._orig_mod."),
            r"saved from torch.compile and DDP or DeepSpeed: strip `_orig_mod.` and `module.`",
        ),
        (before("_fsdp_wrapped_module."), "saved from FSDP: strip"),
        (before("_forward_module."), "saved from Lightning: strip"),
        (before("pretrained_model."), "saved from TRL"),
        (before("base_model.model."), "saved from peft: strip `base_model.model.`"),
        (before("transformer."), "saved from a larger module: strip `transformer.`"),
        (before("actor."), "saved from a larger module: strip `actor.`"),
        (
            rename(lambda name: name.replace("layers.1.", "layers.1._checkpoint_wrapped_module.")),
            r"tensors without a place: 9 of 21 \(.*activation checkpointing: strip",
        ),
        (
            rename(lambda name: f"_orig_mod.{name}" if ".0." in name else name),
            r"9 of 21 .* places without a tensor: 9 \(model.layers.0.* and 6 more\); saved from torch.compile",
        ),
        (
            rename(lambda name: name.replace("q_proj.weight", "q_proj.base_layer.weight")),
            r"2 of 21 \(model.layers.0.self_attn.q_proj.base_layer.weight, .*, places without a tensor: 2 ",
        ),
        (with_(model__layers__0__self_attn__q_proj__lora_A__weight=torch.zeros(4, 32)), "merge the adapter before"),
        (without("lm_head"), r"places without a tensor: 1 \(lm_head.weight\); .* set tie_word_embeddings to true"),
        (without("embed_tokens"), r"places without a tensor: 1 \(model.embed_tokens.weight\)"),
        (without("layers.1."), r"places without a tensor: 9 \(model.layers.1.*and 6 more\)"),
        (without("norm"), r"places without a tensor: 5 "),
        (lambda _: {}, "places without a tensor: 21 .*; save the whole model with save_pretrained"),
        (with_(score__weight=torch.zeros(1, 32)), r"tensors without a place: 1 of 22 \(score.weight\)"),
        (
            with_(lm_head__weight=torch.zeros(9, 32)),
            r"of another shape: 1 \(lm_head.weight is \(9, 32\) and must be \(2077",
        ),
        (having(UP, float("nan")), rf"hold NaN or infinite numbers: {UP}"),
        (having(HEAD, float("inf")), "hold NaN or infinite numbers: lm_head.weight"),
        (having("model.norm.weight", float("-inf")), r"NaN or infinite numbers: model.norm.weight"),
    ],
)
def test_weights_that_are_not_those_of_the_configuration(folder, change, line):
    rewrite(folder / FILE, change)
    refused(lambda: models.load(str(folder), "fp32", "cpu"), line, folder)
    refused(lambda: models.check(str(folder)), line, folder)


@pytest.mark.parametrize(
    ("config", "line"),
    [
        (
            {"model_type": "bert"},
            r"model_type 'bert', BertLMHeadModel\).*21 of 21 .*; config.json is that of another model",
        ),
        ({"model_type": "gpt2"}, r"model_type 'gpt2', GPT2LMHeadModel.*config.json is that of another model"),
        ({"model_type": "qwen3"}, r"places without a tensor: 4 \(model.layers.0.self_attn.k_norm.weight"),
        (
            {"model_type": "mistral"},
            "contradicts itself: model_type is 'mistral', and architectures names LlamaForCausalLM",
        ),
        ({"num_hidden_layers": 1}, r"tensors without a place: 9 of 21 \(model.layers.1"),
        ({"num_hidden_layers": 3}, r"places without a tensor: 9 \(model.layers.2"),
        (
            {"intermediate_size": 64},
            r"of another shape: 6 \(model.layers.0.mlp.down_proj.weight is \(32, 128\) and must be",
        ),
        ({"vocab_size": 100}, r"of another shape: 2 \(lm_head.weight is \(2077, 32\) and must be \(100, 32\)"),
        ({"tie_word_embeddings": True}, "two different ones; set tie_word_embeddings to false"),
        ({"model_type": "zork"}, "has model type `zork`"),
        ({"num_attention_heads": 0}, "cannot load the model in .*integer modulo by zero"),
        ({"hidden_size": None}, "cannot load the model in .*'hidden_size' expected int"),
    ],
)
def test_a_configuration_that_is_not_that_of_the_weights(folder, config, line):
    configure(folder / "config.json", **config)
    refused(lambda: models.load(str(folder), "fp32", "cpu"), line, folder)
    refused(lambda: models.check(str(folder)), line, folder)


def refused(way, line, folder):
    with pytest.raises(InputError, match=line) as caught:
        way()
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "config"),
    [
        (before("model."), {}),  # transformers strips the prefix of the base model
        (with_(v_head__summary__weight=torch.zeros(1, 32)), {}),
        (with_(model__layers__0__self_attn__rotary_emb__inv_freq=torch.zeros(4)), {}),
        (with_(model__layers__0__attn__masked_bias=torch.tensor(float("-inf"))), {}),
        (with_(mtp__layers__0__fc__weight=torch.zeros(4)), {}),
        (with_(model__layers__2__eh_proj__weight=torch.zeros(4)), {"num_nextn_predict_layers": 1}),
        (with_(vision_tower__patch__weight=torch.zeros(4)), {"vision_config": {}}),
    ],
)
def test_harmless_tensors_of_released_models_are_left_out(folder, change, config):
    whole = models.load(str(folder), "fp32", "cpu").model.state_dict()
    rewrite(folder / FILE, change)
    configure(folder / "config.json", **config)
    models.check(str(folder))
    loaded = models.load(str(folder), "fp32", "cpu").model.state_dict()
    assert all(torch.equal(loaded[name], tensor) for name, tensor in whole.items())


@pytest.mark.parametrize("change", [without("lm_head"), lambda t: t | {HEAD: t[EMBEDDING]}])
def test_a_tied_output_layer_may_be_stored_or_not(folder, change):
    rewrite(folder / FILE, change)
    configure(folder / "config.json", tie_word_embeddings=True)
    models.check(str(folder))
    loaded = models.load(str(folder), "fp32", "cpu").model
    assert loaded.lm_head.weight is loaded.model.embed_tokens.weight


def split(folder):
    """Writes the weights as two files with an index; returns the index."""
    tensors = load_file(folder / FILE)
    (folder / FILE).unlink()
    places = {name: f"model-0000{1 + (n > 5)}-of-00002.safetensors" for n, name in enumerate(sorted(tensors))}
    for file in set(places.values()):
        save_file({n: t for n, t in tensors.items() if places[n] == file}, folder / file, {"format": "pt"})
    return places


def test_a_model_in_parts_has_all_of_them_once(folder, tmp_path):
    whole = models.load(str(folder), "fp32", "cpu").model.state_dict()
    shutil.copy(folder / FILE, tmp_path / FILE)
    places, (first, second) = split(folder), [f"model-0000{n}-of-00002.safetensors" for n in (1, 2)]
    index, last = folder / INDEX, folder / second
    refused(
        lambda: models.load(str(folder)), "holds parts of a model, but model.safetensors.index.json is miss", folder
    )

    def listing(**more):
        index.write_text(json.dumps({"metadata": {}, "weight_map": places | more}))

    listing()
    assert all(torch.equal(t, whole[n]) for n, t in models.load(str(folder), "fp32", "cpu").model.state_dict().items())
    listing(zork=second)
    refused(lambda: models.load(str(folder)), "lists tensors that are not in their files: zork", folder)
    listing(zork="../lm/model.safetensors")
    refused(lambda: models.load(str(folder)), "lists files outside its folder", folder)
    index.write_text("{}")
    refused(lambda: models.load(str(folder)), "lists no weights", folder)
    listing()
    shutil.copy(tmp_path / FILE, folder / FILE)
    refused(lambda: models.load(str(folder)), "holds two models: model.safetensors, and the parts", folder)
    (folder / FILE).unlink()
    name = min(places)
    save_file(load_file(last) | {name: torch.zeros(2)}, last, {"format": "pt"})
    refused(lambda: models.load(str(folder)), f"tensor {name} is in two files, .*{first} and {second}", folder)
    last.unlink()
    refused(lambda: models.load(str(folder)), f"lists files that are missing: {second}", folder)


@pytest.mark.parametrize(
    "file", ["tokenizer.json", "tokenizer_config.json", "config.json", "generation_config.json", FILE]
)
def test_a_pointer_of_git_lfs_is_named(folder, file):
    (folder / file).write_text(POINTER)
    line = f"{file} is a pointer of git-lfs in place of the file; type git lfs pull in the folder"
    refused(lambda: models.load(str(folder)), line, folder)


def test_a_tokenizer_that_cannot_be_used(folder):
    file = folder / "tokenizer.json"
    whole = json.loads(file.read_text())
    file.write_text(json.dumps(whole)[:-9])
    refused(lambda: models.load(str(folder)), "cannot load the tokenizer in .*tokenizer.json is not JSON", folder)
    file.write_text(json.dumps(whole | {"added_tokens": []}))
    for name in ("config.json", "generation_config.json"):
        configure(folder / name, eos_token_id=None, pad_token_id=None)
    configure(folder / "tokenizer_config.json", eos_token=None, pad_token=None, extra_special_tokens=[])
    refused(lambda: models.load(str(folder)), "has no token that ends an answer; set eos_token", folder)
    file.unlink()
    refused(lambda: models.load(str(folder)), "has no tokenizer.json that can be read", folder)


def test_numbers_too_large_for_float16(folder):
    rewrite(folder / FILE, having(UP, 1e6))
    models.load(str(folder), "bf16", "cpu")
    refused(lambda: models.load(str(folder), "fp16", "cpu"), f"NaN or infinite numbers: {UP}; use dtype=bf16", folder)
    rewrite(folder / FILE, lambda t: t | {n: torch.full_like(t[n], 300.0) for n in t if "mlp" in n or n == HEAD})
    refused(
        lambda: models.load(str(folder), "fp16", "cpu"), "infinite logits in float16; use dtype=bf16 or fp32", folder
    )


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_a_sum_that_overflows_is_no_infinite_number(dtype):
    large = torch.full((1000,), torch.finfo(dtype).max, dtype=dtype)
    assert weights.is_finite(large)
    large[17] = float("nan")
    assert not weights.is_finite(large)


def adapter(place, base=BASE, change=None, config=None, rows=0, **options):
    """Writes an adapter that peft makes and saves, with random numbers; returns its folder."""
    peft = pytest.importorskip("peft")
    model = models.load(base if Path(base).is_dir() else BASE, "fp32", "cpu").model
    if rows:
        model.resize_token_embeddings(2077 + rows, mean_resizing=False)
    settings = {"r": 4, "target_modules": ["q_proj", "o_proj"], "task_type": "CAUSAL_LM"} | options
    with quiet():
        kind = peft.PEFT_TYPE_TO_CONFIG_MAPPING[settings.pop("peft_type", "LORA")]
        made = peft.get_peft_model(model, kind(**settings))
    made.peft_config["default"].base_model_name_or_path = base
    with torch.no_grad():
        for param in made.parameters():
            if param.requires_grad:
                param.normal_(0.0, 0.3, generator=torch.Generator().manual_seed(0))
    with quiet():
        made.save_pretrained(place, save_embedding_layers="auto" if rows else False)
    if change:
        rewrite(place / ADAPTER, change)
    if config:
        configure(place / "adapter_config.json", **config)
    return place, made.eval()


@pytest.mark.parametrize(
    ("change", "config", "line"),
    [
        (rename(lambda n: n.removeprefix(PEFT)), {}, "peft writes `base_model.model.` before every name"),
        (before("_orig_mod."), {}, r"8 of 8 \(_orig_mod.*saved from torch.compile: strip `_orig_mod.` from"),
        (
            rename(lambda n: n.replace(PEFT, f"{PEFT}_orig_mod.")),
            {},
            "saved from torch.compile: strip `_orig_mod.` from",
        ),
        (before("module."), {}, "saved from DDP or DeepSpeed: strip `module.` from"),
        (rename(lambda n: n.replace("layers.0.", "layers.0._fsdp_wrapped_module.")), {}, "4 of 8 .*saved from FSDP"),
        (rename(lambda n: n.replace(".self", "._checkpoint_wrapped_module.self")), {}, "activation checkpointing"),
        (before(PEFT), {}, "strip `base_model.model.`"),
        (lambda _: {PEFT + UP: torch.zeros(128, 32)}, {}, "none of its 1 tensors is one of LoRA"),
        (lambda _: {}, {}, "none of its 0 tensors is one of LoRA"),
        (
            without("layers.1."),
            {},
            r"places without a tensor: 4 \(base_model.model.model.layers.1.self_attn.o_proj.lora_A",
        ),
        (without("q_proj"), {}, "places without a tensor: 4 "),
        (without("lora_B"), {}, r"4 of 4 tensors lack their lora_B \("),
        (without("lora_A"), {}, r"4 of 4 tensors lack their lora_A \("),
        (lambda t: t | {n.replace("layers.0", "layers.7"): v for n, v in t.items()}, {}, "without a place: 4 of 12"),
        (
            None,
            {"base_model_name_or_path": "tiny(layers=2, hidden=64)"},
            r"of another shape: 8 .* is \(4, 32\) and must be",
        ),
        (None, {"base_model_name_or_path": "tiny(layers=1, hidden=32)"}, r"its base 'tiny\(layers=1.*place: 4 of 8"),
        (None, {"base_model_name_or_path": "tiny(layers=3, hidden=32)"}, "places without a tensor: 4 .*another base"),
        (None, {"r": 8}, "tensors of another shape: 8"),
        (None, {"use_dora": True}, "places without a tensor: 4 .*lora_magnitude_vector"),
        (None, {"modules_to_save": ["lm_head"]}, r"places without a tensor: 1 \(base_model.model.lm_head.weight\)"),
        (None, {"target_modules": ["up_proj"]}, "without a place: 8 of 8 .*, places without a tensor: 4"),
        (None, {"target_modules": ["c_attn"]}, "cannot load the adapter in .*c_attn.* not found"),
        (None, {"peft_type": "ZORK"}, "of the kind 'ZORK', .*use LoRA"),
        (None, {"peft_type": "PREFIX_TUNING"}, "of the kind 'PREFIX_TUNING', .*use LoRA"),
        (
            None,
            {"base_model_name_or_path": "/gone/Qwen3-4B"},
            "needs its base model: there is no folder '/gone/Qwen3-4B'",
        ),
        (None, {"base_model_name_or_path": None}, "names no base model: base_model_name_or_path in .* is None"),
        (
            having(f"{PEFT}model.layers.0.self_attn.q_proj.lora_A.weight", float("nan")),
            {},
            "NaN or infinite numbers: base",
        ),
    ],
)
def test_an_adapter_that_does_not_fit(tmp_path, change, config, line):
    place, _ = adapter(tmp_path / "adapter", change=change, config=config)
    refused(lambda: models.load(str(place), "fp32", "cpu"), line, place)
    refused(lambda: models.check(str(place)), line, place)


def test_the_base_of_an_adapter_is_a_whole_model(tmp_path):
    first, _ = adapter(tmp_path / "first")
    second, _ = adapter(tmp_path / "second", base=str(first))
    refused(lambda: models.load(str(second)), "is an adapter itself; merge it first: arena export-model", second)
    (first / ADAPTER).write_text(POINTER)
    refused(lambda: models.load(str(first)), "adapter_model.safetensors is a pointer of git-lfs", first)


@pytest.mark.parametrize(
    ("options", "change"),
    [
        ({}, None),
        ({}, rename(lambda name: name.replace(".weight", ".default.weight"))),
        ({"use_dora": True}, None),
        ({"use_rslora": True, "rank_pattern": {"q_proj": 8}}, None),
        ({"modules_to_save": ["lm_head", "embed_tokens"]}, None),
        ({"target_modules": ["q_proj", "embed_tokens"]}, None),
        ({"trainable_token_indices": [3, 5]}, None),
        ({"layers_to_transform": [0], "bias": "lora_only"}, None),
        ({"init_lora_weights": "olora"}, None),
        ({"init_lora_weights": "pissa"}, None),
        ({"peft_type": "LOHA"}, None),
        ({"peft_type": "VERA"}, None),
        ({"peft_type": "RANDLORA"}, None),
    ],
)
def test_whole_adapters_of_every_kind_compute_what_peft_computes(tmp_path, options, change, monkeypatch):
    place, made = adapter(tmp_path / "adapter", change=change, **options)
    ids = torch.arange(3, 12)[None]
    with torch.no_grad():
        states = made.get_base_model().model(ids).last_hidden_state
    models.check(str(place))
    base = models.load(BASE, "fp32", "cpu").model.state_dict()
    for share in (False, True):
        monkeypatch.setattr("arena.inference.adapters.SHARED_FROM", 0)
        model = models.load(str(place), "fp32", "cpu", share=share).model
        torch.testing.assert_close(model.model(ids).last_hidden_state, states, rtol=1e-4, atol=1e-4)
    for shared in models._bases.values():  # an adapter leaves the weights that others share as they are
        assert all(torch.equal(tensor, base[name]) for name, tensor in shared.state_dict().items())


TOKENS = ["<move>", "</move>"]
BOTH = ["embed_tokens", "lm_head"]


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(
    ("rows", "options"),
    [
        (0, {}),
        (2, {}),
        (50, {}),
        (-77, {}),  # a padded vocabulary, cut to that of the tokenizer
        (2, {"modules_to_save": BOTH}),
        (0, {"modules_to_save": BOTH[:1]}),
        (2, {"modules_to_save": BOTH[:1], "ensure_weight_tying": True}),
        (2, {"modules_to_save": BOTH[1:]}),
        (2, {"target_modules": ["q_proj", *BOTH]}),
        (0, {"target_modules": ["q_proj", "embed_tokens"]}),
        (0, {"target_modules": ["q_proj", "lm_head"]}),
        (2, {"trainable_token_indices": [2077, 2078]}),
        (0, {"trainable_token_indices": [3, 5]}),
    ],
)
def test_an_adapter_has_the_vocabulary_and_the_output_layer_of_its_training(tmp_path, rows, options, tied):
    base = shutil.copytree(models.folder(BASE), tmp_path / "base")
    rewrite(base / FILE, lambda t: t | {HEAD: torch.randn(2077, 32, generator=torch.Generator().manual_seed(1))})
    if tied:
        rewrite(base / FILE, without("lm_head"))
        configure(base / "config.json", tie_word_embeddings=True)
    place, made = adapter(tmp_path / "adapter", str(base), rows=rows, **options)
    ids = torch.arange(3, 12)[None]
    loaded = models.load(str(place), "fp32", "cpu").model
    assert loaded.get_input_embeddings().weight.shape[0] == 2077 + rows
    torch.testing.assert_close(loaded(ids).logits, made(ids).logits, rtol=1e-4, atol=1e-4)
    write_whole(str(place), tmp_path / "out")
    assert torch.equal(models.load(str(tmp_path / "out"), "fp32", "cpu").model(ids).logits, loaded(ids).logits)


def test_new_tokens_that_an_adapter_does_not_hold_are_no_random_numbers(folder, tmp_path):
    place, _ = adapter(tmp_path / "adapter", str(folder), rows=2, change=without("lm_head"))
    refused(lambda: models.load(str(place)), r"of another shape: 1 \(.*embed_tokens.weight is \(2079, 32\)", place)


@pytest.mark.parametrize("rows", [0, 2])
def test_an_adapter_plays_with_its_own_tokenizer_and_template(folder, tmp_path, rows):
    place, _ = adapter(tmp_path / "adapter", str(folder), rows=rows)
    tokenizer, eos = models.tokenizer_of(place)  # that of the base
    assert (tokenizer.chat_template, eos) == (models.tokenizer_of(folder)[0].chat_template, (tokenizer.eos_token_id,))
    tokenizer.add_tokens(TOKENS, special_tokens=True)
    tokenizer.chat_template = "{% for m in messages %}<move>{{ m.content }}</move>{% endfor %}"
    tokenizer.save_pretrained(place)
    write_whole(str(place), tmp_path / "out")
    for way in (place, tmp_path / "out"):
        loaded = models.load(str(way), "fp32", "cpu").tokenizer
        assert loaded.chat_template == tokenizer.chat_template
        assert loaded.convert_tokens_to_ids(TOKENS) == [2077, 2078]
        players = [f"llm(model={way},decode=choice)", "random"]
        if rows:
            assert arena.play(KUHN, players).status == "finished"
        else:
            line = r"writes the token '</move>' \(2078\), and the model reads 0 to 2076: save its resized"
            refused(lambda: arena.play(KUHN, players), line, way)  # noqa: B023


def test_a_fresh_adapter_of_zeros_is_whole(tmp_path):
    place, _ = adapter(tmp_path / "adapter", change=lambda t: {n: v * ("lora_A" in n) for n, v in t.items()})
    models.check(str(place))
    models.load(str(place), "fp32", "cpu")


def test_every_way_in_refuses_them(folder, tmp_path):
    rewrite(folder / FILE, before("_orig_mod."))
    bad, _ = adapter(tmp_path / "adapter", change=before("_orig_mod."))
    training = {
        "name": "t", "db": f"sqlite:///{tmp_path}/t.db", "steps": 1, "matches_per_step": 2, "games": [KUHN],
        "snapshots": {"matches": 0}, "evaluation": {"matches": 0}, "trackers": [],
    }  # fmt: skip

    def train(policy, **more):
        data = training | {"folder": str(tmp_path / "t"), "policy": policy} | more
        run_training(parse_training(data), board="off")

    for place in (folder, bad):
        ways = [
            lambda: arena.play(KUHN, [f"llm(model={place},decode=choice)", "random"]),  # noqa: B023
            lambda: train({"model": str(place)}),  # noqa: B023
            lambda: train({"model": str(place), "lora": 4}),  # noqa: B023
            lambda: train({"model": BASE}, loss={"name": "distill", "teacher": str(place)}),  # noqa: B023
            lambda: write_whole(str(place), tmp_path / "out"),  # noqa: B023
        ]
        ways.append(
            (lambda: VLLMEngine(str(folder), "fp32", "cpu"))
            if place == folder
            else (lambda: registry._vllm(registry._Key(str(bad), "fp32", "cpu", "vllm")))
        )
        for way in ways:
            refused(way, "saved from torch.compile: strip `_orig_mod.`", place)
    refused(lambda: write_adapter(str(bad), tmp_path / "out"), "saved from torch.compile", bad)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("key", "value"),
    [("use_dora", True), ("modules_to_save", ["lm_head"]), ("init_lora_weights", "pissa")],
)
def test_vllm_plays_plain_adapters_only(tmp_path, key, value):
    place, _ = adapter(tmp_path / "adapter", **{key: value})
    key_ = registry._Key(str(place), "fp32", "cpu", "vllm")
    refused(lambda: registry._vllm(key_), f"vLLM can't play the adapter in .* {key} .*use engine=transformers", place)


def test_the_wrappers_are_those_of_the_documentation():
    text = (Path(arena.__file__).parents[1] / "docs" / "players.md").read_text(encoding="utf-8")
    assert all(re.search(re.escape(mark), text) for mark, _ in fidelity.WRAPPERS)
