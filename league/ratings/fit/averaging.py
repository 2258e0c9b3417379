"""The average of fits with one, two and three groups of players, weighted by how well each explains the matches, and
with one in which pools that hardly met have means of their own.

One normal population is the simplest model of a league. If it is wrong (two clusters, a champion), its intervals are
too narrow exactly where adaptive pairings leave a gap to the prior. Averaging over models (Hoeting, Madigan, Raftery
and Volinsky 1999, "Bayesian model averaging") adds their disagreement to the covariance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, log
from typing import NamedTuple
from zlib import crc32

import numpy as np

from league.ratings.fit.elliptical_slice import sample
from league.ratings.fit.fit import Fit
from league.ratings.fit.groups import partitions, shares
from league.ratings.fit.links import Array
from league.ratings.fit.model import Model
from league.ratings.fit.moved import Origin, moved
from league.ratings.fit.pools import pools
from league.ratings.fit.posterior import Posterior
from league.ratings.fit.skill_draws import LIVE

_MIN_FOUNDERS = 3
"""Fewest players without a parent for which more than one group is tried."""
WIDER = 2.0
"""The width of the prior that measures prior sensitivity, relative to the fit's."""
_SHIFT_SHARE = 0.5
"""The share of the squared shift under the wider prior that is added to the covariance, among few players. Measured:
intervals then cover 93 to 98% of true ratings in leagues with clusters or a champion under pairings that test their
gaps, and at most 97% in leagues of one normal population."""
_FEW = 8
"""Players up to which that share holds. Beyond, it falls with their number, as the variance of an estimated log width
does: a prior of twice the width is then less and less likely. Measured, 64 players of one population: with the whole
share a quarter of the variance was this term, and 96.2 to 97.6% of true ratings were covered by swiss pairing (30
leagues a cell), 98.4 to 99.0% by uncertainty (12); now 94.6 to 95.6% and 95.4 to 96.7%."""
_HOPELESS = 4.0
"""A model with several groups is skipped if a quadratic approximation gives these log odds against it."""
_WIDTHS = (1.0, 0.6, 0.35, 0.2)
"""Widths of groups that the approximation tries, relative to that of a single population."""
_NEGLIGIBLE = 0.02
"""Models with less weight than this get no shift under the wider prior."""
_LIGHT = 0.1
"""Models with less weight than this give no draws to a live table."""
_APART = 4.0
"""The prior odds that pools which hardly met are different populations."""
_MAX_PLAYERS = 300
"""Players up to which several groups are fitted. Beyond, each fit takes a second and groups matter less."""


class _Fitted(NamedTuple):
    model: Model
    at: Posterior
    evidence: float


@dataclass(frozen=True)
class FitState:
    """Where the next fit can start: the layout, and per model its posterior, log widths, and shares, with whether these
    are estimated.
    """

    key: tuple[object, ...]
    models: tuple[tuple[Posterior, tuple[float, ...], tuple[Array, bool] | None], ...]
    origin: Origin


def average(base: Model, start: Fit | None = None, *, rough: bool = False) -> Fit:
    """Returns the fit of `base`, which has one group, averaged with fits of several groups; with `rough`, that of
    `start` moved by a few more matches, if they are few.
    """
    state = start.state if start is not None and start.state is not None and start.state.key == base.key() else None
    if rough and start is not None and state is not None and (few := moved(base, start)) is not None:
        return few
    grouped = base.method.groups > 1 and len(base.founders) >= _MIN_FOUNDERS and base.n <= _MAX_PLAYERS
    at = None
    if state is not None:
        at, logs, _ = state.models[0]
        _restart(base, logs)
    posterior, spread = base.solve(at)
    models = [_Fitted(base, posterior, base.evidence(spread, posterior) if grouped else 0.0)]
    if grouped:
        models += _grouped(models[0], spread, state)
    best = max(one.evidence for one in models)
    odds = [_APART if (groups := one.model.prior.groups) is not None and not groups.estimate else 1.0 for one in models]
    weights = np.exp([one.evidence - best for one in models]) * odds
    return _mixed(models, weights / weights.sum(), spread)


def _grouped(one: _Fitted, spread: Array, state: FitState | None) -> list[_Fitted]:
    """Returns fits with several groups, started from those of `state`, else from cuts of the ratings into groups."""
    out, apart = [], pools(one.model)
    if state is not None and len(state.models) > 1 and _same_pools(state, apart):
        for at, logs, shared in state.models[1:]:
            if shared is not None:
                model = one.model.grouped(*shared)
                _restart(model, logs)
                out.append(_solved(model, spread, at))
        return out
    skills = one.at.x[one.model.founders]
    plain = _quadratic(one, one.model, skills[:, None] * 0.0 + 1.0)
    for starts in partitions(np.sort(skills)):
        if len(starts) < one.model.method.groups:
            share = shares(skills, starts)
            model = one.model.grouped(share)
            if _quadratic(one, model, share) < plain - _HOPELESS:
                continue
            _continue(model, one.model)
            if model.prior.groups is not None:
                model.prior.groups.set(share)
            out.append(_solved(model, spread, _extended(one.at, (share.T @ skills) / share.sum(0))))
    if apart is not None:
        model = one.model.grouped(apart, estimate=False)
        _continue(model, one.model)
        out.append(_solved(model, spread, _extended(one.at, (apart.T @ skills) / apart.sum(0))))
    return out


def _same_pools(state: FitState, apart: Array | None) -> bool:
    """Returns whether the fits of a state have these pools."""
    before = [shared[0] for _, _, shared in state.models if shared is not None and not shared[1]]
    return np.array_equal(before[0], apart) if before and apart is not None else not before and apart is None


def _quadratic(one: _Fitted, model: Model, share: Array) -> float:
    """The evidence of `model` for the best of a few widths, with each player wholly in its largest group of `share`
    (F, K) and with the Gaussian likelihood of the fit `one`: a cheap estimate that decides whether to fit `model`.
    """
    size, base = model.common, one.model
    pull = one.at.information @ one.at.x - base.prior.gradient(one.at.x)
    pull = np.pad(pull, (0, model.design.size - size)) + model.precision * model.mean
    whole = (share == share.max(1, keepdims=True)).astype(np.float64)
    constant = 0.0
    if model.prior.groups is not None:
        model.prior.groups.set(whole)
        constant = model.prior.groups.evidence()
    width, values = model.prior.widths[0], []
    for factor in _WIDTHS if constant else (1.0,):
        width.restart(base.prior.widths[0].z + log(factor))
        prior = model.prior.matrix()
        total = prior.copy()
        total[:size, :size] += one.at.information
        sizes = np.linalg.slogdet(prior)[1] - np.linalg.slogdet(total)[1] + pull @ np.linalg.solve(total, pull)
        values.append(0.5 * float(sizes) - 0.5 * ((width.z - width.centre) / width.tau) ** 2)
    return constant + max(values)


def _solved(model: Model, spread: Array, at: Posterior) -> _Fitted:
    posterior = model.solve_with(spread, at)
    return _Fitted(model, posterior, model.evidence(spread, posterior))


def _restart(model: Model, logs: tuple[float, ...] | list[float]) -> None:
    for one, z in zip(model.prior.widths, logs, strict=True):
        one.restart(z)


def _continue(model: Model, plain: Model) -> None:
    """Start the estimated parameters of a model with groups where the plain model ended."""
    ended = {width.edges.name: width.z for width in plain.prior.widths}
    for width in model.prior.widths:
        width.restart(ended.get(width.edges.name, width.z))


def _extended(at: Posterior, means: Array) -> Posterior:
    """Returns a posterior whose unknowns are followed by the means of groups."""
    covariance = np.pad(at.covariance, (0, len(means)))
    return Posterior(np.append(at.x, means), covariance, covariance, at.iterations)


def _mixed(models: list[_Fitted], weights: Array, spread: Array) -> Fit:
    base = models[0].model
    size, weight = base.common, base.weight(spread)
    x = sum((p * one.at.x[:size] for p, one in zip(weights, models, strict=True)), np.zeros(size))
    covariance = np.zeros((size, size))
    for p, one in zip(weights, models, strict=True):
        off = one.at.x[:size] - x
        covariance += p * (one.model.covariance(one.at, weight)[:size, :size] + np.outer(off, off))
        width, absent = one.model.prior.widths[0], one.model.absent()
        doubt = width.variance + log(WIDER) ** 2 * shift_share(base)  # of the log width, as in `_sampler`
        covariance[absent, absent] += p * (exp(2.0 * doubt) - 1.0) / width.alpha
    relevant = [(p, one) for p, one in zip(weights, models, strict=True) if p > _NEGLIGIBLE]
    shift = sum((p * _prior_shift(one, spread) for p, one in relevant), np.zeros(size))
    covariance = covariance + shift_share(base) * np.outer(shift, shift)
    fit = base.report(x, covariance[: base.n, : base.n], covariance[base.n :, base.n :], spread)
    kept = tuple((m.at, tuple(one.z for one in m.model.prior.widths), _share(m.model)) for m in models)
    iterations = sum(one.at.iterations for one in models)
    player_shift = base.method.unit * shift[: base.n]
    cuts = _cuts(fit, base, [(p, one.at.information) for p, one in relevant])
    sampler = _sampler(models, weights, spread)
    state = FitState(base.key(), kept, Origin.of(base, x, covariance, spread))
    fit = replace(fit, iterations=iterations, state=state, sampler=sampler)
    return replace(fit, prior_shift=player_shift, cuts=cuts, beta=base.method.beta)


def _sampler(models: list[_Fitted], weights: Array, spread: Array) -> Callable[[int], Array]:
    """Returns what draws that many ratings (n, D), from each model as often as its weight says.

    The log widths of the priors have the standard deviation at which a doubling of all of them is the shift that
    `_mixed` adds. The draws are seeded by the players' names: a table does not flicker from match to match.
    """
    base = models[0].model
    weight, doubt = base.weight(spread), log(WIDER) * shift_share(base) ** 0.5
    seed = crc32("\x1f".join(base.counts.players).encode())

    def draws(number: int) -> Array:
        live = number <= LIVE
        shares = np.where(weights > _LIGHT, weights, 0.0) if live else weights
        parts, ends = [], np.rint(number * np.cumsum(shares / shares.sum())).astype(int)
        for some, fitted in zip(np.diff(ends, prepend=0).tolist(), models, strict=True):
            if some:
                drawn = sample(fitted.model, fitted.at, weight, some, doubt, seed, 2 if live else None)
                parts.append(drawn.x[: base.n])
        return base.ratings(np.concatenate(parts, 1).T).T

    return draws


def shift_share(base: Model) -> float:
    """Returns `_SHIFT_SHARE` for the number of players that share a width."""
    players = int(base.played[base.founders].sum())
    return _SHIFT_SHARE * min(1.0, _FEW / max(players, 1))


def _cuts(fit: Fit, base: Model, models: list[tuple[float, Array]]) -> Array | None:
    """`Fit.cuts`, from the weight of each model and the matches' information (P, P) on the players by this model.

    The variance is averaged: a match that nobody can lose says little, and the models differ in how wide a gap is.
    """
    order = [i for i in fit.order() if fit.played[i]]
    if len(order) < 2:
        return None
    variance = np.zeros(len(order) - 1)
    for p, information in models:
        links = -information[np.ix_(order, order)]
        np.fill_diagonal(links, 0.0)
        sums = links.cumsum(0).cumsum(1)
        across = sums[:-1, -1] - np.diag(sums)[:-1]  # between the first 1, 2, ... rows and all rows below
        variance += p / np.maximum(across, 1e-12)
    out: Array = base.method.unit / base.method.beta * np.sqrt(variance / sum(p for p, _ in models))
    return out


def _prior_shift(one: _Fitted, spread: Array) -> Array:
    """Returns (common,) how far the unknowns move under a prior of `WIDER` times the widths."""
    model = one.model
    for width in model.prior.widths:
        width.z += log(WIDER)
    wide = model.solve_with(spread, one.at, estimate=False)
    for width in model.prior.widths:
        width.z -= log(WIDER)
    moved: Array = wide.x - one.at.x
    return moved[: model.common]


def _share(model: Model) -> tuple[Array, bool] | None:
    groups = model.prior.groups
    return None if groups is None else (groups.share, groups.estimate)
