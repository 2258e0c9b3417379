"""What the adapter knows of an environment: names of actions, text of observations, facts of the game."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.errors import InputError
from games.game import KnownOutcome, Payoff, Seat

if TYPE_CHECKING:
    from games.pettingzoo.adapter import EnvGame

_MOST_NAMED = 4096
_DOC = 2000


class Kit:
    """Facts and texts of one environment. Subclasses speak for one game; `Generic` reads the spaces."""

    payoff: Payoff = "general_sum"
    rules: str = ""
    max_turns: int = 2000
    returns_range: tuple[float, float] | None = None
    phase: str = "play"
    chance: bool | None = None
    """as in `GameSpec`"""
    known: tuple[KnownOutcome, ...] = ()
    twin: str | None = None
    """the OpenSpiel game with identical rules"""

    def __init__(self, env: Any) -> None:
        self.env = env

    def roles(self, seats: tuple[Seat, ...]) -> Mapping[Seat, str]:
        """The role of each seat."""
        return dict.fromkeys(seats, "player")

    def enter(self) -> None:
        """Called before the environment is reset or stepped, for environments that share state between instances."""

    def menu(self, game: EnvGame, seat: Seat) -> dict[str, Any] | None:
        """The legal actions of an acting seat, text -> the environment's action; None: `decode` reads free text."""
        raise NotImplementedError

    def decode(self, seat: Seat, text: str) -> Any:
        """The environment's action for a free text. Raises IllegalAction."""
        raise NotImplementedError

    def samples(self, seat: Seat) -> tuple[str, ...]:
        """Some valid free texts."""
        return ()

    def text(self, game: EnvGame, seat: Seat) -> str:
        """What this seat may know, as text."""
        raise NotImplementedError

    def secrets(self, game: EnvGame, seat: Seat) -> tuple[str, ...]:
        """Texts that only this seat may know now."""
        return ()

    def twin_action(self, action: Any) -> int:
        """The OpenSpiel action id for an action of the environment."""
        return int(action)


def in_turns(seats: tuple[Seat, Seat], texts: str, first: float, seed: int = 0) -> KnownOutcome:
    """A zero-sum match of two seats in turn, its actions separated by spaces, that pays `first` to the first."""
    moves = tuple({seats[i % 2]: text} for i, text in enumerate(texts.split()))
    return KnownOutcome(seed, moves, {seats[0]: first, seats[1]: -first})


class Turns(Kit):
    """Two seats that move in turns, both seeing everything."""

    named = ("first", "second")
    payoff: Payoff = "zero_sum"
    returns_range = (-1.0, 1.0)

    def roles(self, seats: tuple[Seat, ...]) -> Mapping[Seat, str]:
        """The two names, in the order of moving."""
        return dict(zip(seats, self.named, strict=True))


class Generic(Kit):
    """Any environment: actions and observations written out from their spaces."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        from games.pettingzoo import spaces

        self._spaces = {str(agent): env.action_space(agent) for agent in env.possible_agents}
        self._names: dict[Seat, tuple[tuple[str, Any], ...] | None] = {
            seat: spaces.names(space, _MOST_NAMED) for seat, space in self._spaces.items()
        }
        self.rules = self._rules()
        self.max_turns = 1000 * len(self._spaces)

    def menu(self, game: EnvGame, seat: Seat) -> dict[str, Any] | None:
        """The numbers of a discrete space that the mask allows; all of them where there is no mask."""
        named = self._names[seat]
        if named is None:
            return None
        observation = game.observation(seat)
        mask = observation.get("action_mask") if isinstance(observation, Mapping) else None
        if mask is None:
            mask = game.info(seat).get("action_mask")
        if mask is None:
            return dict(named)
        # an environment that allows nothing on a seat's turn has no legal way on: then nothing is ruled out
        return {name: action for (name, action), ok in zip(named, mask, strict=True) if ok} or dict(named)

    def decode(self, seat: Seat, text: str) -> Any:
        """JSON that lies in the action space; for a Text space the text itself."""
        from games.pettingzoo import spaces

        return spaces.read(self._spaces[seat], text, seat)

    def samples(self, seat: Seat) -> tuple[str, ...]:
        """A few fixed members of the action space."""
        from games.pettingzoo import spaces

        return spaces.samples(self._spaces[seat])

    def text(self, game: EnvGame, seat: Seat) -> str:
        """The observation written out, without the mask: what is legal is told elsewhere."""
        from games.pettingzoo.render import render

        return f"You are {seat}. {game.status(seat)}\n{render(game.observation(seat))}"

    def _rules(self) -> str:
        from games.pettingzoo import spaces

        env = self.env.unwrapped
        name = env.metadata.get("name", type(env).__name__) if hasattr(env, "metadata") else type(env).__name__
        doc = type(env).__dict__.get("__doc__")
        about = f"{inspect.cleandoc(doc)[:_DOC]}\n" if doc else ""
        forms: dict[str, list[Seat]] = {}
        for seat, space in self._spaces.items():
            forms.setdefault(spaces.describe(space), []).append(seat)
        if len(forms) == 1:
            actions = f"An action is {next(iter(forms))}."
        else:
            actions = "\n".join(f"An action of {', '.join(seats)} is {form}." for form, seats in forms.items())
        return f"The environment {name} for {', '.join(self._spaces)}.\n{about}{actions}"


def check_spaces(env: Any) -> None:
    """Raises InputError where the agents cannot be seats: unknown before the match, or names not distinct."""
    agents = getattr(env, "possible_agents", None)
    if not agents:
        raise InputError(f"{env} does not say its possible_agents; a game must know its seats beforehand")
    if len({str(agent) for agent in agents}) != len(agents):
        raise InputError(f"{env} has agents of the same name: {', '.join(map(str, agents))}")
