"""Every text game as a PettingZoo AEC environment.

Observations and actions are texts. `infos[agent]["action_mask"]` is the tuple of legal texts, which the action
space's `sample(mask)` draws from; on a free-text turn it holds examples and `infos[agent]["free_text"]` is True.
Seats that act simultaneously are asked one after the other, none sees the others' choice, and all choices are
played together. An illegal text ends the match as PettingZoo's TerminateIllegalWrapper does (all agents terminated
and truncated), but the rewards keep the game's sum (`games.forfeit`) and the offender's info tells it why under
`"illegal"`. A match that reaches `spec.max_turns` is truncated.
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
from games.randomness import Stream, derive

MAX_TEXT = 1 << 20
"""characters of one observation or action; longer actions are illegal"""


class TextObservation(str):
    """A text that carries the dtype of its space, which PettingZoo's api_test compares."""

    __slots__ = ()
    dtype = np.dtype(str)


class AnyText(spaces.Text):  # type: ignore[misc]  # gymnasium's types are skipped
    """Texts of any Unicode characters up to `max_length`; gymnasium's Text needs the characters listed."""

    def __init__(self, max_length: int = MAX_TEXT) -> None:
        super().__init__(max_length, min_length=0)

    def contains(self, x: Any) -> bool:
        """Whether `x` is a text within the bound: O(1), no look at the characters."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """One text of `mask`, a tuple of texts, uniformly; without one a few random letters."""
        if mask:
            return str(mask[int(self.np_random.integers(len(mask)))])
        return "".join(self.np_random.choice(list("abcdefghijklmnopqrstuvwxyz "), size=12))

    def __repr__(self) -> str:
        return f"AnyText({self.max_length})"


class TextGameEnv(AECEnv):  # type: ignore[misc]  # pettingzoo is not typed
    """The AEC environment of one TextGame; see the module's text for what is fixed beyond PettingZoo's contract."""

    render_mode = "ansi"

    def __init__(self, game: TextGame) -> None:
        super().__init__()
        self.game = game
        self.metadata = {"name": game.spec.id, "is_parallelizable": False, "render_modes": ["ansi"]}
        self.possible_agents: list[Seat] = list(game.spec.seats)
        self.agents: list[Seat] = []
        self.observation_spaces = {agent: AnyText() for agent in self.possible_agents}
        self.action_spaces = {agent: AnyText() for agent in self.possible_agents}
        self._seeds = Stream(secrets.randbits(63))

    def observation_space(self, agent: Seat) -> AnyText:
        """The space of the agent's observations, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Seat) -> AnyText:
        """The space of the agent's actions, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match from `seed`. Without one the seed follows from the last seed given, or from the system."""
        if seed is not None:
            self._seeds = Stream(derive(seed, "aec"))
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
        """What the agent may know now, for every agent at any time after reset."""
        return TextObservation(self.game.observe(agent).text)

    def step(self, action: str | None) -> None:
        """Play the text of `agent_selection`, or None once it is terminated or truncated."""
        if not self.agents:
            raise InputError("step was called on an environment without agents; call reset first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not isinstance(action, str):
            raise InputError(f"an action is a text; {agent} was given {action!r}")
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
        """The whole position as text. It may show what agents must not see."""
        return self.game.spectate()

    def close(self) -> None:
        """Nothing is held open."""

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
        """The seat whose text is not listed as legal, where the game did not name it."""
        unlisted = [s for s, text in chosen.items() if text not in (self.game.legal(s) or (text,))]
        return (unlisted or list(chosen))[-1]

    def _select(self) -> None:
        """Choose who acts next and tell it what is legal."""
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
    """The AEC environment that plays `game`. The environment owns the game from then on."""
    return TextGameEnv(game)
