"""Where newcomers and learners find opponents: placement, PFSP, openings."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import Decision, Player, players
from games import InputError, UnknownName
from league import TournamentConfig, run_tournament
from league.board.printed import board_text, to_json
from league.matchmaking import PairingContext, expand, make
from league.matchmaking.pfsp_weights import KINDS, weights
from league.runs.rebuild import read_snapshot, rebuild
from league.store import Store
from league.verify import verify
from tests.league.matchmaking.fields import PAIR, TRIO, play

OLD = tuple(f"p{i:02d}" for i in range(8))


def pairings_of(pairing, *, newcomers, rounds, games=None, before=4, seed=3):
    """The pairings of each round; the newcomers join after `before` rounds."""
    matchmaker, games = make(pairing), games or {"g-v0": PAIR}
    rng, log, found, planned = random.Random(seed), [], [], 0
    for number in range(rounds):
        names = OLD if number < before else (*OLD, *newcomers)
        context = PairingContext(dict.fromkeys(names), games, 1_000, 7)
        made = matchmaker.next(context, number, log)
        matches = expand(made, games, run="run", seed=7, round=number, start=planned)
        planned += len(matches)
        log = log + play(matches, rng)
        found.append(list(made))
    return found, log


def test_a_newcomer_meets_a_spread_field_first_and_then_plays_like_the_others():
    found, _ = pairings_of("placement(matches=12)", newcomers=("p99",), rounds=9)
    assert all("p99" not in pairing.players for pairings in found[:4] for pairing in pairings)
    placing = [[p.players[1] for p in pairings if "p99" in p.players] for pairings in found[4:7]]
    assert [len(opponents) for opponents in placing] == [3, 2, 1]  # 12 matches, two of each pairing
    assert len(set(placing[0])) == 3
    assert all(pairings[0].players[0] == "p99" for pairings in found[4:7])  # it comes first
    # the others play their round-robin beside it, and all play it afterwards
    assert all(sum("p99" not in p.players for p in pairings) == 28 for pairings in found[4:7])
    assert [len(pairings) for pairings in found[7:]] == [36, 36]


def test_the_first_opponents_are_spread_over_the_ratings():
    found, _ = pairings_of("placement(matches=16)", newcomers=("p99",), rounds=5, before=4, seed=5)
    numbers = sorted(int(p.players[1][1:]) for p in found[4] if "p99" in p.players)
    assert len(numbers) == 4
    assert numbers[0] <= 2  # a lower name wins more often in `play`
    assert numbers[-1] >= 5


@pytest.mark.parametrize("then", ["round-robin", "swiss", "random(batch=8)", "rank-all(batch=16)"])
def test_it_combines_with_other_pairings_and_repeats(then):
    one = pairings_of(f"placement(then={then}, matches=8)", newcomers=("p98", "p99"), rounds=8)
    assert one == pairings_of(f"placement(then={then}, matches=8)", newcomers=("p98", "p99"), rounds=8)
    counts = Counter(s.player for r in one[1] for s in r.seats)
    assert counts["p98"] >= 8
    assert counts["p99"] >= 8


def test_games_of_three_seats_have_full_tables():
    found, log = pairings_of("placement(matches=9)", newcomers=("p99",), rounds=6, games={"t-v0": TRIO})
    tables = [p.players for p in found[4] if "p99" in p.players]
    assert tables
    assert all(len(set(table)) == 3 for table in tables)
    assert all(r.round >= 4 for r in log if "p99" in {s.player for s in r.seats})


def test_newcomers_are_placed_after_the_last_round():
    matchmaker = make("placement(matches=4)")
    rng = random.Random(1)
    old = PairingContext(dict.fromkeys(OLD), {"g-v0": PAIR}, 2, 7)
    log, ordinary = [], make("round-robin")
    for r in (0, 1):
        planned = expand(ordinary.next(old, r, ()), old.games, run="x", seed=7, round=r, start=56 * r)
        log += play(planned, rng)
    assert matchmaker.next(old, 2, log) is None
    grown = PairingContext(dict.fromkeys((*OLD, "p99")), {"g-v0": PAIR}, 2, 7)
    assert [p.players[0] for p in matchmaker.next(grown, 2, log)] == ["p99"]


def test_an_unknown_other_pairing_is_told():
    with pytest.raises(InputError, match="did you mean 'round-robin'"):
        make("placement(then=round-robbin)")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("variance", [0.0, 0.1875, 0.25, 0.1875, 0.0]),
        ("linear", [1.0, 0.75, 0.5, 0.25, 0.0]),
        ("linear-capped", [0.5, 0.5, 0.5, 0.25, 0.0]),
        ("squared", [1.0, 0.5625, 0.25, 0.0625, 0.0]),
        ("uniform", [1.0] * 5),
    ],
)
def test_published_formulas(kind, expected):
    assert weights([0.0, 0.25, 0.5, 0.75, 1.0], kind) == pytest.approx(np.array(expected) / sum(expected))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rates", [[1.0] * 4, [1.0], [0.0, 1.0, 1.0], [1.0 - 1e-17] * 3, [1.0 - 1e-6] * 3])
def test_who_beats_everyone_still_has_opponents(kind, rates):
    p = weights(rates, kind)
    assert np.isfinite(p).all()
    assert p.sum() == pytest.approx(1.0)
    np.random.default_rng(0).choice(len(rates), p=p)  # what broke in other leagues
    if rates[0] == rates[-1]:
        assert p == pytest.approx(np.full(len(rates), 1 / len(rates)))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.sampled_from(KINDS))
def test_always_a_distribution(rates, kind):
    p = weights(rates, kind)
    assert (p >= 0).all()
    assert p.sum() == pytest.approx(1.0)


def test_no_opponents_no_weights():
    assert weights([], "squared").shape == (0,)


@pytest.mark.parametrize("rates", [[0.5, float("nan")], [1.5], [-0.1], [[0.5]]])
def test_rates_that_are_none_are_refused(rates):
    with pytest.raises(ValueError, match="from 0 to 1"):
        weights(rates)


def test_unknown_kind_names_the_nearest():
    with pytest.raises(UnknownName, match="squared"):
        weights([0.5], "square")


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
