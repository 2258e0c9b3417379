"""spy-v2: all players but one get the same word, the spy gets a similar one; they give clues, then vote on the spy.

The text version of the game of Vision-Zero (Wang et al. 2025, arXiv 2509.25541): each player knows whether it is the
spy, gives a clue in each round, and all vote at the same time. Seats are fixed; the player numbers are drawn.

spy-v0 hides a clue that contains the word and knows no other rule. In spy-v1 a player that spells its word, repeats a
clue, writes a number or says nothing has no vote, and one vote is counted against it (`games.native.spy.clues`). In
spy-v2 the civilians are strangers: civilians that are one player could find the spy by a code, which no rule for clues
tells from a hint, because it is a language that the spy does not speak. Whoever votes for nobody has a vote against it,
because abstaining beside good strangers would pay more than a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import Interval

from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common.answers import NOBODY, players
from games.native.common.messages import said, shown
from games.native.common.rewards import spy_vote
from games.native.common.stages import StagedGame, game_id, seats_of
from games.native.common.words import Word, mentions, vocabulary, word_of
from games.native.spy import clues
from games.native.spy.rules import DEMONSTRATIONS, rules, word_pairs
from games.randomness import RandomStream, derive

SPY, CIVILIAN = "spy", "civilian"
CLUE = 200
"""bytes of a clue that others read"""
_VAGUE = ("Everybody knows it.", "I have seen one before.")


class SpyGame(StagedGame):
    """Players describe a word; one of them, the spy, has another one; then they vote (Vision-Zero in words).

    players: how many, the spy included. rounds: clues of each player. closed: clues and votes are listed. strict:
    the rules for clues above, and their cost in credit; never in a closed game, whose few clues must repeat. tasks:
    the id of a vocabulary (`games.tasks`), from which the two words are drawn instead. strangers: matches of different
    players seat one of them as one civilian, and other players of the league as the others. pairs: above 0, the words
    are drawn from so many pairs, for tiny models. vague: how many clues of a closed game fit every word.
    """

    version = 2

    def __init__(
        self,
        players: Annotated[int, Interval(ge=3, le=8)] = 4,
        rounds: Annotated[int, Interval(ge=1, le=10)] = 2,
        closed: bool = False,
        strict: bool | None = None,
        tasks: str = "",
        strangers: bool | None = None,
        pairs: Annotated[int, Interval(ge=0, le=40)] = 0,
        vague: Annotated[int, Interval(ge=0, le=len(_VAGUE))] = len(_VAGUE),
    ) -> None:
        super().__init__()
        apart = self.version > 1
        usual = self.version > 0 and not closed
        self.strict = usual if strict is None else strict
        if self.strict and closed:
            raise InputError("spy: the rules for clues (strict) are for free text; leave out closed or strict")
        params: dict[str, Value] = {"players": players, "rounds": rounds, "closed": closed, "strict": self.strict}
        self._vocabulary = vocabulary(tasks) if tasks else None
        if self._vocabulary is not None:
            self.task_source, params["tasks"] = self._vocabulary, self._vocabulary.id
        strangers = apart if strangers is None else strangers
        params |= {"strangers": strangers, "pairs": pairs, "vague": vague}
        if vague < len(_VAGUE) and not closed:
            raise InputError("spy: vague is for a closed game; write closed=true too, or leave it out")
        if pairs and tasks:
            raise InputError("spy: tasks draws from a vocabulary; leave out pairs")
        self._pairs, self._vague = word_pairs()[: pairs or None], _VAGUE[:vague]
        id = game_id(f"spy-v{self.version}", SpyGame, params, {"strict": usual, "strangers": apart})
        self.players, self.rounds, self.closed = players, rounds, closed
        civilians = seats_of(CIVILIAN, players - 1)
        self.spec = GameSpec(
            id=id,
            seats={SPY: SPY} | dict.fromkeys(civilians, CIVILIAN),
            payoff="zero_sum",
            rules=rules(players, rounds, closed, self.strict, self.version > 1),
            max_turns=players * (rounds + 1),
            returns_range=(-1.0, 1.0),
            teams=((SPY,), civilians),
            demonstrations=DEMONSTRATIONS,
            strangers=strangers,
        )
        self._words: dict[Seat, Word] = {}
        self._number: dict[Seat, int] = {}
        self._order: list[Seat] = []
        self._lines: list[str] = []
        self._broken: list[Seat] = []
        """the seats that said their own word, or broke another rule for clues"""
        self._clues: list[str] = []
        """the clues that are shown"""
        self._costs: dict[Seat, float] = {}
        self._votes: dict[Seat, Seat | None] = {}
        self._readable: dict[Seat, bool] = {}

    def reset(self, seed: int) -> None:
        """Draw the words and the numbers of the players, which give the order of the clues."""
        self._start()
        stream = RandomStream(derive(seed, "spy-v0"))
        if self._vocabulary is None:
            both = stream.choice(self._pairs)
        else:
            first, second = self._vocabulary.pair(seed)
            both = word_of(first), word_of(second)
        pair = stream.shuffled(both)
        self._words = {seat: pair[seat == SPY] for seat in self.spec.seats}
        self._order = stream.shuffled(list(self.spec.seats))
        self._number = {seat: i + 1 for i, seat in enumerate(self._order)}
        self._lines, self._broken, self._votes, self._readable = [], [], {}, {}
        self._clues, self._costs = [], {}
        self._due = (self._order[0],)

    def phase(self, seat: Seat) -> str:
        """`clue`, then `vote`."""
        return "vote" if len(self._lines) >= self.rounds * self.players else "clue"

    def observe(self, seat: Seat) -> Observation:
        """The number, side and word of the seat, all clues, and the votes at the end."""
        side = "You are the spy." if seat == SPY else "You are not the spy."
        lines = [f"You are player {self._number[seat]}. {side} {self._secret(seat)}", *self._lines]
        if self._over:
            lines += self._counted()
        elif self.phase(seat) == "vote":
            others = ", ".join(self._names(seat))
            lines.append(f"All clues have been given. Who is the spy: {others} or {NOBODY}?")
        else:
            left = self.rounds * self.players - len(self._lines)
            lines.append("1 clue is left." if left == 1 else f"{left} clues are left.")
        return Observation("\n".join(lines), self.phase(seat))

    def returns(self) -> Mapping[Seat, float]:
        """1 for a spy that gets away, -1 for one that is caught; the civilians share the opposite."""
        won = 0.0 if not self._over else -1.0 if self.caught() else 1.0
        return {s: won if s == SPY else -won / (self.players - 1) for s in self.spec.seats}

    def caught(self) -> bool:
        """Whether the spy has more votes than any other player."""
        tally = self._tally()
        return all(tally[SPY] > n for seat, n in tally.items() if seat != SPY)

    def facts(self) -> Mapping[str, Any]:
        """The votes (None: nobody), which of them were readable, who broke a rule, what clues cost, and both words.

        `blind_vote`: since spy-v2, the expected credit of a random vote, above which a vote for nobody earns nothing.
        """
        found: dict[str, Any] = {"clue_costs": dict(self._costs)} if self.strict else {}
        if self.version > 1:
            others = self.players - 1
            found["blind_vote"] = (spy_vote(True, True) + (others - 1) * spy_vote(False, True)) / others
        return (
            found
            | {
                "votes": dict(self._votes),
                "tally": self._tally(),
                "readable": dict(self._readable),
                "broken": list(self._broken),
                "words": {seat: self._words[seat].text for seat in (SPY, f"{CIVILIAN}_0")},
                "caught": self._over and self.caught(),
            }
            | self._heard()
        )

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The word of the seat."""
        return (self._secret(seat),)

    def spectate(self) -> str:
        """The players with their words, the clues and the votes."""
        who = ", ".join(f"player {self._number[s]}: {s} ({self._words[s].text})" for s in self._order)
        return "\n".join([who, *self._lines, *(self._counted() if self._over else [])])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Three matches with the default parameters."""
        return _known() if self.spec.id == f"spy-v{self.version}" else ()

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self.phase(seat) == "vote":
            return (*self._names(seat), NOBODY)
        return (*(f"It has to do with {hint}." for hint in self._words[seat].hints), *self._vague)

    def _names(self, seat: Seat) -> list[str]:
        return [f"player {n}" for n in range(1, self.players + 1) if n != self._number[seat]]

    def _secret(self, seat: Seat) -> str:
        return f"Your word is {self._words[seat].text}."

    def _take(self, said_by: Mapping[Seat, str]) -> None:
        if self.phase(SPY) == "vote":
            for seat, text in said_by.items():
                self._votes[seat], self._readable[seat] = self._vote(seat, text)
            self._due = ()
            return
        ((seat, text),) = said_by.items()
        who = f"player {self._number[seat]}"
        if wrong := self._fault(seat, shown(text, CLUE)):
            self._broken.append(seat)
            self._lines.append(f"[{who}] {wrong}, which is against the rules; the clue is not shown")
        else:
            self._clues.append(shown(text, CLUE))
            self._lines.append(said(who, text, CLUE))
        given = len(self._lines)
        all_given = given >= self.rounds * self.players
        self._due = tuple(self.spec.seats) if all_given else (self._order[given % self.players],)

    def _fault(self, seat: Seat, clue: str) -> str:
        """Which rule a clue breaks, "" if none. Notes what it costs."""
        if not self.strict:
            return "said its word" if mentions(clue, self._words[seat]) else ""
        wrong = clues.fault(clue, self._words[seat], self._clues)
        cost = clues.REPETITION * bool(wrong) + clues.MECHANICS * clues.about_the_game(clue)
        self._costs[seat] = self._costs.get(seat, 0.0) + cost / self.rounds
        return wrong

    def _limit(self, seat: Seat) -> int | None:
        return CLUE if self.phase(seat) == "clue" else None

    def _vote(self, seat: Seat, text: str) -> tuple[Seat | None, bool]:
        """The seat a text votes for (None: nobody), and whether it is a readable vote: one other player, or nobody."""
        vote = None if self._barred(seat) else self._read(seat, text, players(self.players))
        if vote is None or vote == NOBODY:
            return None, vote is not None
        target = self._order[int(vote) - 1]
        return (None, False) if target == seat else (target, True)

    def _barred(self, seat: Seat) -> bool:
        """Whether a seat has no vote, because it broke a rule for clues."""
        return self.strict and seat in self._broken

    def _tally(self) -> dict[Seat, int]:
        """The votes for each seat, and one against each that has no vote or, in spy-v2, votes for nobody."""
        votes = list(self._votes.values())
        return {seat: votes.count(seat) + (self._barred(seat) or self._abstained(seat)) for seat in self.spec.seats}

    def _abstained(self, seat: Seat) -> bool:
        return self.version > 1 and self._votes.get(seat, seat) is None

    def _counted(self) -> list[str]:
        lines = []
        for seat in self._order:
            vote = self._votes[seat]
            told = "nobody" if vote is None else f"player {self._number[vote]}"
            if self._barred(seat):
                told += " and has a vote against it: it broke a rule"
            elif self._abstained(seat):
                told += ", which counts as a vote against itself"
            lines.append(f"[player {self._number[seat]}] votes for {told}")
        return [*lines, f"The spy, player {self._number[SPY]}, {'is caught' if self.caught() else 'gets away'}."]


class AlliedSpyGame(SpyGame):
    """spy-v1, in which one player is all civilians."""

    version = 1


class PublishedSpyGame(SpyGame):
    """spy-v0, in which a clue must only not contain the word."""

    version = 0


def _known() -> tuple[KnownOutcome, ...]:
    game = SpyGame()
    game.reset(0)
    words = iter(("Old.", "Large.", "Heavy.", "Loud.", "Useful.", "Common.", "Pretty.", "Costly."))
    clues = tuple({seat: next(words)} for seat in game._order * 2)
    civilians = game.spec.teams[1]
    at = {seat: f"player {n}" for seat, n in game._number.items()}
    right = dict.fromkeys(civilians, at[SPY]) | {SPY: at[civilians[0]]}
    level = right | {civilians[1]: at[civilians[0]], civilians[2]: NOBODY}
    third = 1 / 3
    win = {SPY: 1.0} | dict.fromkeys(civilians, -third)
    return (
        KnownOutcome(0, (*clues, right), {SPY: -1.0} | dict.fromkeys(civilians, third)),
        KnownOutcome(0, (*clues, level), win),
        KnownOutcome(0, (*clues, dict.fromkeys(game.spec.seats, NOBODY)), win),
    )
