"""Verifying a run: every change of a log that can be detected is reported, and an unchanged log passes."""

import json
import re
import shutil
import sqlite3
import zlib
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import create_engine, text

from arena.cli import main
from arena.match import Decision, IllegalPolicy, MatchPlan, decode, encode, play
from arena.players import Player
from games import make
from league.config.tournament import PlayerConfig, TournamentConfig
from league.matchmaking.match_plans import pairing_seed
from league.records.matches import PlannedMatch
from league.store import Store, chain, journal, result_rows
from league.tournament.lineup import Lineup, tournament_spec
from league.verify import verify
from tests import golden

GAMES = ("openspiel/kuhn_poker", "openspiel/matrix_rpsw", "openspiel/tic_tac_toe")


class Steady(Player):
    """Plays one of the first two legal actions, or nonsense."""

    def __init__(self, name: str, choice: int) -> None:
        self.name, self.choice = name, choice

    def act(self, view):
        return Decision(view.legal[self.choice % len(view.legal)] if self.choice < 2 and view.legal else "fly")


def play_run(path, matches=12, name="cup"):
    """A run of real matches, some of them forfeits and one void."""
    specs = {id: make(id).spec for id in GAMES}
    seated = tuple(PlayerConfig(name=player, player="random") for player in ("one", "two"))
    file = TournamentConfig(name=name, games=GAMES, players=seated, illegal=IllegalPolicy(retries=1), seed=7)
    config = tournament_spec(file, Lineup(specs, {}, {"one": GAMES, "two": GAMES}), {}).to_json()
    with Store.open(str(path)) as store:
        run = store.start_run(name, config)
        entries = []
        for i in range(matches):
            game = make(GAMES[i % 3])
            seats = dict(zip(game.spec.seats, ("one", "two"), strict=True))
            seed = pairing_seed(7, game.spec.id, i // 3, f"p{i}")
            plan = MatchPlan(f"{name}{i:03}", game.spec.id, seed, seats)
            players = dict(zip(seats, (Steady("one", 2 if i == 8 else 0), Steady("two", 1)), strict=True))
            episode = play(game, plan, players, IllegalPolicy(retries=1))
            if i == 7:
                episode = msgspec.structs.replace(
                    episode, status="void", reason="lost", turns=(), returns=dict.fromkeys(seats, 0.0), forfeited_by="",
                    failure=(), facts={},
                )  # fmt: skip
            entries.append((PlannedMatch(i, i // 3, f"p{i}", plan), episode))
        store.plan(run, [planned for planned, _ in entries])
        for i in range(0, matches, 5):
            store.finish(entries[i : i + 5])
        from league.runs.rebuild import compute, save

        save(store, run, compute(store, run))
        store.set_status(run, "finished")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    file = tmp_path_factory.mktemp("verify") / "x.db"
    play_run(file)
    return file


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    """This machine remembers nothing of earlier tests."""
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "state"))


@pytest.fixture
def db(played, tmp_path):
    return Path(shutil.copy(played, tmp_path))


def sql(db, *statements):
    with closing(sqlite3.connect(db)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@contextmanager
def writing(db):
    """A connection to the file itself, as somebody who knows the tables would open."""
    engine = create_engine(f"sqlite:///{db}")
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def edit(db, match, change):
    """Change an episode and make its result fit, as somebody who knows the tables would."""
    from league.records.matches import summarize

    with Store.open(str(db)) as store:
        run = store.run()
        (planned,) = [p for p in store.planned(run) if p.match.id == match]
        (old,) = [r for r in store.results(run) if r.match == match]
        changed = change(store.episode(match))
        result = msgspec.structs.replace(summarize(planned, changed), seq=old.seq)
        row = result_rows.row_of(result)
        with writing(db) as connection:
            sets = ", ".join(f'"{name}" = :{name}' for name in row)
            connection.execute(text(f'UPDATE results SET {sets} WHERE "match" = :match'), row)
            data = {"data": zlib.compress(encode(changed), 1), "match": match}
            connection.execute(text('UPDATE episodes SET data = :data WHERE "match" = :match'), data)


def rechain(db):
    """Make the whole chain again, as somebody who knows the code would."""
    with Store.open(str(db)) as store:
        run = store.run()
        (segment,) = store.segments(run)
        before = chain.NOTHING
        for link in list(store.links(run)):
            before = chain.link(before, segment.settings, link.seq, link.content)
            with writing(db) as connection:
                where = {"digest": before, "match": link.match}
                connection.execute(text('UPDATE results SET digest = :digest WHERE "match" = :match'), where)
        with writing(db) as connection:
            connection.execute(text("UPDATE chain SET digest = :digest"), {"digest": before})
            connection.execute(text("DELETE FROM journal"))
            journal.begin(connection, run.id)


def found(db, **options):
    (verified,) = verify(str(db), **options)
    return verified


def kinds(verified):
    return {problem.kind for problem in verified.problems}


def test_a_run_as_it_was_played_has_nothing_wrong(db):
    verified = found(db)
    assert verified.problems == ()
    assert (verified.matches, verified.replayed, verified.chained_from) == (12, 12, 1)
    assert len(verified.head) == 64
    with Store.open(str(db), read_only=True) as store:
        statuses = [r.status for r in store.results(store.run())]
    assert {"finished", "forfeit", "void"} == set(statuses)


def test_all_scores_swapped_by_sql_are_reported(db):
    with closing(sqlite3.connect(db)) as connection, connection:
        for match, seats in connection.execute('SELECT "match", seats FROM results').fetchall():
            rows = json.loads(seats)
            rows[0]["score"], rows[1]["score"] = rows[1]["score"], rows[0]["score"]
            connection.execute('UPDATE results SET seats = ? WHERE "match" = ?', (json.dumps(rows), match))
    verified = found(db)
    assert kinds(verified) == {"chain", "record"}
    assert "score of player_0 is" in str(verified.problems)


def swapped(episode):
    return msgspec.structs.replace(episode, returns={seat: -score for seat, score in episode.returns.items()})


def test_a_result_and_its_episode_changed_alike_break_the_chain(db):
    edit(db, "cup004", swapped)
    assert [(p.kind, p.match) for p in found(db, sample=0).problems if p.kind == "chain"] == [("chain", "cup004")]


def first_action(episode, action):
    turn = msgspec.structs.replace(episode.turns[0], action=action, attempts=(Decision(action),))
    return msgspec.structs.replace(episode, turns=(turn, *episode.turns[1:]))


def forfeited(episode, who=1):
    """A player is said to have failed after the first turn."""
    other = list(episode.seats)[who]
    pays = {seat: -1.0 if seat == other else 1.0 for seat in episode.seats}
    return msgspec.structs.replace(
        episode, status="forfeit", forfeited_by=other, failure=(Decision("fly", "illegal"),) * 2, returns=pays,
        turns=episode.turns[:1],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("match", "change", "pattern"),
    [
        ("cup004", swapped, "by the rules they are"),
        ("cup002", lambda e: first_action(e, "x(9,9)"), "is not legal"),
        ("cup002", lambda e: msgspec.structs.replace(e, turns=e.turns[:-1]), "it says finished, but"),
        ("cup002", lambda e: msgspec.structs.replace(e, turns=e.turns + e.turns[-1:]), "the game is over before turn"),
        ("cup002", lambda e: msgspec.structs.replace(e, turns=e.turns[1:]), "but the turn belongs to player_0"),
        ("cup002", lambda e: msgspec.structs.replace(e, status="truncated"), "it says truncated"),
        ("cup002", lambda e: msgspec.structs.replace(e, facts={"won": "one"}), "its facts differ"),
        ("cup001", forfeited, ""),
        ("cup002", lambda e: forfeited(e, 0), "player_0 forfeits, but the turn belongs to player_1"),
    ],
)
def test_a_chain_made_again_does_not_hide_what_the_rules_forbid(db, match, change, pattern):
    with Store.open(str(db), read_only=True) as store:
        assert store.episode(match).status == "finished"
    edit(db, match, change)
    rechain(db)
    problems = found(db).problems
    assert {(p.kind, p.match) for p in problems if p.kind != "standings"} == {("rules", match)}
    assert re.search(pattern, problems[0].text)


def test_legal_moves_that_are_called_illegal_are_reported(db):
    """A loss turned into a forfeit of the other needs failed attempts, and those must not be moves."""

    def accuse(episode):
        turn = episode.turns[0]
        failed = msgspec.structs.replace(turn.attempts[-1], category="illegal", reason="no")
        return msgspec.structs.replace(
            episode, status="forfeit", forfeited_by=turn.seat, failure=(failed,) * 2, turns=(),
            returns={seat: -1.0 if seat == turn.seat else 1.0 for seat in episode.seats},
        )  # fmt: skip

    edit(db, "cup002", accuse)
    rechain(db)
    assert "counts as failed, but the game takes it" in str(found(db).problems)


@pytest.mark.parametrize(
    ("statements", "pattern"),
    golden.lists(__file__, "verify_every_kind_of_change_is_told"),
)  # fmt: skip
def test_every_kind_of_change_is_told(db, statements, pattern):
    sql(db, *statements)
    texts = [problem.text for problem in found(db).problems]
    assert any(re.search(pattern, line) for line in texts), texts


def test_a_match_on_another_seed_is_told_though_it_was_played_by_the_rules(db):
    """A match that was replayed on other seeds until the cards suited breaks no rule of the game."""
    game, other = make("openspiel/kuhn_poker"), 12345
    with Store.open(str(db)) as store:
        (planned,) = [p for p in store.planned(store.run()) if p.match.id == "cup003"]
    plan = msgspec.structs.replace(planned.match, seed=other)
    chosen = play(game, plan, {seat: Steady("x", 0) for seat in plan.seats}, IllegalPolicy(retries=1))
    sql(db, f"UPDATE plan SET seed = {other} WHERE \"match\" = 'cup003'")
    edit(db, "cup003", lambda episode: chosen)
    rechain(db)
    (problem,) = [p for p in found(db).problems if p.kind != "standings"]
    assert (problem.kind, problem.match) == ("record", "cup003")
    assert "its seed is 12345; the run's seed gives" in problem.text


def test_a_head_that_was_noted_tells_a_chain_made_again(db, capsys):
    head = found(db).head
    assert found(db, head=head[:12]).holds_head
    assert main(["verify", "--db", str(db), "--head", head]) == 0
    assert f"the log still begins with the results up to head {head}" in capsys.readouterr().out
    sql(db, "UPDATE results SET worker = 'me'")
    rechain(db)
    assert main(["verify", "--db", str(db), "--head", head]) == 1
    assert f"has the digest {head}: the log is not the one with that head" in capsys.readouterr().err
    assert main(["verify", "--db", str(db), "--head", "xyz"]) == 2


def test_the_command_ends_with_1_where_something_is_wrong(db, capsys):
    assert main(["verify", "cup", "--db", str(db), "--sample", "3"]) == 0
    out = capsys.readouterr().out
    assert "cup: 12 matches, all chained, head " in out
    assert "replayed: 3; 9 not: not drawn" in out
    sql(db, "UPDATE results SET status = 'truncated' WHERE seq = 3")
    assert main(["verify", "--db", str(db), "--json"]) == 1
    captured = capsys.readouterr()
    (run,) = json.loads(captured.out)["runs"]
    assert (run["run"], run["replayed"], run["wrong"] > 0) == ("cup", 11, True)
    assert "\n" not in captured.err.strip()


def test_no_time_is_left_for_replays(db):
    verified = found(db, limit=0)
    assert (verified.replayed, verified.not_replayed) == (0, {"the time limit was reached": 12})


def test_a_run_that_goes_on_meanwhile_is_not_called_wrong(db, monkeypatch):
    with Store.open(str(db)) as store:
        run = store.run()
        moved = [msgspec.structs.replace(p, index=12) for p in store.planned(run)[2:3]]
        plan = msgspec.structs.replace(moved[0].match, id="late")
        late = msgspec.structs.replace(moved[0], match=plan)
        store.plan(run, [late])
        first = msgspec.structs.replace(store.episode("cup002"), match="late")
        links = Store.links

        def slow(self, run, batch=256, after=0):
            yield from links(self, run, batch, after)
            store.finish([(late, first)])

        monkeypatch.setattr(Store, "links", slow)
        assert decode(encode(first)).match == "late"
        assert [p.text for p in found(db).problems if p.kind != "standings"] == []
