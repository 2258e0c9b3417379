"""efg-v0: a game described in words is written as an extensive-form game, checked, solved, and can be played.

After GameInterpreter (Deng et al. 2025, arXiv 2501.17282), where a language model writes the tree and mends it by the
error it is told. Here it writes the .efg format of Gambit, and pygambit compares the game with the one described.
What passed is played through OpenSpiel: `playable` names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.dialogue.efg_check import require, same
from games.dialogue.efg_described import Described, drawn, efg, end, move
from games.dialogue.staged import Staged, named, whole
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.randomness import Stream, derive
from games.verifiers.verdict import Verdict

TRANSLATOR = "translator"


class Efg(Staged):
    """`tries`: texts the translator may hand in, the error told after each. `closed`: it chooses among a few."""

    blocking = True

    def __init__(self, tries: int = 3, closed: bool = False) -> None:
        super().__init__()
        require()
        self.tries = whole("efg-v0", "tries", tries, 1, 20)
        if not isinstance(closed, bool):
            raise InputError(f"efg-v0: closed is true or false, not {closed!r}")
        self.closed = closed
        self.spec = GameSpec(
            id=named("efg-v0", {"tries": (tries, 3), "closed": (closed, False)}),
            seats={TRANSLATOR: TRANSLATOR},
            payoff="general_sum",
            rules=_rules(tries, closed),
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
        stream = Stream(derive(seed, "efg-v0"))
        self._game = drawn(stream)
        self._choices = tuple(stream.shuffled([self._game.efg, *self._game.wrong, "EFG 2 R"]))
        self._handed, self._verdicts, self._equilibria = [], [], ()
        self._due = (TRANSLATOR,)

    def observe(self, seat: Seat) -> Observation:
        """The description, and what was said of each text handed in."""
        lines = [self._game.words]
        lines += [f"Text {i + 1}: {v}" for i, v in enumerate(self._verdicts)]
        left = self.tries - len(self._verdicts)
        over = "The match is over." if not self._due else "1 try is left." if left == 1 else f"{left} tries are left."
        return Observation("\n".join([*lines, over]))

    def returns(self) -> Mapping[Seat, float]:
        """1 for the game described, 0 for another one, -1 where the last text is no game."""
        last = self._verdicts[-1].kind if self._verdicts else "fail"
        return {TRANSLATOR: {"pass": 1.0, "fail": 0.0}.get(last, -1.0)}

    def facts(self) -> Mapping[str, Any]:
        """The verdicts, and what passed with the payoffs of its equilibria."""
        passed = bool(self._verdicts) and self._verdicts[-1].ok
        return {
            "verdicts": [v.kind for v in self._verdicts],
            "reasons": [v.reason for v in self._verdicts],
            "game": self._handed[-1] if passed else None,
            "equilibria": [list(payoffs) for payoffs in self._equilibria],
        }

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """The game, wrong ways to write it, and something that is no game."""
        return self._choices if seat in self._due else ()

    def spectate(self) -> str:
        """The description, the texts handed in and the verdicts."""
        tried = [line for text, v in zip(self._handed, self._verdicts, strict=True) for line in (text, str(v))]
        return "\n".join([self._game.words, *tried])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """The choices of one match, for the usual parameters."""
        return _known() if self.spec.id == "efg-v0" else ()

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        return self._choices if self.closed else None

    def _take(self, said: Mapping[Seat, str]) -> None:
        text = said[TRANSLATOR]
        verdict, equilibria = same(self._game.efg, text)
        self._handed.append(text.strip())
        self._verdicts.append(verdict)
        self._equilibria = equilibria
        self._due = () if verdict.ok or len(self._verdicts) == self.tries else (TRANSLATOR,)


def playable(text: str, path: str | Path) -> str:
    """Write a game to a file and name it: `games.make` of the name plays it through OpenSpiel's efg_game.

    Raises InputError for a path whose name cannot stand in a game's name, or that cannot be written.
    """
    file = Path(path).resolve()
    if any(c in "(),='\"" or c.isspace() for c in str(file)):
        raise InputError(f"the path {str(file)!r} holds a space, a quote or one of (),=; choose another")
    try:
        file.write_text(text.strip() + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from None
    return f"openspiel/efg_game(filename={file})"


def _rules(tries: int, closed: bool) -> str:
    example = efg(
        "example",
        ("First", "Second"),
        (
            *('c "" 1 "" { "red" 1/4 "blue" 3/4 } 0', move(1, 1, ("up", "down")), end(1, 2, -2)),
            *(move(2, 1, ("yes", "no")), end(2, 0, 1), end(3, 5, 0), end(4, 1, 1)),
        ),
    )
    how = "Choose among the texts listed." if closed else "Write the text of the game and nothing else."
    return (
        "A game is described in words; write it as an extensive-form game in Gambit's format. The first line holds a "
        "title and the players. The nodes follow from the root on, each before what comes after it, branch by branch: "
        "c is a chance move (its number, its branches with their probabilities), p a decision (the player's number, "
        "the number of its information set, its actions; decisions the player cannot tell apart have one number and "
        "the same actions), t an end (a number of its own, the payoffs in the order of the players). For example:\n"
        f"{example}\n"
        f"You may hand in {tries} texts and are told what is wrong with each. It scores 1 if it is the game "
        "described, 0 if it is another game, and loses 1 if the last text is no game at all.\n"
        f"{how}"
    )


def _known() -> tuple[KnownOutcome, ...]:
    game = Efg()
    game.reset(0)
    right, wrong = {TRANSLATOR: game._game.efg}, {TRANSLATOR: game._game.wrong[0]}
    none = {TRANSLATOR: "EFG 2 R"}
    return (
        KnownOutcome(0, (right,), {TRANSLATOR: 1.0}),
        KnownOutcome(0, (none, wrong, right), {TRANSLATOR: 1.0}),
        KnownOutcome(0, (none, none, wrong), {TRANSLATOR: 0.0}),
        KnownOutcome(0, (wrong, wrong, none), {TRANSLATOR: -1.0}),
    )
