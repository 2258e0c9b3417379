"""Chats to token ids and back."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Any, Literal, TypeAlias

from arena.common_prefix import common_prefix
from arena.inference.contents import Contents
from roles import ChatMessage

log = logging.getLogger(__name__)

# for base models, whose tokenizers have no template
PLAIN_TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}{{ eos_token }}\n\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)

_Leading: TypeAlias = tuple[tuple[Literal["system", "user", "assistant"], str], ...]
"""role and content of the first messages of a chat"""
_REMEMBERED = 1024


class ChatCodec:
    """A tokenizer with a chat template. Only the template writes control tokens, whatever a message holds.

    `stop_ids` are all tokens that end an answer; `end_of_turn` is the one that the template writes after an answer.
    """

    def __init__(self, tokenizer: Any, eos_ids: Sequence[int] = ()) -> None:
        self.tokenizer = tokenizer
        if not tokenizer.chat_template:
            log.warning("%s has no chat template; using a plain one", tokenizer.name_or_path or "the tokenizer")
            tokenizer.chat_template = PLAIN_TEMPLATE
        self._contents = Contents(tokenizer)
        self._system = True
        end_ids = [] if tokenizer.eos_token_id is None else [tokenizer.eos_token_id]
        self.end_of_turn = self._find_end([*end_ids, *eos_ids])
        self.stop_ids = tuple(sorted({self.end_of_turn, *end_ids, *eos_ids}))
        self._first_len = lru_cache(maxsize=_REMEMBERED)(self._measure_first)
        self._sightings = lru_cache(maxsize=_REMEMBERED)(_counter)

    def encode_chat(self, messages: Sequence[ChatMessage], *, think: bool | None = None) -> tuple[int, ...]:
        """Returns the token ids of a chat, up to the answer. `think` sets `enable_thinking` of the template."""
        extra = {} if think is None else {"enable_thinking": think}
        return tuple(self._apply(messages, add_generation_prompt=True, **extra))

    def encode_choices(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Answers as token sequences, each with the end-of-turn token."""
        if not texts:
            return ()
        encoded = self.tokenizer(list(texts), add_special_tokens=False)["input_ids"]
        for i, text in enumerate(texts):
            if self._contents.holds_control(text):
                encoded[i] = self._contents.encode(text)
        return tuple((*ids, self.end_of_turn) for ids in encoded)

    def decode(self, ids: Sequence[int]) -> str:
        """Returns text without special tokens."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=True))

    def prefix_len(
        self, messages: Sequence[ChatMessage], prompt_ids: tuple[int, ...], steady: int = 1, at_once: bool = False
    ) -> int:
        """Returns the number of tokens of `prompt_ids` that depend only on the first `steady` messages.

        0 without a system message. Counts the messages after the system message only if the same first messages have
        been seen before, or with `at_once`.
        """
        if len(messages) < 2 or messages[0]["role"] != "system":
            return 0
        steady = max(1, min(steady, len(messages) - 1))
        leading = tuple((m["role"], m["content"]) for m in messages[:steady])
        # A role may write details of one match in its first messages; a stored prefix of these would never be reused.
        if steady > 1 and not at_once and not next(self._sightings(leading)):
            leading = leading[:1]
        first = self._first_len(leading)
        return len(first) if prompt_ids[: len(first)] == first else common_prefix(first, prompt_ids)

    def _measure_first(self, leading: _Leading) -> tuple[int, ...]:
        """Returns the common prefix of two chats that differ in the user message after `leading`."""
        chat = [ChatMessage(role=role, content=content) for role, content in leading]
        one, two = (self.encode_chat([*chat, ChatMessage(role="user", content=content)]) for content in ("A", "7"))
        return one[: common_prefix(one, two)]

    def _apply(self, messages: Sequence[ChatMessage], **options: Any) -> list[int]:
        import jinja2

        if self._system:
            try:
                return self._render(messages, **options)
            except jinja2.TemplateError:
                if not messages or messages[0]["role"] != "system":
                    raise
                self._render(_without_system(messages), **options)  # raises if the system message is not the reason
                self._system = False
        return self._render(_without_system(messages), **options)

    def _render(self, messages: Sequence[ChatMessage], **options: Any) -> list[int]:
        texts = [message["content"] for message in messages]
        if not any(map(self._contents.holds_control, texts)):
            ids = self.tokenizer.apply_chat_template(list(messages), tokenize=True, return_dict=False, **options)
            return [int(i) for i in ids]
        mark = self._contents.mark_for(texts)
        chat = self._contents.break_tokens(messages, mark)
        return self._contents.encode_rendered(self.tokenizer.apply_chat_template(chat, tokenize=False, **options), mark)

    def _find_end(self, stops: Sequence[int]) -> int:
        """Returns the token that the template writes after an answer if it ends a turn, else the first of `stops`."""
        question: list[ChatMessage] = [{"role": "user", "content": "A"}]
        start = self._apply(question, add_generation_prompt=True)
        whole = self._apply([*question, {"role": "assistant", "content": "B"}], add_generation_prompt=False)
        special = set(self.tokenizer.all_special_ids) | set(stops)
        for token in whole[common_prefix(start, whole) :]:
            if token in special:
                return token
        if not stops:
            raise ValueError("the tokenizer has no token that ends an answer (no eos token)")
        return stops[0]


class CodecEngine:
    """The methods of `Engine` that a chat codec provides."""

    codec: ChatCodec

    @property
    def tokenizer(self) -> Any:
        """The model's tokenizer."""
        return self.codec.tokenizer

    def encode_chat(self, messages: Sequence[ChatMessage], *, think: bool | None = None) -> tuple[int, ...]:
        """Returns the token ids of a chat, up to the start of the model's answer."""
        return self.codec.encode_chat(messages, think=think)

    def encode_choices(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Answers as token sequences, each with the end-of-turn token."""
        return self.codec.encode_choices(texts)


def _counter(_: _Leading) -> Iterator[int]:
    """Counts how often the first messages of a chat have been seen."""
    return count()


def _without_system(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Returns the chat with its system message at the start of the first user message, for Gemma's template."""
    if not messages or messages[0]["role"] != "system":
        return list(messages)
    system, rest = messages[0]["content"], list(messages[1:])
    if rest and rest[0]["role"] == "user":
        rest[0] = {"role": "user", "content": f"{system}\n\n{rest[0]['content']}"}
        return rest
    return [{"role": "user", "content": system}, *rest]
