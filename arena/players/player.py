"""The base class of all players, and what a player sees of a match."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from games import Observation, TextGame
from games.randomness import POWERS, RandomStream
from roles import Exchange

if TYPE_CHECKING:
    from arena.players.budget import Budget
    from arena.players.experience import Experience
    from arena.records import Decision

_MASK = (1 << 63) - 1


def observed(game: TextGame, seat: str) -> Observation:
    """Returns what a seat may know now, cleaned also if the game's own class of observation does not clean."""
    observation = game.observe(seat)
    return observation if type(observation) is Observation else Observation(observation.text, observation.phase)


class View(msgspec.Struct, gc=False):
    """What a player receives for one turn.

    `game` is for bots that search or solve through `openspiel_state`. In a game of hidden information they must use
    only the information of their own seat. A language model reads nothing but `observation`.
    """

    game: TextGame
    seat: str
    role: str
    legal: tuple[str, ...] | None
    seat_seed: int
    """seed of this player's random numbers in this seat; does not reveal the match's seed, which deals the cards"""
    turn: int
    """index of this turn in the match, from 0"""
    rejected: Sequence[Decision] = ()
    """the failed attempts of this turn, oldest first"""
    exchanges: Sequence[Exchange] = ()
    """this seat's earlier turns; only for players that set `remembers`"""
    match: str = ""
    """id of the match"""
    notes: Sequence[str] = ()
    """texts for this player beside the game's: its notes from earlier matches, or advice"""
    _stream: tuple[int, RandomStream] | None = None
    """seed and stream of `rng`"""

    @property
    def observation(self) -> Observation:
        """Everything that the seat may know now."""
        observation = self.game.observe(
            self.seat
        )  # `observed` without the call, which takes a hundredth of a short match
        return observation if type(observation) is Observation else Observation(observation.text, observation.phase)

    @property
    def rng(self) -> RandomStream:
        """The random stream of this attempt, determined by the match's seed, the seat, the player and the turn.

        Each access returns the same stream, so a second draw is independent of the first.
        """
        seed = self.seed
        if self._stream is None or self._stream[0] != seed:  # a copy of the view for another attempt
            self._stream = seed, RandomStream(seed)
        return self._stream[1]

    def choice(self, items: Sequence[str]) -> str:
        """Returns one of the items, uniformly, as the turn's draw of the generator that begins at the seat's seed.

        Each call returns the same. It takes a third of the time of a draw of `rng`, which is independent of it.
        """
        if self.rejected or (turn := self.turn) >= len(POWERS):
            return self.rng.choice(items)
        z = self.seat_seed * POWERS[turn]
        if (count := len(items)) == 2:
            return items[z >> 63 & 1]  # the general case without what does not reach the highest of 64 bits
        return items[((z & 0xFFFFFFFFFFFFFFFF) * count) >> 64]

    @property
    def seed(self) -> int:
        """The seed of `rng`, for samplers in this process. Never send it to an endpoint (see `arena.players.seeds`)."""
        seed = self.seat_seed + self.turn * 0xD1342543DE82EF95
        if self.rejected:
            seed += len(self.rejected) * 0x2545F4914F6CDD1D
        return seed & _MASK


class Player:
    """A rated participant. One object plays all its matches concurrently, so it must not keep state of a match.

    A player that waits for something (a model, a human, an endpoint) sets `waits` and implements `act_async`. Every
    other player implements `act`.
    """

    name: str = ""
    about: str = ""
    """a short description for the log of a run, for example the model and the engine; may be empty"""
    waits: bool = False
    """whether it implements `act_async` instead of `act`"""
    remembers: bool = False
    """whether `View.exchanges` holds the seat's earlier turns"""
    learns: bool = False
    """whether a tournament gives it notes from its earlier matches: it has `learn` and `notes_for`"""
    trainable: bool = False
    """whether the learner trains on its turns"""
    outside: bool = False
    """whether it sends prompts to a server that somebody else may control"""
    recalls: bool | None = None
    """whether it may know in one match what it saw in another, such as a server or a human: a tournament then deals the
    matches of a pairing different cards; None: if it is `outside`"""
    deterministic: bool = False
    """whether its decision follows from what it sees, so that equal positions get equal decisions: it never uses
    `View.rng`. Matches of such players alone are evidence once for each opening (`league.outcomes.units`)"""
    secret: bytes = b""
    """key for the seeds that an `outside` player sends; a run sets its own"""
    budget: Budget | None = None
    """limit for players whose decisions cost tokens or money; a run sets its own before the first match"""
    priced: bool = False
    """whether it knows the price of its tokens"""
    prompt_room: int | None = None
    """tokens of a prompt that it reads, at most; None: unknown, or it reads no prompt"""

    @property
    def may_recall(self) -> bool:
        """`recalls`, or whether it is `outside` if that is not said."""
        return self.outside if self.recalls is None else self.recalls

    def act(self, view: View) -> Decision:
        """Decide one turn without waiting."""
        raise NotImplementedError(f"{type(self).__name__} waits; call act_async")

    def act_async(self, view: View) -> Awaitable[Decision]:
        """Decide one turn. Raises games.errors.InfrastructureError if it cannot answer; the match is then void."""
        raise NotImplementedError(f"{type(self).__name__} does not wait; call act")

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """Returns the exact probability of every legal action. None if the player does not know its policy."""
        return None

    async def learn(self, past: Sequence[Experience]) -> Sequence[str]:
        """Returns the notes for later matches, learned from earlier ones in one role of a game, in plan order."""
        return ()

    def notes_for(self, learned: Sequence[str], past: Sequence[Experience], seed: int) -> Sequence[str]:
        """Returns the notes for a match, from what it learned; `seed` is drawn for them and is not the match's."""
        return learned

    def supports(self, game: TextGame) -> str | None:
        """Returns None if this player can play a game, else a short reason why not. May reset the game."""
        return None

    def close(self) -> None:
        """Free the player's resources: a model, a connection."""


def missing_method(player: Player) -> str:
    """Returns an error message if a player does not implement the method it needs, else ""."""
    method = "act_async" if player.waits else "act"
    if method == "act" and inspect.iscoroutinefunction(getattr(player, "act", None)):
        remedy = "set waits = True and write `async def act_async(self, view)`, or write `def act` without async"
        return f"{type(player).__name__}.act is `async def`, which only a player that waits has; {remedy}"
    if getattr(type(player), method, None) is not getattr(Player, method) or method in getattr(player, "__dict__", ()):
        return ""
    name, other = type(player).__name__, "" if player.waits else ", or set waits = True and write act_async(self, view)"
    return f"{name} has no {method}; write {method}(self, view), which returns an arena.match.Decision{other}"
