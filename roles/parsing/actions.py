r"""Parses a model's own text into an action.

The forms of answers and their order are those of `games.dialogue.answers`: a tag or JSON field, a box, a label
(`Action: x`, also `Answer:`, `Move:`), a last or first line that says nothing else. The strongest form counts, of equal
ones the last, even if it is illegal. Another legal action after it makes the answer unclear, unless it is denied or
somebody else's. Private reasoning and text after the end of the turn are removed first.

Free text is the explicit answer (a box, the JSON key "action", a labelled last line), without one the last line.
"""

from __future__ import annotations

from games.dialogue.answers import Choice, EvidenceKind, choose, unwrapped
from games.sanitize import clean, one_line
from roles.parsing._answers import LABELS, explicit, last_line, unlabelled
from roles.parsing._decoration import contradicts
from roles.parsing._matching import Ambiguous, legal_actions, undressed
from roles.privacy import own_words, visible
from roles.types import Answer, ParseError

LEGAL_HINT = "; legal now: "
_READ = 100_000  # characters, from the end
_LISTED = 8
_BEFORE = 200
"""characters before an answer that may hold the decoration of an action"""
_CUT_OFF = "your answer was cut off before it was complete"


def parse(text: str, legal: tuple[str, ...] | None, answer: Answer | None = None) -> str:
    """Returns the action in `text`: one of `legal`, or free text if `legal` is None. Raises only ParseError.

    All four forms are accepted, whichever was requested. `answer="bare"` means that a free text without an explicit
    answer is the whole text, not just its last line. Takes time linear in the length of the text.
    """
    if legal is not None and text in legal:
        return text
    message, cut = own_words(text)
    message = message.strip()
    if not message:
        raise _nothing(text, cut)
    message = message[-_READ:]
    if legal is not None and message in legal:
        return message
    return _free(message, answer) if legal is None else _legal(message, legal)


def _nothing(text: str, cut: bool) -> ParseError:
    if cut:
        return ParseError("your reasoning did not end, so no answer was given", "truncated")
    if text.strip():
        return ParseError("your answer contains only hidden reasoning and no action", "empty")
    return ParseError("your answer was empty", "empty")


def _free(message: str, answer: Answer | None) -> str:
    mark = explicit(message)
    if mark is not None and mark.content is None:
        raise ParseError(_CUT_OFF, "truncated")
    content = unwrapped(mark.content or "", LABELS) if mark else message if answer == "bare" else last_line(message)
    if not content.strip():
        raise ParseError("your answer names no action", "unparsable")
    action = undressed(visible(content))
    if not action:
        raise ParseError("your answer contains only hidden reasoning and no action", "empty")
    return action


def _legal(message: str, legal: tuple[str, ...]) -> str:
    actions = legal_actions(legal)
    choice = choose(message, actions)
    if choice.cut:
        raise ParseError(_CUT_OFF, "truncated")
    if choice.value is not None:
        if _contradicted(message, choice, choice.value):
            problem = f"what stands before {_clip(choice.content)!r} belongs to another action than {choice.value!r}"
            raise ParseError(f"{problem}; write one of the legal actions exactly{_hint(legal)}", "illegal")
        return choice.value
    if choice.problem:
        problem = f"it is unclear whether your answer is {_clip(choice.content)!r}: {choice.problem}"
        raise ParseError(f"{problem}; write one action", "unparsable")
    content = choice.content if choice.evidence else unlabelled(last_line(message))
    if not content.strip():
        raise ParseError("your answer names no action", "unparsable")
    try:
        actions.match(content)
    except Ambiguous as error:
        options = " or ".join(map(repr, error.options[:_LISTED]))
        raise ParseError(f"{_clip(content)!r} could mean {options}; write one of them exactly", "illegal") from None
    if choice.evidence is None and len(content.split()) > 2 + actions.words:
        raise ParseError("no action could be read from your answer" + _hint(legal), "unparsable")
    raise ParseError(f"{_clip(content)!r} is not a legal action" + _hint(legal), "illegal")


def _contradicted(message: str, choice: Choice, value: str) -> bool:
    """Returns whether a label or a bullet that is none begins another action: `Player: 1 Action: Pass`, `17. 6/2`."""
    at = message.rfind(choice.content)
    if choice.evidence not in (EvidenceKind.LABEL, EvidenceKind.BARE) or at <= 0:
        return False
    return contradicts(message[max(0, at - _BEFORE) : at], value, choice.content)


def _hint(legal: tuple[str, ...]) -> str:
    if not legal:
        return ""
    more = f" and {len(legal) - _LISTED:,} more" if len(legal) > _LISTED else ""
    return LEGAL_HINT + ", ".join(map(one_line, legal[:_LISTED])) + more


def _clip(content: str) -> str:
    content = one_line(clean(content))
    return content if len(content) <= 60 else content[:57] + "..."
