import pytest
from msgspec.structs import replace

from arena.match import Decision, Episode, MatchPlan, Turn
from games import InputError
from league.board.player_details import PLAYING
from league.records.matches import PlannedMatch
from league.store import Store
from league.store.owners import new_owner
from league.views import player_history
from league.views.player_history import PlayerHistory
from tests.league.specs import stored

GAME, OTHER = "openspiel/tic_tac_toe", "openspiel/kuhn_poker"
INFO = {"payoff": "zero_sum", "seats": ["player_0", "player_1"]}
RATED = {GAME: INFO, OTHER: INFO | {"stakes": True}}
ROLES = {"player_0": "first", "player_1": "second"}


def match(index, first, second, score, game=GAME, pairing=None, status="finished"):
    """A planned match and its episode, in which `first` earns `score` and `second` the opposite."""
    seats = {"player_0": first, "player_1": second}
    plan = MatchPlan(f"m{index:03}", game, index, seats)
    turn = Turn("player_0", "first", "play", first, f"move {index}", (Decision(f"move {index}"),))
    returns = {"player_0": score, "player_1": -score} if status == "finished" else {}
    episode = Episode(plan.id, game, plan.seed, seats, ROLES, (turn,), returns, status)
    return PlannedMatch(index, 0, pairing or f"p{index}", plan), episode


@pytest.fixture
def store(tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/arena.db") as store:
        yield store


@pytest.fixture
def played(store):
    """A run in which these matches were played."""

    def played(*matches):
        run = store.start_run("cup", stored(("alice", "bob", "carol"), rated=RATED))
        store.plan(run, [planned for planned, _ in matches])
        store.finish(matches)
        return PlayerHistory(store, run)

    return played


def by_name(details):
    return {record.player: record for record in details.opponents}


def test_opponents_are_counted_per_game_and_role(played):
    history = played(
        match(0, "alice", "bob", 1.0),
        match(1, "bob", "alice", 1.0),
        match(2, "alice", "bob", 0.0),
        match(3, "alice", "carol", -1.0),
        match(4, "carol", "bob", 1.0),
    )
    found = by_name(history.details("alice", "", ""))
    bob, carol = found["bob"], found["carol"]
    assert (bob.matches, bob.wins, bob.draws, bob.losses, bob.mean) == (3, 1, 1, 1, 0.0)
    assert bob.share == 0.5
    assert bob.low < 0.5 < bob.high
    assert (carol.matches, carol.wins, carol.losses, carol.mean) == (1, 0, 1, -1.0)
    first = by_name(history.details("alice", GAME, "first"))["bob"]
    assert (first.matches, first.wins, first.draws, first.losses, first.mean) == (2, 1, 1, 0, 0.5)
    assert by_name(history.details("alice", OTHER, "")) == {}
    mirrored = by_name(history.details("bob", "", ""))["alice"]
    assert (mirrored.wins, mirrored.draws, mirrored.losses) == (bob.losses, bob.draws, bob.wins)


def test_in_games_with_stakes_a_pairing_is_compared_as_the_leaderboard_does(played):
    """Alice wins 2 chips and loses 1 on the same cards: both matches count as won."""
    history = played(match(0, "alice", "bob", 2.0, OTHER, "p"), match(1, "bob", "alice", 1.0, OTHER, "p"))
    bob = by_name(history.details("alice", "", ""))["bob"]
    assert (bob.matches, bob.wins, bob.losses, bob.mean) == (2, 2, 0, 0.5)


def test_matches_are_listed_newest_first_with_void_ones(played):
    history = played(
        match(0, "alice", "bob", 1.0), match(1, "bob", "carol", 1.0), match(2, "bob", "alice", 0, status="void")
    )
    lines = history.details("alice", "", "").matches
    assert [(m.index, m.role, m.opponents, m.score, m.status) for m in lines] == [
        (2, "second", ("bob",), 0.0, "void"),
        (0, "first", ("bob",), 1.0, "finished"),
    ]
    assert [m.index for m in history.details("alice", GAME, "first").matches] == [0]


def test_the_last_rating_over_time_is_the_online_rating(played, store):
    from league.runs.ratings import online_ratings_for

    history = played(
        *(match(i, *(("alice", "bob") if i % 2 else ("bob", "carol")), float(i % 3 - 1)) for i in range(9))
    )
    details = history.details("bob", "", "")
    online = online_ratings_for(store.run().spec)
    online.add(store.results(store.run()))
    assert len(details.ratings) == 9
    assert details.ratings[-1] == pytest.approx(online.rating("bob").mu)
    assert len(history.details("alice", GAME, "").ratings) == 4


def test_a_long_log_is_read_in_pieces_and_new_results_are_followed(played, store, monkeypatch):
    monkeypatch.setattr(player_history, "RESULTS", 2)
    history = played(*(match(i, "alice", "bob", 1.0) for i in range(5)))
    seen = [history.details("alice", "", "") for _ in range(4)]
    assert [(d.read, d.total, len(d.matches)) for d in seen] == [(2, 5, 2), (4, 5, 4), (5, 5, 5), (5, 5, 5)]
    new = match(5, "alice", "bob", 1.0)
    store.plan(store.run(), [new[0]])
    store.finish([new])
    assert history.details("alice", "", "").read == 6


def test_an_unknown_player_has_nothing(played):
    details = played(match(0, "alice", "bob", 1.0)).details("nobody", "", "")
    assert (details.opponents, details.matches, details.ratings) == ((), (), ())


def test_a_match_is_shown_turn_by_turn_and_what_players_wrote_is_printable(played):
    planned, episode = match(0, "alice", "bob", 1.0)
    attempts = (Decision(None, text="x\x1b[2J", category="illegal", reason="no\x07"), Decision("move", text="I\nmove"))
    episode = replace(episode, turns=(replace(episode.turns[0], action="move", attempts=attempts),))
    (lines,) = played((planned, episode)).pages("m000").pages
    assert lines[:4] == (f"{GAME}, seed 0", "finished", "player_0 (alice) as first: +1", "player_1 (bob) as second: -1")
    assert lines[5] == "1. player_0 (alice): move"
    assert lines[7].startswith("   illegal: no")
    assert "   writes: I move" in lines
    assert not any(c in "".join(lines) for c in "\x1b\x07\n")
    assert lines[-1].startswith("no positions: ")  # "move" is no move of the game


def test_a_match_in_play_is_listed_first_and_followed_to_its_end(played, store):
    history = played(match(0, "alice", "bob", 1.0))
    planned, episode = match(1, "alice", "bob", 1.0)
    moves = ("x(0,0)", "o(1,1)", "x(0,1)")
    turns = [replace(episode.turns[0], seat=f"player_{i % 2}", action=move) for i, move in enumerate(moves)]
    run = store.run()
    store.plan(run, [planned])
    store.lease(run, owner := new_owner(), 1)
    with pytest.raises(InputError, match="has not ended"):
        history.pages("m001")
    store.publish_turns(run, owner, {"m001": turns[:2]})
    assert [(m.index, m.status, m.turns) for m in history.details("bob", GAME, "").matches] == [
        (1, PLAYING, 2),
        (0, "finished", 1),
    ]
    before = history.pages("m001")
    assert (before.live, len(before.pages), before.pages[0][1]) == (True, 4, "being played")
    assert history.pages("m001") is before
    store.publish_turns(run, owner, {"m001": turns})
    assert len(history.pages("m001").pages) == 5
    store.finish([(planned, replace(episode, turns=tuple(turns)))])
    after = history.pages("m001")
    assert (after.live, len(after.pages), after.pages[0][1]) == (False, 5, "finished")
    assert [m.status for m in history.details("bob", GAME, "").matches] == ["finished", "finished"]


def test_a_match_that_is_not_stored_is_an_error(played):
    history = played(match(0, "alice", "bob", 1.0))
    with pytest.raises(InputError, match="no match 'm999'"):
        history.pages("m999")
