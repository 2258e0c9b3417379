"""Pools of players that hardly met: who meets whom may tell of different populations.

Two groups joined by one match look alike to a single population, which takes their gap from the spread within each:
measured, two pools of four, 2 beta apart, 13% of true ratings were inside their 95% intervals. If few comparisons cross
a cut of the graph of matches, for what each side played, each side may have a mean of its own. The cut is that of least
conductance along the second eigenvector of the graph's normalised Laplacian (Shi and Malik, "Normalized cuts and image
segmentation", 2000).
"""

from __future__ import annotations

import numpy as np

from league.ratings.fit.fit import connected_components
from league.ratings.fit.links import Array
from league.ratings.fit.model import Model

_SHARE = 0.1
"""Comparisons across a cut, at most, over those of the side with fewer; half in a field where all meet alike."""
_MOST = 30.0
"""Comparisons across a cut from which they know the gap to a third of a beta themselves."""
_EACH = 8.0
"""Comparisons of a player, on average over either side: graphs of fewer have such cuts by chance, a tree everywhere."""
_LINEAGE = 1e3
"""Comparisons that a checkpoint and its parent are worth."""


def pools(base: Model) -> Array | None:
    """Returns the share (F, K), 1 or 0, of the players without a parent in each pool; players without a match share all
    alike. None if no pool of two players or more is nearly cut off.
    """
    meetings = np.zeros((base.n, base.n))
    np.add.at(meetings, (base.counts.a, base.counts.b), base.counts.n.sum(0) * base.counts.weight)
    np.add.at(meetings, tuple(base.parents.T), _LINEAGE)
    meetings += meetings.T
    np.fill_diagonal(meetings, 0.0)
    whole = [np.array(part) for part in connected_components(base.n, *np.nonzero(meetings))]
    parts = [pool for part in whole for pool in _parted(meetings, part)]
    if len(parts) == len(whole):
        return None
    share = np.full((base.n, len(parts)), 1.0 / len(parts))
    for place, part in enumerate(parts):
        share[part] = np.eye(len(parts))[place]
    return share[base.founders]


def _parted(meetings: Array, part: Array) -> list[Array]:
    """Returns the pools of a connected part of the players."""
    between = meetings[np.ix_(part, part)]
    degree = between.sum(1)
    if len(part) < 4:
        return [part]
    root = 1.0 / np.sqrt(degree)
    second = np.linalg.eigh(root[:, None] * between * root)[1][:, -2]
    order = np.argsort(second * root, kind="stable")
    sums = between[np.ix_(order, order)].cumsum(0).cumsum(1)
    across = sums[1:-2, -1] - np.diag(sums)[1:-2]  # two players or more on either side
    size = np.cumsum(degree[order])[1:-2]
    share = across / np.minimum(size, degree.sum() - size)
    number = np.arange(2, len(part) - 1)
    dense = np.minimum(size / number, (degree.sum() - size) / (len(part) - number)) >= _EACH
    at = int(np.argmin(np.where(dense & (across <= _MOST), share, np.inf)))
    if share[at] > _SHARE or across[at] > _MOST or not dense[at]:
        return [part]
    return [
        pool for some in (part[order[: at + 2]], part[order[at + 2 :]]) for pool in _parted(meetings, np.sort(some))
    ]
