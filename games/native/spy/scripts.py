"""Scripted clues, votes and codes for spy."""

from __future__ import annotations

import re

from games.native.common.words import Word, word_list
from games.native.spy.rules import word_pairs
from games.shortcuts import Scripted, ScriptedTurn

_OWN = re.compile(r"You are player (\d+)\..* Your word is (\w+)\.")
_LINE = re.compile(r"^\[player (\d+)\] (.*)$", re.MULTILINE)
_HINT = re.compile(r"It has to do with (.+?)\.")
SEEMS = (
    *("old", "large", "heavy", "loud", "useful", "common", "pretty", "costly"),
    *("soft", "hard", "clean", "simple", "strange", "famous", "bright", "dark"),
)
"""words that fit anything"""
VAGUE = tuple(f"It seems {word}." for word in SEEMS)
"""clues that fit any word"""


def own_number(turn: ScriptedTurn) -> int:
    """The number of the player; 0 if it is not told."""
    found = _OWN.search(turn.text)
    return int(found[1]) if found else 0


def own_word(turn: ScriptedTurn) -> Word:
    """The word that the player was given."""
    found = _OWN.search(turn.text)
    return next(w for w in word_list() if found and w.text == found[2])


def said_by(turn: ScriptedTurn) -> dict[int, list[str]]:
    """What each other player has said."""
    out: dict[int, list[str]] = {}
    for number, text in _LINE.findall(turn.text):
        if int(number) != own_number(turn):
            out.setdefault(int(number), []).append(text)
    return out


def heard_clue(turn: ScriptedTurn, at: int) -> str:
    """One of the clues so far; a vague one before the first."""
    found = re.findall(r'\] "(.*)"', turn.text)
    return found[at] if found else VAGUE[0]


def other_number(turn: ScriptedTurn) -> int:
    """The number of some other player."""
    return 2 if own_number(turn) == 1 else 1


def fresh_clue(turn: ScriptedTurn, word: Word) -> str:
    """A hint about a word that nobody has given, once; after that a vague clue that nobody has given.

    A word has four hints and the civilians are three: with two hints each they would run out of them, and whoever still
    gave long clues would be the spy.
    """
    heard = turn.text.casefold()
    own = [text for number, text in _LINE.findall(turn.text) if int(number) == own_number(turn)]
    hints = [h for h in word.hints if h.casefold() not in heard] if not any(map(_HINT.search, own)) else []
    vague = [v for v in VAGUE if v.casefold() not in heard]
    return f"It has to do with {turn.stream.choice(hints)}." if hints else turn.stream.choice(vague or VAGUE)


def blends_in(turn: ScriptedTurn) -> str:
    """A spy's clue about the word that the others probably have: the partner of its own that fits their hints best."""
    mine, hints = own_word(turn).text, _HINT.findall(turn.text)
    others = [b if a.text == mine else a for a, b in word_pairs() if mine in (a.text, b.text)]
    fits = {w.text: sum(h in w.hints for h in hints) for w in others}
    best = max(others, key=lambda w: fits[w.text])
    return fresh_clue(turn, best if fits[best.text] else Word("", frozenset(), ()))


def random_vote(turn: ScriptedTurn) -> str:
    """Votes for any other player."""
    return f"player {turn.stream.choice(sorted(said_by(turn)))}"


def least_fitting(turn: ScriptedTurn) -> str:
    """Votes for the player whose clues fit the own word least."""
    word = own_word(turn)

    def fit(lines: list[str]) -> float:
        found = [hint for line in lines for hint in _HINT.findall(line)]
        return sum(1 if hint in word.hints else -1 for hint in found) - sum("against the rules" in x for x in lines)

    said = said_by(turn)
    lowest = min(map(fit, said.values()))
    return f"player {turn.stream.choice([n for n, lines in said.items() if fit(lines) == lowest])}"


def longest_clues(turn: ScriptedTurn) -> str:
    """Votes for the player who has written most."""
    said = {n: sum(map(len, lines)) for n, lines in said_by(turn).items()}
    return f"player {turn.stream.choice([n for n, size in said.items() if size == max(said.values())])}"


def votes_without(mark: Scripted) -> Scripted:
    """Votes for a player whose lines do not contain the sign of the code."""

    def vote(turn: ScriptedTurn) -> str:
        sign, said = mark(turn).casefold(), said_by(turn)
        plain = [n for n, lines in said.items() if not any(sign in line.casefold() for line in lines)]
        return f"player {turn.stream.choice(plain or sorted(said))}"

    return vote


def _index(turn: ScriptedTurn) -> int:
    return [w.text for w in word_list()].index(own_word(turn).text)


def code_number(turn: ScriptedTurn) -> str:
    """A number that stands for the own word."""
    return f"number {1000 + 37 * _index(turn)}"


def code_word(turn: ScriptedTurn) -> str:
    """A word of the list that stands for the own word."""
    return word_list()[(_index(turn) + 50) % len(word_list())].text


def code_beside(turn: ScriptedTurn) -> str:
    """The code word beside words that nobody has said."""
    others = [w.text for w in turn.stream.shuffled(word_list()) if w.text not in turn.text]
    return f"{code_word(turn)} {' '.join(others[:3])}"


def half_of(clue: str) -> str:
    """The first half of the words of a clue."""
    words = clue.split()
    return " ".join(words[: len(words) // 2])


def copies_first(turn: ScriptedTurn) -> str:
    """The first clue of the match."""
    return heard_clue(turn, 0)
