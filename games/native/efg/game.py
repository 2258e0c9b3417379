"""efg-v2: a translator writes a game described in words as an extensive-form game, which is checked and solved.

After GameInterpreter (Deng et al. 2025, arXiv 2501.17282), in which a language model writes the tree and repairs it
with the help of error messages. Here it writes Gambit's .efg format, and pygambit compares the game with the described
one. OpenSpiel can play a game that passed: see `playable`. In closed games of efg-v0 each wrong text is the right one
with one change, so the text most like the others is right; efg-v1 lists the four games that differ in two features, and
efg-v2 does so for generated games too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from annotated_types import Interval

from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.native.common.stages import StagedGame, game_id
from games.native.efg.check import require, same
from games.native.efg.generated import generated
from games.native.efg.rules import rules
from games.native.efg.tasks import Described, drawn
from games.randomness import RandomStream, derive
from games.shortcut_modules import suite_beside
from games.verifiers.verdict import Verdict

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

TRANSLATOR = "translator"


class EfgGame(StagedGame):
    """`tries`: texts the translator may hand in; it reads the error of each. `closed`: it chooses among a few texts.

    `stages` above 0: generated games of so many stages, with chance, hidden moves and early ends, instead of the four
    kinds of `games.native.efg.tasks` with random payoffs.
    """

    blocking = True
    version = 2

    def __init__(
        self,
        tries: Annotated[int, Interval(ge=1, le=20)] = 3,
        closed: bool = False,
        stages: Annotated[int, Interval(ge=0, le=4)] = 0,
    ) -> None:
        super().__init__()
        if stages == 1:
            raise InputError("efg: a generated game has two players and so two stages or more; write stages=2, 3 or 4")
        require()
        id = game_id(f"efg-v{self.version}", EfgGame, {"tries": tries, "closed": closed, "stages": stages})
        self.tries, self.closed, self.stages = tries, closed, stages
        self.spec = GameSpec(
            id=id,
            seats={TRANSLATOR: TRANSLATOR},
            payoff="general_sum",
            rules=rules(tries, closed),
            max_turns=tries,
            returns_range=(-1.0, 1.0),
            rated=False,
        )
        self._game = Described("", "", ())
        self._choices: tuple[str, ...] = ()
        self._handed: list[str] = []
        self._verdicts: list[Verdict] = []
        self._equilibria: tuple[tuple[str, ...], ...] = ()

    def reset(self, seed: int) -> None:
        """Draw the game and the order of the choices."""
        stream = RandomStream(derive(seed, "efg-v0"))
        varied = self.closed and self.version > 0
        if self.stages:
            self._game = generated(stream, self.stages, varied and self.version > 1)
        else:
            self._game = drawn(stream, varied)
        self._choices = tuple(stream.shuffled([self._game.efg, *self._game.wrong, "EFG 2 R"]))
        self._handed, self._verdicts, self._equilibria = [], [], ()
        self._due = (TRANSLATOR,)

    def observe(self, seat: Seat) -> Observation:
        """The description and the verdict on each text handed in."""
        lines = [self._game.words]
        lines += [f"Text {i + 1}: {v}" for i, v in enumerate(self._verdicts)]
        left = self.tries - len(self._verdicts)
        over = "The match is over." if not self._due else "1 try is left." if left == 1 else f"{left} tries are left."
        return Observation("\n".join([*lines, over]))

    def returns(self) -> Mapping[Seat, float]:
        """1 for the described game, 0 for a different game, -1 if the last text is not a game."""
        last = self._verdicts[-1].kind if self._verdicts else "fail"
        return {TRANSLATOR: {"pass": 1.0, "fail": 0.0}.get(last, -1.0)}

    def facts(self) -> Mapping[str, Any]:
        """The verdicts, the text that passed and the payoffs of its equilibria."""
        passed = bool(self._verdicts) and self._verdicts[-1].ok
        return {
            "verdicts": [v.kind for v in self._verdicts],
            "reasons": [v.reason for v in self._verdicts],
            "game": self._handed[-1] if passed else None,
            "equilibria": [list(payoffs) for payoffs in self._equilibria],
        }

    def spectate(self) -> str:
        """The description, the texts handed in and the verdicts."""
        tried = [line for text, v in zip(self._handed, self._verdicts, strict=True) for line in (text, str(v))]
        return "\n".join([self._game.words, *tried])

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of the four kinds; the scripts read no generated games."""
        return None if self.closed or self.stages else suite_beside(self)

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Four sequences of texts in one match, with the default parameters."""
        return _known() if self.spec.id == f"efg-v{self.version}" else ()

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        return self._choices

    def _take(self, said: Mapping[Seat, str]) -> None:
        text = said[TRANSLATOR]
        verdict, equilibria = same(self._game.efg, text)
        self._handed.append(text.strip())
        self._verdicts.append(verdict)
        self._equilibria = equilibria
        self._due = () if verdict.ok or len(self._verdicts) == self.tries else (TRANSLATOR,)


class OneChangeEfgGame(EfgGame):
    """efg-v1, whose closed lists of generated games are changes of the right text."""

    version = 1


class PublishedEfgGame(EfgGame):
    """efg-v0, whose closed games list changes of the right text."""

    version = 0


def playable(text: str, path: str | Path) -> str:
    """Write a game to a file and return its id, with which `games.make` plays it through OpenSpiel's efg_game.

    Raises InputError if the path cannot be part of an id or cannot be written.
    """
    file = Path(path).resolve()
    if any(c in "(),='\"" or c.isspace() for c in str(file)):
        raise InputError(f"the path {str(file)!r} holds a space, a quote or one of (),=; choose another path")
    try:
        file.write_text(text.strip() + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from None
    return f"openspiel/efg_game(filename={file})"


def _known() -> tuple[KnownOutcome, ...]:
    game = EfgGame()
    game.reset(0)
    right, wrong = {TRANSLATOR: game._game.efg}, {TRANSLATOR: game._game.wrong[0]}
    none = {TRANSLATOR: "EFG 2 R"}
    return (
        KnownOutcome(0, (right,), {TRANSLATOR: 1.0}),
        KnownOutcome(0, (none, wrong, right), {TRANSLATOR: 1.0}),
        KnownOutcome(0, (none, none, wrong), {TRANSLATOR: 0.0}),
        KnownOutcome(0, (wrong, wrong, none), {TRANSLATOR: -1.0}),
    )
