"""The fits with one, two and three groups of players as one, each weighed by how well it explains the matches.

One normal population is the plainest account of a league; where it is wrong (two clusters, a champion), its intervals
are too narrow exactly where adaptive pairings leave a gap to the prior. Averaging over accounts (Hoeting, Madigan,
Raftery and Volinsky 1999, "Bayesian model averaging") adds to the covariance what the accounts disagree about.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from typing import NamedTuple

import numpy as np

from league.ratings._groups import partitions, shares
from league.ratings._link import Array
from league.ratings._model import Model
from league.ratings._posterior import Posterior
from league.ratings.fitted import LOOSE, Fit

_FEWEST = 3
"""Players without a parent from which groups are looked for."""
_WIDER = 2.0
"""How much wider the other prior is that a fit is compared with."""
_LEAN = 0.5
"""The share of the squared difference from the fit with the other prior that is added to the covariance. Measured:
with it intervals cover 93 to 98% of the truths in clusters and beside a champion under pairings that test their gaps,
and no more than 97% in leagues of one normal population."""
_HOPELESS = 4.0
"""Log odds against an account with several groups, by a quadratic look, from which it is not fitted."""
_WIDTHS = (1.0, 0.6, 0.35, 0.2)
"""Widths of groups that the look tries, in that of a single population."""
_NEGLIGIBLE = 0.02
"""Weight of an account below which it is not asked that."""
_MOST = 300
"""Players up to which they are: beyond, each fit takes a second, and a gap between groups is well measured or not
asked about."""


class _Found(NamedTuple):
    model: Model
    at: Posterior
    evidence: float


@dataclass(frozen=True)
class State:
    """Where the next fit may start: the layout, and per model its posterior, log widths and shares."""

    key: tuple[object, ...]
    models: tuple[tuple[Posterior, tuple[float, ...], Array | None], ...]


def average(base: Model, start: Fit | None = None) -> Fit:
    """The fit of `base`, of one group, averaged with those of several."""
    state = start.state if start is not None and start.state is not None and start.state.key == base.key() else None
    found, spread = _first(base, state)
    models = [found]
    if base.method.groups > 1 and len(base.founders) >= _FEWEST and base.n <= _MOST:
        models += _grouped(found, spread, state)
    best = max(one.evidence for one in models)
    weights = np.exp([one.evidence - best for one in models])
    return _mixed(models, weights / weights.sum(), spread)


def _first(base: Model, state: State | None) -> tuple[_Found, Array]:
    at = None
    if state is not None:
        at, logs, _ = state.models[0]
        _restart(base, logs)
    found, spread = base.solve(at)
    return _Found(base, found, base.evidence(spread, found)), spread


def _grouped(one: _Found, spread: Array, state: State | None) -> list[_Found]:
    """Fits with several groups, from where those of `state` ended, or else from cuts of the ratings into groups."""
    out = []
    if state is not None and len(state.models) > 1:
        for at, logs, share in state.models[1:]:
            if share is not None:
                model = one.model.grouped(share)
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
    return out


def _quadratic(one: _Found, model: Model, share: Array) -> float:
    """The evidence of `model`, of groups as in `share` (F, K) with everybody wholly in one, for the best of a few
    widths, and with the likelihood taken to be Gaussian as found by the fit `one`: a look before a fit of its own.
    """
    size, base = model.common, one.model
    pull = one.at.information @ one.at.x - base.prior.gradient(one.at.x)
    pull = np.pad(pull, (0, model.design.size - size)) + model.precision * model.mean
    whole = (share == share.max(1, keepdims=True)).astype(np.float64)
    known = 0.0
    if model.prior.groups is not None:
        model.prior.groups.set(whole)
        known = model.prior.groups.evidence()
    width, found = model.prior.widths[0], []
    for factor in _WIDTHS if known else (1.0,):
        width.restart(base.prior.widths[0].z + log(factor))
        prior = model.prior.matrix()
        total = prior.copy()
        total[:size, :size] += one.at.information
        sizes = np.linalg.slogdet(prior)[1] - np.linalg.slogdet(total)[1] + pull @ np.linalg.solve(total, pull)
        found.append(0.5 * float(sizes) - 0.5 * ((width.z - width.centre) / width.tau) ** 2)
    return known + max(found)


def _solved(model: Model, spread: Array, at: Posterior) -> _Found:
    found = model.solve_with(spread, at)
    return _Found(model, found, model.evidence(spread, found))


def _restart(model: Model, logs: tuple[float, ...] | list[float]) -> None:
    for one, z in zip(model.prior.estimated, logs, strict=True):
        one.restart(z)


def _continue(model: Model, plain: Model) -> None:
    """Start what a model with groups estimates from where the plain one ended."""
    ended = {width.edges.name: width.z for width in plain.prior.widths}
    for width in model.prior.widths:
        width.restart(ended.get(width.edges.name, width.z))
    for loading, before in zip(model.prior.loadings, plain.prior.loadings, strict=True):
        loading.restart(before.z)


def _extended(at: Posterior, means: Array) -> Posterior:
    """A posterior with the means of groups after its unknowns."""
    covariance = np.pad(at.covariance, (0, len(means)))
    return Posterior(np.append(at.x, means), covariance, covariance, at.iterations)


def _mixed(models: list[_Found], weights: Array, spread: Array) -> Fit:
    base = models[0].model
    size, weight = base.common, base.weight(spread)
    x = sum((p * one.at.x[:size] for p, one in zip(weights, models, strict=True)), np.zeros(size))
    covariance = np.zeros((size, size))
    for p, one in zip(weights, models, strict=True):
        off = one.at.x[:size] - x
        covariance += p * (one.model.covariance(one.at, weight)[:size, :size] + np.outer(off, off))
    told = [(p, one) for p, one in zip(weights, models, strict=True) if p > _NEGLIGIBLE]
    lean = sum((p * _leaning(one, spread) for p, one in told), np.zeros(size))
    covariance = covariance + _LEAN * np.outer(lean, lean)
    fit = base.report(x, covariance, spread)
    kept = tuple((m.at, tuple(one.z for one in m.model.prior.estimated), _share(m.model)) for m in models)
    iterations = sum(one.at.iterations for one in models)
    leaning = base.method.unit * lean[: base.shown]
    fit = _loosest(fit, base, models[int(np.argmax(weights))].at.information)
    return replace(fit, iterations=iterations, lean=leaning, state=State(base.key(), kept))


def _loosest(fit: Fit, base: Model, information: Array) -> Fit:
    """The fit with its loosest gap, from the matches' information (P, P) on the players."""
    order = [i for i in fit.order() if fit.played[i]]
    n = len(order)
    if base.shown < base.n or n < 2:
        return fit
    met = -information[np.ix_(order, order)]
    np.fill_diagonal(met, 0.0)
    sums = met.cumsum(0).cumsum(1)
    across = sums[:-1, -1] - np.diag(sums)[:-1]  # of the first 1, 2, ... rows with all below them
    cut = int(np.argmin(across)) + 1
    sd = base.method.unit / max(float(across[cut - 1]), 1e-12) ** 0.5
    side = order[:cut] if 2 * cut <= n else order[cut:]
    names = tuple(fit.players[i] for i in side)
    return replace(fit, loosest=(names, sd), prior_decides=sd > LOOSE * base.method.beta)


def _leaning(one: _Found, spread: Array) -> Array:
    """(common,): how far the unknowns move under a prior of twice the widths."""
    model = one.model
    for width in model.prior.widths:
        width.z += log(_WIDER)
    wide = model.solve_with(spread, one.at, estimate=False)
    for width in model.prior.widths:
        width.z -= log(_WIDER)
    moved: Array = wide.x - one.at.x
    return moved[: model.common]


def _share(model: Model) -> Array | None:
    return None if model.prior.groups is None else model.prior.groups.share
