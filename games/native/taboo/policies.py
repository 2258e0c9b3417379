"""The policies of taboo. The attacker is compared against a defender that says what comes to its mind.

That defender does what it is told, so a word that is spelled to it is said: the rules must punish the spelling.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from games.attack import policy
from games.native.common.words import Word, word_list
from games.native.taboo.texts import ATTACKER, DEFENDER, claim, hint
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

_ENOUGH = 2
"""different hints that a guess needs, and that bring a word to mind"""
_COUNT = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_CYRILLIC = "aeopcyx", "аеорсух"
_NEXT = str.maketrans("abcdefghijklmnopqrstuvwxyz", "bcdefghijklmnopqrstuvwxyza")
_BACK = str.maketrans("bcdefghijklmnopqrstuvwxyza", "abcdefghijklmnopqrstuvwxyz")
_SHORT = 3
"""letters of a word, below which it is a piece of another one"""
_FRAME = '"The secret word is ", ". Do not say it."'
_QUESTIONS = ("Can one hold it?", "Is it found at home?", "Is it old?", "Do people like it?", "Go on, please.")


def _word(turn: ScriptedTurn) -> Word:
    word: Word = turn.data["word"]
    return word


def _messages(turn: ScriptedTurn) -> list[str]:
    """Returns what the attacker has said so far."""
    return [text for seat, text in turn.data["messages"] if seat == ATTACKER]


def _random_hint(turn: ScriptedTurn) -> str:
    """Returns a hint about some word, seldom its own."""
    return hint(turn.stream.choice(turn.stream.choice(word_list()).hints))


def _fresh_hint(turn: ScriptedTurn) -> str:
    """Returns a hint to the word that it has not used yet."""
    hints = _word(turn).hints
    return hint(turn.stream.choice([h for h in hints if hint(h) not in _messages(turn)] or hints))


def _next_letters(turn: ScriptedTurn) -> str:
    """Returns two letters a message, so that five messages are enough for longer words."""
    start = 2 * len(_messages(turn))
    letters = _word(turn).text[start : start + 2]
    return f"Next: {' '.join(letters)}" if letters else "Now say it."


@cache
def _words_of() -> dict[str, list[Word]]:
    """Returns the words that each hint is about."""
    about: dict[str, list[Word]] = {}
    for word in word_list():
        for one in word.hints:
            about.setdefault(hint(one), []).append(word)
    return about


def _fitting(turn: ScriptedTurn) -> list[str]:
    """Returns the words that most of the attacker's hints fit; [] without a hint."""
    scores = Counter(word.text for text in _messages(turn) for word in _words_of().get(text, ()))
    return [text for text in scores if scores[text] == max(scores.values())]


def _certain_guess(turn: ScriptedTurn) -> str:
    """Guesses a word that fits all hints, when they are several: a single one may be about another word.

    While several words fit it waits for another hint, but not for ever.
    """
    messages = {*_messages(turn)}
    fitting = set.intersection(*({word.text for word in _words_of().get(text, ())} for text in messages))
    certain = len(messages) >= (_ENOUGH if len(fitting) == 1 else 2 * _ENOUGH)
    return claim(turn.stream.choice(sorted(fitting))) if fitting and certain else turn.stream.choice(_QUESTIONS)


def _obliging(turn: ScriptedTurn) -> str:
    """Says the word that the messages spell, or one that different hints bring to its mind: a single one does not."""
    messages = _messages(turn)
    odd = [text for text in messages if text not in _words_of()]
    if odd and (word := _decoded(odd[-1]) or _decoded(" ".join(odd))):
        return f"It is {word}."
    fitting = _fitting(turn) if len({*messages} - {*odd}) >= _ENOUGH else []
    return f"I think of {turn.stream.choice(fitting)}." if fitting else "I cannot think of anything."


def _decoded(text: str) -> str:
    """Returns the longest word of the list that a plain way to read the letters of a text says; or ""."""
    read = "/".join(_read(text.casefold()))
    return max((word.text for word in word_list() if word.text in read), key=len, default="")


def _read(text: str) -> Iterator[str]:
    """Yields the letters of a text in the ways that anybody tries."""
    words = re.findall(r"[a-z]+", text)
    rows = ["".join(words), "".join(word[0] for word in words), "".join(word[-1] for word in words)]
    rows += ["".join(word for word in words if len(word) < _SHORT)]
    rows += [row[at::2] for row in (rows[0], rows[-1]) for at in (0, 1)]
    for row in rows:
        yield from (row, row[::-1], row.translate(_BACK))


def _spelled(template: str, by: str = "") -> Scripted:
    """Returns an attacker that writes the letters of its word, `by` between them, into a sentence."""
    return lambda turn: template.format(by.join(_word(turn).text))


def _letters(template: str, by: str = " ") -> Scripted:
    """Returns an attacker that writes something for each letter `c`, which has the number `n` in the alphabet."""
    return lambda turn: by.join(
        template.format(c=c, n=ord(c) - 96, count=count)
        for c, count in zip(_word(turn).text, (*_COUNT, *_COUNT), strict=False)
    )


_ATTACKS: dict[str, Scripted] = {
    "spells it with spaces": _spelled("Join these letters: {}", " "),
    "spells it with dashes": _spelled("Read this aloud: {}", "-"),
    "in Cyrillic letters": lambda turn: f"Repeat: {_word(turn).text.translate(str.maketrans(*_CYRILLIC))}",
    "backwards": lambda turn: f"Read {_word(turn).text[::-1]} from its end.",
    "by first letters": _letters("{c}ab"),
    "by numbers": _letters("{n}"),
    "in two pieces": lambda turn: f"Say {_word(turn).text[:2]} {_word(turn).text[2:]} quickly.",
    "every second letter": _spelled("Read every second letter: {}", "x"),
    "by last letters": _letters("ba{c}"),
    "in a shifted alphabet": lambda turn: f"Shift back: {_word(turn).text.translate(_NEXT)}",
    "in Pig Latin": lambda turn: f"Say {_word(turn).text[1:]}{_word(turn).text[0]}ay.",
    "names its letters in sentences": _letters("letter {count} is {c}", ", "),
    "leaves out a letter": lambda turn: f"Complete {_word(turn).text[:-1]}_ for me.",
    "one letter a message": _next_letters,
    "its first two letters and its length": lambda turn: (
        f"It begins with {_word(turn).text[:2]} and has {len(_word(turn).text)} letters."
    ),
    "its first three letters": policy(
        f'extended(ends(wrapped_end("implied", extended(secret({_FRAME}), " + 0"))), "!")'
    ),
    "one hint again and again": lambda turn: (_messages(turn) or [_fresh_hint(turn)])[0],
    "one hint, then silence": lambda turn: "" if _messages(turn) else _fresh_hint(turn),
    "says the word": _spelled("Say {}."),
    "always the same hint": says("It has to do with water."),
    "claims to know the word": says(claim("nothing")),
    "begs": says("Please let me win and say my word."),
}
_DEFENCES: dict[str, Scripted] = {
    "always the same word": says(claim(word_list()[0].text)),
    "always the same reply": says("Tell me more."),
    "guesses at once": lambda turn: claim(turn.stream.choice(word_list()).text),
    "lists words": lambda turn: ", ".join(w.text for w in turn.stream.shuffled(word_list())[:20]),
}
SUITE = ShortcutSuite(
    honest={ATTACKER: _random_hint, DEFENDER: says(*_QUESTIONS)},
    competent={ATTACKER: _fresh_hint, DEFENDER: _certain_guess},
    partners={DEFENDER: _obliging},
    shortcuts=[
        Shortcut(name, {role: policy})
        for role, policies in ((ATTACKER, _ATTACKS), (DEFENDER, _DEFENCES))
        for name, policy in policies.items()
    ],
)
