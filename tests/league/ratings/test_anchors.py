"""Anchors of a run: per player and game, with a standard deviation, for all rating methods alike."""

import pytest

from games import InputError
from league.board.leaderboard_panels import leaderboard_panels
from league.board.printed import of_game, to_json
from league.config.tournament import RatingConfig
from league.ratings import check_game_names
from league.ratings.engine import RatingEngine
from league.ratings.online.state import anchors_of
from league.records.leaderboard import MatchCounts
from league.reports.content import _notes
from tests.league.ratings.factories import GAMES, NODRAW, ZERO, result

METHODS = ["trueskill", "bradley-terry"]


def config(*anchors, **more):
    keys = ("player", "game", "rating", "sd")
    return RatingConfig.model_validate({"anchors": [dict(zip(keys, a, strict=False)) for a in anchors], **more})


def board(ratings, log, final=True):
    engine = RatingEngine({game: GAMES[game] for game in (ZERO, NODRAW)}, ratings, list("abc"))
    engine.add(log)
    return (engine.final if final else engine.snapshot)("t", MatchCounts())


def matches(game, players, wins, losses, start):
    """Wins and losses of the first player, mixed and in both seats: 40 together."""
    scores = [(1, -1) if 17 * i % 40 < wins else (-1, 1) for i in range(wins + losses)]
    turned = [(players, score) if i % 2 else (players[::-1], score[::-1]) for i, score in enumerate(scores)]
    return [result(start + i, who, score, game) for i, (who, score) in enumerate(turned)]


def row(rows, player):
    return next(one for one in rows if one.player == player)


TWO_GAMES = matches(ZERO, ("a", "b"), 30, 10, 0) + matches(NODRAW, ("a", "b"), 12, 28, 100)


@pytest.mark.parametrize("method", METHODS)
def test_a_player_has_its_own_rating_in_each_game(method):
    ratings = config(("b", ZERO, 10.0, 0.0), ("b", "hex", 40.0, 0.0), method=method)
    shown = board(ratings, TWO_GAMES)
    for game, rating in ((ZERO, 10.0), (NODRAW, 40.0)):
        anchor = row(shown.games[game], "b")
        assert anchor.rating == pytest.approx(rating, abs=0.05)
        assert anchor.high - anchor.low < 0.1
    assert row(shown.games[ZERO], "a").rating > 10.5
    assert row(shown.games[NODRAW], "a").rating < 39.5


@pytest.mark.parametrize("method", METHODS)
def test_without_a_game_a_rating_holds_in_every_game_and_overall(method):
    shown = board(config(("b", None, 33.0), method=method), TWO_GAMES)
    for rows in (shown.standings, shown.games[ZERO], shown.games[NODRAW]):
        assert row(rows, "b").rating == pytest.approx(33.0, abs=0.1)


@pytest.mark.parametrize("method", METHODS)
def test_an_uncertain_rating_has_an_interval_and_gives_way_to_matches(method):
    """a and b are stated to be equal; a wins nearly always."""
    log = matches(ZERO, ("a", "b"), 38, 2, 0)
    exact, loose = (
        board(config(("a", ZERO, 30.0, sd), ("b", ZERO, 30.0, sd), method=method), log).games[ZERO] for sd in (0.0, 3.0)
    )
    assert row(exact, "a").rating - row(exact, "b").rating < 0.1
    assert row(loose, "a").rating - row(loose, "b").rating > 3.0
    assert row(loose, "a").rating + row(loose, "b").rating == pytest.approx(60.0, abs=0.2)
    assert row(loose, "a").high - row(loose, "a").low > 3.0


@pytest.mark.parametrize("method", METHODS)
def test_a_contradiction_is_told_in_its_game_alone(method):
    """audit/mission.md F3: 15 points that fit one game and not the other, and no line said so."""
    log = matches(ZERO, ("a", "b"), 38, 2, 0) + matches(NODRAW, ("a", "b"), 22, 18, 100)
    ratings = config(("b", None, 25.0), ("a", None, 40.0), method=method)
    shown = board(ratings, log)
    assert list(shown.anchors) == [NODRAW]
    (line,) = shown.anchors[NODRAW]
    assert line.startswith("anchor a is stated 15 above anchor b; the matches say 0.")
    (panel,) = (p for p in leaderboard_panels(shown) if "anchors" in p.title)
    assert panel.lines == (f"{NODRAW}: {line}",)
    assert panel.lines[0] in _notes(shown)
    assert to_json(shown)["anchors"] == {NODRAW: [line]}
    assert of_game(shown, ZERO).anchors == {}
    assert of_game(shown, NODRAW).anchors == {NODRAW: (line,)}
    assert board(config(("b", None, 25.0), ("a", ZERO, 38.0), ("a", NODRAW, 26.0)), log).anchors == {}


def test_an_anchor_that_has_not_played_says_nothing_about_the_scale():
    log = matches(ZERO, ("a", "b"), 20, 20, 0)
    shown = board(config(("c", ZERO, 80.0)), log).games[ZERO]
    assert row(shown, "a").rating == pytest.approx(25.0, abs=0.1)


def test_the_most_exact_name_of_a_game_decides():
    ratings = config(("a", None, 1.0), ("a", "hex", 2.0), ("a", "openspiel/hex", 3.0), ("b", None, 4.0, 0.5))
    assert anchors_of(ratings, "openspiel/hex(board_size=5)") == {"a": (3.0, 0.0), "b": (4.0, 0.5)}
    assert anchors_of(ratings, "nobody/hex") == {"a": (2.0, 0.0), "b": (4.0, 0.5)}
    assert anchors_of(ratings, None) == anchors_of(ratings, ZERO) == {"a": (1.0, 0.0), "b": (4.0, 0.5)}


def test_an_anchor_of_no_game_of_the_file_is_refused():
    with pytest.raises(InputError, match=r"ratings.anchors: 'chess' is not a game of this file"):
        check_game_names(config(("a", "chess", 1.0)), [ZERO])
