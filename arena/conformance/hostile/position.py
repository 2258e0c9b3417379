"""One text at one position of a match: read by the role, applied by the game, and everything observed afterwards."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Mapping
from typing import Any

from arena.conformance.hostile.defect import Defect, blamed
from games.conformance.forgery import Detector
from games.conformance.illegal import snapshot
from games.conformance.play import Trace, Violation, replayed
from games.conformance.subject import Subject
from games.errors import IllegalAction
from games.game import Seat, TextGame
from games.randomness import RandomStream, derive
from games.sanitize import clean
from roles.role import Role
from roles.types import ParseError

_FOLLOWED = 60
"""decisions after a text, at most"""


class TextPosition:
    """A free-text turn of a recorded match, at which texts are tried."""

    def __init__(self, subject: Subject, trace: Trace, turn: int, seat: Seat, role: Role) -> None:
        self.seat, self.role, self.move = seat, role, trace.moves[turn]
        self.where = f"{seat}, seed {trace.seed}, turn {turn}"
        self._subject, self._trace, self._turn = subject, trace, turn
        self._pristine = replayed(subject.fresh, trace, turn)
        self._before = snapshot(self._pristine)
        self._detector = Detector(subject.spec.seats)
        self._spare: TextGame | None = None
        self.bases = tuple(dict.fromkeys((*self._pristine.examples(seat), self.move[seat])))

    def game(self) -> TextGame:
        """Returns the game at this position, to be changed."""
        if (game := self._spare) is not None:
            self._spare = None
            return game
        try:
            return copy.deepcopy(self._pristine)
        except Exception:  # noqa: BLE001  objects of other languages cannot be copied
            return replayed(self._subject.fresh, self._trace, self._turn)

    def attempt(self, text: str, follow: bool) -> None:
        """Tries a text as the words of a model and as the action of any other player. Raises Defect.

        `follow` plays the match to its end if the text is accepted.
        """
        actions = {clean(text): None}
        try:
            with blamed(f"the role {self.role.name} reading it"):
                actions[clean(self.role.parse(text, None))] = None
        except ParseError:
            pass
        for action in actions:
            self._apply(action, follow)

    def _apply(self, action: str, follow: bool) -> None:
        game = self.game()
        try:
            with blamed("apply"):
                game.apply({**self.move, self.seat: action})
        except IllegalAction as refusal:
            self._refused(game, refusal)
            return
        self._look(game)
        if follow:
            self._follow(game)

    def _refused(self, game: TextGame, refusal: IllegalAction) -> None:
        if refusal.seat not in (None, self.seat):
            raise Defect(f"apply refuses it in the name of {refusal.seat}, which wrote something else")
        if not str(refusal).strip():
            raise Defect("apply refuses it without a reason")
        try:
            after = snapshot(game)
        except Violation as violation:
            raise Defect("after its refusal the game cannot be observed:", violation.__cause__) from violation
        if after != self._before:
            raise Defect("apply refuses it and changes the state")
        self._spare = game

    def _look(self, game: TextGame) -> None:
        """Asks everything that the match loop, viewers and credit ask."""
        with blamed("after it, acting"):
            acting = game.acting
        for seat in self._subject.spec.seats:
            for name in ("observe", "legal", "examples", "secrets", "phase", "disclosure", "data"):
                with blamed(f"after it, {name}({seat!r})"):
                    answer: Any = getattr(game, name)(seat)
                if name == "observe" and seat != self.seat and (forgery := self._detector.forgery_in(answer.text)):
                    raise Defect(f"after it, {seat} is shown {forgery}")
                if name == "observe" and seat in acting and not answer.text.strip():
                    raise Defect(f"after it, observe({seat!r}) is empty")
        with blamed("after it, spectate()"):
            game.spectate()
        with blamed("after it, returns()"):
            self._check(dict(game.returns()), over=not acting)
        if not acting:  # facts are results: nobody asks for them earlier
            with blamed("after it, facts() as JSON"):
                json.dumps(dict(game.facts()), allow_nan=False).encode()
            with blamed("after it, outcomes()"):
                game.outcomes()

    def _check(self, returns: Mapping[Seat, float], over: bool) -> None:
        spec = self._subject.spec
        if set(returns) != set(spec.seats) or not all(map(math.isfinite, returns.values())):
            raise Defect(f"after it, returns() is {dict(returns)}")
        low, high = spec.returns_range or (-math.inf, math.inf)
        if over and not all(low - 1e-6 <= value <= high + 1e-6 for value in returns.values()):
            raise Defect(f"after it, a return is outside of {spec.returns_range}")
        summed = spec.payoff in ("zero_sum", "constant_sum")
        if over and summed and abs(sum(returns.values()) - spec.payoff_sum) > 1e-6:
            raise Defect(f"after it, the returns do not sum to {spec.payoff_sum:g}")

    def _follow(self, game: TextGame) -> None:
        """Plays examples to the end: a text may be read long after it was written."""
        stream = RandomStream(derive(self._trace.seed, "after"))
        for _ in range(_FOLLOWED):
            if not game.acting:
                return
            move = {seat: stream.choice(game.examples(seat) or ("pass",)) for seat in game.acting}
            try:
                with blamed("later, apply of the game's own examples"):
                    game.apply(move)
            except IllegalAction as error:
                raise Defect("later, the game refuses its own examples:", error) from error
            self._look(game)
