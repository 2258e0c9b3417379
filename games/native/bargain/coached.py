"""bargain-v0 with a coach: the same bargain several times, with advice to one side in between.

After GPT-Bargaining (Fu et al. 2023, arXiv 2305.10142): a critic reads the dialogue and gives one player up to three
suggestions; the player bargains again and reads the advice and the earlier dialogues. Nothing else changes, and the
other side remembers nothing. All bargains and the advice form one match, so that its log alone reproduces them.

Advice outlives its match: a match starts with the newest advice that this coach gave to this player in earlier matches
(`GameSpec.notes`). The first bargain of a match is always played without advice, so that each match measures the value
of advice and a coach cannot gain by spoiling the start of the next match.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from annotated_types import Interval

from games.errors import IllegalAction, InputError
from games.game import GameSpec, KnownOutcome, Notes, Observation, Seat, TextGame
from games.naming import Value
from games.native.bargain.game import BargainGame, High, Low, Rounds
from games.native.bargain.messages import BUYER, SELLER
from games.native.bargain.rules import DEMONSTRATIONS, coach_rules
from games.native.common.stages import game_id
from games.quoting import byte_length, quote
from games.randomness import derive
from games.shortcut_modules import suite_beside

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

COACH = "coach"
_LONGEST = 2000
_DIGITS = re.compile(r"\d")
_NUMBERS = re.compile(
    r"\d|\b(?:(?:six|seven|eight|nine|four|thir|fif)teen|eleven|twelve|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|"
    r"hundreds?|thousands?)\b",
    re.IGNORECASE,
)
"""numbers in digits or, if bargains are fresh, in words; words up to ten are not prices worth telling"""
_WITHHELD = "(advice that named a number was withheld)"

Games = Annotated[int, Interval(ge=2, le=20)]
Keep = Annotated[int, Interval(ge=0, le=20)]


def bargain(
    rounds: Rounds = 5,
    low: Low = 0,
    high: High = 100,
    coach: Literal["", "seller", "buyer"] = "",
    games: Games = 3,
    keep: Keep = 3,
    fresh: bool = True,
) -> TextGame:
    """bargain-v1 without a coach, or with a `coach` of the seller or the buyer, who bargain `games` times.

    `rounds`: messages of each side at most. `low`, `high`: the range of prices and of the private values. `keep`:
    the number of texts of advice from earlier matches that are read again. `fresh`: each bargain has new private
    values; otherwise earlier dialogues tell the coached side the other's limit.
    """
    if not coach:
        return BargainGame(rounds, low, high)
    return CoachedBargainGame(rounds, low, high, coach, games, keep, fresh)


def published_bargain(
    rounds: Rounds = 5,
    low: Low = 0,
    high: High = 100,
    coach: Literal["", "seller", "buyer"] = "",
    games: Games = 3,
    keep: Keep = 3,
) -> TextGame:
    """bargain-v0: all bargains of a match have the same private values, as in GPT-Bargaining.

    `rounds`: messages of each side at most. `low`, `high`: the range of prices and of the private values. `coach`:
    the side that is advised. `games`: bargains in one match. `keep`: texts of earlier advice that are read again.
    """
    if not coach:
        return BargainGame(rounds, low, high, version=0)
    return CoachedBargainGame(rounds, low, high, coach, games, keep, fresh=False, version=0)


class CoachedBargainGame(TextGame):
    """`coach`: the side it advises. `games`: bargains in one match, with advice in between. `keep`: the number of
    texts of advice from earlier matches that are read again. `fresh`: see `bargain`.
    """

    def __init__(
        self,
        rounds: Rounds = 5,
        low: Low = 0,
        high: High = 100,
        coach: Literal["seller", "buyer"] = "seller",
        games: Games = 3,
        keep: Keep = 3,
        fresh: bool = True,
        *,
        version: int = 1,
    ) -> None:
        params: dict[str, Value] = {"rounds": rounds, "low": low, "high": high}
        params |= {"coach": coach, "games": games, "keep": keep}
        if version:
            id = game_id("bargain-v1", bargain, params | {"fresh": fresh})
        else:
            id = game_id("bargain-v0", published_bargain, params)
        self.fresh, self._numbers = fresh, _NUMBERS if fresh else _DIGITS
        self.side, self.games, self.keep = coach, games, keep
        self._inner = BargainGame(rounds, low, high)
        most = float(2 * (high - low))
        self.spec = GameSpec(
            id=id,
            seats={SELLER: SELLER, BUYER: BUYER, COACH: COACH},
            payoff="general_sum",
            rules=f"{self._inner.spec.rules}\n{coach_rules(coach, games, keep, fresh)}",
            max_turns=games * self._inner.spec.max_turns + games - 1,
            returns_range=(-most, most),
            notes=Notes((COACH, coach), keep) if keep else None,
            demonstrations=DEMONSTRATIONS,
        )
        self._seed = 0
        self._earlier: tuple[str, ...] = ()
        self._past: list[tuple[list[str], Mapping[Seat, float]]] = []
        self._advice: list[str] = []
        self._values: list[str] = []
        """the line with both private values of each finished bargain, for replays"""

    def load_task(self, task: str) -> None:
        """Set the advice of earlier matches, a JSON list of texts; "": none. Raises InputError."""
        try:
            notes = json.loads(task) if task else []
        except ValueError:
            notes = None
        if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
            raise InputError(f"bargain-v0: earlier advice is a JSON list of texts, not {task[:80]!r}")
        words = (quote(note, _LONGEST) for note in notes)
        self._earlier = tuple(w for w in words if not self._numbers.search(w))[-self.keep :] if self.keep else ()

    def reset(self, seed: int) -> None:
        """Draw the private values and the side that starts, for all bargains of the match."""
        self._seed = seed
        self._past, self._advice, self._values = [], [], []
        self._inner.reset(seed)

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The side that sends the next message, or the coach between two bargains."""
        if self._inner.acting:
            return self._inner.acting
        return () if len(self._past) == self.games else (COACH,)

    def observe(self, seat: Seat) -> Observation:
        """The present bargain, for the coached side with all advice and dialogues; for the coach the last dialogue."""
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
        """`advise` for the coach; `open` or `respond` for the sides."""
        return "advise" if seat == COACH else self._inner.phase(seat)

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """None, which allows any text, for the acting seat."""
        return None if seat in self.acting else ()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play a message of a side, or advice. Raises IllegalAction."""
        if self.acting != (COACH,):
            self._inner.apply(actions)
            if not self._inner.acting:
                values, *dialogue = self._inner.spectate().split("\n")
                self._values.append(values)
                self._past.append((dialogue, dict(self._inner.returns())))
            return
        if actions.keys() != {COACH}:
            raise IllegalAction("expected advice of the coach alone")
        text = actions[COACH]
        if not isinstance(text, str) or byte_length(text) > _LONGEST:
            raise IllegalAction(f"advice must be a text of at most {_LONGEST} bytes", COACH)
        words = quote(text, _LONGEST)
        self._advice.append(_WITHHELD if self._numbers.search(words) else words)
        self._inner.reset(derive(self._seed, "bargain", len(self._past)) if self.fresh else self._seed)

    def returns(self) -> Mapping[Seat, float]:
        """The mean over the bargains; for the coach the mean of its side over the later bargains minus the first."""
        gains = [past for _, past in self._past]
        n = max(1, len(gains))
        out = {seat: sum(g[seat] for g in gains) / n for seat in (SELLER, BUYER)}
        mine = [g[self.side] for g in gains]
        later = sum(mine[1:]) / (len(mine) - 1) - mine[0] if len(mine) > 1 else 0.0
        return {**out, COACH: later}

    def facts(self) -> Mapping[str, Any]:
        """The returns of each bargain, the advice, and the part of it that later matches are given."""
        noted = [words[1:-1] for words in self._advice if words not in (_WITHHELD, '""')]
        return {"paid": [dict(gains) for _, gains in self._past], "advice": list(self._advice), "notes": noted}

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The private values; the coach knows that of its side."""
        return self._inner.secrets(self.side if seat == COACH else seat)

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Messages of a bargain; suggestions in general words."""
        if seat == COACH:
            return _SUGGESTIONS if seat in self.acting else ()
        return self._inner.examples(seat)

    def spectate(self) -> str:
        """Every bargain and the advice, in order."""
        values, *present = self._inner.spectate().split("\n")
        lines = [] if self.fresh else [values]
        for i, (dialogue, _) in enumerate(self._past):
            lines += self._values[i : i + 1] if self.fresh else []
            lines += dialogue + [f"[{COACH}] {words}" for words in self._advice[i : i + 1]]
        now = [values, *present] if self.fresh else present
        return "\n".join(lines + (now if self._inner.acting else []))

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """One match: seed 0 has cost 45 and value 84, and the seller starts."""
        return _KNOWN if self.spec.id in _KNOWN_IDS else ()

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of the module `shortcuts` in this package."""
        return suite_beside(self)

    def _private(self) -> str:
        return self._inner.secrets(self.side)[0].replace("Your", "Its", 1)

    def _dialogues(self, past: list[tuple[list[str], Mapping[Seat, float]]]) -> list[str]:
        """Earlier dialogues, in lines that cannot be mistaken for messages of this bargain."""
        lines = []
        for dialogue, gains in past:
            lines += ["An earlier bargain:", *(f"> {line}" for line in dialogue)]
            lines.append(f"> the {self.side} gained {gains[self.side]:g}")
        return lines


_SUGGESTIONS = (
    "Start further from the price that you would accept. Make small steps. Give a reason for every offer.",
    "Ask what the other side needs. Do not accept the first offer. Be friendly.",
    "Say that you have another offer. Do not change your price too early. Stay calm.",
)


_KNOWN_IDS = ("bargain-v0(coach=seller,games=2)", "bargain-v1(coach=seller,games=2,fresh=False)")
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
