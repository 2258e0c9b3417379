"""The environment of an OpenEnv server as a TextGame of one seat: its observations, and the sum of its rewards."""

from __future__ import annotations

import json
import math
import weakref
from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import Interval

from games.errors import IllegalAction, InfrastructureError
from games.game import GameSpec, Observation, Seat, TextGame
from games.one_action import only_action
from games.openenv.actions import ActionSchema
from games.quoting import byte_length
from games.returns_range import read_range
from games.sanitize import clean, one_line
from games.template_tokens import MAX_BYTES, without_tokens

MaxTurns = Annotated[int, Interval(ge=1, le=10_000)]
MAX_TURNS = 100
SEAT = "agent"
_LONGEST = 50_000
"""characters of an observation, at most"""
_REFUSALS = ("VALIDATION_ERROR", "EXECUTION_ERROR")
_HIDDEN = ("metadata", "legal_actions", "done", "reward")


class OpenEnvGame(TextGame):
    """`url` is the server's address, `asked` are further arguments of the environment's `reset`.

    actions: legal actions separated by `|`; empty: those that the environment lists, or any text.
    max_turns: actions of one match; a longer one is cut off and pays 0.
    returns_range: the lowest and the highest return, such as [-120,0]; a forfeit pays the lowest.
    """

    blocking = True
    one_phase = True

    def __init__(
        self,
        id: str,
        url: str,
        asked: Mapping[str, Any],
        actions: str = "",
        max_turns: MaxTurns = MAX_TURNS,
        returns_range: str = "",
    ) -> None:
        self._url, self._asked = url, asked
        self._actions = tuple(dict.fromkeys(filter(None, map(str.strip, actions.split("|")))))
        self.spec = GameSpec(
            id=id,
            seats={SEAT: "player"},
            payoff="general_sum",
            rules="You act in an environment, which answers each of your actions.",
            max_turns=max_turns,
            returns_range=read_range(returns_range),
            rated=False,
        )
        self._session: Any = None
        self._schema: ActionSchema | None = None
        self._now: Mapping[str, Any] = {}
        self._over, self._total, self._steps = True, 0.0, 0

    def reset(self, seed: int) -> None:
        """Begin an episode with this seed. Raises InfrastructureError if the server does not answer."""
        self._over, self._total, self._steps = False, 0.0, 0
        try:
            if self._session is None:
                self._connect()
            self._take(self._session.reset(seed=seed % (1 << 31), **self._asked))
        except InfrastructureError:
            raise
        except Exception as error:
            raise self._broken("reset", error) from error
        if self._over:
            raise InfrastructureError(f"{self.spec.id} ended before the first action")

    def _connect(self) -> None:
        from games.openenv.connection import ServerSession

        session = ServerSession(self._url)
        self._schema = ActionSchema(session.schema["action"])
        self._session = session
        weakref.finalize(self, session.close)

    def _take(self, result: Any) -> None:
        """Keep the observation, and add the reward."""
        reward = 0.0 if result.reward is None else float(result.reward)
        if not math.isfinite(reward) or not isinstance(result.observation, Mapping):
            raise InfrastructureError(f"{self.spec.id} answers with a reward or an observation of a wrong type")
        self._now, self._over = result.observation, bool(result.done)
        self._total += reward

    def _broken(self, what: str, error: Exception) -> InfrastructureError:
        reason = one_line(clean(str(error)) or type(error).__name__, 200)
        return InfrastructureError(f"{self.spec.id}: {what} failed at {self._url}: {type(error).__name__}: {reason}")

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The agent, until the environment is done."""
        return () if self._over else (SEAT,)

    def observe(self, seat: Seat) -> Observation:
        """Returns the newest observation: one text as it is, other fields by name; at the end the sum of rewards."""
        fields = {k: v for k, v in self._now.items() if k not in _HIDDEN and v not in (None, "", [], {})}
        lines = [self._line(key, value, len(fields) == 1) for key, value in fields.items()]
        if self._over:
            lines.append(f"The match is over. Your reward: {self._total:g}")
        elif self._schema is not None and self.legal(seat) is None and (form := self._schema.description()):
            lines.append(form)
        return Observation(without_tokens("\n".join(lines)[:_LONGEST]))

    @staticmethod
    def _line(key: str, value: object, alone: bool) -> str:
        text = clean(value).strip() if isinstance(value, str) else clean(json.dumps(value, ensure_ascii=False))
        return text if alone else f"{clean(key)}: {text}"

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """Returns the parameter `actions`, else what the environment lists; None, any text, if it lists nothing."""
        if self._over or self._schema is None:
            return ()
        return self._actions or self._schema.choices(self._now)

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Send an action. Raises IllegalAction if the server refuses it, InfrastructureError if it does not answer."""
        text, legal = only_action(self.acting, actions), self.legal(SEAT)
        assert self._schema is not None
        if legal is not None and text not in legal:
            raise IllegalAction(f"{text!r:.80} is not among {', '.join(legal)[:400]}")
        if (size := byte_length(text)) > MAX_BYTES:
            raise IllegalAction(f"the text has {size:,} bytes; it may have {MAX_BYTES:,} at most")
        action = self._schema.read(text)
        try:
            result = self._session.step(action)
        except Exception as error:
            if isinstance(error, RuntimeError) and any(f"(code: {code})" in str(error) for code in _REFUSALS):
                raise IllegalAction(one_line(clean(str(error)), 300)) from None
            raise self._broken("step", error) from error
        self._steps += 1
        self._take(result)

    def returns(self) -> Mapping[Seat, float]:
        """Returns the sum of the rewards, 0 before the end."""
        return {SEAT: self._total if self._over else 0.0}

    def facts(self) -> Mapping[str, Any]:
        """Returns the number of steps."""
        return {"steps": self._steps}

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Returns the legal actions, or texts that have the form of one."""
        if seat not in self.acting or self._schema is None:
            return ()
        return self.legal(seat) or self._schema.examples()
