"""What residuals say against one skill for all time and independent matches."""

from __future__ import annotations

import numpy as np
import pytest

from league.config.tournament import RatingConfig
from league.ratings import GameInfo
from league.ratings.comparisons import Counts
from league.ratings.engine import RatingEngine
from league.ratings.fit.drift import in_parts
from league.records.leaderboard import Leaderboard, MatchCounts
from league.records.matches import Result, SeatResult

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


def test_a_player_that_rises_is_named_alone_and_one_that_does_not_is_not():
    """Without the test, its present skill was covered in 0 of 14 leagues, and no line said so."""
    changed = board(1, rise=3.0)
    (line,) = changed.checks["go"]
    assert line.startswith("p0 rises by about")
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
