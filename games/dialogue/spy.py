"""spy-v0: all but one are given the same word, the spy one that is almost alike; clues, then a vote on who it is.

The text version of the game of Vision-Zero (Wang et al. 2025, arXiv 2509.25541): each player knows whether it is the
spy, gives a clue in each round, and all vote at once. Seats are fixed, the numbers players are known by are drawn.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

from games.dialogue.staged import Staged, named, whole
from games.dialogue.talk import Word, mentions, said, words
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.randomness import Stream, derive
from games.speech import quote

SPY, CIVILIAN = "spy", "civilian"
NOBODY = "nobody"
_VOTE = re.compile(r"(?:player\s*)?([0-9]{1,2})\.?|(nobody|n/a|none)\.?", re.IGNORECASE | re.ASCII)
_VAGUE = ("Everybody knows it.", "I have seen one before.")


class Spy(Staged):
    """`players`: 3 to 8, one of them the spy. `rounds`: clues of each player. `closed`: clues and votes are listed."""

    def __init__(self, players: int = 4, rounds: int = 2, closed: bool = False) -> None:
        super().__init__()
        self.players = whole("spy-v0", "players", players, 3, 8)
        self.rounds = whole("spy-v0", "rounds", rounds, 1, 10)
        if not isinstance(closed, bool):
            raise InputError(f"spy-v0: closed is true or false, not {closed!r}")
        self.closed = closed
        civilians = tuple(f"{CIVILIAN}_{i}" for i in range(players - 1))
        self.spec = GameSpec(
            id=named("spy-v0", {"players": (players, 4), "rounds": (rounds, 2), "closed": (closed, False)}),
            seats={SPY: SPY} | dict.fromkeys(civilians, CIVILIAN),
            payoff="zero_sum",
            rules=_rules(players, rounds, closed),
            max_turns=players * (rounds + 1),
            returns_range=(-1.0, 1.0),
            teams=((SPY,), civilians),
        )
        self._words: dict[Seat, Word] = {}
        self._number: dict[Seat, int] = {}
        self._order: list[Seat] = []
        self._lines: list[str] = []
        self._broken: list[Seat] = []
        self._votes: dict[Seat, Seat | None] = {}
        self._read: dict[Seat, bool] = {}
        self._over = True

    def reset(self, seed: int) -> None:
        """Draw the words, the numbers and with them the order of the clues."""
        stream = Stream(derive(seed, "spy-v0"))
        pair = stream.shuffled(stream.choice(pairs()))
        self._words = {seat: pair[seat == SPY] for seat in self.spec.seats}
        self._order = stream.shuffled(list(self.spec.seats))
        self._number = {seat: i + 1 for i, seat in enumerate(self._order)}
        self._lines, self._broken, self._votes, self._read, self._over = [], [], {}, {}, False
        self._due = (self._order[0],)

    def phase(self, seat: Seat) -> str:
        """`clue`, then `vote`."""
        return "vote" if len(self._lines) >= self.rounds * self.players else "clue"

    def observe(self, seat: Seat) -> Observation:
        """The own number, word and side; all clues; the votes when they are counted."""
        side = "You are the spy." if seat == SPY else "You are no spy."
        lines = [f"You are player {self._number[seat]}. {side} {self._secret(seat)}", *self._lines]
        if self._over:
            lines += self._counted()
        elif self.phase(seat) == "vote":
            others = ", ".join(self._names(seat))
            lines.append(f"All clues are given. Who is the spy: {others} or {NOBODY}?")
        else:
            left = self.rounds * self.players - len(self._lines)
            lines.append("1 clue is left." if left == 1 else f"{left} clues are left.")
        return Observation("\n".join(lines), self.phase(seat))

    def returns(self) -> Mapping[Seat, float]:
        """A spy that is caught pays 1 to the others together; else it gets 1 from them."""
        won = 0.0 if not self._over else -1.0 if self.caught() else 1.0
        return {s: won if s == SPY else -won / (self.players - 1) for s in self.spec.seats}

    def caught(self) -> bool:
        """Whether the spy has more votes than anybody else."""
        tally = self._tally()
        return all(tally[SPY] > n for seat, n in tally.items() if seat != SPY)

    def facts(self) -> Mapping[str, Any]:
        """The votes (None: nobody) and whether each was one of the listed, who said its own word, both words."""
        return {
            "votes": dict(self._votes),
            "tally": self._tally(),
            "readable": dict(self._read),
            "broken": list(self._broken),
            "words": {seat: self._words[seat].text for seat in (SPY, f"{CIVILIAN}_0")},
            "caught": self._over and self.caught(),
        }

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The own word."""
        return (self._secret(seat),)

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Things to say about the own word; the votes."""
        return self._messages(seat) if seat in self._due else ()

    def spectate(self) -> str:
        """Who is who, both words, clues and votes."""
        who = ", ".join(f"player {self._number[s]}: {s} ({self._words[s].text})" for s in self._order)
        return "\n".join([who, *self._lines, *(self._counted() if self._over else [])])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches worked out by hand, for the usual parameters."""
        return _known() if self.spec.id == "spy-v0" else ()

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        return self._messages(seat) if self.closed else None

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self.phase(seat) == "vote":
            return (*self._names(seat), NOBODY)
        return (*(f"It has to do with {hint}." for hint in self._words[seat].hints), *_VAGUE)

    def _names(self, seat: Seat) -> list[str]:
        return [f"player {n}" for n in range(1, self.players + 1) if n != self._number[seat]]

    def _secret(self, seat: Seat) -> str:
        return f"Your word is {self._words[seat].text}."

    def _take(self, said_by: Mapping[Seat, str]) -> None:
        if self.phase(SPY) == "vote":
            for seat, text in said_by.items():
                self._votes[seat], self._read[seat] = self._vote(seat, text)
            self._due, self._over = (), True
            return
        ((seat, text),) = said_by.items()
        who = f"player {self._number[seat]}"
        if mentions(quote(text), self._words[seat]):
            self._broken.append(seat)
            self._lines.append(f"[{who}] said its word, which is against the rules; the clue is not shown")
        else:
            self._lines.append(said(who, text, 200))
        given = len(self._lines)
        over = given >= self.rounds * self.players
        self._due = tuple(self.spec.seats) if over else (self._order[given % self.players],)

    def _vote(self, seat: Seat, text: str) -> tuple[Seat | None, bool]:
        """Whom a text votes for, and whether it is a vote at all: anything but one name, or nobody, is none."""
        found = _VOTE.fullmatch(text.strip())
        if found is None or (found[1] and not 1 <= int(found[1]) <= self.players):
            return None, False
        if found[2]:
            return None, True
        target = self._order[int(found[1]) - 1]
        return (None, False) if target == seat else (target, True)

    def _tally(self) -> dict[Seat, int]:
        return {seat: sum(vote == seat for vote in self._votes.values()) for seat in self.spec.seats}

    def _counted(self) -> list[str]:
        lines = []
        for seat in self._order:
            vote = self._votes[seat]
            told = "nobody" if vote is None else f"player {self._number[vote]}"
            lines.append(f"[player {self._number[seat]}] votes for {told}")
        return [*lines, f"The spy, player {self._number[SPY]}, {'is caught' if self.caught() else 'gets away'}."]


@functools.cache
def pairs() -> tuple[tuple[Word, Word], ...]:
    """Words that are almost alike."""
    of = {word.text: word for word in words()}
    listed = resources.files("games.dialogue").joinpath("data/pairs.txt").read_text(encoding="utf-8").splitlines()
    both = [line.split() for line in listed if line and not line.startswith("#")]
    return tuple((of[a], of[b]) for a, b in both)


def _rules(players: int, rounds: int, closed: bool) -> str:
    how = "Choose from what is listed." if closed else "A clue is one short sentence; a vote is player 2, or nobody."
    return (
        f"{players} players are given a word each: all the same one, but the spy one that is almost alike. Nobody "
        "knows the other word. Everybody knows whether it is the spy itself. The players give clues about their words "
        f"in turn, {rounds} each, without saying the word; a clue that says it is not shown. Then all vote at once on "
        "who the spy is. If the spy has more votes than anybody else, it is caught and the others win; if not, the "
        "spy wins.\n"
        f"{how}"
    )


def _known() -> tuple[KnownOutcome, ...]:
    game = Spy()
    game.reset(0)
    clues = tuple({seat: "Everybody knows it."} for seat in game._order) * 2
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
