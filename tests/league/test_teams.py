"""A team game and a game that is not rated, played as a tournament."""

from collections import Counter
from functools import partial

import msgspec

from arena import Decision, Player, players
from games import register
from league import run_tournament
from league.board import BoardState
from league.board.printed import to_json
from league.board.render import render
from league.runs.rebuild import read_snapshot, rebuild
from league.store import Store
from tests.league.cups import cup
from tests.toys.team_games import Quiz, Tug

register("tug-v0")(Tug)
register("quiz-v0")(Quiz)


@players.register("last-action")
class LastAction(Player):
    """Takes the last of the legal actions: pulls hardest, asks and guesses 3."""

    name = "last-action"

    def act(self, view):
        assert view.legal
        return Decision(view.legal[-1])


ENTRANTS = [{"name": "hard", "player": "last-action"}, *({"name": name, "player": "random"} for name in ("r1", "r2"))]
config = partial(cup, games=["tug-v0", "quiz-v0"], rounds=12, players=ENTRANTS)


def test_teams_and_unrated_games_in_one_tournament(tmp_path):
    ended = run_tournament(config(tmp_path), board="off")
    assert ended.complete
    tug = {row.player: row for row in ended.snapshot.games["tug-v0"]}
    assert ended.snapshot.games["tug-v0"][0].player == "hard"
    assert tug["hard"].games == 2 * 2 * 12  # two opponents, both sides, once a match however many seats
    assert tug["hard"].low > tug["r1"].rating
    with Store.open(f"sqlite:///{tmp_path}/t.db", read_only=True) as store:
        results = [r for r in store.results(store.run()) if r.game == "tug-v0"]
    sat = Counter((s.player, s.seat) for r in results for s in r.seats)
    assert set(sat.values()) == {24}  # everybody in every seat equally often
    assert all(r.seats[0].player == r.seats[2].player != r.seats[1].player == r.seats[3].player for r in results)

    quiz = ended.snapshot.roles["quiz-v0"]
    assert {role: {row.games for row in rows} for role, rows in quiz.items()} == {"proposer": {12}, "solver": {24}}
    assert not any(row.rated for rows in quiz.values() for row in rows)
    shown = render(BoardState(ended.snapshot), 120).plain
    assert "quiz-v0: mean return in each role, 95%, matches (not rated)" in shown
    row = to_json(ended.snapshot, "quiz-v0")["standings"][0]
    assert (row["rating"], row["low"], row["rank_low"]) == (None, None, None)
    assert row["score_low"] < row["score"] < row["score_high"]


def test_unrated_matches_change_no_rating(tmp_path):
    for name in ("both", "tug"):
        (tmp_path / name).mkdir()
    both = run_tournament(config(tmp_path / "both"), board="off").snapshot
    tug = run_tournament(config(tmp_path / "tug", games=["tug-v0"]), board="off").snapshot
    # Matches of the two runs have other ids, by which their players draw: only what was played is the same.
    assert {r.player: r.games for r in both.games["tug-v0"]} == {r.player: r.games for r in tug.games["tug-v0"]}
    assert {r.player: r.rating for r in both.standings} == {r.player: r.rating for r in both.games["tug-v0"]}
    assert {r.player: r.bt_rating for r in both.standings} == {r.player: r.bt_rating for r in both.games["tug-v0"]}


def test_a_run_of_unrated_games_alone_has_standings_and_is_rebuilt(tmp_path):
    ended = run_tournament(config(tmp_path, games=["quiz-v0"]), board="off")
    assert {(row.rated, row.rating) for row in ended.snapshot.standings} == {(False, 25.0)}
    url = f"sqlite:///{tmp_path}/t.db"
    assert "identical to the cached ones" in rebuild(url)
    assert msgspec.json.encode(read_snapshot(url).standings) == msgspec.json.encode(ended.snapshot.standings)
    assert "rating" not in render(BoardState(ended.snapshot), 120).plain


def test_resumed_team_tournaments_equal_uninterrupted_ones(tmp_path):
    for name in ("parts", "whole"):
        (tmp_path / name).mkdir()
    run_tournament(config(tmp_path / "parts", rounds=3), board="off")
    parts = run_tournament(config(tmp_path / "parts"), board="off").snapshot
    whole = run_tournament(config(tmp_path / "whole"), board="off").snapshot
    for one in ("standings", "games", "roles"):
        assert msgspec.json.encode(getattr(parts, one)) == msgspec.json.encode(getattr(whole, one))
