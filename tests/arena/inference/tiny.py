"""A real transformers model small enough for tests: a random Llama over single bytes."""

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from arena.inference.huggingface import quiet
from arena.inference.models import LoadedModel
from arena.inference.transformers.engine import TransformersEngine

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tokenizer(template: str | None = TEMPLATE) -> PreTrainedTokenizerFast:
    """Bytes 0-255 as tokens 0-255, then <|im_start|> 256 and <|im_end|> 257."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {c: i for i, c in enumerate(alphabet)} | {"<|im_start|>": 256, "<|im_end|>": 257}
    raw = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    raw.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<|im_end|>", bos_token="<|im_start|>")
    made.chat_template = template
    return made


def model(*, context: int = 512, seed: int = 0, scale: float = 0.5) -> LlamaForCausalLM:
    """2 layers, 4 query heads over 2 key-value heads, float32; weights large enough for uneven distributions."""
    config = LlamaConfig(
        vocab_size=258,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=context,
        bos_token_id=256,
        eos_token_id=257,
        initializer_range=scale,
    )
    with torch.random.fork_rng(), quiet():
        torch.manual_seed(seed)
        return LlamaForCausalLM(config).eval().requires_grad_(False)


def folder(place: Path, **options: int) -> str:
    """A folder with the model, for `llm(model=...)`."""
    with quiet():
        model(**options).save_pretrained(place)
    tokenizer().save_pretrained(place)
    return str(place)


def loaded(**options: object) -> LoadedModel:
    """The result of `models.load`."""
    return LoadedModel("tiny", model(**options), tokenizer(), (257,), torch.device("cpu"))


def engine(lm: LoadedModel | None = None, **options: object) -> TransformersEngine:
    """An engine with the tiny model; the caller closes it."""
    return TransformersEngine(lm or loaded(), **options)


def logprobs(lm: LoadedModel, prompt: tuple[int, ...], ids: tuple[int, ...], temperature: float = 1.0) -> list[float]:
    """The log probability of each of `ids` after the prompt, from one plain forward pass."""
    with torch.inference_mode():
        logits = lm.model(torch.tensor([[*prompt, *ids]])).logits[0, len(prompt) - 1 : -1].float()
    return torch.log_softmax(logits / temperature, -1).gather(1, torch.tensor(ids)[:, None])[:, 0].tolist()
