import io
import os
import sys

import msgspec
import pytest

from arena.match import Decision, Episode, MatchPlan, Turn, decode
from games import InputError, MissingPackage, UnknownName
from games.randomness import RandomStream
from league.records.matches import PlannedMatch
from league.store import Store
from league.store.export import export
from tests.league.specs import stored
from tests.league.store.episodes import episode, finished, plan_of, planned


@pytest.fixture
def store(tmp_path):
    with Store.open(str(tmp_path / "x.db")) as opened:
        yield opened


@pytest.fixture
def run(store):
    run = store.start_run("cup", stored())
    store.plan(run, plan_of(5))
    store.finish([finished(planned(i), "void" if i == 3 else "finished") for i in (4, 0, 3)])
    return run


def played_chess(index, moves):
    """A game of random moves, as OpenSpiel writes them."""
    import pyspiel

    rng, state, turns = RandomStream(index), pyspiel.load_game("chess").new_initial_state(), []
    while not state.is_terminal() and len(turns) < moves:
        seat = f"player_{state.current_player()}"
        number = rng.choice(state.legal_actions())
        text = state.action_to_string(number)
        turns.append(Turn(seat, "player", "play", seat.upper(), text, (Decision(text),)))
        state.apply_action(number)
    seats = {"player_0": "PLAYER_0", "player_1": "PLAYER_1"}
    returns = {"player_0": 1.0, "player_1": -1.0}
    match = PlannedMatch(index, 0, "p", MatchPlan(f"chess{index}", "openspiel/chess", index, seats))
    roles = dict.fromkeys(seats, "player")
    return match, Episode(f"chess{index}", "openspiel/chess", index, seats, roles, tuple(turns), returns, "finished")


def test_jsonl_is_every_episode_whole_in_plan_order(store, run, tmp_path):
    out = tmp_path / "out.jsonl"
    assert export(store, run, "jsonl", out) == 3
    lines = out.read_bytes().splitlines()
    assert [decode(line) for line in lines] == [episode(planned(0)), episode(planned(3), "void"), episode(planned(4))]
    assert sorted(p.name for p in tmp_path.iterdir() if "out" in p.name) == ["out.jsonl"]


def test_standard_output(store, run, capfdbinary):
    assert export(store, run, "jsonl") == 3
    sys.stdout.buffer.flush()
    assert len(capfdbinary.readouterr().out.splitlines()) == 3


def test_pgn_shows_tags_and_actions(store, tmp_path):
    run = store.start_run("cup", stored())
    store.plan(run, plan_of(3))
    won = msgspec.structs.replace(episode(planned(0)), returns={"player_0": 2.0, "player_1": -2.0})
    speech = msgspec.structs.replace(won.turns[1], action='First line\n2. bob: "forged"')
    said = msgspec.structs.replace(
        episode(planned(1), "forfeit"),
        turns=(won.turns[0], speech),
        forfeited_by="player_1",
        reason='said\n"Fly"\x1b',
        returns={"player_0": 1.0, "player_1": -1.0},
    )
    store.finish([(planned(0), won), (planned(1), said), finished(planned(2), "void")])
    export(store, run, "pgn", tmp_path / "out.pgn")
    games = (tmp_path / "out.pgn").read_text().split("\n\n[Event")
    assert games[0] == (
        '[Event "cup"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "1"]\n[White "alice"]\n[Black "bob"]\n[Result "1-0"]\n'
        '[Game "openspiel/kuhn_poker"]\n[Match "m0000"]\n[Index "0"]\n[Seed "0"]\n'
        '[player_0 "alice"]\n[player_1 "bob"]\n[Returns "player_0=2 player_1=-2"]\n'
        '[Status "finished"]\n\n1. player_0: Bet\n2. player_1: Pass\n1-0'
    )
    assert '[Status "forfeit"]\n[Forfeit "player_1"]\n[Reason "said \\"Fly\\""]\n' in games[1]
    assert '\n2. player_1: "First line\\n2. bob: \\"forged\\""\n' in games[1]
    assert '[Result "*"]' in games[2]


def test_pgn_of_teams_names_the_team_that_won(store, tmp_path):
    teams = (("a1", "a2"), ("b1", "b2"))
    info = {"payoff": "zero_sum", "seats": ["a1", "b1", "a2", "b2"], "teams": teams}
    run = store.start_run("tug", stored(rated={"tug-v0": info}))
    seats = dict(zip(("a1", "b1", "a2", "b2"), ("alice", "bob", "alice", "bob"), strict=True))
    scores = [(1.0, 0.0, 1.0, 0.5), (0.0, 1.0, 0.0, 1.0), (1.0, 0.5, 0.0, 0.5)]
    entries = []
    for i, returns in enumerate(scores):
        match = planned(i, game="tug-v0", seats=seats)
        roles = dict.fromkeys(seats, "puller")
        of_seat = dict(zip(seats, returns, strict=True))
        entries.append((match, Episode(match.match.id, "tug-v0", i * 7, seats, roles, (), of_seat, "finished")))
    store.plan(run, [match for match, _ in entries])
    store.finish(entries)
    export(store, run, "pgn", tmp_path / "out.pgn")
    games = (tmp_path / "out.pgn").read_text().split("\n\n[Event")
    for game, result in zip(games, ("1-0", "0-1", "1/2-1/2"), strict=True):
        assert f'[Result "{result}"]' in game
        assert '[Teams "a1+a2 b1+b2"]' in game
        assert '[White "alice"]\n[Black "bob"]\n' in game
        assert game.rstrip().endswith(f"\n{result}")


def test_chess_is_real_pgn(store, tmp_path):
    pgn = pytest.importorskip("chess.pgn")
    entries = [played_chess(i, 150) for i in range(3)]
    run = store.start_run("chess cup", stored())
    store.plan(run, [match for match, _ in entries])
    store.finish(entries)
    assert export(store, run, "pgn", tmp_path / "out.pgn") == 3
    text = io.StringIO((tmp_path / "out.pgn").read_text())
    for _, played in entries:
        game = pgn.read_game(text)
        assert game.errors == []
        assert len(list(game.mainline_moves())) == len(played.turns) > 50
        white = played.turns[0].seat
        assert game.headers["White"] == played.seats[white]
        assert game.headers["Result"] == ("1-0" if played.returns[white] > 0 else "0-1")
    assert pgn.read_game(text) is None
    assert max(map(len, text.getvalue().splitlines())) < 80


def test_each_match_of_a_mixed_file_has_its_names_and_its_result(store, tmp_path):
    """Ordo gave the result of a match without White to the names of the match before."""
    pgn = pytest.importorskip("chess.pgn")
    chess = played_chess(0, 150)
    three = {"a": "x", "b": "y", "c": "z"}
    won = msgspec.structs.replace(episode(planned(1)), returns={"player_0": -2.0, "player_1": 2.0})
    roles, returns = dict.fromkeys(three, "player"), dict.fromkeys(three, 1.0)
    alone = Episode("m0002", "mines", 0, three, roles, (), returns, "finished")
    run = store.start_run("mixed", stored())
    entries = [chess, (planned(1), won), (planned(2, game="mines", seats=three), alone)]
    store.plan(run, [match for match, _ in entries])
    store.finish(entries)
    export(store, run, "pgn", tmp_path / "out.pgn")
    text = io.StringIO((tmp_path / "out.pgn").read_text())
    rows = [(h["White"], h["Black"], h["Result"]) for h in iter(lambda: pgn.read_headers(text), None)]
    white = chess[1].turns[0].seat
    black = next(seat for seat in chess[1].seats if seat != white)
    first = "1-0" if chess[1].returns[white] > 0 else "0-1"
    assert rows == [
        (chess[1].seats[white], chess[1].seats[black], first),
        ("alice", "bob", "0-1"),
        ("?", "?", "*"),
    ]


def test_parquet_without_pyarrow_says_what_to_type(store, run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackage, match=r"parquet needs .* type: pip install 'selfplay-arena\[parquet\]'"):
        export(store, run, "parquet", tmp_path / "out.parquet")
    assert [p.name for p in tmp_path.iterdir() if "parquet" in p.name] == []


def test_parquet_has_a_row_for_each_turn(store, run, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    failed = msgspec.structs.replace(
        episode(planned(1), "forfeit"), turns=(), forfeited_by="player_1", failure=(Decision(None, "illegal"),)
    )
    empty = msgspec.structs.replace(episode(planned(2), "void"), turns=())
    store.finish([(planned(1), failed), (planned(2), empty)])
    assert export(store, run, "parquet", tmp_path / "out.parquet") == 5
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(row["index"], row["turn"]) for row in rows] == [
        *[(0, 0), (0, 1), (1, 0), (2, None)],
        *[(3, 0), (3, 1), (4, 0), (4, 1)],
    ]
    sample = episode(planned(0)).turns[0].sample
    assert tuple(rows[0]["prompt_ids"]) == sample.prompt_ids
    assert tuple(rows[0]["logprobs"]) == sample.logprobs
    assert (rows[0]["attempts"], rows[0]["category"], rows[0]["action"]) == (2, "ok", "Bet")
    assert (rows[2]["category"], rows[2]["action"], rows[2]["player"]) == ("illegal", None, "bob")


def test_parquet_names_the_worker(store, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    run = store.start_run("workers", {})
    store.plan(run, plan_of(2, "w"))
    store.finish([(planned(i, "w"), msgspec.structs.replace(episode(planned(i, "w")), worker=f"w{i}")) for i in (0, 1)])
    export(store, run, "parquet", tmp_path / "out.parquet")
    rows = parquet.read_table(tmp_path / "out.parquet", columns=["index", "worker"]).to_pylist()
    assert {(row["index"], row["worker"]) for row in rows} == {(0, "w0"), (1, "w1")}


def test_formats_and_paths_that_will_not_do(store, run, tmp_path):
    with pytest.raises(UnknownName, match="unknown export format 'json'; did you mean 'jsonl'"):
        export(store, run, "json", tmp_path / "x")
    with pytest.raises(InputError, match="binary format; name a file"):
        export(store, run, "parquet")
    with pytest.raises(InputError, match=r"cannot write .* No such file"):
        export(store, run, "jsonl", tmp_path / "no" / "x")
    with pytest.raises(InputError, match=r"cannot write .*: it is a folder"):
        export(store, run, "jsonl", tmp_path)


def test_a_pipe_is_written_to_and_stays(store, run, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    n = export(store, run, "jsonl", pipe)
    assert os.read(reader, 1 << 20).count(b"\n") == n > 0
    os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.glob("*pipe*")) == [pipe]


def test_a_failed_export_leaves_the_old_file(store, run, tmp_path, monkeypatch):
    out = tmp_path / "out.jsonl"
    out.write_text("before")

    def fails(*_):
        raise RuntimeError("the power went")
        yield

    monkeypatch.setattr(Store, "episodes", fails)
    with pytest.raises(RuntimeError):
        export(store, run, "jsonl", out)
    assert out.read_text() == "before"
    assert not list(tmp_path.glob(".*"))
