"""Mean and variance of a standard normal Z cut to an interval, exact in every tail.

TrueSkill's update needs v = E[...] and w of Herbrich, Minka and Graepel (2006, section 3), the corrections of a
Gaussian cut to "the winner did better" or "both did equally well". Every function here gives the pair (v, u) with
u = 1 - w, which is the variance that the cut leaves. Far in a tail the textbook quotients are 0/0 and 1 - w loses
every digit; there the moments are integrals of positive terms, summed by Gauss-Legendre quadrature.
"""

from __future__ import annotations

import functools
from math import erfc, exp, isfinite, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

INV_SQRT_2 = sqrt(0.5)
INV_SQRT_2PI = 0.3989422804014327
FAR = 5.0
"""Standard deviations into a tail from where the textbook quotients lose more digits than the integral."""
NARROW = 0.02
"""Width of a draw interval below which differences of its two ends lose too many digits."""
_REACH = 50.0
"""The integral stops where the density has fallen by exp(-50)."""
_CHUNK = 1 << 14


def win(x: float) -> tuple[float, float]:
    """(v, u) of a win, x = (skill gap of the winner - draw margin) / c."""
    if x > -FAR:
        v = INV_SQRT_2PI * exp(-0.5 * x * x) / (0.5 * erfc(-x * INV_SQRT_2))
        return v, 1.0 - v * (v + x)
    offset, variance = _tail(-x, float("inf"))
    return offset - x, variance


def draw(t: float, e: float) -> tuple[float, float]:
    """(v, u) of a draw, t = skill gap / c, e = draw margin / c > 0. v has the opposite sign of t."""
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

    With Z = a + s the density of s is exp(-a s - s^2 / 2) up to a constant. Raises ValueError where a is not finite.
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
    """n nodes in [0, 1] and their weights: 8 integrate exp(-x) to 1e-16, 40 integrate exp(-50 x)."""
    from numpy.polynomial.legendre import leggauss

    nodes, weights = leggauss(n)
    return tuple((0.5 * (nodes + 1.0)).tolist()), tuple((0.5 * weights).tolist())


def wins(x: Array) -> tuple[Array, Array]:
    """`win` for an array (n,)."""
    import numpy as np
    from scipy.special import ndtr

    near = np.maximum(x, -FAR)
    v: Array = INV_SQRT_2PI * np.exp(-0.5 * near * near) / ndtr(near)
    u: Array = 1.0 - v * (v + near)
    if (far := ~(x > -FAR)).any():
        offset, u[far] = _tails(-x[far], np.full(int(far.sum()), np.inf))
        v[far] = offset - x[far]
    return v, u


def draws(t: Array, e: Array) -> tuple[Array, Array]:
    """`draw` for arrays (n,)."""
    import numpy as np
    from scipy.special import ndtr

    a, b = np.abs(t) - e, np.abs(t) + e
    hard = ~((a < FAR) & (2.0 * e > NARROW))
    safe_a, safe_b = np.where(hard, 0.0, a), np.where(hard, 1.0, b)
    density_a, density_b = (INV_SQRT_2PI * np.exp(-0.5 * z * z) for z in (safe_a, safe_b))
    mass = ndtr(-safe_a) - ndtr(-safe_b)
    v: Array = (density_b - density_a) / mass
    u: Array = 1.0 - v * v + (safe_a * density_a - safe_b * density_b) / mass
    if hard.any():
        offset, u[hard] = _tails(a[hard], 2.0 * e[hard])
        v[hard] = -(a[hard] + offset)
    return np.where(t >= 0.0, v, -v), u


def _tails(a: Array, width: Array) -> tuple[Array, Array]:
    """`_tail` for arrays (n,), in chunks so that the (n, 40) table stays small."""
    import numpy as np

    if not np.isfinite(a).all():
        raise ValueError("ratings must be finite numbers; a skill gap of the batch is not")
    parts = [_tail_chunk(np, a[i : i + _CHUNK], width[i : i + _CHUNK]) for i in range(0, len(a), _CHUNK)]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _tail_chunk(np: Any, a: Array, width: Array) -> tuple[Array, Array]:
    length = np.minimum(width, _REACH / np.where(a > 0.0, a, 1e-300))[:, None]
    nodes, weights = (np.array(part) for part in _legendre(40))
    s = length * nodes
    mass = weights * np.exp(-s * (a[:, None] + 0.5 * s))
    mass /= mass.sum(axis=1, keepdims=True)
    mean = mass @ nodes
    variance = (mass * (nodes - mean[:, None]) ** 2).sum(axis=1)
    return length[:, 0] * mean, length[:, 0] ** 2 * variance
