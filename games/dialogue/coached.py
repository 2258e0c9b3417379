"""bargain-v0 with a coach: the same bargain several times over, with advice to one side in between.

After GPT-Bargaining (Fu et al. 2023, arXiv 2305.10142): a critic reads the dialogue, gives one player up to three
suggestions, and the player bargains again with the advice and the old dialogues before it; nothing else changes, and
the other side remembers nothing. All the bargains and the advice are one match, so that its log alone reproduces them.

Advice outlives its match: the newest of what this coach told this player in earlier matches is given to the next one
(`GameSpec.notes`). The first bargain of every match is played without any advice, so that each match measures what
advice is worth, and a coach gains nothing by spoiling the next match's beginning.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from games.dialogue.bargain import Bargain
from games.dialogue.bargain_messages import BUYER, SELLER
from games.dialogue.staged import named, whole
from games.errors import IllegalAction, InputError
from games.game import GameSpec, KnownOutcome, Notes, Observation, Seat, TextGame
from games.speech import quote

COACH = "coach"
_LONGEST = 2000
_WITHHELD = "(advice that named a number was withheld)"


def bargain(rounds: int = 5, low: int = 0, high: int = 100, coach: str = "", games: int = 3, keep: int = 3) -> TextGame:
    """bargain-v0: a plain bargain, or one with a `coach` of the seller or the buyer over several `games`."""
    if not coach:
        return Bargain(rounds, low, high)
    return Coached(rounds, low, high, coach, games, keep)


class Coached(TextGame):
    """`coach`: whom it advises, seller or buyer. `games`: bargains in one match, advice between each two. `keep`: how
    much advice of earlier matches is read again.
    """

    def __init__(
        self, rounds: int = 5, low: int = 0, high: int = 100, coach: str = SELLER, games: int = 3, keep: int = 3
    ) -> None:
        if coach not in (SELLER, BUYER):
            raise InputError(f"bargain-v0: coach is seller or buyer, not {coach!r}")
        self.side, self.games = coach, whole("bargain-v0", "games", games, 2, 20)
        self.keep = whole("bargain-v0", "keep", keep, 0, 20)
        self._inner = Bargain(rounds, low, high)
        given = {"rounds": (rounds, 5), "low": (low, 0), "high": (high, 100), "coach": (coach, "")}
        most = float(2 * (high - low))
        self.spec = GameSpec(
            id=named("bargain-v0", {**given, "games": (games, 3), "keep": (keep, 3)}),
            seats={SELLER: SELLER, BUYER: BUYER, COACH: COACH},
            payoff="general_sum",
            rules=f"{self._inner.spec.rules}\n{_rules(coach, games, keep)}",
            max_turns=games * self._inner.spec.max_turns + games - 1,
            returns_range=(-most, most),
            notes=Notes((COACH, coach), keep) if keep else None,
        )
        self._seed = 0
        self._earlier: tuple[str, ...] = ()
        self._past: list[tuple[list[str], Mapping[Seat, float]]] = []
        self._advice: list[str] = []

    def given(self, task: str) -> None:
        """Take advice of earlier matches, a JSON list of texts; "": there is none. Raises InputError."""
        try:
            notes = json.loads(task) if task else []
        except ValueError:
            notes = None
        if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
            raise InputError(f"bargain-v0: earlier advice is a JSON list of texts, not {task[:80]!r}")
        words = (quote(note, 400) for note in notes)
        self._earlier = tuple(w for w in words if not re.search(r"\d", w))[-self.keep :] if self.keep else ()

    def reset(self, seed: int) -> None:
        """Draw the private values and who speaks first, for all bargains of the match."""
        self._seed = seed
        self._past, self._advice = [], []
        self._inner.reset(seed)

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The side whose message is next, or the coach between two bargains."""
        if self._inner.acting:
            return self._inner.acting
        return () if len(self._past) == self.games else (COACH,)

    def observe(self, seat: Seat) -> Observation:
        """The bargain at hand; for the coached side all advice and the old dialogues, for the coach the last one."""
        if seat == COACH:
            lines = [f"You coach the {self.side}. {self._private()}"]
            lines += [f"In earlier matches you said: {words}" for words in self._earlier]
            lines += [f"You said: {words}" for words in self._advice] + self._dialogues(self._past[-1:])
            return Observation("\n".join(lines), self.phase(seat))
        seen = self._inner.observe(seat)
        lines = [seen.text, f"This is bargain {min(len(self._past) + 1, self.games)} of {self.games}."]
        if seat == self.side:
            lines += self._dialogues(self._past)
            lines += [f"In earlier matches your coach said: {words}" for words in self._earlier if self._advice]
            lines += [f"Your coach says: {words}" for words in self._advice]
        return Observation("\n".join(lines), seen.phase)

    def phase(self, seat: Seat) -> str:
        """`advise` for the coach, as in a plain bargain for the sides."""
        return "advise" if seat == COACH else self._inner.phase(seat)

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """Free text."""
        return None if seat in self.acting else ()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Take a message of a side as in a plain bargain, or advice. Raises IllegalAction."""
        if self.acting != (COACH,):
            self._inner.apply(actions)
            if not self._inner.acting:
                self._past.append((self._inner.spectate().split("\n")[1:], dict(self._inner.returns())))
            return
        if actions.keys() != {COACH}:
            raise IllegalAction("expected advice of the coach alone")
        text = actions[COACH]
        if not isinstance(text, str) or len(text) > _LONGEST:
            raise IllegalAction(f"advice is a text of at most {_LONGEST} characters", COACH)
        words = quote(text, 400)
        self._advice.append(_WITHHELD if re.search(r"\d", words) else words)
        self._inner.reset(self._seed)

    def returns(self) -> Mapping[Seat, float]:
        """The sides: the mean over the bargains. The coach: what its side gained on average over the first bargain."""
        gains = [past for _, past in self._past]
        n = max(1, len(gains))
        out = {seat: sum(g[seat] for g in gains) / n for seat in (SELLER, BUYER)}
        mine = [g[self.side] for g in gains]
        later = sum(mine[1:]) / (len(mine) - 1) - mine[0] if len(mine) > 1 else 0.0
        return {**out, COACH: later}

    def facts(self) -> Mapping[str, Any]:
        """What each bargain paid, the advice between them, and what of it later matches are given."""
        noted = [words[1:-1] for words in self._advice if words not in (_WITHHELD, '""')]
        return {"paid": [dict(gains) for _, gains in self._past], "advice": list(self._advice), "notes": noted}

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The private values; the coach knows its side's."""
        return self._inner.secrets(self.side if seat == COACH else seat)

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Those of a plain bargain; suggestions in general words."""
        if seat == COACH:
            return _SUGGESTIONS if seat in self.acting else ()
        return self._inner.examples(seat)

    def spectate(self) -> str:
        """Every bargain and the advice, in order."""
        lines = [self._inner.spectate().split("\n")[0]]
        for i, (dialogue, _) in enumerate(self._past):
            lines += dialogue + [f"[{COACH}] {words}" for words in self._advice[i : i + 1]]
        return "\n".join(lines + (self._inner.spectate().split("\n")[1:] if self._inner.acting else []))

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """One match worked out by hand: seed 0 has cost 45 and value 84, the seller begins."""
        return _KNOWN if self.spec.id == "bargain-v0(coach=seller,games=2)" else ()

    def _private(self) -> str:
        return self._inner.secrets(self.side)[0].replace("Your", "Its", 1)

    def _dialogues(self, past: list[tuple[list[str], Mapping[Seat, float]]]) -> list[str]:
        """Old dialogues, in lines that nobody takes for messages of this bargain."""
        lines = []
        for dialogue, gains in past:
            lines += ["An earlier bargain:", *(f"> {line}" for line in dialogue)]
            lines.append(f"> the {self.side} gained {gains[self.side]:g}")
        return lines


_SUGGESTIONS = (
    "Begin further away from what you would accept. Give way slowly. Name a reason for every offer.",
    "Ask what the other side needs. Do not accept the first offer. Be friendly.",
    "Say that you have another offer. Wait before you give way. Stay calm.",
)


def _rules(side: str, games: int, keep: int) -> str:
    kept = f"With the first advice the {side} is also reminded of what the coach said in earlier matches. " * bool(keep)
    return (
        f"The same thing is bargained for {games} times, with the same cost and value. After each bargain but the last "
        f"a coach gives the {side} up to three suggestions, in general words and without numbers, which are withheld. "
        f"The {side} reads them and the old dialogues; the other side does not. {kept}The sides get the mean over all "
        f"bargains, the coach what the {side} gained over its first one. The coach writes its suggestions and nothing "
        "else."
    )


_KNOWN = (
    KnownOutcome(
        0,
        (
            *({SELLER: "offer 60"}, {BUYER: "accept"}),
            {COACH: "Ask for more."},
            *({SELLER: "offer 80: It is worth it."}, {BUYER: "accept"}),
        ),
        {SELLER: 25.0, BUYER: 14.0, COACH: 20.0},
    ),
)
