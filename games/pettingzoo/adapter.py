"""A PettingZoo environment as a TextGame.

The adapter checks every action before the environment receives it. So the environment runs without its checking
wrappers, which make it three times slower, and never handles illegal moves itself.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import Ge

from games.errors import IllegalAction, InfrastructureError
from games.game import GameSpec, KnownOutcome, Observation, Payoff, Seat, TextGame
from games.pettingzoo.interface import TextInterface
from games.returns_range import read_range

MaxTurns = Annotated[int, Ge(1)]

# The random generators that environments use differ in the seeds they accept; all accept 31 bits.
_SEEDS = 1 << 31
_MAX_SHOWN = 24
"""legal actions in an error message"""


def env_seed(seed: int) -> int:
    """Returns the seed of the environment for the seed of a match."""
    return seed % _SEEDS


class EnvGame(TextGame):
    """The common part of AEC and Parallel environments: seats, legal actions, history, the OpenSpiel twin.

    A match ends when the environment ends, or after `max_turns` decisions with the rewards so far.

    returns_range: the lowest and the highest return of a seat, such as [-120,0]; a forfeit pays the lowest.
    """

    def __init__(
        self,
        id: str,
        env: Any,
        interface: TextInterface,
        max_turns: MaxTurns | None,
        payoff: Payoff | None,
        returns_range: str | None = None,
    ) -> None:
        self.env = env
        self.interface = interface
        self.agents: dict[Seat, Any] = {str(agent): agent for agent in env.possible_agents}
        self.seats: tuple[Seat, ...] = tuple(self.agents)
        self.spec = GameSpec(
            id=id,
            seats=interface.roles(self.seats),
            payoff=payoff or interface.payoff,
            rules=interface.rules,
            max_turns=max_turns or interface.max_turns,
            returns_range=read_range(returns_range) or interface.returns_range,
            chance=interface.chance,
        )
        self.scores: dict[Seat, float] = {}
        self.played: list[dict[Seat, str]] = []
        """the action texts of every turn"""
        self._ids: list[tuple[Any, ...]] = []
        self._acting: tuple[Seat, ...] = ()
        self._menus: dict[Seat, dict[str, Any] | None] = {}
        self._turns = 0
        self._twin: Any = None
        self._twinned = 0

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats that must act now."""
        return self._acting

    def reset(self, seed: int) -> None:
        """Start a new match; the environment is reset with `env_seed(seed)`."""
        self.scores = dict.fromkeys(self.seats, 0.0)
        self.played = []
        self._ids = []
        self._turns = 0
        self._twin = None
        self.interface.enter()
        try:
            self._reset(env_seed(seed))
        except Exception as error:
            raise InfrastructureError(f"{self.spec.id} failed at reset: {error}") from error

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """Returns the legal actions by name; None if the action space is not a list (the rules describe the form)."""
        if seat not in self._acting:
            return ()
        menu = self._menu(seat)
        return None if menu is None else tuple(menu)

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Returns the legal actions, or a few valid texts."""
        if seat not in self._acting:
            return ()
        menu = self._menu(seat)
        return self.interface.samples(seat) if menu is None else tuple(menu)

    def observe(self, seat: Seat) -> Observation:
        """Returns what the environment shows this seat, as text."""
        return Observation(self._text(seat), self.interface.phase)

    def phase(self, seat: Seat) -> str:
        """Returns the phase, without rendering the observation."""
        return self.interface.phase

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Returns the known outcomes of the interface that fit into `max_turns`."""
        return tuple(
            outcome for outcome in self.interface.outcomes if sum(map(len, outcome.moves)) <= self.spec.max_turns
        )

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """Returns the secrets that the interface knows, such as cards in the hand."""
        return self.interface.secrets(self, seat)

    def returns(self) -> Mapping[Seat, float]:
        """Returns each seat's rewards, summed over the match."""
        return dict(self.scores)

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play one action for each acting seat. Raises IllegalAction before anything changes."""
        acting = self._acting
        if len(actions) != len(acting) or any(seat not in actions for seat in acting):
            raise IllegalAction(f"expected actions of {', '.join(acting) or 'nobody'}, got {', '.join(actions)}")
        chosen = tuple([self._decode(seat, actions[seat]) for seat in acting])
        self.interface.enter()
        self.played.append(dict(actions))
        self._ids.append(chosen)
        self._turns += len(acting)
        try:
            self._step(chosen)
        except Exception as error:
            raise InfrastructureError(f"{self.spec.id} failed at {dict(actions)}: {error}") from error

    def status(self, seat: Seat) -> str:
        """Returns one line for this seat that says whose turn it is."""
        if not self._acting:
            return "The match is over."
        if seat in self._acting:
            return "It is your turn." if len(self._acting) == 1 else "It is your turn; all seats act at once."
        return f"It is the turn of {', '.join(self._acting)}."

    def openspiel_state(self) -> Any:
        """Returns a copy of the same position in OpenSpiel if a game with identical rules exists, else None."""
        if self.interface.twin is None:
            return None
        if self._twin is None:
            import pyspiel

            self._twin = pyspiel.load_game(self.interface.twin).new_initial_state()
            self._twinned = 0
        for chosen in self._ids[self._twinned :]:
            moves = [self.interface.twin_action(action) for action in chosen]
            if len(moves) == 1:
                self._twin.apply_action(moves[0])
            else:
                self._twin.apply_actions(moves)
        self._twinned = len(self._ids)
        return self._twin.clone()

    def from_openspiel(self, action: str) -> str:
        """Returns the legal text for an action text of `openspiel_state()`, such as `x3`. Raises IllegalAction."""
        state = self.openspiel_state()
        if state is not None and self._acting:
            seat = self._acting[0]
            player = self.seats.index(seat)
            texts = {self.interface.twin_action(a): text for text, a in (self._menu(seat) or {}).items()}
            for id in state.legal_actions(player):
                if state.action_to_string(player, id) == action:
                    return texts[id]
        raise IllegalAction(f"{action!r} is not an action of the OpenSpiel position")

    def _menu(self, seat: Seat) -> dict[str, Any] | None:
        try:
            return self._menus[seat]
        except KeyError:
            menu = self._menus[seat] = self.interface.menu(self, seat)
            return menu

    def _decode(self, seat: Seat, text: str) -> Any:
        menu = self._menu(seat)
        if not isinstance(text, str):
            raise IllegalAction(f"an action is a text, not {type(text).__name__}", seat)
        if menu is None:
            return self.interface.decode(seat, text)
        if text in menu:
            return menu[text]
        listing = ", ".join(list(menu)[:_MAX_SHOWN]) + (", ..." if len(menu) > _MAX_SHOWN else "")
        raise IllegalAction(f"{text[:60]!r} is not a legal action; legal: {listing}", seat)

    def _text(self, seat: Seat) -> str:
        return self.interface.text(self, seat)

    @abstractmethod
    def observation(self, seat: Seat) -> Any:
        """Returns what the environment shows this seat now, in its own form."""

    @abstractmethod
    def info(self, seat: Seat) -> Mapping[str, Any]:
        """Returns the environment's info for this seat."""

    @abstractmethod
    def _reset(self, seed: int) -> None: ...

    @abstractmethod
    def _step(self, chosen: tuple[Any, ...]) -> None: ...


class AecGame(EnvGame):
    """An AEC environment: one seat acts at a time. Finished agents are stepped with None automatically."""

    _observations: dict[Seat, Any]
    """observations of the current position"""
    _gone: dict[Seat, str]
    """the last text of each agent that was removed"""

    def observation(self, seat: Seat) -> Any:
        """Returns `env.observe`, called once per position."""
        if seat not in self._observations:
            self._observations[seat] = self.env.observe(self.agents[seat])
        return self._observations[seat]

    def info(self, seat: Seat) -> Mapping[str, Any]:
        """Returns the environment's info for this seat."""
        return self.env.infos.get(self.agents[seat]) or {}

    def _text(self, seat: Seat) -> str:
        # An agent that was removed cannot be observed; it keeps its last observation.
        return self._gone[seat] if seat in self._gone else self.interface.text(self, seat)

    def _reset(self, seed: int) -> None:
        self._gone = {}
        self.env.reset(seed=seed)
        self._advance()

    def _step(self, chosen: tuple[Any, ...]) -> None:
        self.env.step(chosen[0])
        self._advance()

    def _advance(self) -> None:
        """Add up rewards as `last()` shows them, and advance to the next agent that can act."""
        env = self.env
        self._menus = {}
        self._observations = {}
        while env.agents:
            agent = env.agent_selection
            live = not (env.terminations[agent] or env.truncations[agent])
            if self._turns >= self.spec.max_turns or not (live or self._any_live()):
                # Count the rewards not shown yet. The agents stay in the environment, so they can still be observed.
                for last in env.agents:
                    self.scores[str(last)] += float(env._cumulative_rewards[last])
                break
            seat = str(agent)
            self.scores[seat] += float(env._cumulative_rewards[agent])
            if live:
                self._acting = (seat,)
                return
            self._acting = ()
            self._gone[seat] = self.interface.text(self, seat)
            env.step(None)
            self._observations = {}
        self._acting = ()

    def _any_live(self) -> bool:
        env = self.env
        return not all(env.terminations[agent] or env.truncations[agent] for agent in env.agents)


class ParallelGame(EnvGame):
    """A Parallel environment: all live seats act at once."""

    _observations: dict[Any, Any]
    _infos: dict[Any, Any]

    def observation(self, seat: Seat) -> Any:
        """Returns what the last step showed this seat; a finished seat keeps its last observation."""
        return self._observations.get(self.agents[seat])

    def info(self, seat: Seat) -> Mapping[str, Any]:
        """Returns the environment's info for this seat."""
        return self._infos.get(self.agents[seat]) or {}

    def _reset(self, seed: int) -> None:
        observations, infos = self.env.reset(seed=seed)
        self._observations = dict(observations)
        self._infos = dict(infos or {})
        self._menus = {}
        self._acting = tuple(str(agent) for agent in self.env.agents)

    def _step(self, chosen: tuple[Any, ...]) -> None:
        moves = {self.agents[seat]: action for seat, action in zip(self._acting, chosen, strict=True)}
        observations, rewards, terminations, truncations, infos = self.env.step(moves)
        self._observations.update(observations)
        self._infos.update(infos or {})
        for agent, reward in rewards.items():
            self.scores[str(agent)] += float(reward)
        self._menus = {}
        live = [a for a in self.env.agents if not (terminations.get(a) or truncations.get(a))]
        self._acting = () if self._turns >= self.spec.max_turns else tuple(map(str, live))
