"""The text interface of any environment, made from its action and observation spaces."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from games.game import Seat
from games.pettingzoo import spaces
from games.pettingzoo.interface import EnvState, TextInterface
from games.pettingzoo.render import render

MAX_NAMED = 4096
"""actions of a discrete space that are listed by name; a larger space takes free text"""
MAX_DOC = 2000
"""characters of the environment's docstring in the rules"""


class SpaceInterface(TextInterface):
    """Discrete actions by number, other actions as JSON, observations as arrays in text."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self._spaces = {str(agent): env.action_space(agent) for agent in env.possible_agents}
        self._names: dict[Seat, tuple[tuple[str, Any], ...] | None] = {
            seat: spaces.names(space, MAX_NAMED) for seat, space in self._spaces.items()
        }
        self.rules = self._rules()
        self.max_turns = 1000 * len(self._spaces)

    def menu(self, state: EnvState, seat: Seat) -> dict[str, Any] | None:
        """Returns the numbers of a discrete space that the mask allows; all of them if there is no mask."""
        named = self._names[seat]
        if named is None:
            return None
        observation = state.observation(seat)
        mask = observation.get("action_mask") if isinstance(observation, Mapping) else None
        if mask is None:
            mask = state.info(seat).get("action_mask")
        if mask is None:
            return dict(named)
        # Some environments mask every action of the acting seat; the match can continue only if all are legal.
        return {name: action for (name, action), ok in zip(named, mask, strict=True) if ok} or dict(named)

    def decode(self, seat: Seat, text: str) -> Any:
        """Returns the action that a JSON text describes; for a Text space the text itself."""
        return spaces.read(self._spaces[seat], text, seat)

    def samples(self, seat: Seat) -> tuple[str, ...]:
        """Returns a few fixed members of the action space."""
        return spaces.samples(self._spaces[seat])

    def text(self, state: EnvState, seat: Seat) -> str:
        """Returns the observation without its action mask, because the legal actions are shown separately."""
        return f"You are {seat}. {state.status(seat)}\n{render(state.observation(seat))}"

    def _rules(self) -> str:
        env = self.env.unwrapped
        name = env.metadata.get("name", type(env).__name__) if hasattr(env, "metadata") else type(env).__name__
        doc = type(env).__dict__.get("__doc__")
        about = f"{inspect.cleandoc(doc)[:MAX_DOC]}\n" if doc else ""
        forms: dict[str, list[Seat]] = {}
        for seat, space in self._spaces.items():
            forms.setdefault(spaces.describe(space), []).append(seat)
        if len(forms) == 1:
            actions = f"An action is {next(iter(forms))}."
        else:
            actions = "\n".join(f"An action of {', '.join(seats)} is {form}." for form, seats in forms.items())
        return f"The environment {name} for {', '.join(self._spaces)}.\n{about}{actions}"
