"""Reports: complete, offline, and nothing that a player wrote becomes markup."""

import csv
import dataclasses
import io
import json
import re
import tomllib
from html.parser import HTMLParser

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given

from arena import Decision, Episode, MatchPlan, Turn
from games import InputError
from league import run_tournament, run_training
from league.board.printed import to_json
from league.config.tournament import parse_tournament
from league.config.training import parse_training
from league.records.matches import PlannedMatch
from league.reports import charts, gather, write_report
from league.reports.content import TrainingCurve
from league.reports.follow import follow_report
from league.reports.render import _cell, to_csv, to_html, to_markdown
from league.reports.reproduce import to_toml
from league.reports.sample_turns import READ, ReadText, sample_turns
from league.store import Store
from tests.arena.cli.command import run
from tests.league.specs import KUHN, stored
from tests.league.training import runs as trainings

WILD = "</pre><script>alert(1)</script><img src=x onerror=alert(2)> ``` {{ 7*7 }} \x1b[31m\u202e"


class Page(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A tournament of three players in two games."""
    db = f"sqlite:///{tmp_path_factory.mktemp('cup')}/c.db"
    players = [("mcts", "mcts(simulations=10)"), ("random", "random"), ("rnd-2", "random")]
    settings = {
        "name": "cup",
        "db": db,
        "games": [KUHN, "bargain-v1"],
        "rounds": 2,
        "seed": 3,
        "stop": {"matches": 500},
        "players": [{"name": n, "player": p} | ({"games": [KUHN]} if n == "mcts" else {}) for n, p in players],
    }
    run_tournament(settings, board="off")
    return db


def test_a_page_shows_everything_and_needs_nothing(cup):
    content = gather(cup, samples=3)
    html = to_html(content)
    page = Page(html)
    for text in ("cup", "mcts", "random", "rnd-2", KUHN, "bargain-v1", "Leaderboard", "Who beats whom", "stop rules"):
        assert text in page.text
    assert page.tags.count("script") == 1
    assert not {"link", "img", "iframe", "object", "form", "base"} & set(page.tags)
    assert not {"src", "href", "action", "srcset"} & {name for name, _ in page.attributes}
    assert not re.search(r"url\(|@import|https?:", html.replace("http-equiv", ""))
    assert len(content.samples) == 3
    assert {s.row.game for s in content.samples} == {KUHN, "bargain-v1"}
    kuhn = next(s for s in content.samples if s.row.game == KUHN)
    assert kuhn.turns[0].reading is not None
    assert "Your card: " in kuhn.turns[0].reading.text
    assert not kuhn.turns[0].reading.prompt
    assert kuhn.turns[0].reading.text in page.text
    assert all(f"{kuhn.row.scores[seat]:+g}" in page.text for seat in kuhn.row.scores)
    assert content.head in page.text


def test_the_policy_of_the_page_allows_its_own_script_only(cup):
    import base64
    import hashlib

    html = to_html(gather(cup, samples=0), reload=5)
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in html


def test_a_report_follows_a_run_to_its_end_and_no_reader_sees_a_part(cup, tmp_path, monkeypatch):
    out, pages, ended = tmp_path / "r.html", list[str](), gather(cup, samples=0)
    stages = [dataclasses.replace(ended, status="running")] * 2 + [ended]
    monkeypatch.setattr("league.reports.follow.gather", lambda *_, **__: stages.pop(0))
    follow_report(cup, None, out, every=7, pause=lambda seconds: pages.append(out.read_text()))
    pages.append(out.read_text())
    assert ["location.reload" in page for page in pages] == [True, True, False]
    assert ["used it for 7 seconds" in page for page in pages] == [True, True, False]
    assert all(page.rstrip().endswith("</html>") for page in pages)
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]


def test_ctrl_c_leaves_a_page_that_does_not_reload(cup, tmp_path, monkeypatch):
    going = dataclasses.replace(gather(cup, samples=0), status="running")
    monkeypatch.setattr("league.reports.follow.gather", lambda *_, **__: going)

    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        follow_report(cup, None, tmp_path / "r.html", pause=interrupt)
    assert "location.reload" not in (tmp_path / "r.html").read_text()


def test_the_file_in_the_report_plays_the_same_tournament(cup, tmp_path):
    content = gather(cup)
    again = tomllib.loads(content.reproduction.toml)
    assert parse_tournament(again).seed == 3
    run_tournament(parse_tournament(again | {"db": f"sqlite:///{tmp_path}/again.db"}), board="off")
    repeated = gather(f"sqlite:///{tmp_path}/again.db")
    rows = [(r.player, r.rating, r.wins) for r in content.leaderboard.standings]
    assert [(r.player, r.rating, r.wins) for r in repeated.leaderboard.standings] == rows


def test_csv_and_markdown(cup):
    content = gather(cup)
    rows = list(csv.DictReader(io.StringIO(to_csv(content))))
    assert {row["game"] for row in rows} == {"", KUHN, "bargain-v1"}
    overall = {row["player"]: float(row["rating"]) for row in rows if not row["game"]}
    assert overall == {row.player: row.rating for row in content.leaderboard.standings}
    assert {row["role"] for row in rows if row["game"] == KUHN} == {"", "first", "second"}
    text = to_markdown(content)
    assert "## Who beats whom" in text
    assert f"### {KUHN}" in text
    tables = re.findall(r"(?m)(?:^\|.*\n)+", text)
    assert len(tables) >= 6
    for table in tables:
        assert len({line.count("|") - line.count("\\|") for line in table.splitlines()}) == 1, table


def test_a_report_shows_what_a_player_caused_and_spent(cup):
    content = gather(cup)
    first, *others = content.leaderboard.standings
    first = msgspec.structs.replace(first, voids=7, faults={"timeout": 5, "empty": 1}, prompt_tokens=4321, tokens=987)
    board = msgspec.structs.replace(content.leaderboard, standings=(first, *others))
    content = dataclasses.replace(content, leaderboard=board)
    assert "| 7 | 6 | 5 | 4,321 | 987 |" in to_markdown(content)
    assert "|7||6||5||4,321||987|" in re.sub(r"</?td[^>]*>", "|", to_html(content))
    row = next(csv.DictReader(io.StringIO(to_csv(content))))
    assert [row[name] for name in ("voids", "timeouts", "prompt_tokens", "tokens")] == ["7", "5", "4321", "987"]


@pytest.fixture
def wild(tmp_path):
    """A database that somebody else wrote: every text is hostile."""
    db = f"sqlite:///{tmp_path}/w.db"
    name = f"=1+1{WILD}".replace("\x1b", "").replace("\u202e", "")
    seats = {"player_0": name, "player_1": "bob"}
    plan = PlannedMatch(0, 0, "p0", MatchPlan("w-0", KUHN, 1, seats))
    failed = Decision(None, "illegal", text=WILD, reason=WILD)
    turn = Turn("player_0", "first", "play", name, WILD, (failed, Decision(WILD, text=f"I think{WILD}")))
    roles = {"player_0": "first", "player_1": "second"}
    returns = {"player_0": 1.0, "player_1": -1.0}
    with Store.open(db) as store:
        found = store.start_run("w", stored((name, "bob")))
        store.plan(found, [plan])
        store.finish([(plan, Episode("w-0", KUHN, 1, seats, roles, (turn,), returns, "finished", reason=WILD))])
    return db


def test_nothing_that_a_player_wrote_is_markup(wild):
    content = gather(wild)
    html = to_html(content)
    page = Page(html)
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert "onerror" not in {name for name, _ in page.attributes}
    assert "</pre><script>alert(1)</script>" in page.text
    assert "{{ 7*7 }}" in page.text
    for text in (html, to_markdown(content), to_csv(content)):
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "\n```\n" + "</pre>" not in to_markdown(content).replace("````", "")
    markdown = pytest.importorskip("markdown_it").MarkdownIt()
    shown = Page(markdown.render(to_markdown(content)))
    assert not {"script", "img", "a"} & set(shown.tags)
    assert "</pre><script>alert(1)</script>" in shown.text
    (first, *_) = [row for row in csv.reader(io.StringIO(to_csv(content))) if "1+1" in row[3]]
    assert first[3].startswith("'=1+1")


def test_a_plain_address_in_a_name_is_no_link():
    """GitHub links addresses that stand in a text as they are."""
    said = _cell("https://e.com WWW.e.com a@e.com _x_ ~~x~~ player_0")
    assert said == r"https\://e.com WWW\.e.com a\@e.com \_x\_ \~\~x\~\~ player_0"


def test_a_match_that_cannot_be_played_again_says_why(wild):
    (sample,) = gather(wild).samples
    assert sample.turns[0].reading is None
    assert "does not fit" in sample.unread or "legal" in sample.unread
    assert sample.unread in Page(to_html(gather(wild))).text


def test_long_texts_are_cut_and_a_match_shows_a_limited_number_of_them():
    turns = tuple(Turn("a", "first", "play", "x", "go", (Decision("go"),)) for _ in range(40))
    episode = Episode("m", KUHN, 1, {"a": "x"}, {"a": "first"}, turns, {"a": 0.0}, "finished")
    read = [ReadText(f"begin{'-' * 9000}end {i}", prompt=True) for i in range(40)]
    shown = [turn.reading for turn in sample_turns(episode, read)]
    texts = [one.text for one in shown if one is not None]
    assert 0 < len(texts) < 40
    assert shown[len(texts) :] == [None] * (40 - len(texts))
    assert sum(map(len, texts)) <= READ
    assert all(text.startswith("begin-") and text.endswith(f"end {i}") for i, text in enumerate(texts))


def test_a_training_has_curves_and_a_file_that_is_valid(tmp_path):
    c = trainings.config(tmp_path, steps=3, snapshots={"every": 9, "matches": 0}, evaluation={"matches": 0})
    run_training(c, board="off")
    content = gather(c.db, "kuhn")
    labels = [curve.label for curve in content.curves]
    assert "NashConv" in labels
    assert [step for step, _ in content.curves[labels.index("entropy (nats)")].points] == [1, 2, 3]
    assert "Training curves" in Page(to_html(content)).text
    config = parse_training(tomllib.loads(content.reproduction.toml))
    assert (config.name, config.steps, config.policy, config.opponents) == ("kuhn", 3, c.policy, c.opponents)
    assert (config.loss, config.optimizer, config.anchors) == (c.loss, c.optimizer, c.anchors)


def test_the_geometry_of_a_curve():
    chart = charts.curve_chart(TrainingCurve("loss", ((0, 2.0), (5, float("nan")), (10, 1.0))))
    assert chart is not None
    assert chart.lines == ("0.0,0.0 0.0,0.0", "300.0,90.0 300.0,90.0")
    assert (chart.low, chart.high, chart.first, chart.last) == ("1", "2", "0", "10")
    flat = charts.curve_chart(TrainingCurve("flat", ((0, 1.0), (1, 1.0))))
    assert flat is not None
    assert flat.lines == ("0.0,45.0 300.0,45.0",)
    assert charts.curve_chart(TrainingCurve("none", ((0, float("nan")),))) is None


VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
TABLES = st.recursive(
    st.dictionaries(st.text(min_size=1, max_size=5), VALUES, max_size=3),
    lambda inner: st.dictionaries(
        st.text(min_size=1, max_size=5), inner | VALUES | st.lists(inner, min_size=1, max_size=2), max_size=3
    ),
    max_leaves=6,
)


def without_empty(value):
    """Empty tables inside are left out: they stand for defaults."""
    if isinstance(value, list):
        return [without_empty(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: without_empty(inner) for key, inner in value.items()}
    return {key: inner for key, inner in kept.items() if inner != {}}


@given(TABLES)
def test_toml_reads_back_as_what_was_written(table):
    assert tomllib.loads(to_toml(table)) == without_empty(table)


def test_the_verb(cup, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    out = tmp_path / "r.html"
    words = ["report", "cup", "--db", cup, "-o", str(out), "--samples", "1", "--plots", str(tmp_path / "plots")]
    code, _, err = run(capsys, *words)
    assert (code, err) == (0, f"wrote {out}\nwrote 6 plots into {tmp_path / 'plots'}\n")
    assert out.read_text().startswith("<!doctype html>")
    assert sorted(p.name for p in (tmp_path / "plots").iterdir()) == [
        "payoff-bargain-v1.png",
        "payoff-bargain-v1.svg",
        "payoff-openspiel-kuhn-poker.png",
        "payoff-openspiel-kuhn-poker.svg",
        "ratings.png",
        "ratings.svg",
    ]
    code, _, err = run(capsys, "report", "--db", cup, "-o", "r.pdf")
    assert (code, "use .html, .md or .csv" in err) == (2, True)
    assert run(capsys, "report", "nobody", "--db", cup)[0] == 2
    with pytest.raises(InputError, match="cannot write"):
        write_report(gather(cup, samples=0), tmp_path / "nowhere" / "r.md")
    assert json.loads(run(capsys, "runs", "--db", cup, "--json")[1])[0]["status"] == "finished"


def test_reports_claim_what_the_board_claims(cup):
    """99.9% was `100%` on the page and `>99%` on the board, and the CSV gave unrated players a rating."""
    content = gather(cup, samples=0)
    rows = content.leaderboard.standings
    sure = msgspec.structs.replace(rows[0], above_next=0.9999, p_best=0.0001)
    unrated = msgspec.structs.replace(rows[-1], rated=False, bt_rating=None, rank_low=None, rank_high=None)
    board = msgspec.structs.replace(content.leaderboard, standings=(sure, *rows[1:-1], unrated))
    shown = dataclasses.replace(content, leaderboard=board, games=())
    text = Page(to_html(shown)).text
    assert ">99%" in text
    assert "<1%" in text
    assert "100%" not in text
    found = next(
        csv.DictReader(line for line in to_csv(shown).splitlines() if unrated.player in line or "rank" in line)
    )
    assert (found["rating"], found["low"], found["rank_low"], found["player"]) == ("", "", "", unrated.player)
    assert json.dumps(to_json(board)["standings"][-1]["rating"]) == "null"
    other = msgspec.structs.replace(sure, bt_rating=sure.rating + 1.0)
    named = dataclasses.replace(shown, leaderboard=msgspec.structs.replace(board, standings=(other,)))
    assert "those of the rating method" in Page(to_html(named)).text
    assert "fitted to all results" not in to_markdown(named)
