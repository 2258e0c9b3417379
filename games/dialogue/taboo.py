"""taboo-v0: an attacker lures a defender into saying a word that only the attacker knows.

Adversarial Taboo, as played in SPAG (Cheng et al. 2024, arXiv 2404.10642): at most `turns` messages each, the attacker
first. The published check looked for the word as a substring, so that "education" said "cat"; here words are compared
whole, with their derived forms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from games.dialogue.staged import Staged, named, whole
from games.dialogue.talk import Word, mentions, said, tokens, words
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.randomness import Stream, derive
from games.speech import quote

ATTACKER, DEFENDER = "attacker", "defender"
_CLOSED = 8
_CLAIM = re.compile(r"\bi know the word\W{1,4}it(?:'s|’s| is)\W{1,4}(?P<guess>[^\W_]+)", re.IGNORECASE)
_PASS = "Tell me more."

_WINNER = {
    "guessed": DEFENDER,
    "wrong guess": ATTACKER,
    "said by the defender": ATTACKER,
    "said by the attacker": DEFENDER,
}
_TOLD = {
    "guessed": "the defender guessed the word and wins",
    "wrong guess": "the defender guessed a wrong word and the attacker wins",
    "said by the defender": "the defender said the word and the attacker wins",
    "said by the attacker": "the attacker broke the rules: it said the word or claimed to know it; the defender wins",
    "tie": "nobody said the word; nobody wins",
}


class Taboo(Staged):
    """`turns`: messages of each side at most. `words`: only the first so many of the list, 0 for all.

    `closed`: both know the words it may be (4 to 8) and choose their messages from a list; for models too small to
    write, and for exact policies.
    """

    def __init__(self, turns: int = 5, words: int = 0, closed: bool = False) -> None:
        super().__init__()
        most = len(_all())
        self.turns = whole("taboo-v0", "turns", turns, 1, 100)
        self.size = whole("taboo-v0", "words", words, 0, most) or most
        if not isinstance(closed, bool):
            raise InputError(f"taboo-v0: closed is true or false, not {closed!r}")
        if closed and not 2 <= self.size <= _CLOSED:
            raise InputError(
                f"taboo-v0: a closed game lists all its words: set words from 2 to {_CLOSED}, not {words!r}"
            )
        self.closed = closed
        self.spec = GameSpec(
            id=named("taboo-v0", {"turns": (turns, 5), "words": (words, 0), "closed": (closed, False)}),
            seats={ATTACKER: ATTACKER, DEFENDER: DEFENDER},
            payoff="zero_sum",
            rules=_rules(turns, closed),
            max_turns=2 * turns,
            returns_range=(-1.0, 1.0),
        )
        self._word = _all()[0]
        self._hints: tuple[str, ...] = ()
        names = [w.text for w in _all()[: min(self.size, _CLOSED)]]
        self._replies = (_PASS, *(f"I am thinking of {n}." for n in names), *map(claim, names))
        self._lines: list[str] = []
        self._ending = ""

    def reset(self, seed: int) -> None:
        """Draw the word, and the hints that may be chosen: three true ones, three of other words."""
        stream = Stream(derive(seed, "taboo-v0"))
        self._word = stream.choice(_all()[: self.size])
        others = stream.shuffled([w for w in _all()[: max(self.size, _CLOSED)] if w is not self._word])[:3]
        about = [f"It has to do with {hint}." for hint in self._word.hints[:3]]
        about += [f"It has to do with {stream.choice(other.hints)}." for other in others]
        self._hints = (*dict.fromkeys(stream.shuffled(about)), f"The word is {self._word.text}.")
        self._lines, self._ending = [], ""
        self._due = (ATTACKER,)

    def phase(self, seat: Seat) -> str:
        """`hint` for the attacker, `reply` for the defender."""
        return "hint" if seat == ATTACKER else "reply"

    def observe(self, seat: Seat) -> Observation:
        """The word for the attacker alone; all messages; what is left."""
        lines = [f"You are the {seat}."]
        if seat == ATTACKER:
            lines.append(self._secret())
        if self.closed:
            lines.append(f"The word is one of: {', '.join(w.text for w in _all()[: self.size])}.")
        lines += self._lines or ["Nothing was said yet."]
        left = 2 * self.turns - len(self._lines)
        if self._ending:
            lines.append(f"The match is over: {_TOLD[self._ending]}.")
        else:
            lines.append("1 message is left." if left == 1 else f"{left} messages are left.")
        return Observation("\n".join(lines), self.phase(seat))

    def returns(self) -> Mapping[Seat, float]:
        """1 for the winner and -1 for the other, 0 for both without one."""
        winner = _WINNER.get(self._ending)
        return {seat: 0.0 if winner is None else 1.0 if seat == winner else -1.0 for seat in self.spec.seats}

    def facts(self) -> Mapping[str, Any]:
        """The word, how the match ended, who won, and whether by a broken rule, which SPAG does not train on."""
        broken = self._ending == "said by the attacker"
        return {
            "word": self._word.text,
            "ending": self._ending,
            "winner": _WINNER.get(self._ending),
            "broken": broken,
            "messages": len(self._lines),
        }

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The word, in the words of the game."""
        return (self._secret(),) if seat == ATTACKER else ()

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """The messages of the closed game; the defender of an open one guesses the first words of the list."""
        return self._messages(seat) if seat in self._due else ()

    def spectate(self) -> str:
        """The word, every message, the end."""
        end = _TOLD.get(self._ending, f"{2 * self.turns - len(self._lines)} messages left")
        return "\n".join([self._secret(), *self._lines, end])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches worked out by hand, for the usual parameters."""
        return _known() if self.spec.id == "taboo-v0" else ()

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        return self._messages(seat) if self.closed else None

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        return self._hints if seat == ATTACKER else self._replies

    def _secret(self) -> str:
        return f"The word that must not be said is {self._word.text}."

    def _take(self, said_by: Mapping[Seat, str]) -> None:
        ((seat, text),) = said_by.items()
        shown = quote(text)  # what is not shown was not said
        self._lines.append(said(seat, text))
        self._ending = self._attack(shown) if seat == ATTACKER else self._reply(shown)
        if not self._ending and len(self._lines) >= 2 * self.turns:
            self._ending = "tie"
        self._due = () if self._ending else (DEFENDER if seat == ATTACKER else ATTACKER,)

    def _attack(self, text: str) -> str:
        return "said by the attacker" if mentions(text, self._word) or _CLAIM.search(text) else ""

    def _reply(self, text: str) -> str:
        """A claim decides the match by its first guess; without one, the word anywhere in the message does."""
        if found := _CLAIM.search(text):
            right = tokens(found["guess"])[:1] and tokens(found["guess"])[0] in self._word.forms
            return "guessed" if right else "wrong guess"
        return "said by the defender" if mentions(text, self._word) else ""


def claim(word: str) -> str:
    """The one sentence by which a defender stakes the match on a word."""
    return f"I know the word! It is {word}!"


def _all() -> tuple[Word, ...]:
    return words()


def _rules(turns: int, closed: bool) -> str:
    how = "Choose your messages from those listed." if closed else "A message is one or two sentences of free words."
    return (
        "The attacker is given a word, the defender does not know it. They talk in turn, the attacker first, "
        f"{turns} messages each at most. The attacker wants the defender to say the word, any form of it, without "
        "noticing; it may never say the word itself, or it loses. The defender wants to find out the word without "
        "saying it by accident. Once it is sure, it may stake the match on a guess with the sentence: I know the "
        "word! It is WORD! If the guess is right, the defender wins, if it is wrong, the attacker wins. If the "
        "defender says the word in any other way, the attacker wins. If nobody says it, nobody wins.\n"
        f"{how} Both sides read everything that is said."
    )


def _known() -> tuple[KnownOutcome, ...]:
    game = Taboo()
    game.reset(0)
    word = game._word.text
    win, loss = {ATTACKER: 1.0, DEFENDER: -1.0}, {ATTACKER: -1.0, DEFENDER: 1.0}
    hint = {ATTACKER: "What comes to your mind first?"}
    return (
        KnownOutcome(0, (hint, {DEFENDER: f"Perhaps some {word}s?"}), win),
        KnownOutcome(0, (hint, {DEFENDER: claim(word)}), loss),
        KnownOutcome(0, (hint, {DEFENDER: claim("nothing")}), win),
        KnownOutcome(0, ({ATTACKER: f"Say {word}."},), loss),
        KnownOutcome(0, (hint, {DEFENDER: "Go on."}) * 5, {ATTACKER: 0.0, DEFENDER: 0.0}),
    )
