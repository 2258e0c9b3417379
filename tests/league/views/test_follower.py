import hashlib
import io
import threading
from contextlib import ExitStack

import pytest

from arena import Decision, Episode, MatchPlan, Turn
from games import InfrastructureError, InputError
from league.board import Board, Panel
from league.board.plain import PlainBoard
from league.records.leaderboard import MatchCounts
from league.records.matches import PlannedMatch
from league.runs.ratings import ratings_for
from league.store import Store
from league.views.follower import Follower, watch
from tests.league.specs import stored

GAME = "openspiel/kuhn_poker"
SEATS = {"player_0": "alice", "player_1": "bob"}


def planned(index):
    return PlannedMatch(index, 0, f"p{index}", MatchPlan(f"m{index:03}", GAME, index, SEATS))


def ended(match, status="finished"):
    turn = Turn("player_0", "first", "play", "alice", "Bet", (Decision("Bet"),))
    returns = {"player_0": 1.0, "player_1": -1.0} if status == "finished" else {}
    roles = {"player_0": "first", "player_1": "second"}
    plan = match.match
    return match, Episode(plan.id, GAME, plan.seed, SEATS, roles, (turn,), returns, status)


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/arena.db"


@pytest.fixture
def store(url):
    with Store.open(url) as store:
        yield store


@pytest.fixture
def held():
    """The locks of runs that are played."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def start(held):
    def start(store, matches=10):
        run = store.start_run("cup", stored())
        held.enter_context(store.exclusive(run))
        store.plan(run, [planned(i) for i in range(matches)])
        return run

    return start


class Script(Board):
    """A board whose viewer does something while the follower waits."""

    def __init__(self, *acts):
        self.acts, self.states, self.lines = list(acts), [], []

    def update(self, state):
        super().update(state)
        self.states.append(state)

    def log(self, line):
        self.lines.append(line)

    def wait(self, timeout):
        act = self.acts.pop(0)
        return act() == "leave"


def test_follows_a_run_to_its_end_and_equals_ratings_of_the_log(url, store, start):
    run = start(store)
    store.add_event(run, "fault", "bob's engine died")

    def finish(*indices, status="finished"):
        return lambda: store.finish([ended(planned(i), status) for i in indices]) and None

    board = Script(
        finish(0, 1, 2),
        finish(3, status="void"),
        finish(4, 5, 6, 7, 8, 9),
        lambda: store.add_event(run, "resume", "continued"),
        lambda: store.set_status(run, "finished"),
    )
    last = watch(url, ratings_for=ratings_for, total_for=lambda config: 10, board=board)
    shown = [(s.snapshot.matches.finished, s.snapshot.matches.void, s.status) for s in board.states]
    assert shown == [(0, 0, "running"), (3, 0, "running"), (3, 1, "running")] + [(9, 1, "running")] * 2 + [
        (9, 1, "finished")
    ]
    ratings = ratings_for(run.spec)
    ratings.add(store.results(run))
    assert last.snapshot == ratings.final("cup", MatchCounts(10, 9, 1, 0, 10))  # what `arena board` prints
    assert last.snapshot.standings[0].player == "alice"
    assert [line[9:] for line in board.lines] == ["fault: bob's engine died", "resume: continued"]


@pytest.mark.parametrize("leave", [lambda: "leave", lambda: (_ for _ in ()).throw(KeyboardInterrupt)])
def test_leaving_leaves_the_run_alone(url, store, tmp_path, leave, start):
    run = start(store)
    board = Script(lambda: "", leave)
    assert watch(url, "cup", ratings_for=ratings_for, board=board).status == "running"
    assert store.run("cup").status == "running"
    assert store.counts(run).planned == 10


def test_a_run_that_was_killed_is_interrupted(url, store, start, held):
    run = start(store, 4)
    board = Script(lambda: store.finish([ended(planned(0))]) and None, lambda: held.close(), lambda: "")
    last = watch(url, ratings_for=ratings_for, board=board)
    assert [s.status for s in board.states] == ["running", "running", "running", "interrupted"]
    assert (last.snapshot.matches.finished, last.elapsed) == (1, None)
    assert store.run("cup").status == run.status == "running"


def test_never_writes(url, tmp_path, start):
    with Store.open(url) as store:
        run = start(store)
        store.finish([ended(planned(0))])
        store.set_status(run, "finished")

    def content():
        return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in tmp_path.iterdir() if p.suffix == ".db"}

    before = content()
    out = io.StringIO()
    watch(url, ratings_for=ratings_for, board=PlainBoard(out))
    assert content() == before
    assert "1 of 10 matches" in out.getvalue()


def test_waits_for_database_and_run(url, tmp_path, start):
    opened: list[Store] = []

    def make_database():
        assert not (tmp_path / "arena.db").exists()
        opened.append(Store.open(url))

    def make_run():
        start(opened[0])

    board = Script(make_database, make_run, lambda: "leave")
    assert watch(url, ratings_for=ratings_for, board=board).snapshot.matches.planned == 10
    opened[0].close()
    assert len(board.lines) == 1
    assert "waiting for the run: database" in board.lines[0]


def test_somebody_may_stop_waiting(url):
    assert watch(url, ratings_for=ratings_for, board=Script(lambda: "leave")) is None


def test_patience_ends_with_what_was_missing(url, store, start):
    with pytest.raises(InputError, match="holds no run yet"):
        watch(url, ratings_for=ratings_for, patience=0, board=Script())
    start(store)
    with pytest.raises(InputError, match="unknown run 'cap'; did you mean 'cup'"):
        watch(url, "cap", ratings_for=ratings_for, patience=0, board=Script())
    with pytest.raises(InputError, match="does not exist"):
        watch("sqlite:////nowhere/arena.db", ratings_for=ratings_for, patience=0, board=Script())


def test_a_file_that_is_no_database_is_refused_at_once(tmp_path):
    (tmp_path / "arena.db").write_text("something else " * 100)
    with pytest.raises(InputError, match="not a SQLite database"):
        watch(f"sqlite:///{tmp_path}/arena.db", ratings_for=ratings_for, board=Script())


def test_a_lost_database_keeps_the_last_table_and_comes_back(store, monkeypatch, start):
    run = start(store)
    store.finish([ended(planned(0))])
    follower, board = Follower(store, run, ratings_for), Script()
    assert follower.poll(board).snapshot.matches.finished == 1

    def lost(*_):
        raise InfrastructureError("connection refused")

    with monkeypatch.context() as broken:
        broken.setattr(store, "results", lost)
        for _ in range(3):
            state = follower.poll(board)
            assert (state.status, state.snapshot.matches.finished) == ("disconnected", 1)
    assert board.lines == ["lost the database, retrying: connection refused"]
    store.finish([ended(planned(1))])
    state = follower.poll(board)
    assert (state.status, state.snapshot.matches.finished) == ("running", 2)


def test_a_writer_in_another_thread_never_disturbs(url, store, start):
    """Results read once each, whatever is written meanwhile: ratings refuse a second one."""
    run = start(store, 200)

    def play():
        for i in range(200):
            store.finish([ended(planned(i))])
        store.set_status(run, "finished")

    writer = threading.Thread(target=play)
    writer.start()
    last = watch(url, ratings_for=ratings_for, refresh=0.001, board=Board())
    writer.join()
    assert last.snapshot.matches.finished == 200


def test_panels_are_given_every_result_once_and_the_standings(url, store, start):
    run = start(store, 4)
    given, asked = [], []

    class Seen:
        def __init__(self, spec):
            assert list(spec.plays) == ["alice", "bob"]

        def add(self, results):
            given.extend(r.index for r in results)

        def panels(self, standings):
            asked.append([row.player for row in standings])
            return (Panel("seen", (f"{len(given)} results",)),)

    board = Script(
        lambda: store.finish([ended(planned(i)) for i in (0, 1)]) and None,
        lambda: store.finish([ended(planned(i)) for i in (2, 3)]) and None,
        lambda: store.set_status(run, "finished"),
    )
    last = watch(url, ratings_for=ratings_for, panels_for=Seen, board=board)
    assert given == [0, 1, 2, 3]
    assert asked[-1] == ["alice", "bob"]
    assert last.panels == (Panel("seen", ("4 results",)),)
