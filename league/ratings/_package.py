"""The `trueskill` package's environment with exact tails: its factor graph, our truncated moments.

The package alone raises FloatingPointError for large upsets and costs 40 times more with its scipy backend; its own
default backend is an approximation to 4e-8. The environment is explicit, the package's global one is never touched.
"""

from __future__ import annotations

from math import erfc, exp
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import trueskill

from league.ratings import _truncated
from league.ratings._truncated import INV_SQRT_2, INV_SQRT_2PI

if TYPE_CHECKING:
    from league.ratings.trueskill import TrueSkill

_ALMOST_ONE = 1.0 - 2.0**-53


def _cdf(x: float) -> float:
    return 0.5 * erfc(-x * INV_SQRT_2)


def _pdf(x: float) -> float:
    return INV_SQRT_2PI * exp(-0.5 * x * x)


def _ppf(p: float) -> float:
    return NormalDist().inv_cdf(p)


class _Exact(trueskill.TrueSkill):  # type: ignore[misc]
    """v and w where the package's quotients are 0/0."""

    def v_win(self, diff: float, draw_margin: float) -> float:
        return _truncated.win(diff - draw_margin)[0]

    def w_win(self, diff: float, draw_margin: float) -> float:
        return min(1.0 - _truncated.win(diff - draw_margin)[1], _ALMOST_ONE)

    def v_draw(self, diff: float, draw_margin: float) -> float:
        return _truncated.draw(diff, draw_margin)[0]

    def w_draw(self, diff: float, draw_margin: float) -> float:
        return min(1.0 - _truncated.draw(diff, draw_margin)[1], _ALMOST_ONE)


def environment(rules: TrueSkill) -> Any:
    """The package's environment with the constants of `rules`."""
    return _Exact(
        mu=rules.mu,
        sigma=rules.sigma,
        beta=rules.beta,
        tau=rules.tau,
        draw_probability=rules.draw_probability,
        backend=(_cdf, _pdf, _ppf),
    )
