"""bargain-v1: a seller with a private cost and a buyer with a private value agree on a price, by typed offers.

After GPT-Bargaining (Fu et al. 2023, arXiv 2305.10142). README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Interval

from games import KnownOutcome
from games.dialogue import RoleGame, Script, Table, role_game
from games.game import Notes, Seat
from games.native.bargain.deal import Deal, draw
from games.native.bargain.messages import BUYER, COACH, HIGH, LONGEST, LOW, SELLER, understood
from games.native.bargain.policies import suite
from games.native.bargain.texts import DEMONSTRATIONS, NUMBERS, SUGGESTIONS, WITHHELD, rules
from games.quoting import quote

Coach = Literal["", "seller", "buyer"]
_KEEP = 3
"""texts of advice from earlier matches that are read again"""


def _known_outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    """Deals at once, after a counter-offer, at a loss, and two matches without a deal."""
    cost, value = (game.data(seat)["position"].private for seat in (SELLER, BUYER))
    first, second = (SELLER, BUYER) if game.acting == (SELLER,) else (BUYER, SELLER)

    def sold(price: int, *moves: str) -> KnownOutcome:
        turns = tuple({seat: move} for seat, move in zip((first, second, first), moves, strict=False))
        return KnownOutcome(0, turns, {SELLER: float(price - cost), BUYER: float(value - price)})

    nothing = {SELLER: 0.0, BUYER: 0.0}
    return (
        sold(70, "offer 70: It is fair.", "accept: Fine."),
        sold(50, "offer 70", "offer 50: Not more or less than $60.", "ACCEPT"),
        sold(HIGH, f"offer {HIGH}", "accept"),
        KnownOutcome(0, ({first: "offer 90"}, {second: "reject"}, {first: "walk away"}), nothing),
        KnownOutcome(0, ({first: "offer 60"}, {second: "offer 80"}) * 5, nothing),
    )


@role_game(
    "bargain-v1",
    seats=lambda coach: {SELLER: SELLER, BUYER: BUYER} | ({COACH: COACH} if coach else {}),
    payoff="general_sum",
    rules=rules,
    max_turns=lambda rounds, coach, games: 2 * rounds * games + games - 1 if coach else 2 * rounds,
    returns_range=lambda coach: (2.0 * (LOW - HIGH), 2.0 * (HIGH - LOW)) if coach else (float(LOW - HIGH), float(HIGH)),
    notes=lambda coach: Notes((COACH, coach), _KEEP) if coach else None,
    demonstrations=DEMONSTRATIONS,
    problem=lambda coach, games: "" if coach or games == 3 else "games counts bargains with a coach; add coach=seller",
    suite=suite,
    known=_known_outcomes,
)
def bargain(
    t: Table,
    rounds: Annotated[int, Interval(ge=1, le=1000)] = 5,
    coach: Coach = "",
    games: Annotated[int, Interval(ge=2, le=20)] = 3,
) -> Script:
    """A seller and a buyer bargain over a price, optionally with a coach for one side (GPT-Bargaining).

    rounds: messages of each side at most. coach: the side that a third seat advises. games: bargains of a match with a
    coach.
    """
    notes = tuple(note for note in (quote(note, LONGEST) for note in t.notes) if not NUMBERS.search(note))
    match = _Match(t, coach, games if coach else 1, notes[-_KEEP:])
    for _ in range(match.games):
        if match.past:
            yield from match.advise()
        yield from match.bargain(draw(t.stream, rounds))
    match.finish()


@dataclass
class _Match:
    """The bargains of a match, and the advice in between."""

    t: Table
    coach: Coach
    games: int
    notes: Sequence[str]
    """advice of earlier matches, quoted"""
    past: list[Deal] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)

    def bargain(self, deal: Deal) -> Script:
        """Has the sides bargain over one item."""
        t = self.t
        t.log(f"cost {deal.private[SELLER]}, value {deal.private[BUYER]}")
        for seat in (SELLER, BUYER):
            t.tell((seat, COACH) if seat == self.coach else seat, "", secret=deal.secret(seat))
        while not deal.over:
            seat = deal.speaker
            for side in (SELLER, BUYER):
                t.tell(side, "", position=deal.position(side))
            views = self._views(deal)
            phase = "open" if deal.offer is None else "respond"
            text = yield t.ask(seat, views, phase=phase, examples=deal.examples(seat), waiting=views)
            deal.messages.append(understood(seat, text, deal.offer is not None))
            t.log(str(deal.messages[-1]))
        self.past.append(deal)
        t.log(deal.outcome())

    def advise(self) -> Script:
        """Asks the coach for advice; advice that names a number is withheld."""
        views = self._views(self.past[-1])
        text = yield self.t.ask(COACH, views, phase="advise", examples=SUGGESTIONS, waiting=views, longest=LONGEST)
        words = self.t.quote(COACH, text, LONGEST)
        self.advice.append(WITHHELD if NUMBERS.search(words) else words)
        self.t.tell(self.coach, "", advice=tuple(self.advice))
        self.t.log(f"[{COACH}] {self.advice[-1]}")

    def finish(self) -> None:
        """Pays the mean over the bargains; to the coach its side's mean over the later bargains minus the first."""
        t, gains = self.t, [deal.gains for deal in self.past]
        for seat in (SELLER, BUYER):
            t.pay(seat, sum(gain[seat] for gain in gains) / len(gains))
        if self.coach:
            first, *later = [gain[self.coach] for gain in gains]
            t.pay(COACH, sum(later) / len(later) - first)
            noted = [words[1:-1] for words in self.advice if words not in (WITHHELD, '""')]
            t.facts |= {"paid": gains, "advice": list(self.advice), "notes": noted}
        for seat, text in self._views(self.past[-1]).items():
            t.record.lines[seat].append(text)
        t.end(self.past[-1].outcome())

    def _views(self, deal: Deal) -> dict[Seat, str]:
        """Returns what each seat reads, at most about the present bargain, unless it is coached."""
        views = {seat: deal.view(seat) for seat in (SELLER, BUYER)}
        if self.coach:
            number = f"This is bargain {min(len(self.past) + 1, self.games)} of {self.games}."
            private = deal.secret(self.coach).replace("Your", "Its", 1)
            views = {seat: [*lines, number] for seat, lines in views.items()}
            views[self.coach] += self._dialogues(self.past)
            views[self.coach] += [f"In earlier matches your coach said: {words}" for words in self.notes if self.advice]
            views[self.coach] += [f"Your coach says: {words}" for words in self.advice]
            views[COACH] = [f"You coach the {self.coach}. {private}"]
            views[COACH] += [f"In earlier matches you said: {words}" for words in self.notes]
            views[COACH] += [f"You said: {words}" for words in self.advice] + self._dialogues(self.past[-1:])
        return {seat: "\n".join(lines) for seat, lines in views.items()}

    def _dialogues(self, past: Sequence[Deal]) -> list[str]:
        """Returns earlier dialogues, in lines that cannot be mistaken for messages of this bargain."""
        lines = []
        for deal in past:
            lines += ["An earlier bargain:", *(f"> {message}" for message in deal.messages), f"> {deal.outcome()}"]
            lines.append(f"> the {self.coach} gained {deal.gains[self.coach]:g}")
        return lines
