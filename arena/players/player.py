"""The contract of what can sit in a seat."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from games import Observation, TextGame
from games.randomness import Stream
from games.text import clean
from roles import Exchange

if TYPE_CHECKING:
    from arena.match.records import Decision
    from arena.players.budget import Budget

_MASK = (1 << 63) - 1


class View(msgspec.Struct, gc=False):
    """What a player is given for one turn.

    `game` is there for bots that search or solve through `openspiel_state`; whoever uses it in a game of hidden
    information must look only at its own seat's information. An LLM reads `observation` and nothing else.
    """

    game: TextGame
    seat: str
    role: str
    legal: tuple[str, ...] | None
    seat_seed: int
    """of this player's random numbers in this seat; it tells nothing of the match's seed, from which the cards come"""
    turn: int
    """index of this turn in the match, from 0"""
    rejected: Sequence[Decision] = ()
    """the failed attempts of this turn, oldest first"""
    exchanges: Sequence[Exchange] = ()
    """this seat's earlier turns, for players that set `remembers`"""
    match: str = ""
    """id of the match"""

    @property
    def observation(self) -> Observation:
        """All that the seat may know now, made safe: an environment's or a plugin's text may hold anything."""
        seen = self.game.observe(self.seat)
        text = clean(seen.text)
        return seen if text is seen.text else replace(seen, text=text)

    @property
    def rng(self) -> Stream:
        """A fresh stream that depends only on the match's seed, the seat, the player, the turn and the attempt."""
        return Stream(self.seed)

    @property
    def seed(self) -> int:
        """The seed of `rng`, for samplers in this process that take a number; never for somebody outside."""
        return (self.seat_seed + self.turn * 0xD1342543DE82EF95 + len(self.rejected) * 0x2545F4914F6CDD1D) & _MASK


class Player:
    """A participant that is rated. One object serves all its matches, so it keeps no state of a match.

    A player that waits for something (a model, a human, an endpoint) sets `waits` and implements `act_async`;
    everybody else implements `act`.
    """

    name: str = ""
    about: str = ""
    """what is behind it, in a few words, for the log of a run; "": nothing worth telling"""
    waits: bool = False
    remembers: bool = False
    trainable: bool = False
    outside: bool = False
    """whether what it is asked leaves this machine's control: somebody else reads it"""
    secret: bytes = b""
    """for players that are `outside`: what the seeds that they send are made with, set to the run's"""
    budget: Budget | None = None
    """for players whose decisions cost tokens or money: what they may use, set to the run's before the first match"""
    priced: bool = False
    """whether it knows what its tokens cost"""

    def act(self, view: View) -> Decision:
        """Decide one turn at once."""
        raise NotImplementedError(f"{type(self).__name__} waits; call act_async")

    def act_async(self, view: View) -> Awaitable[Decision]:
        """Decide one turn; raises games.errors.InfrastructureError where the player cannot answer at all."""
        raise NotImplementedError(f"{type(self).__name__} does not wait; call act")

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """The exact probability of every legal action now, or None where this player's policy cannot be read."""
        return None

    def supports(self, game: TextGame) -> str | None:
        """Why this player cannot play a game, in a few words, or None where it can. It may reset the game."""
        return None

    def close(self) -> None:
        """Let go of what the player holds (a model, a connection)."""


def lacks(player: Player) -> str:
    """Which method a player needs and has not, in words; "" if it has all."""
    method = "act_async" if player.waits else "act"
    if getattr(type(player), method, None) is not getattr(Player, method) or method in getattr(player, "__dict__", ()):
        return ""
    name, other = type(player).__name__, "" if player.waits else ", or set waits = True and write act_async(self, view)"
    return f"{name} has no {method}; write {method}(self, view), which returns an arena.match.Decision{other}"
