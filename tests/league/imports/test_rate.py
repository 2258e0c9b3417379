"""`league.rate` and `arena rate`: results from elsewhere, in the forms in which people have them."""

import gzip
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

import league
from arena.cli import main
from games import InputError, UnknownName

BASEBALL = Path(__file__).parent / "baseball.csv"
"""the Eastern Division of the American League in 1987 (Agresti 2002, page 438; BradleyTerry2): wins of 42 pairs"""
STRENGTH = {"ann": 1.2, "bob": 0.6, "cyd": 0.0, "dan": -0.6, "eve": -1.2}


def matches(n=120, seed=0, names=STRENGTH):
    """(first, second, who is better): 1, 0.5 or 0 for the first."""
    rng, out = np.random.default_rng(seed), []
    for _ in range(n):
        a, b = rng.choice(list(names), 2, replace=False)
        gap = names[a] - names[b] + rng.normal()
        out.append((str(a), str(b), 0.5 if abs(gap) < 0.3 else float(gap > 0)))
    return out


RESULTS = matches()
EXPECTED = league.rate(RESULTS)


def same(board, expected=EXPECTED):
    rows, others = ([(r.player, r.rank, r.wins, r.draws, r.losses) for r in b.standings] for b in (board, expected))
    assert rows == others
    assert [r.rating for r in board.standings] == pytest.approx([r.rating for r in expected.standings], abs=1e-9)


def table(heads, words, sign=","):
    """A CSV of RESULTS; `words` are those of a win, a draw and a loss of the first player."""
    lines = [sign.join(heads), *(sign.join((a, b, words[{1.0: 0, 0.5: 1, 0.0: 2}[r]])) for a, b, r in RESULTS)]
    return "\n".join(lines) + "\n"


def rated(tmp_path, text, name="results.csv", encoding="utf-8", **options):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return league.rate(path, **options)


def test_baseball_has_the_order_and_the_home_advantage_of_the_textbook():
    board = league.rate(BASEBALL)
    order = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
    assert [row.player for row in board.standings] == order
    assert [row.rank for row in board.standings] == [1, 2, 3, 4, 5, 6, 7]
    assert sum(row.games for row in board.standings) == 2 * 273
    home = next(line for line in board.sentences if "home.team" in line)
    points, low, high = map(float, re.findall(r"\d+\.\d", home))
    assert points == pytest.approx(100 / (1 + np.exp(-0.302)), abs=1.0)  # Agresti's logit
    assert low < 52 < 62 < high
    assert board.probability("Milwaukee", "Baltimore") > 0.999
    assert board.probability("Detroit", "Milwaukee") == pytest.approx(1 - board.probability("Milwaukee", "Detroit"))


@pytest.mark.parametrize(
    ("heads", "words"),
    [
        (("a", "b", "result"), ("1", "0.5", "0")),
        (("A", "B", "Result"), ("1.0", "0.5", "0.0")),
        (("player_a", "player_b", "result"), ("1-0", "1/2-1/2", "0-1")),
        (("Player 1", "Player 2", "Outcome"), ("Win", "Draw", "Loss")),
        (("player1", "player2", "outcome"), ("W", "D", "L")),
        (("white", "black", "result"), ("1–0", "½-½", "0–1")),
        (("White", "Black", "Winner"), ("white", "draw", "black")),
        (("model_a", "model_b", "winner"), ("model_a", "tie", "model_b")),
        (("model_a", "model_b", "winner"), ("model_a", "tie (bothbad)", "model_b")),
        (("model_a", "model_b", "winner"), ("model_a", "both_bad", "model_b")),
        (("left", "right", "winner"), ("left", "tie", "right")),
        (("HomeTeam", "AwayTeam", "FTR"), ("H", "D", "A")),
        (("home", "away", "result"), ("2-1", "3:3", "0 - 4")),
        (("a", "b", "winner"), ("1", "0", "2")),
        (("a", "b", "result"), ("1", "0", "-1")),
        (("a", "b", "result"), ("1", "X", "2")),
        (("a", "b", "result"), ("True", "0.5", "False")),
    ],
)
def test_results_are_read_as_people_write_them(tmp_path, heads, words):
    if words[1] == "X":
        heads = (*heads[:2], "winner")
    same(rated(tmp_path, table(heads, words)))


def test_the_winner_may_be_named_and_scores_wins_and_marks_decide_too(tmp_path):
    def written(heads, cells):
        return rated(tmp_path, "\n".join([heads, *(",".join((a, b, *cells(a, b, r))) for a, b, r in RESULTS)]))

    same(written("a,b,winner", lambda a, b, r: [{1.0: a, 0.5: "tie", 0.0: b}[r]]))
    same(written("home_team,away_team,home_score,away_score", lambda a, b, r: {1: "31", 0.5: "22", 0: "02"}[r]))
    same(written("a,b,wins_a,wins_b,draws", lambda a, b, r: {1: "100", 0.5: "001", 0: "010"}[r]))
    same(
        written(
            "model_a,model_b,winner_model_a,winner_model_b,winner_tie",
            lambda a, b, r: {1: "100", 0.5: "001", 0: "010"}[r],
        )
    )


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_delimiters_and_encodings(tmp_path, sign, encoding):
    same(rated(tmp_path, table(("a", "b", "result"), ("1", "0.5", "0"), sign), encoding=encoding))


def test_quotes_blank_lines_other_columns_and_latin_1(tmp_path):
    rows = (
        'id,"b",result,a,note',
        '1,"Zoë, B.",1-0,"O\'Neil ""K""","two\nlines"',
        "",
        '2,"Zoë, B.",0-1,"O\'Neil ""K""",',
        "",
    )
    text = "\r\n".join(rows)
    board = rated(tmp_path, text, encoding="latin-1")
    assert {row.player for row in board.standings} == {"Zoë, B.", 'O\'Neil "K"'}
    assert any("is not UTF-8 (line 2): read as Windows-1252" in line for line in board.sentences)
    (tmp_path / "r.csv.gz").write_bytes(gzip.compress(text.encode()))
    same(league.rate(tmp_path / "r.csv.gz"), board)


def test_json_lines_json_and_pgn_are_read(tmp_path):
    rows = [{"model_a": a, "model_b": b, "winner": {1: "model_a", 0.5: "tie", 0: "model_b"}[r]} for a, b, r in RESULTS]
    same(rated(tmp_path, "\n".join(map(json.dumps, rows)), "r.jsonl"))
    same(rated(tmp_path, json.dumps(rows, indent=1), "r.json"))
    games = "".join(
        f'[Event "cup"]\n[White "{a}"]\n[Black "{b}"]\n[Result "{ {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}[r] }"]\n'
        f'[Date "2024.05.31"]\n\n1. e4 {{[%clk 1:0]\n[not "a tag" here}} e5 *\n\n'
        for a, b, r in RESULTS
    )
    open_ = '[Event "?"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n\n*\n'
    board = rated(tmp_path, games + open_, "r.pgn")
    same(board)
    assert "Left out: 1 without a result." in board.sentences
    assert "120 results of 5 players, 2024-05-31 to 2024-05-31." in board.sentences


class Frame:
    """As a data frame of pandas, which is not imported."""

    def __init__(self, rows):
        self.rows = rows

    def iterrows(self):
        raise NotImplementedError

    def to_dict(self, orient):
        assert orient == "records"
        return self.rows


def test_rows_of_python_may_hold_numpy_values_and_come_in_any_container():
    rows = [{"a": np.str_(a), "b": b, "result": np.float64(r), "date": None, "extra": [1]} for a, b, r in RESULTS]
    nothing = [{"a": "ann", "b": "bob", "result": value} for value in (None, float("nan"), np.nan, "")]
    same(league.rate(rows + nothing))
    same(league.rate(Frame(rows)))
    same(league.rate(iter(RESULTS)))
    same(league.rate(np.array(RESULTS)))
    same(league.rate({name: [row[k] for row in RESULTS] for k, name in enumerate(("a", "b", "result"))}))
    ids = league.rate([{"a": np.int64(7), "b": 8.0, "result": np.int32(1)}])
    assert [row.player for row in ids.standings] == ["7", "8"]


def test_matches_of_many_players_of_varying_number_and_of_teams():
    rng, rows = np.random.default_rng(1), []
    for race in range(60):
        present = rng.choice(list(STRENGTH), rng.integers(2, 6), replace=False)
        speed = {name: STRENGTH[name] + rng.normal() for name in present}
        order = sorted(speed, key=speed.get, reverse=True)
        rows += [{"Race": race, "Driver": name, "Position": place} for place, name in enumerate(order, 1)]
    board = league.rate(rows)
    assert [row.player for row in board.standings] == list(STRENGTH)
    assert not any("seat" in line for line in board.sentences)
    scores = [{"match": r["Race"], "player": r["Driver"], "score": -r["Position"]} for r in rows]
    same(league.rate(scores), board)
    slow = [
        {"match": 0, "player": name, "rank": rank}
        for name, rank in zip("abcde", ("1", "2nd", "T2", "NC", "DQ"), strict=True)
    ]
    rows_of = {row.player: row for row in league.rate([*slow, {"match": 0, "player": "f", "rank": "DNS"}]).standings}
    assert sorted(rows_of) == list("abcde")
    assert rows_of["b"].rating == pytest.approx(rows_of["c"].rating)
    assert rows_of["d"].rating == pytest.approx(rows_of["e"].rating)


def test_mixed_teams_are_rated_and_players_of_one_team_share_a_rank():
    names, rng, rows = ["zoe", "yan", "xia", "bob", "ann", "amy"], np.random.default_rng(2), []
    skill = dict(zip(names, (2, 1.5, 1, -1, -1.5, -2), strict=True))
    for match in range(80):
        six = rng.permutation(names)
        worth = [sum(skill[name] for name in six[at : at + 2]) + rng.normal() for at in (0, 2, 4)]
        for team, at in enumerate((0, 2, 4)):
            rows += [{"match": match, "player": six[at + k], "team": team, "score": worth[team]} for k in (0, 1)]
    board = league.rate(rows)
    assert {row.player for row in board.standings[:3]} == set(names[:3])
    assert board.probability("zoe", "amy") > 0.99
    assert not any("Surely" in line for line in board.sentences)
    fixed = league.rate(
        [
            {"match": m, "team": team, "player": player, "rank": rank}
            for m in range(5)
            for team, player, rank in (("b", "zoe", 1), ("b", "yan", 1), ("a", "ann", 2), ("a", "bob", 2))
        ]
    )
    assert [(row.player, row.rank) for row in fixed.standings] == [("yan", 1), ("zoe", 1), ("ann", 3), ("bob", 3)]
    doubles = [
        {"winner1_name": "a", "winner2_name": "b", "loser1_name": "c", "loser2_name": "d"},
        {"winner1_name": "a", "winner2_name": "c", "loser1_name": "b", "loser2_name": "d"},
    ]
    assert [row.player for row in league.rate(doubles).standings][::3] == ["a", "d"]


def test_a_team_whose_players_have_places_of_their_own_is_none():
    rows = [
        {"race": race, "driver": name, "team": name[0], "position": place}
        for race in range(3)
        for place, name in enumerate(("fa", "ma", "fb", "mb"), 1)
    ]
    board = league.rate(rows)
    assert [row.player for row in board.standings] == ["fa", "ma", "fb", "mb"]
    assert any("each player is rated alone" in line for line in board.sentences)


def test_a_file_with_the_winner_first_has_no_effect_of_seats():
    decided = [(a, b, r) for a, b, r in matches(200, seed=3) if r != 0.5]
    plain = league.rate([(a, b) if r else (b, a) for a, b, r in decided])
    assert [row.player for row in plain.standings] == list(STRENGTH)
    assert any("names winners and losers, not seats" in line for line in plain.sentences)
    first = league.rate([(a, b, 1) if r else (b, a, 1) for a, b, r in decided])
    same(first, plain)
    assert any(f"the first player won {len(decided)} of {len(decided)}" in line.lower() for line in first.sentences)
    few = league.rate([("a", "b", 1)] * 20 + [("b", "a", 0)] * 5)
    assert not any("order is taken" in line for line in few.sentences)
    gauntlet = league.rate([("new", name, r) for name in "abc" for r in (1, 0, 1)])
    assert any("cannot be told" in line for line in gauntlet.sentences)


def test_groups_that_never_met_are_ranked_each_by_itself_and_no_sentence_compares_them():
    board = league.rate([*RESULTS, ("xu", "yo", 1), ("xu", "yo", 1), ("xu", "yo", 0)])
    assert [row.rank for row in board.standings] == [1, 2, 3, 4, 5, 1, 2]
    assert board.pools[1] == ("xu", "yo")
    assert board.probability("ann", "xu") is None
    assert board.probability("xu", "yo") > 0.5
    named = [line for line in board.sentences if re.search(r"\b(xu|yo)\b", line)]
    assert len(named) == 1
    assert named[0].startswith("No match links the 5 players of the first group to these")
    teams = [{"match": m, "team": t, "player": f"{m}{t}{k}", "rank": t} for m in (1, 2) for t in (1, 2) for k in (1, 2)]
    assert [row.rank for row in league.rate(teams).standings] == [1, 1, 3, 3] * 2


def test_games_have_tables_of_their_own_and_one_over_all():
    rows = [{"a": a, "b": b, "result": r, "game": game} for game in ("go", "chess") for a, b, r in RESULTS]
    board = league.rate(rows, reference="cyd")
    assert list(board.games) == ["chess", "go"]
    assert board.apart == ()
    strangers = league.rate([{"a": g, "b": g + g, "result": 1, "game": g} for g in "xyz"])
    assert [row.rank for row in strangers.standings] == [1, 2] * 3
    assert strangers.apart == ()
    assert [row.player for row in board.games["go"]] == [row.player for row in EXPECTED.standings]
    assert next(row for row in board.standings if row.player == "cyd").points == pytest.approx(50, abs=1)
    assert board.probability("ann", "eve", "go") > 0.9
    tasks = [{"a": a, "b": b, "result": r, "task": f"q{k % 2}"} for k, (a, b, r) in enumerate(RESULTS)]
    assert league.rate(tasks).standings
    with pytest.raises(UnknownName):
        board.probability("ann", "nobody")
    with pytest.raises(UnknownName):
        league.rate(rows, reference="nobody")
    assert "cyd" in repr(board)
    assert "<td>cyd</td>" in board._repr_html_()


BAD = [
    ("a,b,result\nann,bob,1\nann,bob,maybe\n", r"line 3: result 'maybe'; allowed: 1, 0, 0\.5"),
    ("a,b,result\nann,bob,1\n,bob,1\n", "line 3: no a"),
    ("a,b,result\nann,bob,1\nann,bob,1,2,3\n", "line 3: 5 cells, but the header has 3"),
    ("home_team,away_team,home_score,away_score\na,b,1,2\na,b,one,2\n", "line 3: home_score 'one'; it is a number"),
    ("match,player,rank\n1,a,1\n1,b,2\n2,a,first\n2,b,2\n", r"line 4: rank 'first'; allowed: 1, 2, 3"),
    ("match,player,rank\n1,a,1\n1,b,2\n2,a,1\n2,a,2\n", "line 5: 'a' is twice in this match"),
    ('{"a": "x", "b": "y", "result": 1}\n{"a": \n', "line 2: no JSON"),
    ('{"a": "x", "b": "y", "result": 1}\n[1]\n', "line 2: .* is no object"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_rows_are_named_and_may_be_left_out(tmp_path, text, message):
    with pytest.raises(InputError, match=f"results.csv, {message}"):
        rated(tmp_path, text)
    board = rated(tmp_path, text, skip_bad=True)
    assert len(board.standings) == 2
    assert "Left out, because they cannot be read: 1." in board.sentences


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("x,y,z\n1,2,3\n", "has the columns 'x', 'y', 'z'; it needs a, b, result"),
        ("ann,bob,1\nbob,cyd,0\n", "has no header; add a first line such as: a,b,result"),
        ("a,b,result\n", "no match with a result is in results.csv"),
        ("a,b,result\nann,bob,\n", "no match with a result is in results.csv; left out: 1 without a result"),
        ("a,b,winner\nann,bob,1\nann,bob,0\n", "line 2: winner '1'"),
        ("PAR1", "a Parquet file"),
        ("PK\x03\x04", "Excel"),
        ("a\0b\1c\0\0", "is not text"),
    ],
)
def test_files_that_are_no_results_say_what_to_do(tmp_path, text, message):
    with pytest.raises(InputError, match=re.escape(message)):
        rated(tmp_path, text)


def test_the_command_prints_json_a_board_and_a_page(tmp_path, capsys, monkeypatch):
    assert main(["rate", str(BASEBALL), "-o", str(tmp_path / "page.html")]) == 0
    shown = capsys.readouterr().out
    assert "Milwaukee" in shown
    assert "Surely better (95%)" in shown
    page = (tmp_path / "page.html").read_text()
    assert "Baltimore" in page
    assert "home.team" in page
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BASEBALL.read_bytes())))
    assert main(["rate", "-", "--json", "--reference", "Boston"]) == 0
    board = json.loads(capsys.readouterr().out)
    assert {"player", "rank", "rating", "low", "high", "games", "wins", "draws", "losses", "forfeits"} <= set(
        board["standings"][0]
    )
    assert board["matches"] == {"planned": 273, "finished": 273, "void": 0, "in_flight": 0, "total": 273}
    assert board["sentences"][0].startswith("Surely better")
    boston = next(row for row in board["standings"] if row["player"] == "Boston")
    assert boston["points_low"] == boston["points_high"]


def test_the_command_names_at_most_ten_bad_rows(tmp_path, capsys):
    path = tmp_path / "bad.csv"
    path.write_text("a,b,result\n" + "x,y,what\n" * 25)
    assert main(["rate", str(path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 12
    assert lines[0].startswith("bad.csv, line 2: result 'what'; allowed: 1, 0")
    assert lines[10] == "and 15 more"
    assert lines[11] == "arena: 25 bad rows; correct them, or add --skip-bad"
    assert main(["rate", str(tmp_path / "absent.csv")]) == 2
    assert "No such file" in capsys.readouterr().err
