"""Chats to token ids and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import count
from typing import Any, Literal, TypeAlias

from arena.common_prefix import common_prefix
from arena.inference.contents import Contents
from arena.inference.prompt_date import prompt_date
from arena.inference.template import ChatTemplate
from arena.inference.trie import alike
from games import InputError
from games.errors import InfrastructureError
from roles import ChatMessage

_Leading: TypeAlias = tuple[tuple[Literal["system", "user", "assistant"], str], ...]
"""role and content of the first messages of a chat"""
_REMEMBERED = 1024


class ChatCodec:
    """A tokenizer with a chat template. Only the template writes control tokens, whatever a message holds.

    `stop_ids` are all tokens that end an answer; `end_of_turn` is the one that the template writes after an answer.
    Raises InputError for a template that does not write the arena's chats, or a tokenizer that ends no answer.
    """

    def __init__(self, tokenizer: Any, eos_ids: Sequence[int] = ()) -> None:
        self.tokenizer = tokenizer
        self._template = ChatTemplate(tokenizer)
        self._contents = Contents(tokenizer)
        end_ids = [] if tokenizer.eos_token_id is None else [tokenizer.eos_token_id]
        self.end_of_turn = self._find_end([*end_ids, *eos_ids])
        self.stop_ids = tuple(sorted({self.end_of_turn, *end_ids, *eos_ids}))
        self._first_len = lru_cache(maxsize=_REMEMBERED)(self._measure_first)
        self._sightings = lru_cache(maxsize=_REMEMBERED)(_counter)

    def encode_chat(self, messages: Sequence[ChatMessage], *, think: bool | None = None) -> tuple[int, ...]:
        """Returns the token ids of a chat, up to the answer: see `ChatTemplate.render`. Raises InfrastructureError."""
        texts = [message["content"] for message in messages]
        if not any(map(self._contents.holds_control, texts)):
            ids = self._ids_of(self._template.render(messages, think))
        else:
            mark = self._contents.mark_for(texts)
            chat = self._contents.break_tokens(messages, mark)
            ids = self._contents.encode_rendered(self._template.render(chat, think), mark)
        return tuple(map(int, ids))

    def check_vocabulary(self, size: int) -> None:
        """Raises InputError if the template writes tokens that a model with this many does not have."""
        chat: list[ChatMessage] = [{"role": "system", "content": "A"}, {"role": "user", "content": "A"}]
        last = max((*self.encode_chat(chat), self.end_of_turn))
        if last >= size:
            token = self.tokenizer.convert_ids_to_tokens(last)
            raise InputError(
                f"the tokenizer in {self._template.folder} writes the token {token!r} ({last}), and the model reads 0 "
                f"to {size - 1}: save its resized embedding too, or use its own tokenizer"
            )

    def encode_choices(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Answers as token sequences, each with the end-of-turn token.

        Raises InfrastructureError if the tokenizer writes two different texts alike, so that nothing can choose one.
        """
        if not texts:
            return ()
        encoded = self.tokenizer(list(texts), add_special_tokens=False)["input_ids"]
        for i, text in enumerate(texts):
            if self._contents.holds_control(text):
                encoded[i] = self._contents.encode(text)
        choices = tuple((*ids, self.end_of_turn) for ids in encoded)
        pair = alike(choices)
        if pair is not None and texts[pair[0]] != texts[pair[1]]:
            one, other = (texts[i] for i in pair)
            raise InfrastructureError(
                f"the tokenizer in {self._template.folder} writes {one!r} and {other!r} alike, so the model cannot "
                "choose between them; use decode=free, or a model whose tokenizer has their characters"
            )
        return choices

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
        first = self._first_len(leading, prompt_date())
        return len(first) if prompt_ids[: len(first)] == first else common_prefix(first, prompt_ids)

    def _measure_first(self, leading: _Leading, _day: date) -> tuple[int, ...]:
        """Returns the common prefix of two chats that differ in the user message after `leading`, on a day."""
        chat = [ChatMessage(role=role, content=content) for role, content in leading]
        one, two = (self.encode_chat([*chat, ChatMessage(role="user", content=content)]) for content in ("A", "7"))
        return one[: common_prefix(one, two)]

    def _ids_of(self, text: str) -> list[int]:
        """Returns the ids of what a template has written: it has written the first token of a text itself."""
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _find_end(self, stops: Sequence[int]) -> int:
        """Returns the token that the template writes after an answer if it ends a turn, else the first of `stops`."""
        special = (set(self.tokenizer.all_special_ids) | set(stops)) - {self.tokenizer.unk_token_id}
        for token in self._ids_of(self._template.after_answer()):
            if token in special:
                return token
        if not stops:
            raise InputError(
                f"the tokenizer in {self._template.folder} has no token that ends an answer; set eos_token in its "
                "tokenizer_config.json, or eos_token_id in generation_config.json"
            )
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
