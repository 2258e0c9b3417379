"""Win, draw and loss probabilities of a comparison, and the derivatives of their logarithms.

Ties follow Rao and Kupper (1967): with the skill gap d and the draw margin t >= 0, P(win) = F(d - t),
P(loss) = F(-d - t), P(draw) is the rest. This is TrueSkill's draw margin: a draw is a performance difference below the
margin. F is the logistic function (Bradley and Terry 1952) or the normal one (Thurstone and Mosteller; its ties are
Glenn and David 1960). Both likelihoods are concave in (d, t), and finite however extreme the upset.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Link = Literal["logit", "probit"]

_FAR = 500.0
"""Logits are clipped here: beyond, probabilities no longer differ; exp overflows only much further out."""
_FAR_NORMAL = 20.0
_INV_SQRT_2PI = 0.3989422804014327
_SMALL = 1e-150


class Curve(NamedTuple):
    """Derivatives of the log likelihood of C comparisons, (C,) each: the first by gap and margin, and the negated
    second (observed information) by gap twice, gap and margin, margin twice.
    """

    gap: Array
    margin: Array
    gap2: Array
    mixed: Array
    margin2: Array


class CurveTerms(NamedTuple):
    """Per comparison, (C, 3) for win, draw, loss: probabilities, and scores d log P / d gap."""

    p: Array
    score: Array


def _logits(d: Array, t: Array) -> tuple[Array, Array]:
    win = 1.0 / (1.0 + np.exp(np.clip(t - d, -_FAR, _FAR)))
    loss = 1.0 / (1.0 + np.exp(np.clip(t + d, -_FAR, _FAR)))
    return win, loss


def logit_curve(d: Array, t: Array, wins: Array, draws: Array, losses: Array) -> Curve:
    """Logistic F; all arguments (C,). P(draw) = (1 - win)(1 - loss)(1 - exp(-2 t)), without cancellation in the
    tails.
    """
    win, loss = _logits(d, t)
    not_win, not_loss = 1.0 - win, 1.0 - loss
    above, below = wins + draws, losses + draws  # a draw is "not lost by more than t" and "not won by more than t"
    bend_w, bend_l = above * win * not_win, below * loss * not_loss
    lost, won = losses * not_loss, wins * not_win
    safe = np.maximum(t, 1e-12)
    return Curve(
        gap=won - lost + draws * (loss - win),
        margin=draws * (win + loss + 2.0 / np.expm1(2.0 * safe)) - won - lost,
        gap2=bend_w + bend_l,
        mixed=bend_l - bend_w,
        margin2=bend_w + bend_l + draws / np.sinh(safe) ** 2,
    )


def logit_terms(d: Array, t: Array) -> CurveTerms:
    """Logistic F; `d` and `t` are (C,)."""
    win, loss = _logits(d, t)
    draw = (1.0 - win) * (1.0 - loss) * -np.expm1(-2.0 * t)
    return CurveTerms(np.stack([win, draw, loss], 1), np.stack([1.0 - win, loss - win, loss - 1.0], 1))


class _Normal(NamedTuple):
    """Probabilities, densities at the two thresholds, and the thresholds themselves."""

    win: Array
    draw: Array
    loss: Array
    f_win: Array
    f_loss: Array
    above: Array
    below: Array


def _normals(d: Array, t: Array) -> _Normal:
    from scipy.special import ndtr

    d = np.clip(d, -_FAR_NORMAL, _FAR_NORMAL)
    above, below, size = d - t, -d - t, np.abs(d)
    f_win, f_loss = (np.maximum(_INV_SQRT_2PI * np.exp(-0.5 * z * z), _SMALL) for z in (above, below))
    win, loss = np.maximum(ndtr(above), _SMALL), np.maximum(ndtr(below), _SMALL)
    draw = np.ones(d.shape)
    if t.any():  # a difference of two small tails
        draw = np.where(t > 0.0, np.maximum(ndtr(t - size) - ndtr(-t - size), _SMALL), 1.0)
    return _Normal(win, draw, loss, f_win, f_loss, above, below)


def probit_curve(d: Array, t: Array, wins: Array, draws: Array, losses: Array) -> Curve:
    """Returns normal F with unit variance of the performance difference. Shapes as in `logit_curve`."""
    n = _normals(d, t)
    hazard_w, hazard_l = n.f_win / n.win, n.f_loss / n.loss
    bend_w, bend_l = wins * hazard_w * (hazard_w + n.above), losses * hazard_l * (hazard_l + n.below)
    by_gap, by_margin = (n.f_loss - n.f_win) / n.draw, (n.f_loss + n.f_win) / n.draw
    # second derivatives of P(draw) divided by P(draw); the two densities are taken at d - t and -d - t
    pure = (n.above * n.f_win + n.below * n.f_loss) / n.draw
    cross = (n.below * n.f_loss - n.above * n.f_win) / n.draw
    return Curve(
        gap=wins * hazard_w - losses * hazard_l + draws * by_gap,
        margin=draws * by_margin - wins * hazard_w - losses * hazard_l,
        gap2=bend_w + bend_l + draws * (by_gap * by_gap - pure),
        mixed=bend_l - bend_w + draws * (by_gap * by_margin - cross),
        margin2=bend_w + bend_l + draws * (by_margin * by_margin - pure),
    )


def probit_terms(d: Array, t: Array) -> CurveTerms:
    """Returns normal F; `d` and `t` are (C,)."""
    n = _normals(d, t)
    draw = np.where(t > 0.0, n.draw, 0.0)
    by_gap = np.where(t > 0.0, (n.f_loss - n.f_win) / n.draw, 0.0)
    return CurveTerms(np.stack([n.win, draw, n.loss], 1), np.stack([n.f_win / n.win, by_gap, -n.f_loss / n.loss], 1))


CURVES: dict[Link, Callable[[Array, Array, Array, Array, Array], Curve]] = {
    "logit": logit_curve,
    "probit": probit_curve,
}
TERMS: dict[Link, Callable[[Array, Array], CurveTerms]] = {"logit": logit_terms, "probit": probit_terms}


def _ndtr(x: Array) -> Array:
    from scipy.special import ndtr

    out: Array = ndtr(x)
    return out


CDFS: dict[Link, Callable[[Array], Array]] = {
    "logit": lambda x: 1.0 / (1.0 + np.exp(-np.clip(x, -_FAR, _FAR))),
    "probit": _ndtr,
}


def deviation(link: Link) -> float:
    """Standard deviations of a TrueSkill performance difference (sqrt(2) beta) in one unit of the link's gap.

    probit: 1. logit: 1 / 1.64, between the constant that matches the curves' slopes for equal players (1.596) and the
    one with the least maximum difference (1.702, Haley 1952): the curves then differ by at most 0.013. Measured: with
    this constant, intervals hold in close and in wide leagues.
    """
    return 1.0 if link == "probit" else 1.0 / 1.64
