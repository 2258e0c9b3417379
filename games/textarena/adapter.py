"""A TextArena environment as a TextGame.

An environment is made anew for every match, because its `reset` keeps the messages of the match before. Its rewards
exist only at the end. It answers an illegal move by asking once more and then ends the match; here the move is taken
back and refused instead, so that the arena's illegal-action policy applies as in every other game.
"""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NoReturn

from annotated_types import Interval

from games.errors import IllegalAction, InfrastructureError
from games.game import GameSpec, Observation, Payoff, Seat, TextGame
from games.isolated_rng import IsolatedGenerators
from games.one_action import only_action
from games.openspiel.roles import roles
from games.quoting import byte_length
from games.randomness import derive
from games.returns_range import read_range
from games.textarena.messages import MAX_BYTES, rendered, submitted
from games.textarena.variants import candidates

Players = Annotated[int, Interval(ge=1, le=16)]
MaxTurns = Annotated[int, Interval(ge=1, le=10_000)]
MAX_TURNS = 200


class _Refused(BaseException):
    """The environment refuses a move. Not an Exception, because environments catch those."""


def _refuse(*args: object, **named: object) -> NoReturn:
    """In place of the environment's `state.set_invalid_move`."""
    raise _Refused(str(named.get("reason", args[0] if args else "the environment gives no reason")))


class TextArenaGame(TextGame):
    """`new` makes an environment; `name` is its registered id.

    menu: the legal actions are the texts in brackets that the environment mentions to the seat and accepts now. For
    models that choose, and for environments whose moves are all mentioned (`[check]`, `[4]`).
    returns_range: the lowest and the highest return of a seat, such as [-3,3]; a forfeit pays the lowest.
    """

    one_phase = True

    def __init__(
        self,
        id: str,
        name: str,
        new: Callable[[], Any],
        players: Players,
        max_turns: MaxTurns = MAX_TURNS,
        payoff: Payoff = "general_sum",
        menu: bool = False,
        returns_range: str = "",
    ) -> None:
        self._new, self._name, self._menu = new, name, menu
        self._seats = tuple(f"player_{i}" for i in range(players))
        self.spec = GameSpec(
            id=id,
            seats=dict(zip(self._seats, roles("", players, simultaneous=False), strict=True)),
            payoff=payoff,
            rules=f"You play {name}, an environment of TextArena. Your first message tells its rules.",
            max_turns=max_turns,
            returns_range=read_range(returns_range),
        )
        self.env: Any = None
        """TextArena's environment, from the first reset on"""
        self._generators = IsolatedGenerators(0)
        self._examples: tuple[str, ...] | None = None

    def reset(self, seed: int) -> None:
        """Make the environment for one match. Raises InfrastructureError if that fails."""
        self._examples = None
        seed = derive(seed, "textarena") % (1 << 31)
        self._generators = IsolatedGenerators(seed)
        try:
            with self._generators.active():
                self.env = self._new()
                self.env.reset(num_players=len(self._seats), seed=seed)
        except Exception as error:
            raise InfrastructureError(f"{self.spec.id} failed at reset: {error}") from error
        self.env.state.set_invalid_move = _refuse

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seat whose turn it is."""
        state = self.env.state
        return () if state.done else (self._seats[state.current_player_id],)

    def observe(self, seat: Seat) -> Observation:
        """Returns the environment's messages to this seat; of the boards only the newest."""
        state, player = self.env.state, self._seats.index(seat)
        return Observation(rendered(state.observations[player], player, state.role_mapping))

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """None, as an environment lists no actions; with `menu` the examples."""
        if seat not in self.acting:
            return ()
        return self.examples(seat) if self._menu else None

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play a text. Raises IllegalAction if the environment refuses it or fails on it."""
        acting = self.acting
        text = only_action(acting, actions)
        if self._menu and text not in self.examples(acting[0]):
            raise IllegalAction(f"{text!r:.80} is not among {', '.join(self.examples(acting[0]))}")
        self.env = self._stepped(text)
        self._examples = None

    def _stepped(self, text: str) -> Any:
        """Returns a copy of the environment after this text. Raises IllegalAction."""
        env = _copier(self.env)()
        text = self._submitted(text)
        with self._generators.active():
            self._step(env, text)
        return env

    def _submitted(self, text: str) -> str:
        text = submitted(text, self.env.state.role_mapping)
        if not 0 < (size := byte_length(text)) <= MAX_BYTES:
            raise IllegalAction(f"the text has {size:,} bytes; it may have 1 to {MAX_BYTES:,}")
        return text

    def _step(self, env: Any, text: str) -> None:
        try:
            env.step(text)
        except _Refused as refusal:
            raise IllegalAction(str(refusal)) from None
        except Exception as error:  # noqa: BLE001  a text on which the environment fails must not void the match
            raise IllegalAction(f"{self._name} cannot read this text ({type(error).__name__})") from None

    def returns(self) -> Mapping[Seat, float]:
        """Returns the environment's rewards at the end, 0 before. Raises InfrastructureError if one is no number."""
        state = self.env.state
        if not state.done:
            return dict.fromkeys(self._seats, 0.0)
        rewards = state.rewards
        if not isinstance(rewards, Mapping):
            raise InfrastructureError(f"{self.spec.id} ended without rewards")
        returns = {seat: self._number(rewards.get(player)) for player, seat in enumerate(self._seats)}
        if self.spec.payoff == "zero_sum" and abs(sum(returns.values())) > 1e-9:
            raise InfrastructureError(f"{self.spec.id} pays {returns}, which is not zero-sum; add payoff=general_sum")
        return returns

    def _number(self, reward: object) -> float:
        if isinstance(reward, bool) or not isinstance(reward, int | float) or not math.isfinite(reward):
            raise InfrastructureError(f"{self.spec.id} pays {reward!r:.80}, which is not a number")
        return float(reward)

    def facts(self) -> Mapping[str, Any]:
        """Returns why the match ended, as the environment says it."""
        reason = self.env.state.game_info.get(0, {}).get("reason") if self.env.state.done else None
        return {"reason": str(reason)} if reason else {}

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Returns texts that the environment accepts now, found by trying texts that it mentions."""
        if seat not in self.acting:
            return ()
        if self._examples is None:
            self._examples = self._accepted(self.observe(seat).text)
        return self._examples

    def _accepted(self, observation: str) -> tuple[str, ...]:
        accepted: list[str] = []
        again = _copier(self.env)
        with self._generators.tried() as rewind:
            for group, enough in candidates(observation):
                for text in group:
                    rewind()
                    if self._accepts(again(), text):
                        accepted.append(text)
                    if len(accepted) == enough:
                        break
                if accepted:
                    break
        return tuple(accepted)

    def _accepts(self, env: Any, text: str) -> bool:
        try:
            self._step(env, self._submitted(text))
        except IllegalAction:
            return False
        return True


def _copier(env: Any) -> Callable[[], Any]:
    """Returns a function that makes independent copies of an environment as it is now.

    Pickled bytes are copied three to fifteen times as fast as by `copy.deepcopy`; they never leave this process. What
    cannot be pickled, such as a lambda in the state, is copied by `copy.deepcopy`.
    """
    try:
        frozen = pickle.dumps(env, pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001  an object may raise anything here, and deepcopy decides what that means
        return lambda: copy.deepcopy(env)
    return lambda: pickle.loads(frozen)
