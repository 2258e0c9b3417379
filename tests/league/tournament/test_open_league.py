"""Players and games join and leave a run: by its file, by command, while it is played and between two sessions."""

import asyncio
from typing import Any

import msgspec
import pytest

import games
from arena import match, players
from arena.players.bots.random import RandomPlayer
from games import InputError
from league import run_tournament
from league.board import Board
from league.config.tournament import PlayerConfig
from league.matchmaking.planner import Planner, total_for
from league.records.roster import RosterChange, missed_rounds, roster_at
from league.runs.ratings import ratings_for
from league.store import Store, runs
from league.tournament.roster_command import Additions, add, retire
from league.tournament.roster_edit import RosterEdit, store_edit
from league.tournament.roster_file import RosterWishes, edit_of
from league.tournament.run import _Tournament
from league.verify import verify
from league.views.follower import Follower
from tests.league.cups import cup
from tests.league.specs import KUHN, KUHN_INFO, spec
from tests.toys.perfect import Perfect  # noqa: F401  registers the player `perfect`

NAMES = ("r1", "r2", "r3")


@players.register("meddler")
class Meddler(RandomPlayer):
    """At its nth decision it does what a user in another terminal might do."""

    name, waits = "meddler", True
    todo: dict[int, Any] = {}  # noqa: RUF012  set by each test
    calls = 0

    async def act_async(self, view):
        Meddler.calls += 1
        if Meddler.calls in Meddler.todo:
            Meddler.todo[Meddler.calls]()
        await asyncio.sleep(0)
        return self.act(view)


def config(folder, names=NAMES, **changes):
    entrants = [{"name": name, "player": "random"} for name in names]
    return cup(folder, **{"rounds": 4, "players": entrants} | changes)


def play(settings):
    return run_tournament(settings, board="off")


def standings(db):
    with Store.open(db, read_only=True) as store:
        spec = store.run().spec
    (checked,) = verify(db)
    assert checked.wrong == 0, checked.problems
    return {"spec": spec}


def seated(db):
    """(round, game, players) of every result, in plan order."""
    with Store.open(db, read_only=True) as store:
        rows = store.results_in_plan_order(store.run())
    return [(r.round, r.game, frozenset(s.player for s in r.seats)) for r in rows]


def checked_whole(db):
    """Nothing is wrong, every planned match has a result, and only players of its round sit in a match."""
    (checked,) = verify(db)
    assert checked.wrong == 0, checked.problems
    with Store.open(db, read_only=True) as store:
        run = store.run()
        counts = store.counts(run)
    assert counts.finished + counts.void == counts.planned
    for round, game, pair in seated(db):
        roster = run.spec.roster(round)
        assert all(game in roster.plays[name] for name in pair)


def as_if_planned_from_the_start(db, folder, settings):
    """The same run in another store, whose settings have all changes before its first match."""
    folder.mkdir()
    other = f"sqlite:///{folder}/t.db"
    with Store.open(db, read_only=True) as store:
        stored = store.run().settings
    with Store.open(other) as store:
        store.start_run("t", stored)
    return play(settings.model_copy(update={"db": other})).snapshot


def tables(snapshot):
    return msgspec.json.encode((snapshot.standings, snapshot.games, snapshot.roles))


def test_a_player_and_a_game_join_by_the_file_and_keep_all_matches(tmp_path):
    first = config(tmp_path)
    play(first)
    before = seated(first.db)
    more = config(tmp_path, (*NAMES, "new"), games=["race-v0", "auction-v0"], rounds=6)
    done = play(more)
    after = seated(more.db)
    assert done.complete
    assert after[: len(before)] == before
    assert {round for round, _, pair in after if "new" in pair} == {4, 5}
    assert {round for round, game, _ in after if game == "auction-v0"} == {4, 5}
    assert {row.player for row in done.snapshot.standings} == {*NAMES, "new"}
    checked_whole(more.db)
    assert tables(as_if_planned_from_the_start(more.db, tmp_path / "again", more)) == tables(done.snapshot)


def test_a_retired_player_keeps_its_rating_and_is_paired_no_more(tmp_path):
    settings = config(tmp_path)
    play(settings)
    entrants = [{"name": name, "player": "random", "retired": name == "r3"} for name in NAMES]
    done = play(config(tmp_path, players=entrants, rounds=8))
    rows = {row.player: row for row in done.snapshot.standings}
    assert {name: row.retired for name, row in rows.items()} == {"r1": False, "r2": False, "r3": True}
    assert (rows["r1"].games, rows["r3"].games) == (4 * 4 + 4 * 2, 4 * 4)
    assert rows["r3"].rating == pytest.approx(25, abs=10)
    assert rows["r3"].p_best is None
    assert {round for round, _, pair in seated(settings.db) if "r3" in pair} == {0, 1, 2, 3}
    again = play(config(tmp_path, rounds=9))  # a file that still lists it does not bring it back
    assert again.snapshot.matches.finished == done.snapshot.matches.finished + 2
    entrants[2]["retired"] = False
    back = play(config(tmp_path, players=entrants, rounds=10))
    assert back.snapshot.matches.finished == again.snapshot.matches.finished + 6
    checked_whole(settings.db)


@pytest.mark.parametrize(
    "pairing",
    ["round-robin", *(pytest.param(more, marks=pytest.mark.slow) for more in ("swiss", "placement(matches=8)"))],
)
def test_a_running_process_takes_in_what_another_one_changes(tmp_path, pairing):
    db = f"sqlite:///{tmp_path}/t.db"
    Meddler.calls, Meddler.todo = 0, {
        15: lambda: add(db, "t", Additions("new", "random")),
        45: lambda: add(db, "t", Additions(games=("auction-v0",))),
        60: lambda: retire(db, "t", ["r2"]),
    }  # fmt: skip
    entrants = [{"name": name, "player": "random"} for name in NAMES] + [{"name": "m", "player": "meddler"}]
    settings = config(tmp_path, players=entrants, rounds=14, concurrency=4, pairing=pairing)
    done = play(settings)
    with Store.open(db, read_only=True) as store:
        changes = store.run().spec.changes
        events = [event.text for event in store.events(store.run()) if event.kind == "roster"]
    assert done.complete
    assert [c.joined + c.games + c.retired for c in changes] == [("new",), ("auction-v0",), ("r2",)]
    assert len(events) == 3
    checked_whole(db)
    new = {round for round, _, pair in seated(db) if "new" in pair}
    assert new
    assert min(new) == changes[0].round > 0
    Meddler.todo = {}
    assert tables(as_if_planned_from_the_start(db, tmp_path / "again", settings)) == tables(done.snapshot)


def test_a_league_without_end_stops_by_its_rule_and_goes_on_with_a_newcomer(tmp_path):
    stop = {"matches": 12}
    first = play(config(tmp_path, rounds="forever", stop=stop))
    assert first.complete
    assert first.reason == "12 matches played of at most 12"
    assert first.snapshot.matches.total == 12
    more = config(tmp_path, (*NAMES, "new"), rounds="forever", stop={"matches": 60})
    done = play(more)
    assert done.complete
    assert any("new" in pair for _, _, pair in seated(more.db))


def test_the_plan_of_a_league_without_end_is_unknown_and_resumes(tmp_path):
    db = f"sqlite:///{tmp_path}/t.db"

    def leave():
        raise KeyboardInterrupt

    entrants = [{"name": "r1", "player": "random"}, {"name": "m", "player": "meddler"}]
    settings = config(tmp_path, players=entrants, rounds="forever", concurrency=2)
    ended = 0
    for _ in range(2):
        Meddler.calls, Meddler.todo = 0, {25: leave}
        with pytest.raises(KeyboardInterrupt):
            play(settings)
        with Store.open(db, read_only=True) as store:
            counts = store.counts(store.run())
        assert counts.finished > ended
        ended = counts.finished
    assert Planner(settings_of(db)).total is None


def settings_of(db):
    with Store.open(db, read_only=True) as store:
        return store.run().spec


def test_a_board_in_another_process_takes_in_what_joins(tmp_path):
    first = config(tmp_path)
    play(first)
    store = Store.open(first.db, read_only=True)
    with Follower(store, store.run(), ratings_for, total_for) as follower:
        before = follower.poll(Board()).snapshot
        play(config(tmp_path, (*NAMES, "new"), games=["race-v0", "auction-v0"], rounds=6))
        retire(first.db, None, ["r1"])
        after = follower.poll(Board()).snapshot
    assert (before.matches.total, after.matches.total) == (24, 24 + 2 * 2 * 12)
    assert {row.player: row.retired for row in after.standings} == {"r1": True, "r2": False, "r3": False, "new": False}
    assert set(after.games) == {"race-v0", "auction-v0"}


class Late(Store):
    """A store whose `run` gives the settings of a moment ago, as if another process changed them just after."""

    stale: Any = None

    def run(self, name=None):
        run, self.stale = self.stale or super().run(name), None
        return run


def test_a_board_waits_with_matches_of_a_game_whose_settings_it_has_not_read(tmp_path):
    first = config(tmp_path)
    play(first)
    store = Late.open(first.db, read_only=True)
    with Follower(store, store.run(), ratings_for, total_for) as follower:
        before = store.run()
        play(config(tmp_path, games=["race-v0", "auction-v0"], rounds=6))
        store.stale = before
        assert set(follower.poll(Board()).snapshot.games) == {"race-v0"}
        assert set(follower.poll(Board()).snapshot.games) == {"race-v0", "auction-v0"}


def test_a_process_reads_the_settings_again_before_it_rates_a_game_that_joined(tmp_path, monkeypatch):
    """Another process changed the run and played on between two lines of this one."""
    first = config(tmp_path)
    play(first)
    follow = _Tournament._follow

    def late(self):
        if self.last_seq == 24 and len(self.run.spec.games) == 1 and not runs.changes(self.store.run()):
            another_process_plays_a_round_with("auction-v0", first.db)
        follow(self)

    monkeypatch.setattr(_Tournament, "_follow", late)
    done = play(config(tmp_path, rounds=6))
    assert done.complete
    assert set(done.snapshot.games) == {"race-v0", "auction-v0"}
    checked_whole(first.db)


def another_process_plays_a_round_with(game, db):
    add(db, "t", Additions(games=(game,)))
    with Store.open(db) as store:
        run = store.run()
        round, start = store.next_round(run)
        planned = Planner(run.spec).extend(round, start, store.results_in_plan_order(run)[:start])
        store.plan(run, planned)
        for one in planned:
            seated = {seat: players.make("random", name) for seat, name in one.match.seats.items()}
            store.finish([(one, match.play(games.make(one.match.game), one.match, seated))])


def test_what_a_file_may_not_change_is_refused_with_what_to_do(tmp_path):
    play(config(tmp_path))
    other = [{"name": "r1", "player": "perfect"}, *({"name": n, "player": "random"} for n in ("r2", "r3"))]
    for changes, message in (
        ({"players": other}, "'r1' of run 't' was random, is perfect: .* under a name of its own"),
        ({"seed": 3}, "seed was 0, is 3; change it back"),
        ({"names": ("r1", "r2")}, "'r3' of run 't' is missing from the file; .*arena retire r3 --run t"),
        ({"games": ["auction-v0"]}, "game race-v0 of run 't' is missing from the file"),
        ({"rounds": 2}, "rounds was 4, is 2"),
        ({"pairing": "swiss"}, "pairing was 'round-robin', is 'swiss'"),
    ):
        with pytest.raises(InputError, match=message):
            play(config(tmp_path, **changes))


def test_what_a_command_may_not_change_is_refused_with_what_to_do(tmp_path):
    settings = config(tmp_path, stop={"sprt": {"player": "r1", "against": "r2"}})
    play(settings)
    for wanted, message in (
        (Additions("r1", "random"), "has a player 'r1' already"),
        (Additions("new", "mctss"), "did you mean 'mcts'"),
        (Additions("new", "solver"), "cannot play race-v0: .*--plays"),
        (Additions("new", "random", plays=("chess",)), "has no such game; its games: race-v0"),
        (Additions(games=("race-v0",)), "plays race-v0 already"),
        (Additions(games=("auction-v0",), by=("nobody",)), "no such player; its players: r1, r2, r3"),
        (Additions(), "name a player"),
    ):
        with pytest.raises(InputError, match=message):
            add(settings.db, None, wanted)
    for names, message in ((["x"], "has no player 'x'"), (["r3", "r2"], r"stop.sprt"), (["r1"], "stop.sprt")):
        with pytest.raises(InputError, match=message):
            retire(settings.db, None, names)
    retire(settings.db, None, ["r3"])
    with pytest.raises(InputError, match="retired already"):
        retire(settings.db, None, ["r3"])
    with pytest.raises(InputError, match="was random, is perfect"):
        add(settings.db, None, Additions("r3", "perfect"))
    assert "r3 joins from round" in add(settings.db, None, Additions("r3"))
    assert len(settings_of(settings.db).changes) == 2


def test_two_players_remain(tmp_path):
    settings = config(tmp_path)
    play(settings)
    with pytest.raises(InputError, match=r"cannot retire r1, r2: game 'race-v0' .*needs at least 2"):
        retire(settings.db, None, ["r1", "r2"])


def test_rosters_of_rounds():
    plays, games = {"a": ("x", "y"), "b": ("x", "y"), "c": ("x",)}, ("x", "y")
    changes = (
        RosterChange(3, 30, joined=("c",)),
        RosterChange(5, 50, retired=("a",), games=("y",)),
        RosterChange(8, 80, joined=("a",), retired=("c",)),
    )
    assert roster_at(plays, games, changes, 0) == ({"a": ("x",), "b": ("x",)}, ("x",))
    assert list(roster_at(plays, games, changes, 4).plays) == ["a", "b", "c"]
    assert roster_at(plays, games, changes, 5) == ({"b": ("x", "y"), "c": ("x",)}, ("x", "y"))
    assert list(roster_at(plays, games, changes).plays) == ["a", "b"]
    missed = missed_rounds(plays, games, changes, 8)
    assert missed == {("a", "x"): 3, ("a", "y"): 8, ("b", "y"): 5, ("c", "x"): 3}


def test_a_process_leaves_rather_than_use_what_nobody_here_allowed(tmp_path):
    db = f"sqlite:///{tmp_path}/t.db"
    evil = PlayerConfig(name="evil", player="openai(model=x, base_url=http://127.0.0.1:9/v1, key=SECRET)")

    def change():  # on another machine, by another user
        with Store.open(db) as store:
            store_edit(store, store.run(), RosterEdit(players=(evil,), plays={"evil": ("race-v0",)}))

    Meddler.calls, Meddler.todo = 0, {12: change}
    entrants = [{"name": name, "player": "random"} for name in NAMES] + [{"name": "m", "player": "meddler"}]
    settings = config(tmp_path, players=entrants, rounds=6, concurrency=2)
    for _ in range(2):
        with pytest.raises(InputError, match=r"'evil' .*would ask the model x at .*SECRET; .*--trust-db"):
            play(settings)
    assert "evil retires from round" in retire(db, None, ["evil"])
    done = play(settings)
    assert done.complete
    assert done.snapshot.matches.finished == 6 * 12
    checked_whole(db)


def test_a_game_that_another_process_adds_meanwhile_refuses_no_player():
    """The file was read before the game joined, and settled after it."""
    info = dict.fromkeys((KUHN, "openspiel/leduc_poker"), KUHN_INFO)
    now, read = spec(rated=info, games=list(info)), spec(games=[KUHN])
    assert edit_of(now, read, RosterWishes()).games == {}
    with pytest.raises(InputError, match="change its games back"):
        edit_of(now, spec(games=[KUHN], plays={"alice": [], "bob": [KUHN]}), RosterWishes())
