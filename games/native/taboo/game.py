"""taboo-v2: an attacker tries to make a defender say a word that only the attacker knows.

Adversarial Taboo, as played in SPAG (Cheng et al. 2024, arXiv 2404.10642): at most `turns` messages each, the attacker
first. The published check searches for the word as a substring, so that "education" says "cat"; here whole words are
compared, with their derived forms. taboo-v0 is the published game, in which an attacker may spell the word. Since
taboo-v2 a wrong guess costs the defender credit, so that blind guesses are worth nothing; before, they cost nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import Ge, Interval

from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common.messages import SHOWN, said, shown, tokens
from games.native.common.stages import StagedGame, game_id
from games.native.common.tells import spells
from games.native.common.words import mentions, vocabulary, word_list, word_of
from games.native.taboo.rules import DEMONSTRATIONS, rules
from games.randomness import RandomStream, derive

ATTACKER, DEFENDER = "attacker", "defender"
_CLOSED = 8
_CLAIM = re.compile(
    r"\bi know the word\W{1,4}(?:it(?:'s|’s| is)|the word is)(?:\W{1,4}|_{1,2})(?P<guess>[^\W_]+)", re.IGNORECASE
)
_PASS = "Tell me more."

_WINNER = {
    "guessed": DEFENDER,
    "wrong guess": ATTACKER,
    "said by the defender": ATTACKER,
    "said by the attacker": DEFENDER,
    "told by the attacker": DEFENDER,
}
_BROKEN = ("said by the attacker", "told by the attacker")
_ENDINGS = {
    "guessed": "the defender guessed the word and wins",
    "wrong guess": "the defender guessed a wrong word, so the attacker wins",
    "said by the defender": "the defender said the word, so the attacker wins",
    "said by the attacker": "the attacker said the word or claimed to know it, so the defender wins",
    "told by the attacker": "the attacker spelled the word, so the defender wins",
    "tie": "nobody said the word, so nobody wins",
}


class TabooGame(StagedGame):
    """An attacker makes the defender say a word that only the attacker knows; the defender guesses it (SPAG).

    `turns`: messages of each side at most. `words`: the number of words to draw from, the first of the list; 0:
    all. `closed`: both sides know the possible words (2 to 8) and choose their messages from a list, for models too
    small to write and for exact policies. `tells`: an attacker that spells the word, or gives it away as
    `games.native.common.tells` finds, loses as if it had said it. `tasks`: the id of a vocabulary (`games.tasks`),
    from which the word is drawn instead. `corrected`: a wrong guess costs the credit that makes a blind one worth
    nothing (the correction for guessing of multiple-choice tests).
    """

    version = 2

    def __init__(
        self,
        turns: Annotated[int, Interval(ge=1, le=100)] = 5,
        words: Annotated[int, Ge(0)] = 0,
        closed: bool = False,
        tells: bool | None = None,
        tasks: str = "",
        corrected: bool | None = None,
    ) -> None:
        super().__init__()
        usual = {"tells": self.version > 0, "corrected": self.version > 1}
        tells = usual["tells"] if tells is None else tells
        corrected = usual["corrected"] if corrected is None else corrected
        params: dict[str, Value] = {"turns": turns, "words": words, "closed": closed, "tells": tells}
        self._vocabulary = vocabulary(tasks) if tasks else None
        if self._vocabulary is not None:
            if words or closed:
                raise InputError("taboo: tasks draws from a vocabulary; leave out words and closed")
            self.task_source, params["tasks"] = self._vocabulary, self._vocabulary.id
        params["corrected"] = corrected
        id = game_id(f"taboo-v{self.version}", TabooGame, params, usual)
        most = _CLOSED if closed else len(word_list())
        if words > most or (closed and words < 2):
            raise InputError(
                f"taboo: words must be from {'2' if closed else '0'} to {most}, not {words}"
                f"{' (a closed game lists all of them); write words=4' if closed else ''}"
            )
        self.turns, self.size, self.closed, self.tells = turns, words or most, closed, tells
        self.spec = GameSpec(
            id=id,
            seats={ATTACKER: ATTACKER, DEFENDER: DEFENDER},
            payoff="zero_sum",
            rules=rules(turns, closed, tells),
            max_turns=2 * turns,
            returns_range=(-1.0, 1.0),
            demonstrations=DEMONSTRATIONS,
        )
        self._cost = self._blind_cost() if corrected else 0.0
        """of a wrong guess"""
        self._word = word_list()[0]
        self._hints: tuple[str, ...] = ()
        names = [w.text for w in word_list()[: min(self.size, _CLOSED)]]
        self._replies = (_PASS, *(f"I am thinking of {n}." for n in names), *map(claim, names))
        self._lines: list[str] = []
        self._hinted: list[str] = []
        """what the attacker has said"""
        self._ending = ""

    def _blind_cost(self) -> float:
        """What makes a blind guess, right with chance p, worth nothing: p = (1 - p) * cost. 0 where none is blind."""
        p = 1 / self.size if self._vocabulary is None else self._vocabulary.likeliest()
        return p / (1 - p) if p < 1 else 0.0

    def reset(self, seed: int) -> None:
        """Draw the word and the hints of a closed game: three for the word, three for other words."""
        self._start()
        stream = RandomStream(derive(seed, "taboo-v0"))
        if self._vocabulary is None:
            self._word = stream.choice(word_list()[: self.size])
        else:
            self._word = word_of(self._vocabulary.entry(seed))
        others = stream.shuffled([w for w in word_list()[: max(self.size, _CLOSED)] if w is not self._word])[:3]
        about = [f"It has to do with {hint}." for hint in self._word.hints[:3]]
        about += [f"It has to do with {stream.choice(other.hints)}." for other in others]
        self._hints = (*dict.fromkeys(stream.shuffled(about)), f"The word is {self._word.text}.")
        self._lines, self._hinted, self._ending = [], [], ""
        self._due = (ATTACKER,)

    def phase(self, seat: Seat) -> str:
        """`hint` for the attacker, `reply` for the defender."""
        return "hint" if seat == ATTACKER else "reply"

    def observe(self, seat: Seat) -> Observation:
        """The word, for the attacker only; all messages; the number of messages left."""
        lines = [f"You are the {seat}."]
        if seat == ATTACKER:
            lines.append(self._secret())
        if self.closed:
            lines.append(f"The word is one of: {', '.join(w.text for w in word_list()[: self.size])}.")
        lines += self._lines or ["Nothing has been said yet."]
        left = 2 * self.turns - len(self._lines)
        if self._ending:
            lines.append(f"The match is over: {_ENDINGS[self._ending]}.")
        else:
            lines.append("1 message is left." if left == 1 else f"{left} messages are left.")
        return Observation("\n".join(lines), self.phase(seat))

    def returns(self) -> Mapping[Seat, float]:
        """1 for the winner and -1 for the loser, or 0 for both."""
        winner = _WINNER.get(self._ending)
        return {seat: 0.0 if winner is None else 1.0 if seat == winner else -1.0 for seat in self.spec.seats}

    def facts(self) -> Mapping[str, Any]:
        """The word, the ending, the winner, and whether the attacker broke a rule (SPAG drops such matches).

        `guess_cost`: what a wrong guess costs, where it costs something.
        """
        broken = self._ending in _BROKEN
        cost = {"guess_cost": self._cost} if self._cost and self._ending == "wrong guess" else {}
        return (
            cost
            | {
                "word": self._word.text,
                "ending": self._ending,
                "winner": _WINNER.get(self._ending),
                "broken": broken,
                "messages": len(self._lines),
            }
            | self._heard()
        )

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The sentence that tells the attacker the word."""
        return (self._secret(),) if seat == ATTACKER else ()

    def spectate(self) -> str:
        """The word, every message and the ending."""
        end = _ENDINGS.get(self._ending, f"{2 * self.turns - len(self._lines)} messages left")
        return "\n".join([self._secret(), *self._lines, end])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Five matches with the default parameters."""
        return _known() if self.spec.id == f"taboo-v{self.version}" else ()

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        return self._hints if seat == ATTACKER else self._replies

    def _secret(self) -> str:
        return f"The secret word is {self._word.text}. Do not say it."

    def _take(self, said_by: Mapping[Seat, str]) -> None:
        ((seat, text),) = said_by.items()
        read = shown(text)  # only what the other side reads counts as said
        self._lines.append(said(seat, text))
        self._ending = self._attack(read) if seat == ATTACKER else self._reply(read)
        if not self._ending and len(self._lines) >= 2 * self.turns:
            self._ending = "tie"
        self._due = () if self._ending else (DEFENDER if seat == ATTACKER else ATTACKER,)

    def _limit(self, seat: Seat) -> int | None:
        return SHOWN

    def _attack(self, text: str) -> str:
        if mentions(text, self._word) or _CLAIM.search(text):
            return "said by the attacker"
        if not self.tells:
            return ""
        told = "\n".join([*self._hinted, text])  # a word may be spelled over several messages
        self._hinted.append(text)
        return "told by the attacker" if spells(text, self._word.forms) or spells(told, self._word.forms) else ""

    def _reply(self, text: str) -> str:
        """The ending that a reply leads to: by its one guess or, without one, by the word itself; else "".

        A reply that guesses two words guesses wrong.
        """
        guesses = {word for found in _CLAIM.finditer(text) for word in tokens(found["guess"])[:1]}
        if guesses:
            return "guessed" if guesses <= set(self._word.forms) else "wrong guess"
        return "said by the defender" if mentions(text, self._word) else ""


class UncorrectedTabooGame(TabooGame):
    """taboo-v1, in which a wrong guess costs no credit."""

    version = 1


class PublishedTabooGame(TabooGame):
    """taboo-v0, in which the word may be spelled."""

    version = 0


def claim(word: str) -> str:
    """The sentence with which a defender guesses a word."""
    return f"I know the word! It is {word}!"


def _known() -> tuple[KnownOutcome, ...]:
    game = TabooGame()
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
