r"""Parses a model's own text into an action.

An answer has one of four forms: `\boxed{action}`, a JSON object `{"action": ...}`, a last line `Action: action`
(also `Answer:`, `Final answer:`, `Move:`), or the bare action as the last line. Precedence:

1. Private reasoning and text after the end of the turn are removed first.
2. Of the explicit answers (boxed, JSON, labelled last line) the one that ends last counts; of nested answers the
   outermost. Prose after it is ignored, and so are earlier explicit answers, even if the last one is illegal.
3. Without an explicit answer the whole last line is the answer: an action named in a sentence is not an answer.
"""

from __future__ import annotations

from roles.parsing._answers import explicit, last_line, whole
from roles.parsing._matching import Ambiguous, match, undressed
from roles.privacy import own_words, visible
from roles.types import Answer, ParseError

LEGAL_HINT = "; legal now: "
_READ = 100_000  # characters, from the end
_SHOWN = 8


def parse(text: str, legal: tuple[str, ...] | None, answer: Answer | None = None) -> str:
    """The action in `text`: one of `legal`, or free text if `legal` is None. Raises only ParseError.

    All four forms are accepted, whichever was requested. `answer="bare"` means that a free text without an explicit
    answer is the whole text, not just its last line. Takes time linear in the length of the text.
    """
    if legal is not None and text in legal:
        return text
    said, cut = own_words(text)
    said = said.strip()
    if not said:
        raise _nothing(text, cut)
    said = said[-_READ:]
    if legal is not None and said in legal:
        return said
    found = explicit(said)
    if found is not None and found.content is None:
        raise ParseError("your answer was cut off before it was complete", "truncated")
    content = found.content if found else said if answer == "bare" and legal is None else last_line(said)
    content = _unwrapped(content or "", legal)
    if not content.strip():
        raise ParseError("your answer names no action", "unparsable")
    if legal is None:
        return _free(content)
    return _legal(content, legal, marked=found is not None)


def _nothing(text: str, cut: bool) -> ParseError:
    if cut:
        return ParseError("your reasoning did not end, so no answer was given", "truncated")
    if text.strip():
        return ParseError("your answer contains only hidden reasoning and no action", "empty")
    return ParseError("your answer was empty", "empty")


def _unwrapped(content: str, legal: tuple[str, ...] | None) -> str:
    """The innermost content of nested forms, such as a box in a JSON string."""
    for _ in range(4):
        inner = None if legal is not None and content in legal else whole(content)
        if inner is None:
            break
        content = inner
    return content


def _free(content: str) -> str:
    action = undressed(visible(content))
    if not action:
        raise ParseError("your answer contains only hidden reasoning and no action", "empty")
    return action


def _legal(content: str, legal: tuple[str, ...], marked: bool) -> str:
    try:
        action = match(content, legal)
    except Ambiguous as error:
        options = " or ".join(map(repr, error.options[:_SHOWN]))
        raise ParseError(f"{_clip(content)!r} could mean {options}; write one of them exactly", "illegal") from None
    if action is not None:
        return action
    if not marked and len(content.split()) > 2 + max((len(a.split()) for a in legal), default=0):
        raise ParseError("no action could be read from your answer" + _hint(legal), "unparsable")
    raise ParseError(f"{_clip(content)!r} is not a legal action" + _hint(legal), "illegal")


def _hint(legal: tuple[str, ...]) -> str:
    if not legal:
        return ""
    more = f" and {len(legal) - _SHOWN:,} more" if len(legal) > _SHOWN else ""
    return LEGAL_HINT + ", ".join(legal[:_SHOWN]) + more


def _clip(content: str) -> str:
    content = " ".join(content.split())
    return content if len(content) <= 60 else content[:57] + "..."
