"""One seat being asked for one action, attempt after attempt."""

from __future__ import annotations

from msgspec.structs import replace

from arena.match.policy import IllegalPolicy
from arena.match.records import Decision, Turn
from arena.players.player import Player, View
from games import TextGame
from games.text import clean
from roles import Exchange


class Forfeit(Exception):
    """A seat used up its attempts; ends the match."""

    def __init__(self, seat: str, attempts: tuple[Decision, ...]) -> None:
        super().__init__(seat)
        self.seat, self.attempts = seat, attempts


class Asked:
    """A seat's turn in progress. `action` is None until an answer can be played."""

    __slots__ = (
        "action", "attempts", "memory", "observation", "phase", "player", "policy", "seat", "seconds", "substituted",
        "view",
    )  # fmt: skip

    def __init__(
        self,
        game: TextGame,
        match: str,
        seat: str,
        player: Player,
        policy: IllegalPolicy,
        seed: int,
        index: int,
        memory: list[Exchange] | None,
    ) -> None:
        self.seconds = (
            0.0  # that the player took; who asks it adds them, for of seats that act at once each has its own
        )
        self.seat, self.player, self.policy, self.memory = seat, player, policy, memory
        phase = game.phase(seat)
        self.phase = phase if phase == "play" else clean(phase)
        self.view = View(game, seat, game.spec.seats[seat], game.legal(seat), seed, index, (), memory or (), match)
        self.observation = None if memory is None else self.view.observation
        self.attempts: tuple[Decision, ...] = ()
        self.action: str | None = None
        self.substituted = False

    def take(self, decision: Decision) -> None:
        """Take an answer; one that is no action of this seat leads to the next attempt, or to the end of them."""
        legal = self.view.legal
        if decision.action is not None and legal is not None and decision.action not in legal:
            decision = replace(decision, category="illegal", reason=f"{decision.action!r} is not a legal action")
            self._next((*self.attempts, decision))
        elif decision.action is None:
            self._next((*self.attempts, decision))
        else:
            self.attempts += (decision,)
            self.action = decision.action

    def refuse(self, reason: str) -> None:
        """The game refused the action that was taken."""
        if self.substituted:
            raise RuntimeError(f"the game refuses its own example {self.action!r}: {reason}")
        refused = replace(self.attempts[-1], category="illegal", reason=clean(reason))
        self._next((*self.attempts[:-1], refused))

    def _next(self, attempts: tuple[Decision, ...]) -> None:
        self.attempts, self.action = attempts, None
        self.view = replace(self.view, rejected=attempts)
        if len(attempts) <= self.policy.retries:
            return
        options = self.view.game.examples(self.seat) if self.policy.then == "random" else ()
        if not options:
            raise Forfeit(self.seat, attempts)
        self.action, self.substituted = self.view.rng.choice(options), True

    def record(self) -> Turn:
        """The turn, once its action was played."""
        assert self.action is not None
        if self.memory is not None and self.observation is not None:
            self.memory.append(Exchange(self.observation, self.action))
        return Turn(
            self.seat,
            self.view.role,
            self.phase,
            self.player.name,
            self.action,
            self.attempts,
            self.seconds,
            self.player.trainable,
            self.substituted,
        )
