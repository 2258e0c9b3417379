"""Any text game as a PettingZoo AEC environment.

Observations and actions are texts. `infos[agent]["action_mask"]` is the tuple of legal texts, from which the action
space's `sample(mask)` draws; on a free-text turn it contains examples and `infos[agent]["free_text"]` is True. Seats
that act simultaneously are selected one after the other. None sees the choices of the others, and all choices are
played together. An illegal text ends the match as PettingZoo's TerminateIllegalWrapper does (all agents terminated
and truncated), but the rewards keep the game's sum (`games.forfeit`), and the offender's info contains the reason
under `"illegal"`. A match that reaches `spec.max_turns` is truncated.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from games.errors import IllegalAction, InputError
from games.forfeit import forfeit_returns, truncated_returns
from games.game import Seat, TextGame
from games.randomness import RandomStream, derive

MAX_TEXT = 1 << 20
"""limit on the characters of an observation or action; longer actions are illegal"""


class TextObservation(str):
    """A text with the dtype of its space, which PettingZoo's api_test compares."""

    __slots__ = ()
    dtype = np.dtype(str)


class AnyText(spaces.Text):  # type: ignore[misc]  # gymnasium's types are skipped
    """Texts of up to `max_length` Unicode characters; gymnasium's Text needs a list of characters."""

    def __init__(self, max_length: int = MAX_TEXT) -> None:
        super().__init__(max_length, min_length=0)

    def contains(self, x: Any) -> bool:
        """Returns whether `x` is a text within the length limit; O(1)."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Returns a uniformly random text of `mask`, a tuple of texts; without a mask, a few random letters."""
        if mask:
            return str(mask[int(self.np_random.integers(len(mask)))])
        return "".join(self.np_random.choice(list("abcdefghijklmnopqrstuvwxyz "), size=12))

    def __repr__(self) -> str:
        return f"AnyText({self.max_length})"


class TextGameEnv(AECEnv):  # type: ignore[misc]  # pettingzoo is not typed
    """The AEC environment of one TextGame; the module's docstring describes its behaviour."""

    render_mode = "ansi"

    def __init__(self, game: TextGame) -> None:
        super().__init__()
        self.game = game
        self.metadata = {"name": game.spec.id, "is_parallelizable": False, "render_modes": ["ansi"]}
        self.possible_agents: list[Seat] = list(game.spec.seats)
        self.agents: list[Seat] = []
        self.observation_spaces = {agent: AnyText() for agent in self.possible_agents}
        self.action_spaces = {agent: AnyText() for agent in self.possible_agents}
        self._seeds = RandomStream(secrets.randbits(63))

    def observation_space(self, agent: Seat) -> AnyText:
        """Returns the space of the agent's observations, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Seat) -> AnyText:
        """Returns the space of the agent's actions, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match from `seed`. Without one, derive a seed from the last one given, or from the system."""
        if seed is not None:
            self._seeds = RandomStream(derive(seed, "aec"))
        self.game.reset(self._seeds.bits() >> 1 if seed is None else int(seed))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._chosen: dict[Seat, str] = {}
        self._turns = 0
        self._skip_agent_selection = None
        if self.game.acting:
            self._select()
        else:
            self._end(dict(self.game.returns()), terminated=True, truncated=False)

    def observe(self, agent: Seat) -> TextObservation:
        """Returns what the agent may know now, for every agent at any time after reset."""
        return TextObservation(self.game.observe(agent).text)

    def step(self, action: str | None) -> None:
        """Play the text of `agent_selection`, or None once it is terminated or truncated."""
        if not self.agents:
            raise InputError("the match is over or not started; call reset before step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not isinstance(action, str):
            raise InputError(f"the action of {agent} must be a str, got {action!r}")
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._chosen[agent] = str(action)
        self._turns += 1
        if all(seat in self._chosen for seat in self.game.acting):
            self._play()
        else:
            self._select()
        self._accumulate_rewards()

    def render(self) -> str:
        """Returns the whole position as text; it can contain secrets."""
        return self.game.spectate()

    def close(self) -> None:
        """Does nothing: there are no resources to release."""

    def _play(self) -> None:
        chosen, self._chosen = self._chosen, {}
        try:
            long = next((seat for seat, text in chosen.items() if len(text) > MAX_TEXT), None)
            if long is not None:
                raise IllegalAction(f"an action has at most {MAX_TEXT} characters", long)
            self.game.apply(chosen)
        except IllegalAction as error:
            offender = error.seat if error.seat in chosen else self._offender(chosen)
            self._end(forfeit_returns(self.game.spec, offender), terminated=True, truncated=True)
            self.infos[offender]["illegal"] = str(error)
            return
        if not self.game.acting:
            self._end(dict(self.game.returns()), terminated=True, truncated=False)
        elif self._turns >= self.game.spec.max_turns:
            returns = truncated_returns(self.game.spec, dict(self.game.returns()))
            self._end(returns, terminated=False, truncated=True)
        else:
            self._select()

    def _offender(self, chosen: dict[Seat, str]) -> Seat:
        """Returns the last seat whose text is not among the legal actions, for an error that names no seat."""
        unlisted = [s for s, text in chosen.items() if text not in (self.game.legal(s) or (text,))]
        return (unlisted or list(chosen))[-1]

    def _select(self) -> None:
        """Select the next acting seat and put its legal actions into its info."""
        self.agent_selection = next(seat for seat in self.game.acting if seat not in self._chosen)
        self.infos = {agent: {"action_mask": (), "free_text": False} for agent in self.agents}
        legal = self.game.legal(self.agent_selection)
        mask = self.game.examples(self.agent_selection) if legal is None else legal
        self.infos[self.agent_selection] = {"action_mask": tuple(mask), "free_text": legal is None}

    def _end(self, returns: dict[Seat, float], terminated: bool, truncated: bool) -> None:
        self.rewards = {agent: float(returns[agent]) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = {agent: {"action_mask": (), "free_text": False} for agent in self.agents}
        self.agent_selection = self.agents[0]


def to_aec(game: TextGame) -> TextGameEnv:
    """Returns the AEC environment that plays `game` and owns it from now on."""
    return TextGameEnv(game)
