"""Matches of evolve-v0 with a known outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.game import KnownOutcome
from games.tasks import SourceTask

if TYPE_CHECKING:
    from games.native.evolve.game import EvolveGame


def outcomes(game: EvolveGame, parent: SourceTask) -> tuple[KnownOutcome, ...]:
    """A variant that one of two solvers answers, and a copy of the parent, with two solvers; () for others."""
    if game.spec.id != "evolve-v0(solvers=2)":
        return ()
    right, wrong = f"<answer>{parent.answer}</answer>", "<answer>x</answer>"
    more = f"<answer>{int(parent.answer) + 3}</answer>"
    first = {"solver_0": right, "solver_1": wrong}
    varied = parent.question.rstrip("?") + " + 3?"
    paid = dict.fromkeys(game.spec.seats, 0.0) | {"solver_0": 1.0}
    return (
        KnownOutcome(
            0,
            (first, {"evolver": f"<question>{varied}</question>"}, {"solver_2": more, "solver_3": right}),
            paid | {"solver_2": 1.0, "evolver": 1.0},
        ),
        KnownOutcome(0, (first, {"evolver": f"<question>{parent.question}</question>"}), paid | {"evolver": -1.0}),
    )
