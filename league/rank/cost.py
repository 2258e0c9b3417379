"""What a ranking is expected to take, told before the first match."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from statistics import NormalDist, fmean

from league.config.tournament import RatingConfig
from league.rank.play import FLOOR, STEP, WIDTH, Prepared
from league.rank.suite import RankSuite, SuiteGame

_NORMAL = NormalDist()
_LEVEL = _NORMAL.inv_cdf(0.975)


def cost_lines(prepared: Prepared, width: float = WIDTH) -> Iterator[str]:
    """Yields the matches and answers that a ranking takes: expected for a model in the middle of the anchors, at most,
    and for one that answers nothing.
    """
    of, most = prepared.suite, int(prepared.config.rounds)
    rounds = expected_rounds(of, width, most)
    anchors = sum(len(game.anchors) for game in of.games)
    yield (
        f"suite {of.version}: {len(of.games)} games, {anchors} rated anchors. A model in the middle of the anchors "
        f"plays about {matches(of, rounds):,} matches with {answers(of, rounds):,.0f} answers in {rounds} rounds, "
        f"one that forfeits all {floor_matches(of):,} matches; at most {matches(of, most):,} matches in {most} rounds"
    )
    if prepared.outside:
        yield "the model is at an endpoint, which may cost money: --rounds 2 first shows the tokens of a match"


def expected_rounds(of: RankSuite, width: float, most: int) -> int:
    """Returns the rounds after which the interval of a model in the middle of the anchors is `width` points wide."""
    return next((k for k in range(STEP, most, STEP) if expected_width(of, k) <= width), most)


def expected_width(of: RankSuite, rounds: int) -> float:
    """Returns the width of the 95% interval of the mean over the games, in rating points."""
    return 2.0 * _LEVEL * sqrt(sum(_variance(of, game, 2 * rounds) for game in of.games)) / len(of.games)


def matches(of: RankSuite, rounds: int) -> int:
    """Returns the number of matches: two against each anchor of each game in a round."""
    return sum(_matches(game, rounds) for game in of.games)


def answers(of: RankSuite, rounds: int) -> float:
    """Returns the number of a model's answers if its matches take as many as those of the anchors."""
    return sum(_matches(game, rounds) * of.turns.get(game.id, 1.0) for game in of.games)


def floor_matches(of: RankSuite) -> int:
    """Returns the number of matches of a model that forfeits all: no more of a game after `FLOOR`."""
    return sum(_matches(game, -(-FLOOR // _matches(game, 1))) for game in of.games)


def _matches(game: SuiteGame, rounds: int) -> int:
    return 2 * rounds * len(game.anchors)


def _variance(of: RankSuite, game: SuiteGame, meetings: int) -> float:
    """Returns the variance of a rating in a game after so many matches against each anchor: the Fisher information of
    decided matches, less by the doubt about the anchor's own rating, and the prior.
    """
    scale = RatingConfig()
    names = {of.name(game, anchor) for anchor in game.anchors}
    anchors = [anchor for anchor in of.ratings if anchor.player in names]
    middle, unit = fmean(anchor.rating for anchor in anchors), sqrt(2.0) * scale.beta
    precision = 1.0 / scale.sigma**2
    for anchor in anchors:
        gap = (middle - anchor.rating) / unit
        won = _NORMAL.cdf(gap)
        one = _NORMAL.pdf(gap) ** 2 / (won * (1.0 - won)) / unit**2
        precision += 1.0 / (1.0 / (meetings * one) + anchor.sd**2)
    return 1.0 / precision
