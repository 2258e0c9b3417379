"""The `trueskill` package's factor graph with the accurate tails of `truncated_normal`.

The package alone raises FloatingPointError for large upsets and is 40 times slower with its scipy backend; its default
backend approximates to 4e-8. The package's global environment is never used.
"""

from __future__ import annotations

import warnings
from math import erfc, exp
from statistics import NormalDist
from typing import Any

from league.ratings.online import truncated_normal
from league.ratings.online.truncated_normal import INV_SQRT_2, INV_SQRT_2PI

with warnings.catch_warnings():  # of an escape sequence in its docstring, where Python compiles the package
    warnings.simplefilter("ignore")
    import trueskill

_ALMOST_ONE = 1.0 - 2.0**-53


def _cdf(x: float) -> float:
    return 0.5 * erfc(-x * INV_SQRT_2)


def _pdf(x: float) -> float:
    return INV_SQRT_2PI * exp(-0.5 * x * x)


class _Exact(trueskill.TrueSkill):  # type: ignore[misc]
    """v and w also in tails, where the package's quotients are 0/0."""

    def v_win(self, diff: float, draw_margin: float) -> float:
        return truncated_normal.win(diff - draw_margin)[0]

    def w_win(self, diff: float, draw_margin: float) -> float:
        return min(1.0 - truncated_normal.win(diff - draw_margin)[1], _ALMOST_ONE)

    def v_draw(self, diff: float, draw_margin: float) -> float:
        return truncated_normal.draw(diff, draw_margin)[0]

    def w_draw(self, diff: float, draw_margin: float) -> float:
        return min(1.0 - truncated_normal.draw(diff, draw_margin)[1], _ALMOST_ONE)


def environment(mu: float, sigma: float, beta: float, tau: float, draw_probability: float) -> Any:
    """Returns the package's environment with these constants."""
    backend = _cdf, _pdf, NormalDist().inv_cdf
    return _Exact(mu=mu, sigma=sigma, beta=beta, tau=tau, draw_probability=draw_probability, backend=backend)
