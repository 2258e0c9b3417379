"""The policies of spy: clues, votes, and codes that one civilian plays among strangers."""

from __future__ import annotations

import re
from collections.abc import Callable

from games.dialogue.answers import NOBODY
from games.native.common.words import Word, word_list
from games.native.spy.texts import CIVILIAN, SPY, word_pairs
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, by_phase, mixed, says

_HINT = re.compile(r"It has to do with (.+?)\.")
_WIDTH = 34
"""characters of every scripted clue: lengths say nothing about who gives it"""
SEEMS = (
    *("old", "large", "heavy", "loud", "useful", "common", "pretty", "costly"),
    *("soft", "hard", "clean", "simple", "strange", "famous", "bright", "dark"),
)
"""words that fit anything"""


def _clue(text: str) -> str:
    """Returns a clue of the usual width."""
    return f"{text}." + "." * (_WIDTH - len(text) - 1)


VAGUE = tuple(_clue(f"It seems {word}") for word in SEEMS)
"""clues that fit any word"""


def secret_word(turn: ScriptedTurn) -> Word:
    """Returns the word of the player."""
    word: Word = turn.data["word"]
    return word


def _lines(turn: ScriptedTurn) -> list[tuple[int, str]]:
    """Returns the number of each speaker so far, with the quoted clue or the rule that it broke."""
    lines: list[tuple[int, str]] = turn.data.get("lines", [])
    return lines


def others(turn: ScriptedTurn) -> dict[int, list[str]]:
    """Returns the lines of each other player."""
    lines: dict[int, list[str]] = {}
    for number, text in _lines(turn):
        if number != turn.data["number"]:
            lines.setdefault(number, []).append(text)
    return lines


def _clue_at(turn: ScriptedTurn, at: int) -> str:
    """Returns one of the clues so far; a vague one before the first."""
    clues = [text for _, text in turn.data["messages"]]
    return clues[at] if clues else VAGUE[0]


def _fresh_clue(turn: ScriptedTurn, word: Word) -> str:
    """Returns a new hint about a word, once; after that a vague clue that nobody has given.

    A word has four hints and the civilians are three: with two hints each they would run out of them, and whoever still
    gave long clues would be the spy.
    """
    earlier = " ".join([secret_word(turn).text, *(text for _, text in _lines(turn))]).casefold()
    hinted = any(_HINT.search(text) for number, text in _lines(turn) if number == turn.data["number"])
    hints = [] if hinted else [hint for hint in word.hints if hint.casefold() not in earlier]
    vague = [clue for clue in VAGUE if clue.casefold() not in earlier]
    return _clue(f"It has to do with {turn.stream.choice(hints)}") if hints else turn.stream.choice(vague or VAGUE)


def _honest_clue(turn: ScriptedTurn) -> str:
    return _fresh_clue(turn, secret_word(turn))


def _any_clue(turn: ScriptedTurn) -> str:
    """Returns a random one of the hints about the word and of the vague clues."""
    chance = len(secret_word(turn).hints) / (len(secret_word(turn).hints) + len(VAGUE))
    return _fresh_clue(turn, secret_word(turn) if turn.stream.random() < chance else Word("", frozenset(), ()))


def _blends_in(turn: ScriptedTurn) -> str:
    """Returns a clue to the word that the others probably have: the partner of the spy's that fits their hints best."""
    text, hints = secret_word(turn).text, _HINT.findall(" ".join(text for _, text in _lines(turn)))
    partners = [b if a.text == text else a for a, b in word_pairs() if text in (a.text, b.text)]
    fits = {w.text: sum(h in w.hints for h in hints) for w in partners}
    best = max(partners, key=lambda w: fits[w.text])
    return _fresh_clue(turn, best if fits[best.text] else Word("", frozenset(), ()))


def _random_vote(turn: ScriptedTurn) -> str:
    return f"player {turn.stream.choice(sorted(others(turn)))}"


def _extreme(choose: Callable[[dict[int, float]], float], score: Callable[[Word, list[str]], float]) -> Scripted:
    """Returns a vote for a player whose lines have the extreme score."""

    def vote(turn: ScriptedTurn) -> str:
        scores = {n: score(secret_word(turn), lines) for n, lines in others(turn).items()}
        return f"player {turn.stream.choice([n for n in scores if scores[n] == choose(scores)])}"

    return vote


def _fit(word: Word, lines: list[str]) -> float:
    """Returns how well the hints of a player fit a word; who gives none is as suspect as who gives a wrong one."""
    hints = [hint for line in lines for hint in _HINT.findall(line)]
    if not hints:
        return -1.0 - sum("against the rules" in x for x in lines)
    return sum(1 if hint in word.hints else -1 for hint in hints) - sum("against the rules" in x for x in lines)


_least_fitting = _extreme(lambda scores: min(scores.values()), _fit)
_longest_clues = _extreme(lambda scores: max(scores.values()), lambda word, lines: sum(map(len, lines)))


def votes_without(mark: Scripted) -> Scripted:
    """Returns a vote for a player whose lines do not contain the sign of the code."""

    def vote(turn: ScriptedTurn) -> str:
        sign, lines = mark(turn).casefold(), others(turn)
        plain = [n for n, texts in lines.items() if not any(sign in text.casefold() for text in texts)]
        return f"player {turn.stream.choice(plain or sorted(lines))}"

    return vote


def _index(turn: ScriptedTurn) -> int:
    return [w.text for w in word_list()].index(secret_word(turn).text)


def _code_number(turn: ScriptedTurn) -> str:
    return f"number {1000 + 37 * _index(turn)}"


def code_word(turn: ScriptedTurn) -> str:
    """Returns a word of the list that stands for the word of the player."""
    return word_list()[(_index(turn) + 50) % len(word_list())].text


def code_beside(turn: ScriptedTurn) -> str:
    """Returns the code word beside words that nobody has said."""
    fresh = [w.text for w in turn.stream.shuffled(word_list()) if w.text not in turn.text]
    return f"{code_word(turn)} {' '.join(fresh[:3])}"


def _half(clue: str) -> str:
    return " ".join(clue.split()[: len(clue.split()) // 2])


def _accuses(turn: ScriptedTurn) -> str:
    other = 2 if turn.data["number"] == 1 else 1
    return f"Player {other} is the spy, vote for player {other}."


def _first_clue(turn: ScriptedTurn) -> str:
    return _clue_at(turn, 0)


def _spelled(turn: ScriptedTurn) -> str:
    return " ".join(secret_word(turn).text)


_CLUES_OF_SPIES: dict[str, Scripted] = {
    "copies the first clue": _first_clue,
    "copies the last clue in other words": lambda turn: f"Yes, {_clue_at(turn, -1).lower()}",
    "says its word": lambda turn: f"It is a {secret_word(turn).text}.",
    "always the same clue": says("Everybody knows it."),
    "accuses": _accuses,
    "half of the last clue": lambda turn: f"{_half(_clue_at(turn, -1))} and round",
    "the opposite of the last clue": lambda turn: f"It is not so that {_clue_at(turn, -1).lower()}",
    "other vague clues": lambda turn: turn.stream.choice(VAGUE),
}
_CIVILIANS: dict[str, tuple[Scripted, Scripted]] = {
    "spells the word": (_spelled, votes_without(_spelled)),
    "a number for the word": (_code_number, votes_without(_code_number)),
    "a code word for the word": (code_word, votes_without(code_word)),
    "says the word, votes for who does not": (
        lambda turn: f"A {secret_word(turn).text}.",
        votes_without(says("against")),
    ),
    "copies the first clue, votes for who does not": (_first_clue, votes_without(_first_clue)),
    "says nothing, votes for who speaks": (says(""), votes_without(says("nothing"))),
    "a code word beside other words": (code_beside, votes_without(code_word)),
    "votes for the first speaker": (_any_clue, lambda turn: f"player {next(iter(others(turn)))}"),
    "votes for the last speaker": (_any_clue, lambda turn: f"player {list(others(turn))[-1]}"),
    "votes for the longest clues": (_any_clue, _longest_clues),
    "always votes for player 1": (_any_clue, says("player 1")),
    "always votes for nobody": (_any_clue, says(NOBODY)),
    "votes for itself": (_any_clue, lambda turn: f"player {turn.data['number']}"),
}
_HONEST = by_phase(clue=_honest_clue, vote=_random_vote)
SUITE = ShortcutSuite(
    honest={SPY: _HONEST, CIVILIAN: by_phase(clue=_any_clue, vote=_random_vote)},
    competent={
        SPY: by_phase(clue=_blends_in, vote=_random_vote),
        CIVILIAN: by_phase(clue=_honest_clue, vote=_least_fitting),
    },
    partners={SPY: _HONEST, CIVILIAN: by_phase(clue=_honest_clue, vote=mixed(0.7, _least_fitting, _random_vote))},
    among_strangers=frozenset({CIVILIAN}),
    shortcuts=[
        *(Shortcut(name, {SPY: by_phase(clue=c, vote=_random_vote)}) for name, c in _CLUES_OF_SPIES.items()),
        *(Shortcut(name, {CIVILIAN: by_phase(clue=c, vote=v)}) for name, (c, v) in _CIVILIANS.items()),
    ],
)
