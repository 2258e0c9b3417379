"""Private reasoning of a model: its marks, how many tokens an answer needs, and how to end it when a budget ends.

A model can think if its chat template has one of the known pairs of marks. When the budget for thinking ends inside a
block, the block is closed with the model's own mark, after a sentence that asks for the answer, as Qwen3's
documentation does. These tokens were not sampled: they are stored as the only token allowed at their position, with
probability 1, so that nothing is trained on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from arena.inference.engine import Completion, Engine, Request, several
from games import InputError

PLAIN_TOKENS, THINKING_TOKENS = 256, 4096
"""default limits of an answer's tokens"""
_ASK = "\n\nMy thinking time is over. I have to give my answer now.\n"
_TAIL = 64
"""tokens at the end of a prompt in which the template may open a block"""
_SECOND = 0x9E3779B97F4A7C15
_SEEDS = (1 << 63) - 1


class ThinkingMarks(NamedTuple):
    """The marks of private reasoning."""

    opening: str
    closing: str


_MARKS = (
    ThinkingMarks("<think>", "</think>"),
    ThinkingMarks("[THINK]", "[/THINK]"),
    ThinkingMarks("<|START_THINKING|>", "<|END_THINKING|>"),
    ThinkingMarks("<|channel>thought", "<channel|>"),
    ThinkingMarks("<seed:think>", "</seed:think>"),
    ThinkingMarks("<thinking>", "</thinking>"),
)


def marks_of(tokenizer: Any) -> ThinkingMarks | None:
    """Returns the marks in a tokenizer's chat template; None if the model cannot think."""
    template = getattr(tokenizer, "chat_template", None) or ""
    text = " ".join(map(str, template.values())) if isinstance(template, dict) else str(template)
    return next((marks for marks in _MARKS if marks.closing in text), None)


def answer_tokens(tokenizer: Any, think: bool | None, context: int) -> int:
    """Returns the default limit of an answer: 4,096 tokens if the model thinks, at most half its context, else 256."""
    if think is False or marks_of(tokenizer) is None:
        return PLAIN_TOKENS
    return max(PLAIN_TOKENS, min(THINKING_TOKENS, context // 2))


@lru_cache(64)
def default_tokens(model: str, decode: Literal["choice", "free"], think: bool | None) -> int:
    """As `answer_tokens`, for the name of a model that is not loaded; 256 for a model that chooses actions."""
    from arena.inference import models
    from arena.inference.limits import context_length

    if decode == "choice" or think is False:
        return PLAIN_TOKENS
    models.require_packages()
    folder = models.folder(model)
    return answer_tokens(models.tokenizer_of(folder)[0], think, context_length(models.config_of(folder)))


def open_block(tokenizer: Any, prompt_ids: Sequence[int]) -> str:
    """Returns the opening mark if the prompt ends inside a block, as the templates of some models do; else ""."""
    marks = marks_of(tokenizer)
    if marks is None:
        return ""
    tail = str(tokenizer.decode(list(prompt_ids[-_TAIL:]), skip_special_tokens=False))
    return marks.opening if tail.rfind(marks.opening) > tail.rfind(marks.closing) else ""


def visible_marks(tokenizer: Any, completion: Completion, opened: str) -> str:
    """Returns the text of a completion with its marks, also those that the prompt or special tokens hold."""
    marks = marks_of(tokenizer)
    if marks is None:
        return completion.text
    text = completion.text
    if {marks.opening, marks.closing} & set(map(str, tokenizer.all_special_tokens)):
        text = str(tokenizer.decode(list(completion.ids), skip_special_tokens=False))
    return opened + text


async def complete_within(engine: Engine, request: Request, budget: int, opened: str) -> Completion:
    """Returns a completion with at most `budget` tokens of thinking; `opened`: the mark that the prompt opens.

    If the model still thinks after `budget` tokens, the block is closed for it, and it writes its answer with the rest
    of `request.max_tokens`.
    """
    first = await engine.complete(_replaced(request, request.prompt_ids, budget, request.seed))
    if first.finish == "stop":
        return first
    marks = marks_of(engine.tokenizer)
    raw = opened + str(engine.tokenizer.decode(list(first.ids), skip_special_tokens=False))
    forced: tuple[int, ...] = ()
    closing = ""
    if marks is not None and raw.rfind(marks.opening) > raw.rfind(marks.closing):
        closing = f"{_ASK}{marks.closing}\n\n"
        forced = tuple(engine.tokenizer(closing, add_special_tokens=False)["input_ids"])
    left = request.max_tokens - budget - len(forced)
    if left < 1:
        return first
    ids = (*request.prompt_ids, *first.ids, *forced)
    rest = await engine.complete(_replaced(request, ids, left, (request.seed ^ _SECOND) & _SEEDS))
    versions = (*first.token_versions(), *(rest.version,) * len(forced), *rest.token_versions())
    return Completion(
        ids=(*first.ids, *forced, *rest.ids),
        logprobs=(*first.logprobs, *(0.0,) * len(forced), *rest.logprobs),
        allowed=(*_allowed(first), *((token,) for token in forced), *_allowed(rest)) if forced else _both(first, rest),
        finish=rest.finish,
        text=f"{first.text}{closing}{rest.text}",
        version=versions[-1],
        versions=several(versions),
    )


def check_budget(tokenizer: Any, budget: int, max_tokens: int, model: str) -> None:
    """Raises InputError if a model cannot think, or no token is left for its answer."""
    marks = marks_of(tokenizer)
    if marks is None:
        raise InputError(f"think_budget = {budget}: the chat template of {model} has no thinking; leave it out")
    closing = len(tokenizer(f"{_ASK}{marks.closing}\n\n", add_special_tokens=False)["input_ids"])
    if budget + closing >= max_tokens:
        raise InputError(
            f"think_budget = {budget} leaves no tokens for the answer: max_tokens is {max_tokens}, and closing the "
            f"thinking takes {closing}; set max_tokens above {budget + closing}"
        )


def _replaced(request: Request, ids: tuple[int, ...], tokens: int, seed: int) -> Request:
    import msgspec

    replaced: Request = msgspec.structs.replace(request, prompt_ids=ids, max_tokens=tokens, seed=seed)
    return replaced


def _allowed(completion: Completion) -> tuple[tuple[int, ...] | None, ...]:
    return completion.allowed or (None,) * len(completion.ids)


def _both(first: Completion, rest: Completion) -> tuple[tuple[int, ...] | None, ...] | None:
    if first.allowed is None and rest.allowed is None:
        return None
    return (*_allowed(first), *_allowed(rest))
