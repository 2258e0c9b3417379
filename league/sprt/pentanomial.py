"""The likelihood ratio of two strengths, from pairs of matches on one seed with exchanged seats.

Counting pairs instead of matches (the pentanomial model of fishtest) removes what both matches share: if the first move
or the cards decide a match, a pair is far less random than two matches, and fewer pairs are needed.

Strength is normalised Elo (Van den Bergh, "Normalized Elo practical guide", 2020): (mean score - 1/2) over the standard
deviation per match, times 800 / ln 10. It determines how many matches show a difference: the same normalised Elo needs
about the same number in every game, also in games with many draws.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log, sqrt

from league.outcomes.outcome import Outcome
from league.outcomes.table import OutcomeTable
from league.outcomes.units import RatedUnit
from league.records.game_info import GameInfo
from league.records.matches import Result

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""mean score of a pair by category: LL, LD, WL or DD, WD, WW"""
NELO = 800.0 / log(10.0)
"""normalised Elo of one standard deviation per match"""
_EMPTY = 1e-3
"""replaces a count of 0, whose logarithm does not exist"""


def category(first: float, second: float) -> int:
    """Returns the category of a pair with these match scores, each 0, 1/2 or 1. Raises ValueError for other scores."""
    if first not in (0.0, 0.5, 1.0) or second not in (0.0, 0.5, 1.0):
        raise ValueError(f"the scores of a pair must be 0, 0.5 or 1, got {first} and {second}")
    return round(2.0 * (first + second))


def moments(counts: Sequence[float]) -> tuple[float, float]:
    """Returns mean and variance of the score of a pair."""
    n = sum(counts)
    mean = sum(c * a for c, a in zip(counts, SCORES, strict=True)) / n
    return mean, sum(c * (a - mean) ** 2 for c, a in zip(counts, SCORES, strict=True)) / n


def per_pair(nelo: float) -> float:
    """Returns (mean - 1/2) / sd of the score of a pair, which has half the variance of a match."""
    return nelo / NELO * sqrt(2.0)


def llr(counts: Sequence[float], nelo0: float, nelo1: float) -> float:
    """Returns log likelihood ratio of strength nelo1 to nelo0, given the counts of the five categories.

    The ratio is generalised: under each strength, the other parameters of the probabilities are the most likely ones.
    """
    if sum(counts) == 0:
        return 0.0
    frequencies = shares(counts)
    p0, p1 = (constrained(frequencies, per_pair(nelo)) for nelo in (nelo0, nelo1))
    return sum((c or _EMPTY) * log(b / a) for c, a, b in zip(counts, p0, p1, strict=True))


def shares(counts: Sequence[float]) -> list[float]:
    """Returns the share of pairs in each category, never 0, as `constrained` needs them."""
    filled = [c or _EMPTY for c in counts]
    return [c / sum(filled) for c in filled]


def constrained(shares: Sequence[float], strength: float) -> list[float]:
    """Returns the most likely probabilities given observed `shares` (positive) with (mean - 1/2) / sd = `strength`.

    With a Lagrange multiplier x, p_i = share_i / (1 + x h_i). The derivative of the constraint h_i depends on the mean
    and sd of p itself, so the equation is iterated to its fixed point; each time x follows from sum p_i h_i = 0.
    """
    p = _tilted(strength)
    for _ in range(50):
        mean, variance = moments(p)
        sd = sqrt(variance)
        slope = [a - 0.5 - strength * sd * (1.0 + ((mean - a) / sd) ** 2) / 2.0 for a in SCORES]
        x = _multiplier(shares, slope)
        new = [share / (1.0 + x * h) for share, h in zip(shares, slope, strict=True)]
        moved = max(abs(a - b) for a, b in zip(new, p, strict=True))
        p = new
        if moved < 1e-8:
            break
    return p


@functools.lru_cache(maxsize=64)
def _tilted(strength: float) -> list[float]:
    """Returns probabilities in geometric progression with (mean - 1/2) / sd = `strength`.

    The iteration starts from them, because it diverges from probabilities far from the constraint.
    """
    low, high = -60.0, 60.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        weights = [exp(middle * (a - 0.5)) for a in SCORES]
        mean, variance = moments(weights)
        low, high = (middle, high) if mean - 0.5 < strength * sqrt(variance) else (low, middle)
    return [w / sum(weights) for w in weights]


def _multiplier(shares: Sequence[float], slope: Sequence[float]) -> float:
    """Returns the root x of sum share h / (1 + x h), which falls from +inf to -inf from -1 / max h to -1 / min h."""
    low, high = -1.0 / max(slope), -1.0 / min(slope)
    x = 0.0
    for _ in range(100):
        terms = [h / (1.0 + x * h) for h in slope]
        value = sum(s * t for s, t in zip(shares, terms, strict=True))
        if value > 0.0:
            low = x
        else:
            high = x
        step = value / sum(s * t * t for s, t in zip(shares, terms, strict=True))
        new = x + step
        if not low < new < high:
            new = 0.5 * (low + high)
        done = abs(new - x) < 1e-10 and abs(value) < 1e-6  # near a pole, steps are small even far from the root
        x = new
        if done:
            break
    return x


def pairs(results: Iterable[Result], games: Mapping[str, GameInfo], candidate: str) -> list[int]:
    """Returns the categories of a player's complete seat-rotated pairs, in plan order, repeated pairs included."""
    table = OutcomeTable(games, whole_pairings=True)
    table.add(results)
    categories = (pair_category(unit, candidate) for unit in table.rows().listed())
    return [one for one in categories if one is not None]


def pair_category(unit: RatedUnit, candidate: str) -> int | None:
    """Returns the category of a seat-rotated pair, 0 LL .. 4 WW, as `candidate` sees it.

    A pair is two matches of a game of two sides, each filled by one player. In a game that is rated by pairing (stakes,
    general-sum) a pair is won, drawn or lost as one. Returns None for a pair with a void match or a self-meeting, as
    half a pair would bring the seat's advantage in, and for matches that are not such a pair.
    """
    if len(unit.matches) != 2 or any(outcome.groups or not outcome.rated for outcome in unit.outcomes):
        return None
    if any(len(players := _players(outcome)) != 2 or candidate not in players for outcome in unit.outcomes):
        return None
    first, second = (_score(outcome, candidate) for outcome in unit.outcomes[:2])
    return category(first, second)


def _players(outcome: Outcome) -> set[str]:
    return {entry.player for entry in outcome.entries}


def _score(outcome: Outcome, candidate: str) -> float:
    """Returns 1, 1/2 or 0: the candidate's rank against the other's."""
    candidate_rank = next(
        rank for entry, rank in zip(outcome.entries, outcome.ranks, strict=True) if entry.player == candidate
    )
    other_rank = next(
        rank for entry, rank in zip(outcome.entries, outcome.ranks, strict=True) if entry.player != candidate
    )
    return 0.5 if candidate_rank == other_rank else float(candidate_rank < other_rank)
