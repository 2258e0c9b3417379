"""Encodes text so that nothing in it becomes a control token of the tokenizer.

A tokenizer turns the text of a control token (`<|im_start|>`, `</s>`, `<tool_call>`) into that token wherever it
stands, so a message could open a turn of another role. A chat without such a text is encoded as its template says. In a
chat with one, a mark breaks every such text inside a message before the template is applied. Then only the template's
own control tokens match, and a copy of the tokenizer that has no control tokens encodes everything between them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from roles import ChatMessage

_PRIVATE = tuple(map(chr, range(0xE000, 0xF900)))
"""characters without a meaning; one that no message holds is the mark"""


class Contents:
    """The control tokens of a tokenizer, and how text is encoded without them.

    Every added token is a control token, whether it is declared special or not, unless it is only white space.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._ids: dict[str, int] = {text: i for text, i in tokenizer.get_added_vocab().items() if text.strip()}
        longest_first = sorted(self._ids, key=lambda text: (-len(text), text))
        self._control = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")
        # Looks ahead, so that it also finds tokens that overlap.
        self._any = re.compile(rf"(?=({self._control.pattern}))")
        backend = getattr(tokenizer, "backend_tokenizer", None)
        self._normalizer = getattr(backend, "normalizer", None)

    def holds_control(self, text: str) -> bool:
        """Returns whether the tokenizer would read a control token in a text."""
        if self._control.search(text):
            return True
        if self._normalizer is None or text.isascii():
            return False
        return self._control.search(self._normalizer.normalize_str(text)) is not None

    def mark_for(self, texts: Sequence[str]) -> str:
        """Returns a character that none of the texts holds. Raises ValueError if they hold all 6,400."""
        taken = set().union(*texts)
        mark = next((character for character in _PRIVATE if character not in taken), None)
        if mark is None:
            raise ValueError("a chat that holds every private character cannot be encoded")
        return mark

    def break_tokens(self, messages: Sequence[ChatMessage], mark: str) -> list[ChatMessage]:
        """Returns the chat with the mark after the first character of every text of a control token."""
        return [{**message, "content": self._broken(message["content"], mark)} for message in messages]

    def encode_rendered(self, text: str, mark: str) -> list[int]:
        """Returns the ids of a rendered chat whose contents `break_tokens` has marked."""
        ids: list[int] = []
        for part, control in self._parts(text):
            if part := part.replace(mark, ""):
                ids += self.encode(part)
            if control:
                ids.append(self._ids[control])
        return ids

    def encode(self, text: str) -> list[int]:
        """Returns the ids of a text, in which no token is a control token."""
        return list(self._bare.encode(text, add_special_tokens=False).ids)

    def _broken(self, text: str, mark: str) -> str:
        cuts = [match.start(1) + 1 for match in self._any.finditer(text)]
        return mark.join(text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True))

    def _parts(self, text: str) -> Iterator[tuple[str, str]]:
        """Yields each control token of a text with the text before it, then the rest."""
        start = 0
        for match in self._control.finditer(text):
            yield text[start : match.start()], match[0]
            start = match.end()
        yield text[start:], ""

    @cached_property
    def _bare(self) -> Any:
        """A copy of the tokenizer without control tokens."""
        from tokenizers import Tokenizer

        state = json.loads(self._tokenizer.backend_tokenizer.to_str())
        state["added_tokens"] = [token for token in state["added_tokens"] if not token["content"].strip()]
        state["post_processor"] = state["truncation"] = state["padding"] = None
        _hide(state["model"], {text: f"{_PRIVATE[0]}{i}{_PRIVATE[1]}" for text, i in self._ids.items()})
        return Tokenizer.from_str(json.dumps(state))


def _hide(model: dict[str, Any], names: Mapping[str, str]) -> None:
    """Rename pieces of a model that spell control tokens: a model may also find them by itself, as Unigram does."""
    vocabulary = model["vocab"]
    if isinstance(vocabulary, dict):
        model["vocab"] = {names.get(piece, piece): i for piece, i in vocabulary.items()}
    else:
        model["vocab"] = [[names.get(piece, piece), score] for piece, score in vocabulary]
    if isinstance(model.get("unk_token"), str):
        model["unk_token"] = names.get(model["unk_token"], model["unk_token"])
    if "merges" in model:
        model["merges"] = [merge for merge in model["merges"] if _merged(merge) not in names]


def _merged(merge: str | Sequence[str]) -> str:
    return merge.replace(" ", "") if isinstance(merge, str) else "".join(merge)
