"""`openings = N` in a tournament file, and what the board says of matches that repeat."""

import pytest

from arena import Decision, Player, players
from games import InputError
from league import TournamentConfig, run_tournament
from league.board.printed import board_text, to_json
from league.runs.rebuild import read_snapshot, rebuild
from league.store import Store
from league.verify import verify


@players.register("edge")
class Edge(Player):
    """Plays the first legal action, or the last."""

    def __init__(self, first: bool = True) -> None:
        self.place = 0 if first else -1

    def act(self, view):
        return Decision(sorted(view.legal)[self.place])


def cup(tmp_path, **changes):
    settings = {
        "name": "cup",
        "db": f"sqlite:///{tmp_path}/cup.db",
        "games": ["openspiel/tic_tac_toe"],
        "rounds": 4,
        "players": [
            {"name": "first", "player": "edge(first=true)"},
            {"name": "last", "player": "edge(first=false)"},
            {"name": "random", "player": "random"},
        ],
    }
    return TournamentConfig.model_validate(settings | changes)


def opened(db):
    with Store.open(db, read_only=True) as store:
        found = {}
        for result, episode in store.episodes(store.run()):
            found.setdefault(result.pairing, []).append(tuple(t.action for t in episode.turns if t.opening))
        return found


def test_seatings_of_a_pairing_share_an_opening_and_a_resumed_run_draws_the_same(tmp_path):
    whole = cup(tmp_path, openings=2)
    run_tournament(cup(tmp_path, openings=2, rounds=2), board="off")
    run_tournament(whole, board="off")
    found = opened(whole.db)
    assert len(found) == 12
    assert all(len(set(both)) == 1 and len(both) == 2 and len(both[0]) == 2 for both in found.values())
    assert len({both[0] for both in found.values()}) > 4
    (tmp_path / "again").mkdir()
    again = cup(tmp_path / "again", openings=2)
    run_tournament(again, board="off")
    assert opened(again.db) == found
    assert "identical" in rebuild(whole.db)
    assert [v.problems for v in verify(whole.db)] == [()]
    with pytest.raises(InputError, match="openings was 2, is 3"):
        run_tournament(cup(tmp_path, openings=3), board="off")


def test_the_board_warns_of_repeats_and_counts_them_once(tmp_path):
    config = cup(tmp_path)
    run_tournament(config, board="off")
    shown = read_snapshot(config.db)
    repeats = to_json(shown)["repeats"]["openspiel/tic_tac_toe"]
    assert repeats["matches"] == 24
    assert repeats["repeats"] >= 6
    assert repeats["share"] == repeats["repeats"] / 24
    by_name = {row.player: row for row in shown.standings}
    assert by_name["first"].games == 16
    assert by_name["first"].distinct <= 16 - 6
    text = board_text(shown).plain
    assert "repeat earlier ones move for move" in text
    assert f"{repeats['repeats']} of 24 matches" in text
    assert "distinct" in text
    assert "identical" in rebuild(config.db)


@pytest.mark.parametrize(
    ("games", "words"),
    [
        (["openspiel/kuhn_poker"], "is for games without chance"),
        (["debate"], "takes free text"),
        (["openspiel/matrix_rps"], "over by then"),
    ],
)
def test_games_that_cannot_be_opened_are_refused_before_anything_is_kept(tmp_path, games, words):
    three = [{"name": name, "player": "random"} for name in "abc"]
    with pytest.raises(InputError, match=words) as told:
        run_tournament(cup(tmp_path, games=games, openings=3, players=three), board="off")
    assert "\n" not in str(told.value)
    assert not (tmp_path / "cup.db").exists()


def test_a_game_with_chance_beside_one_without_has_no_openings(tmp_path):
    two = [{"name": name, "player": "random"} for name in "ab"]
    config = cup(tmp_path, games=["openspiel/kuhn_poker", "openspiel/tic_tac_toe"], openings=1, rounds=1, players=two)
    run_tournament(config, board="off")
    with Store.open(config.db, read_only=True) as store:
        planned = {p.match.game: p.match.opening for p in store.planned(store.run())}
    assert planned == {"openspiel/kuhn_poker": 0, "openspiel/tic_tac_toe": 1}
