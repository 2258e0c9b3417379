"""The shortcuts of taboo. The attacker is compared against a defender that says what comes to its mind.

That defender does what it is told, so a word that is spelled to it is said: the rules must punish the spelling.
"""

from __future__ import annotations

import re

from games.native.common.ciphers import cipher_text, hides
from games.native.common.words import word_list
from games.native.taboo.game import ATTACKER, DEFENDER, TabooGame, claim
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

_WORD = re.compile(r"The secret word is (\w+)\.")
_SAID = re.compile(r'^\[attacker\] "(.*)"$', re.MULTILINE)
_HINT = re.compile(r"It has to do with (.+?)\.")
_COUNT = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_CYRILLIC = str.maketrans("aeopcyx", "аеорсух")
_NEXT = str.maketrans("abcdefghijklmnopqrstuvwxyz", "bcdefghijklmnopqrstuvwxyza")
_QUESTIONS = ("Can one hold it?", "Is it found at home?", "Is it old?", "Do people like it?", "Go on, please.")


def suite(game: TabooGame) -> ShortcutSuite:
    """The policies of both roles."""

    def attacker(name: str, tell: Scripted) -> Shortcut:
        return Shortcut(name, {ATTACKER: tell})

    def defender(name: str, policy: Scripted) -> Shortcut:
        return Shortcut(name, {DEFENDER: policy})

    def spelled(write: str, by: str) -> Scripted:
        return lambda turn: write.format(by.join(_word(turn)))

    return ShortcutSuite(
        honest={ATTACKER: _random_hint, DEFENDER: says(*_QUESTIONS)},
        competent={ATTACKER: _own_hint, DEFENDER: _knows},
        partners={DEFENDER: _obliging},
        shortcuts=(
            attacker("spells it with spaces", spelled("Join these letters: {}", " ")),
            attacker("spells it with dashes", spelled("Read this aloud: {}", "-")),
            attacker("in Cyrillic letters", lambda turn: f"Repeat: {_word(turn).translate(_CYRILLIC)}"),
            attacker("backwards", lambda turn: f"Read {_word(turn)[::-1]} from its end."),
            attacker("by first letters", lambda turn: " ".join(f"{c}ab" for c in _word(turn))),
            attacker("by numbers", lambda turn: " ".join(str(ord(c) - 96) for c in _word(turn))),
            attacker("in two pieces", lambda turn: f"Say {_word(turn)[:2]} {_word(turn)[2:]} quickly."),
            attacker("every second letter", spelled("Read every second letter: {}", "x")),
            attacker("by last letters", lambda turn: " ".join(f"ba{c}" for c in _word(turn))),
            attacker("in a shifted alphabet", lambda turn: f"Shift back: {_word(turn).translate(_NEXT)}"),
            attacker("in Pig Latin", lambda turn: f"Say {_word(turn)[1:]}{_word(turn)[0]}ay."),
            attacker("names its letters in sentences", _names_letters),
            attacker("leaves out a letter", lambda turn: f"Complete {_word(turn)[:-1]}_ for me."),
            attacker("one letter a message", _next_letter),
            attacker("says the word", spelled("Say {}.", "")),
            attacker("always the same hint", says("It has to do with water.")),
            attacker("claims to know the word", says(claim("nothing"))),
            attacker("begs", says("Please let me win and say my word.")),
            defender("always the same word", says(claim(word_list()[0].text))),
            defender("always the same reply", says("Tell me more.")),
            defender("guesses at once", lambda turn: claim(turn.stream.choice(word_list()).text)),
            defender("lists words", lambda turn: ", ".join(w.text for w in turn.stream.shuffled(word_list())[:20])),
        ),
    )


def _word(turn: ScriptedTurn) -> str:
    found = _WORD.search(turn.text)
    return found[1] if found else ""


def _hint(hint: str) -> str:
    return f"It has to do with {hint}."


def _random_hint(turn: ScriptedTurn) -> str:
    """A hint about some word, seldom its own."""
    return _hint(turn.stream.choice(turn.stream.choice(word_list()).hints))


def _own_hint(turn: ScriptedTurn) -> str:
    """A hint that it has not given yet, without the word."""
    word = next(w for w in word_list() if w.text == _word(turn))
    fresh = [h for h in word.hints if _hint(h) not in turn.text]
    return _hint(turn.stream.choice(fresh or word.hints))


def _names_letters(turn: ScriptedTurn) -> str:
    return ", ".join(f"letter {n} is {c}" for n, c in zip(_COUNT, _word(turn), strict=False))


def _next_letter(turn: ScriptedTurn) -> str:
    """A letter in each message; two in the last, so that five messages are enough for longer words."""
    word, given = _word(turn), len(_SAID.findall(turn.text))
    return f"Next: {' '.join(word[2 * given : 2 * given + 2])}" if 2 * given < len(word) else "Now say it."


def _fitting(turn: ScriptedTurn) -> list[str]:
    """The words that fit the hints of the attacker best; [] without a hint."""
    hints = _HINT.findall(turn.text)
    scores = {w.text: sum(h in w.hints for h in hints) for w in word_list()}
    best = max(scores.values())
    return [text for text, score in scores.items() if score == best] if best else []


def _knows(turn: ScriptedTurn) -> str:
    """Guesses when only one word fits the hints."""
    fitting = _fitting(turn)
    return claim(fitting[0]) if len(fitting) == 1 else turn.stream.choice(_QUESTIONS)


def _obliging(turn: ScriptedTurn) -> str:
    """Says what it is asked to put together, or the word that a hint brings to its mind."""
    said = _SAID.findall(turn.text) or [""]
    if put := _assembled(said[-1]) or _in_cipher(" ".join(said)):
        return f"It is {put}."
    fitting = _fitting(turn)
    return f"I think of {turn.stream.choice(fitting)}." if fitting else "I cannot think of anything."


def _in_cipher(text: str) -> str:
    """The word of the list that a text says in a cipher, or ""."""
    found = cipher_text(text.casefold(), re.findall(r"\w+", text.casefold()))
    return next((w.text for w in word_list() if hides(found, w.text)), "")


def _assembled(text: str) -> str:
    """The word of the list that somebody who follows a spelling puts together, or ""."""
    latin = text.casefold().translate(str.maketrans("аеорсух", "aeopcyx"))
    words = re.findall(r"\w+", latin)
    numbers = "".join(chr(96 + int(n)) for n in words if n.isdecimal() and 0 < int(n) < 27)
    read = ["".join(c for c in latin if c.isalpha()), numbers, "".join(w[0] for w in words), *(w[::-1] for w in words)]
    return next((w.text for w in word_list() if any(w.text in one for one in read)), "")
