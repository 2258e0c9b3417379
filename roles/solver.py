"""Who answers tasks and who judges answers. Their rewards are settled by the match; the game's facts name them."""

from __future__ import annotations

from roles.tagged import Tagged


class Solver(Tagged):
    """Answers alone, beside other solvers of the same task.

    psj-v0: s / 2 + f / 2 (MAE); math-duel-v0: 0.9 right + 0.1 f (R-Zero); code-io-v0: 1, -0.5, -1 (Absolute Zero).
    """

    name = "solver"
