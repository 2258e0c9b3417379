"""A language model small enough to learn poker on two cores, built from parameters without a download.

`tiny(layers=2, hidden=64)` is a Llama with fewer than a million parameters and random weights from a seed. Its
tokenizer has the words of the arena's prompts as single tokens and encodes other text in bytes, so that decoding
restores any text. It is saved as an ordinary Hugging Face folder.
"""

from __future__ import annotations

import shutil
import string
import tempfile
from pathlib import Path
from typing import Any

from arena.inference import weights
from arena.inference.huggingface import quiet
from games import InputError

REVISION = 4  # increase it when the words, the template or the weights change; existing folders stay valid

_WORDS = """
abc abcde about above accept accepted across act action actions acts added adds after again algebraic all always among
an and another answer answered any are as assistant at auction automatically away banked banks bargain be beats begins
below bet better betting between bid bidder bidding bids bind black blotto board both bottom box boxed boxes
breakthrough briefly buyer by call caller can cannot capture captures capturing card cards cell cells centre chain
chance check checkmate chess chip chips choose claim claims closing coins colon colonel colour column columns connect
cooperate cost counted counts deal decisions deck defect depends diagonal diagonally dice did die dilemma directions
disc discards discs do does dot dots down draw drawn draws drop each else empty end ends enemy equal every everybody
exactly face faces falls far fen few field fields first five flip fold follows for forward four fourth free from full
game get gets given gives go goes gone good goofspiel gostate half hanabi hand handicap hands has heads hearts hex
hidden higher highest history holds horizontal how if in instead into is it its jack join json just king knows komi
kuhn last least leduc left legal length letter letters liar liars lie lies like line lines listed lose loser loses
lost lowest made make makes many mark marks match matches matching mate matrix max may means message messages minus
missing more most move moves moving must names need negative neighbouring neither never next nim no nobody none not
notation nothing now number numbered numbers object objects of offer offers often on once one only open or order
othello other others otherwise over own owner paid pairs paper partners pass passed passes pawn pay payoff pays pd
pennies phantom phase piece pieces pig pile piles place places play player players plays point points poker position
possible pot previous price prices printed prisoner private propose public quantity queen raise raises random rank
reaching reads reject respond return returns right rock roll rolls round row rows rps same scissors sealed second
secretly seen seller send settings several share shared show shown side sided sides single size so some somebody
something spades split spreads square stalemate standard stones stop straight such system tac tails take takes that
the their them then there these they thing think this those three tic tictactoe tie tied time times tiny to toe
together too top total touches turn turned two unseen up user val value vertical very walk what when which white who
whoever whole wild win winner wins with without won words worth write writes yet you your yours
"""
_SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tiny_folder(
    home: Path, layers: int = 2, hidden: int = 64, heads: int = 4, seed: int = 0, context: int = 4096
) -> Path:
    """Returns the folder of a tiny model under `home`; created if necessary. Raises InputError for an invalid shape."""
    for name, value in (("layers", layers), ("hidden", hidden), ("heads", heads), ("context", context)):
        if value < 1:
            raise InputError(f"tiny's {name} is {value}; it must be at least 1")
    if hidden % (2 * heads):
        raise InputError(f"tiny(hidden={hidden}, heads={heads}, seed={seed}): hidden must be a multiple of 2 * heads")
    target = home / f"tiny-r{REVISION}-{layers}x{hidden}-{heads}-{context}-{seed}"
    if (target / "config.json").is_file():
        return target
    try:
        with weights.writing(target):
            _write(target, layers, hidden, heads, seed, context)
    except OSError as error:
        if not (target / "config.json").is_file():  # otherwise another process was faster
            raise InputError(f"cannot write {home}: {error.strerror}; set ARENA_CACHE to another folder") from None
    return target


def _write(target: Path, layers: int, hidden: int, heads: int, seed: int, context: int) -> None:
    """Create the folder under a temporary name and rename it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        with quiet():
            tokenizer().save_pretrained(work)
            _model(layers, hidden, heads, seed, context).save_pretrained(work)
        if not (target / "config.json").is_file():
            work.rename(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def tokenizer() -> Any:
    """The tokenizer. It splits text into as few tokens as possible; each word of the table, with or without a leading
    space, is one token.

    Text is first mapped to bytes, so no text is unknown and decoding restores every character.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    spell = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    words = _WORDS.split()
    forms = [form for w in words for form in (w, f" {w}", w.capitalize(), f" {w.capitalize()}")]
    forms += [f" {c}" for c in string.ascii_letters + string.digits + string.punctuation]
    pieces = [*_SPECIAL, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    pieces = list(dict.fromkeys([*pieces, *(spell.pre_tokenize_str(form)[0][0] for form in forms)]))
    # All pieces are equally probable, so the most probable split is the one with the fewest pieces.
    core = Tokenizer(models.Unigram([(piece, -1.0) for piece in pieces], unk_id=None, byte_fallback=False))
    core.pre_tokenizer, core.decoder = spell, decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=core,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>"],
        clean_up_tokenization_spaces=False,
    )
    made.chat_template = _TEMPLATE
    return made


def _model(layers: int, hidden: int, heads: int, seed: int, context: int) -> Any:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    words = tokenizer()
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=hidden,
        intermediate_size=4 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=context,
        # 1 / sqrt(fan-in): with the usual 0.02 the outputs of such a narrow model hardly depend on the prompt, and it
        # first learns to bet or pass with every card.
        initializer_range=hidden**-0.5,
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = LlamaForCausalLM(config).float()
    with torch.no_grad():
        model.lm_head.weight.zero_()  # the untrained model gives all answers the same probability
    return model
