"""Other moves for a recorded turn: what a seat could have done instead, as similar as possible first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from games.conformance.play import Trace
from games.conformance.subject import Subject
from games.game import Seat, TextGame

MAX_ALTERNATIVES = 6
WORD = re.compile(r"\w+")
GENERIC = ("zebra", "quartz lamp", "7", "31", "I keep the blue one.")
"""texts for a free-text turn with fewer than three examples"""


def alternatives(subject: Subject, game: TextGame, trace: Trace, turn: int, seat: Seat) -> list[str]:
    """Returns other actions of an acting seat, the most similar to the recorded one first.

    On a free-text turn these are the examples, what the seat wrote in other matches, and the recorded message with one
    word of the seat's new secrets replaced.
    """
    played, position = trace.moves[turn][seat], trace.positions[turn]
    listed = position.legal[seat]
    texts = list(listed or game.examples(seat))
    if listed is None:
        texts += [t.moves[turn][seat] for t in subject.traces[:40] if len(t.moves) > turn and seat in t.moves[turn]]
        texts += [*_replaced(played, _new_words(trace, turn, seat)), *GENERIC]
    others = [text for text in dict.fromkeys(texts) if text != played]
    return sorted(others, key=lambda text: sum(word_changes(played, text).values()))[:MAX_ALTERNATIVES]


def word_changes(a: str, b: str) -> Counter[str]:
    """Returns the words of one text that the other lacks, in both directions, with their numbers."""
    one, other = Counter(words(a)), Counter(words(b))
    return (one - other) + (other - one)


def words(text: str) -> list[str]:
    """Returns the words and numbers of a text, without case."""
    return WORD.findall(text.casefold())


def secrets_later(trace: Trace, turn: int, seat: Seat) -> tuple[str, ...]:
    """Returns the secrets that the seat gains after a turn: those it did not have before its move."""
    before = trace.positions[turn].secrets[seat]
    after = (s for position in trace.positions[turn + 1 :] for s in position.secrets[seat])
    return tuple(dict.fromkeys(s for s in after if s not in before))


def _new_words(trace: Trace, turn: int, seat: Seat) -> set[str]:
    return {word for secret in secrets_later(trace, turn, seat) for word in words(secret)}


def _replaced(text: str, hidden: set[str]) -> Iterator[str]:
    """Yields the text with one secret word replaced by another of its kind, the last words first."""
    for match in reversed([m for m in WORD.finditer(text) if m[0].casefold() in hidden]):
        for other in _of_its_kind(match[0]):
            yield text[: match.start()] + other + text[match.end() :]


def _of_its_kind(word: str) -> Sequence[str]:
    if word.isdecimal():
        return str(int(word) + 1), str(max(0, int(word) - 1))
    return "zebra", "quartz"
