"""Mean and variance of a standard normal Z truncated to an interval, accurate in every tail.

TrueSkill's update needs v = E[...] and w of Herbrich, Minka and Graepel (2006, section 3), the corrections of a
Gaussian truncated to "the winner did better" or "both did equally well". `win` and `draw` return (v, u); u = 1 - w is
the variance that remains. Far in a tail the textbook quotients are 0/0 and 1 - w loses every digit; there the
moments are integrals of positive terms, summed by Gauss-Legendre quadrature.
"""

from __future__ import annotations

import functools
from math import erfc, exp, isfinite, sqrt

INV_SQRT_2 = sqrt(0.5)
INV_SQRT_2PI = 0.3989422804014327
FAR = 5.0
"""Standard deviations into a tail beyond which the textbook quotients lose more digits than the integral."""
NARROW = 0.02
"""Width of a draw interval below which differences of its two ends lose too many digits."""
_REACH = 50.0
"""The integral stops once the density has fallen by exp(-50)."""


def win(x: float) -> tuple[float, float]:
    """Returns (v, u) of a win, x = (skill gap of the winner - draw margin) / c."""
    if x > -FAR:
        v = INV_SQRT_2PI * exp(-0.5 * x * x) / (0.5 * erfc(-x * INV_SQRT_2))
        return v, 1.0 - v * (v + x)
    offset, variance = _tail(-x, float("inf"))
    return offset - x, variance


def draw(t: float, e: float) -> tuple[float, float]:
    """Returns (v, u) of a draw, t = skill gap / c, e = draw margin / c > 0. v has the opposite sign of t."""
    gap = abs(t)
    a, b = gap - e, gap + e
    if a < FAR and 2.0 * e > NARROW:
        density_a, density_b = INV_SQRT_2PI * exp(-0.5 * a * a), INV_SQRT_2PI * exp(-0.5 * b * b)
        mass = 0.5 * (erfc(a * INV_SQRT_2) - erfc(b * INV_SQRT_2))
        v = (density_b - density_a) / mass
        u = 1.0 - v * v + (a * density_a - b * density_b) / mass
    else:
        offset, u = _tail(a, 2.0 * e)
        v = -(a + offset)
    return (v, u) if t >= 0.0 else (-v, u)


def _tail(a: float, width: float) -> tuple[float, float]:
    """E[Z | a < Z < a + width] - a and Var[Z | a < Z < a + width]; a >= FAR or width <= NARROW.

    With Z = a + s the density of s is exp(-a s - s^2 / 2) up to a constant. Raises ValueError if a is not finite.
    """
    if not isfinite(a):
        raise ValueError(f"ratings must be finite numbers; the skill gap in standard deviations came to {a}")
    length = min(width, _REACH / a) if a > 0.0 else width
    nodes, weights = _legendre(8 if length * (abs(a) + length) < 1.0 else 40)
    mass = [w * exp(-x * length * (a + 0.5 * x * length)) for x, w in zip(nodes, weights, strict=True)]
    total = sum(mass)
    mean = sum(m * x for m, x in zip(mass, nodes, strict=True)) / total
    variance = sum(m * (x - mean) ** 2 for m, x in zip(mass, nodes, strict=True)) / total
    return length * mean, length * length * variance


@functools.cache
def _legendre(n: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Returns n nodes in [0, 1] and their weights: 8 integrate exp(-x) to 1e-16, 40 integrate exp(-50 x)."""
    from numpy.polynomial.legendre import leggauss

    nodes, weights = leggauss(n)
    return tuple((0.5 * (nodes + 1.0)).tolist()), tuple((0.5 * weights).tolist())
