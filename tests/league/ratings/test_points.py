"""Expected points against a reference player, in every table of a leaderboard."""

from __future__ import annotations

import pytest

from league.board.standing_columns import points
from league.config.tournament import RatingConfig
from league.ratings.engine import RatingEngine
from league.ratings.points import reference_of
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from tests.league.ratings.factories import GAMES, ZERO, result


def board(rounds: int = 12, **settings: object) -> Leaderboard:
    """a beats b in most matches, b beats c in all."""
    engine = RatingEngine(GAMES, RatingConfig(**settings), ["a", "b", "c"])  # type: ignore[arg-type]
    pairs = [("a", "b", i % 4 > 0) for i in range(rounds)] + [("b", "c", True)] * rounds
    for i, (x, y, won) in enumerate(pairs):
        players, scores = ((x, y), (1, -1)) if i % 2 else ((y, x), (-1, 1))
        engine.add([result(i, players, scores if won else scores[::-1])])
    return engine.final("", MatchCounts())


def test_points_are_stated_against_the_first_player_or_the_one_that_is_named() -> None:
    rows = {row.player: row for row in board().standings}
    assert (rows["a"].points_low, rows["a"].points, rows["a"].points_high) == (50.0, 50.0, 50.0)
    named = {row.player: row for row in board(reference="b").games[ZERO]}
    assert points(named["b"]) == "reference"
    assert points(named["c"]).startswith("at most ")
    assert 50 < (named["a"].points or 0) < 90
    assert (named["a"].points_low or 0) < (named["a"].points or 0) < (named["a"].points_high or 0)


@pytest.mark.parametrize(
    ("name", "players", "reference"),
    [
        ("", ("a", "random"), "random"),
        ("", ("a", "b"), "a"),
        ("b", ("a", "b", "random"), "b"),
        ("gone", ("a", "b"), "a"),
    ],
)
def test_the_reference(name: str, players: tuple[str, ...], reference: str) -> None:
    rows = [Standing(player, 1, 25, 20, 30, 4, 2, 0, 2, 0) for player in players]
    assert reference_of(name, players, rows) == reference


def test_without_matches_there_is_no_reference() -> None:
    rows = [Standing("a", None, 25, 20, 30, 0, 0, 0, 0, 0)]
    assert reference_of("", ("a",), rows) == ""
