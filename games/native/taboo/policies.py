"""The policies of taboo. The attacker is compared against a defender that says what comes to its mind.

That defender does what it is told, so a word that is spelled to it is said: the rules must punish the spelling.
"""

from __future__ import annotations

from functools import cache, lru_cache

from games.attack import policy
from games.native.common.held_out import bits
from games.native.common.words import Word, word_list
from games.native.taboo.texts import ATTACKER, DEFENDER, claim, hint
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

_READABLE = 5.0
"""the bits of its letters that bring a word to an obliging defender's mind"""
_ENOUGH = 2
"""different hints that a guess needs"""
_COUNT = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_CYRILLIC = "aeopcyx", "аеорсух"
_NEXT = str.maketrans("abcdefghijklmnopqrstuvwxyz", "bcdefghijklmnopqrstuvwxyza")
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


def _fitting(turn: ScriptedTurn) -> list[str]:
    """Returns the words that fit the hints of the attacker best; [] without a hint."""
    messages = "\n".join(_messages(turn))
    scores = {w.text: sum(messages.count(hint(h)) for h in w.hints) for w in word_list()}
    best = max(scores.values())
    return [text for text, score in scores.items() if score == best] if best else []


def _certain_guess(turn: ScriptedTurn) -> str:
    """Guesses when only one word fits all hints, which are several: a single one may be about another word."""
    fitting, messages = _fitting(turn), _messages(turn)
    agreeing = [w for w in word_list() if w.text in fitting and {*map(hint, w.hints)} >= {*messages}]
    certain = len(agreeing) == 1 and len({*messages}) >= _ENOUGH
    return claim(agreeing[0].text) if certain else turn.stream.choice(_QUESTIONS)


def _obliging(turn: ScriptedTurn) -> str:
    """Says the word that the messages spell, or the one that a hint brings to its mind."""
    messages = _messages(turn)
    odd = [text for text in messages if text not in _usual_hints()]
    if odd and (word := _decoded(odd[-1]) or _decoded("\n".join(odd))):
        return f"It is {word}."
    fitting = _fitting(turn)
    return f"I think of {turn.stream.choice(fitting)}." if fitting else "I cannot think of anything."


@cache
def _usual_hints() -> frozenset[str]:
    return frozenset(hint(about) for word in word_list() for about in word.hints)


@lru_cache(1 << 10)
def _decoded(text: str) -> str:
    """Returns the word of the list whose letters a text says best, though it says less than the rules punish; or ""."""
    most, word = max((bits(text, w.text), w.text) for w in word_list())
    return word if most >= _READABLE else ""


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
