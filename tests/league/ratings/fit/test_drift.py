"""What residuals say against one skill for all time and independent matches."""

from __future__ import annotations

import numpy as np
import pytest

from league.config.tournament import RatingConfig
from league.ratings import GameInfo, SkillModel
from league.ratings.comparisons import Counts
from league.ratings.engine import RatingEngine
from league.ratings.fit.drift import Drift, in_parts
from league.ratings.fit.misfit import misfits
from league.records.leaderboard import Leaderboard, MatchCounts
from league.records.matches import Result, SeatResult
from tests.league.ratings.simulation import BETA, names, play, random_pairs

GAMES = {name: GameInfo("zero_sum", ("a", "b")) for name in ("go", "quiz")}
PLAYERS = ["p0", "p1", "p2", "p3", "p4", "p5"]


def board(seed: int, *, rise: float = 0.0, luck: float = 0.0, tasks: int = 0, rounds: int = 12) -> Leaderboard:
    """The final board of a round-robin in which the first player rises, in beta, and each task suits some players."""
    rng = np.random.default_rng(seed)
    skill, log = rng.normal(0.0, 0.7, 6), list[Result]()
    worth = rng.normal(0.0, luck, (max(tasks, 1), 6))
    for round in range(rounds):
        now = skill + np.array([rise * (round / (rounds - 1) - 0.5), 0, 0, 0, 0, 0])
        for i in range(6):
            for j in range(i):
                task = int(rng.integers(tasks)) if tasks else -1
                for one, two in ((i, j), (j, i)):
                    gap = now[one] - now[two] + (worth[task, one] - worth[task, two]) * (luck > 0.0)
                    scores = (1.0, -1.0) if gap + rng.normal(0.0, 2**0.5) > 0.0 else (-1.0, 1.0)
                    seats = zip("ab", (one, two), scores, strict=True)
                    rows = tuple(SeatResult(seat, seat, PLAYERS[player], score) for seat, player, score in seats)
                    n, game = len(log), "quiz" if tasks else "go"
                    log.append(
                        Result(n, round, f"q{n // 2}", f"m{n}", game, 1, "finished", "", rows, 0.0, task=task + 1)
                    )
    engine = RatingEngine(GAMES, RatingConfig(), PLAYERS)
    engine.add(log)
    return engine.final("run", MatchCounts())


def test_a_change_beyond_the_ratings_has_no_size():
    """Anchors whose ratings contradict their matches gave a rise by 1132546931030 rating points."""
    line = Drift("a", 1132546931030.0, 7890000000.0, measured=False).line(False)
    assert line == (
        "a does better in its late matches than in its early ones, by more than these ratings allow (chance alone says "
        "so in 5% of the games): its rating here is that of all of them"
    )


def test_a_player_that_rises_is_named_alone_and_one_that_does_not_is_not():
    """Without the test, its present skill was covered in 0 of 14 leagues, and no line said so."""
    changed = board(1, rise=3.0)
    (line,) = changed.checks["go"]
    assert line.startswith("p0 does better in its late matches than in its early ones, by about")
    assert float(line.split("about ")[1].split()[0]) == pytest.approx(3.0 * 25.0 / 6.0, abs=5.0)
    assert [board(seed).checks for seed in range(3)] == [{}] * 3
    skill = np.random.default_rng(1).normal(0.0, 0.7, 6)
    rows = {row.player: row for row in changed.standings}
    others = [name for name in PLAYERS if name != "p0"]
    origin = np.mean([rows[name].rating for name in others]) - 25.0 / 6.0 * skill[1:].mean()
    assert rows["p0"].low < origin + 25.0 / 6.0 * (skill[0] + 1.5) < rows["p0"].high
    assert np.mean([row.rating for row in changed.standings]) == pytest.approx(25.0, abs=1e-6)


def test_matches_on_few_tasks_are_alike_widen_intervals_and_are_named():
    few, many = board(2, luck=1.2, tasks=10), board(2, luck=1.2)
    (line,) = few.checks["quiz"]
    assert line.startswith("some players know some of the 10 tasks: 360 comparisons tell as much as")
    assert many.checks == {}
    widths = [np.mean([row.high - row.low for row in one.standings]) for one in (few, many)]
    assert widths[0] > 1.2 * widths[1]
    assert board(3, luck=0.0, tasks=10).checks == {}


def test_the_parts_of_a_player_hold_all_its_matches_and_its_last_ones_keep_its_name():
    first, second, won = [*np.array([[0, 1], [1, 2], [0, 2]] * 8).T.tolist(), [0, 2] * 12]
    counts = Counts.of_matches(("a", "b", "c"), first, second, won)
    cells = {(a, b): k for k, (a, b) in enumerate(counts.columns[1:3].T.tolist())}
    sequence = np.array([[cells[pair] for pair in zip(first, second, strict=True)], won])
    chained = in_parts(counts, sequence, ["b"], 2.0)
    assert chained.counts.players == ("a", "b", "c", "b\x1f0", "b\x1f1", "b\x1f2")
    assert chained.parents == {"b\x1f1": "b\x1f0", "b\x1f2": "b\x1f1", "b": "b\x1f2"}
    assert chained.counts.n.sum() == counts.n.sum() / 2.0
    of_player = np.bincount(np.r_[chained.counts.a, chained.counts.b], np.tile(chained.counts.n.sum(0), 2))
    assert of_player.tolist() == [8.0, 2.0, 8.0, 2.0, 2.0, 2.0]


def league(seed, wrong=0.0, sd=0.0, players=6, anchors=3, matches=60):
    """The misfits of a league whose first players are anchors, rated at their true skill up to an error by `sd`; or all
    at their true skill but the first, which is `wrong` off.
    """
    rng = np.random.default_rng(seed)
    skill = rng.normal(0.0, 1.0, players)
    first, second = random_pairs(rng, players, players * matches // 2)
    counts = Counts.of_matches(names(players), first, second, play(rng, skill, first, second))
    stated = 25.0 + BETA * skill[:anchors] + rng.normal(0.0, 1.0, anchors) * (0.0 if wrong else sd)
    stated[0] += wrong * (-1) ** seed
    return misfits(SkillModel(), counts, {name: (r, sd) for name, r in zip(names(anchors), stated, strict=True)})


@pytest.mark.parametrize(
    ("sd", "players", "anchors"),
    [(0.0, 6, 3), (0.0, 2, 2), (2.0, 6, 3), pytest.param(0.0, 12, 5, marks=pytest.mark.slow)],
)
def test_right_ratings_are_reported_in_at_most_5_percent(sd, players, anchors):
    assert sum(bool(league(seed, 0.0, sd, players, anchors)) for seed in range(100)) <= 5


def test_a_wrong_rating_is_found_and_right_ones_are_not_blamed():
    """8 points are two standard deviations of a performance. A pair is reported if either may be wrong."""
    reports = [league(seed, 8.0, matches=100) for seed in range(100)]
    assert sum(any("p000" in (one.player, one.other) for one in report) for report in reports) >= 95
    assert sum(any("p000" not in (one.player, one.other) for one in report) for report in reports) <= 5
    alone = [
        (seed, one) for seed, report in enumerate(reports) for one in report if one.player == "p000" and not one.other
    ]
    assert len(alone) > 60
    right = [abs(one.estimate - (one.stated - 8.0 * (-1) ** seed)) <= one.reach for seed, one in alone]
    assert np.mean(right) > 0.85


def test_of_two_anchors_the_matches_know_only_the_distance():
    (report,) = league(3, 12.0, players=2, anchors=2, matches=200)
    assert {report.player, report.other} == {"p000", "p001"}
    assert "above anchor" in str(report)


def test_an_error_within_the_stated_uncertainty_is_no_misfit():
    """6 points contradict an exact rating, and are one and a half standard deviations of an uncertain one."""
    exact = [bool(league(seed, 6.0, matches=200)) for seed in range(20)]
    loose = [bool(league(seed, 6.0, sd=4.0, matches=200)) for seed in range(20)]
    assert sum(exact) >= 19
    assert sum(loose) <= 1


def test_anchors_that_no_matches_link_are_not_compared():
    first, second, result = np.array([0, 0, 2]), np.array([1, 1, 3]), np.array([0, 0, 0])
    counts = Counts.of_matches(names(4), first, second, result)
    assert misfits(SkillModel(), counts, {"p000": (0.0, 0.0), "p002": (100.0, 0.0)}) == ()
    assert misfits(SkillModel(), counts, {"p000": (0.0, 0.0)}) == ()


def test_an_unbeaten_anchor_may_be_as_strong_as_it_is_said_to_be():
    """40-0 fits 15 points and more, but not 2."""
    first = np.arange(40) % 2
    second, result = 1 - first, 2 * first
    counts = Counts.of_matches(names(2), first, second, result)
    for gap, contradicted in ((15.0, False), (60.0, False), (2.0, True)):
        assert bool(misfits(SkillModel(), counts, {"p000": (25.0 + gap, 0.0), "p001": (25.0, 0.0)})) is contradicted
