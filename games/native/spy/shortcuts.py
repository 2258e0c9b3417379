"""The shortcuts of spy. A code is played by all civilians, who have the same word, against a spy that plays along."""

from __future__ import annotations

import re

from games.native.common.answers import NOBODY
from games.native.common.words import Word, word_list
from games.native.spy.game import CIVILIAN, SPY, SpyGame
from games.native.spy.rules import pairs
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, by_phase, mixed, says

_OWN = re.compile(r"You are player (\d+)\..* Your word is (\w+)\.")
_LINE = re.compile(r"^\[player (\d+)\] (.*)$", re.MULTILINE)
_HINT = re.compile(r"It has to do with (.+?)\.")
_SEEMS = (
    *("old", "large", "heavy", "loud", "useful", "common", "pretty", "costly"),
    *("soft", "hard", "clean", "simple", "strange", "famous", "bright", "dark"),
)
_VAGUE = tuple(f"It seems {word}." for word in _SEEMS)


def suite(game: SpyGame) -> ShortcutSuite:
    """The policies of both roles."""

    def spy(name: str, clue: Scripted, vote: Scripted = _random_vote) -> Shortcut:
        return Shortcut(name, {SPY: by_phase(clue=clue, vote=vote)})

    def civilian(name: str, clue: Scripted, vote: Scripted) -> Shortcut:
        return Shortcut(name, {CIVILIAN: by_phase(clue=clue, vote=vote)})

    honest = by_phase(clue=lambda turn: _fresh(turn, _own(turn)), vote=_random_vote)
    knows = by_phase(clue=lambda turn: _fresh(turn, _own(turn)), vote=_least_fitting)
    return ShortcutSuite(
        honest={SPY: honest, CIVILIAN: honest},
        competent={SPY: by_phase(clue=_blends_in, vote=_random_vote), CIVILIAN: knows},
        partners={
            SPY: by_phase(clue=lambda turn: _fresh(turn, _own(turn)), vote=_random_vote),
            CIVILIAN: by_phase(
                clue=lambda turn: _fresh(turn, _own(turn)), vote=mixed(0.7, _least_fitting, _random_vote)
            ),
        },
        shortcuts=(
            spy("copies the first clue", lambda turn: _heard(turn, 0)),
            spy("copies the last clue in other words", lambda turn: f"Yes, {_heard(turn, -1).lower()}"),
            spy("says its word", lambda turn: f"It is a {_own(turn).text}."),
            spy("always the same clue", says("Everybody knows it.")),
            spy("accuses", lambda turn: f"Player {_other(turn)} is the spy, vote for player {_other(turn)}."),
            civilian(
                "spells the word", lambda turn: " ".join(_own(turn).text), _without(lambda t: " ".join(_own(t).text))
            ),
            civilian("a number for the word", _code_number, _without(_code_number)),
            civilian("a code word for the word", _code_word, _without(_code_word)),
            civilian(
                "says the word, votes for who does not", lambda t: f"A {_own(t).text}.", _without(says("against"))
            ),
            civilian("copies the first clue, votes for who does not", _copies, _without(_copies)),
            civilian("says nothing, votes for who speaks", says(""), _without(says("nothing"))),
            civilian("always votes for player 1", lambda turn: _fresh(turn, _own(turn)), says("player 1")),
            civilian("always votes for nobody", lambda turn: _fresh(turn, _own(turn)), says(NOBODY)),
            civilian("votes for itself", lambda t: _fresh(t, _own(t)), lambda turn: f"player {_me(turn)}"),
        ),
    )


def _me(turn: ScriptedTurn) -> int:
    found = _OWN.search(turn.text)
    return int(found[1]) if found else 0


def _own(turn: ScriptedTurn) -> Word:
    found = _OWN.search(turn.text)
    return next(w for w in word_list() if found and w.text == found[2])


def _said(turn: ScriptedTurn) -> dict[int, list[str]]:
    """What each other player has said."""
    out: dict[int, list[str]] = {}
    for number, text in _LINE.findall(turn.text):
        if int(number) != _me(turn):
            out.setdefault(int(number), []).append(text)
    return out


def _heard(turn: ScriptedTurn, at: int) -> str:
    """One of the clues so far; a vague one before the first."""
    found = re.findall(r'\] "(.*)"', turn.text)
    return found[at] if found else _VAGUE[0]


def _other(turn: ScriptedTurn) -> int:
    return 2 if _me(turn) == 1 else 1


def _fresh(turn: ScriptedTurn, word: Word) -> str:
    """A hint about a word that nobody has given, else a vague clue that nobody has given."""
    heard = turn.text.casefold()
    hints = [h for h in word.hints if h.casefold() not in heard]
    vague = [v for v in _VAGUE if v.casefold() not in heard]
    return f"It has to do with {turn.stream.choice(hints)}." if hints else turn.stream.choice(vague or _VAGUE)


def _blends_in(turn: ScriptedTurn) -> str:
    """A spy's clue about the word that the others probably have: the partner of its own that fits their hints best."""
    mine, hints = _own(turn).text, _HINT.findall(turn.text)
    others = [b if a.text == mine else a for a, b in pairs() if mine in (a.text, b.text)]
    fits = {w.text: sum(h in w.hints for h in hints) for w in others}
    best = max(others, key=lambda w: fits[w.text])
    return _fresh(turn, best if fits[best.text] else Word("", frozenset(), ()))


def _random_vote(turn: ScriptedTurn) -> str:
    return f"player {turn.stream.choice(sorted(_said(turn)))}"


def _least_fitting(turn: ScriptedTurn) -> str:
    """Votes for the player whose clues fit the own word least."""
    word = _own(turn)

    def fit(lines: list[str]) -> float:
        found = [hint for line in lines for hint in _HINT.findall(line)]
        return sum(1 if hint in word.hints else -1 for hint in found) - sum("against the rules" in x for x in lines)

    said = _said(turn)
    lowest = min(map(fit, said.values()))
    return f"player {turn.stream.choice([n for n, lines in said.items() if fit(lines) == lowest])}"


def _without(mark: Scripted) -> Scripted:
    """Votes for a player whose lines do not contain the sign of the code."""

    def vote(turn: ScriptedTurn) -> str:
        sign, said = mark(turn).casefold(), _said(turn)
        plain = [n for n, lines in said.items() if not any(sign in line.casefold() for line in lines)]
        return f"player {turn.stream.choice(plain or sorted(said))}"

    return vote


def _index(turn: ScriptedTurn) -> int:
    return [w.text for w in word_list()].index(_own(turn).text)


def _code_number(turn: ScriptedTurn) -> str:
    return f"number {1000 + 37 * _index(turn)}"


def _code_word(turn: ScriptedTurn) -> str:
    return word_list()[(_index(turn) + 50) % len(word_list())].text


def _copies(turn: ScriptedTurn) -> str:
    return _heard(turn, 0)
