"""Tournaments with a server that tries to end, stall or spy on them, with restarts and what the board shows."""

import asyncio
import re
import shutil
import sqlite3
from contextlib import closing

import pytest

from arena import Episode
from arena.cli import main
from arena.evaluation import play_anchor
from arena.players.bots.random import RandomPlayer
from arena.runner import LocalRunner
from games import RunPaused, make
from games.sanitize import printable
from league import TournamentConfig, run_tournament
from league.config.tournament import PlayerConfig
from league.store import Store
from league.tournament.backends import SECRET, TournamentPlayers
from tests.arena.players.endpoint.server import completion, hangs, says, serving, status

pytest.importorskip("openai")

KUHN = "openspiel/kuhn_poker"
WILD = "\ud83d\x00\x1b[31m\x1b]52;c;aGk=\x07\x9b1m\u202e\u2066\u200b"


def config(folder, server, **changes):
    id = f"openai(model=m, base_url={server.url}, backoff=0.0, retries=1, timeout=30, patience=50, max_tokens=10)"
    given = {
        "name": "t",
        "db": f"sqlite:///{folder}/t.db",
        "games": ["race-v0"],
        "rounds": 4,
        "concurrency": 1,
        "players": [{"name": "model", "player": id}, {"name": "random", "player": "random"}],
    }
    return TournamentConfig.model_validate(given | changes)


def hostile():
    """Everything that the audit tried, each between valid answers."""
    good = says(f"I{WILD}say \\boxed{{1}}")
    bad = [
        says(f"{WILD}"),
        status(400, f"no{WILD}"),
        status(500, f"no{WILD}\nforged"),
        status(429, WILD, retry_after="0"),
        says(None, finish="content_filter"),
        says(None, finish="tool_calls"),
        says("x" * 100_000),
        lambda handler, _: handler.reply(200, completion(WILD), content_encoding="br"),
        says("\\boxed{1}", usage=(2**70, 2**70)),
        says("\\boxed{9}", reasoning_content=WILD, name=WILD),
    ]
    return [behaviour for b in bad for behaviour in (b, good, good)]


def test_a_hostile_server_ends_no_tournament(tmp_path, capsys):
    with serving(says("\\boxed{1}"), *hostile()) as server:
        conf = config(tmp_path, server, budget={"tokens": 10**6})
        done = run_tournament(conf, board="plain")
        assert run_tournament(conf, board="plain").complete  # a restart finds nothing to do
    assert done.complete
    assert (done.snapshot.matches.finished, done.snapshot.matches.void) == (8, 0)
    shown = capsys.readouterr()
    for match in range(8):
        assert main(["replay", str(match), "--db", conf.db]) == 0
        assert main(["replay", str(match), "--db", conf.db, "--json"]) == 0
    for form in ("jsonl", "pgn"):
        assert main(["export", "--db", conf.db, "--format", form]) == 0
    assert main(["board", "--db", conf.db]) == 0
    replayed = capsys.readouterr()
    for text in (shown.out, shown.err, replayed.out, replayed.err):
        assert printable(text, lines=True) == text
    assert "writes: I" in replayed.out


def test_every_episode_of_a_server_that_answers_anything_is_kept(tmp_path):
    with serving(says(WILD)) as server:
        conf = config(tmp_path, server, rounds=1)
        run_tournament(conf, board="off")
    with Store.open(conf.db, read_only=True) as store:
        episodes = [episode for _, episode in store.episodes(store.run())]
    assert [episode.status for episode in episodes] == ["forfeit"] * 2
    for episode in episodes:
        assert all(attempt.text is not None and "\x1b" not in attempt.text for attempt in episode.failure)


def dies_after(answers):
    def behave(handler, body):
        (says("\\boxed{1}") if len(handler.server.asked) <= answers else status(401, "gone"))(handler, body)

    return behave


def test_a_run_that_goes_on_sends_the_same_seeds_and_another_run_sends_others(tmp_path):
    with serving(dies_after(5)) as server:
        with pytest.raises(RunPaused):
            run_tournament(config(tmp_path, server, seed=3), board="off")
        begun = [asked["seed"] for asked in server.asked]
        server.usual = says("\\boxed{1}")
        sent = []
        for copy in ("a", "b"):
            (tmp_path / copy).mkdir()
            shutil.copy(tmp_path / "t.db", tmp_path / copy)
            server.asked.clear()
            run_tournament(config(tmp_path / copy, server, seed=3), board="off")
            sent.append([asked["seed"] for asked in server.asked])
        server.asked.clear()
        (tmp_path / "c").mkdir()
        other = config(tmp_path / "c", server, seed=3)
        run_tournament(other, board="off")
        others = [asked["seed"] for asked in server.asked]
    assert sent[0] == sent[1]
    assert begun[-1] in sent[0]  # the match that the outage ended is asked again as before
    assert not set(others) & {*begun, *sent[0]}
    with Store.open(other.db, read_only=True) as store:
        planned = [p.match.seed for p in store.planned(store.run())]
    with Store.open(config(tmp_path, server).db, read_only=True) as store:
        assert planned == [p.match.seed for p in store.planned(store.run())]  # the cards are those of seed 3


@pytest.mark.parametrize(("given", "drawn"), [({}, True), ({"seed": 7}, False)])
def test_a_seed_is_drawn_where_nobody_gives_one(given, drawn, tmp_path, capsys):
    with serving(says("\\boxed{1}")) as server:
        conf = config(tmp_path, server, rounds=1, **given)
        run_tournament(conf, board="plain")
        run_tournament(conf, board="plain")  # and stays
        local = config(tmp_path, server, name="local", players=[{"name": n, "player": "random"} for n in "ab"], **given)
        run_tournament(local, board="off")
    with Store.open(conf.db, read_only=True) as store:
        assert (store.run("t").seed > 1 << 40) == drawn
        assert store.run("local").seed == given.get("seed", 0)
    with closing(sqlite3.connect(tmp_path / "t.db")) as database:
        secret = database.execute("select value from meta where key = 'secret/1'").fetchone()
    printed = capsys.readouterr().out
    assert ("seed = 7 is small: the provider of model can find it" in printed) == (not drawn)
    assert secret[0] not in printed


def test_the_players_in_a_clusters_workers_are_given_the_secret(tmp_path):
    with serving(hangs) as server:
        crew = TournamentPlayers(config(tmp_path, server))
    assert crew.describe().outside == ("model",)
    crew.update(SECRET, b"s" * 32)
    assert crew.players["model"].secret == b"s" * 32


CARD = re.compile("Jack|Queen|King")


def dealt(episode):
    """player -> its card."""
    game = make(episode.game)
    game.reset(episode.seed)
    return {player: CARD.findall(game.observe(seat).text)[0] for seat, player in episode.seats.items()}


def test_a_server_that_remembers_the_first_match_does_not_know_the_cards_of_the_second(tmp_path):
    """With shared cards its opponent holds in the second match of each pairing what it held itself in the first."""
    with serving(says("\\boxed{Pass}")) as server:
        conf = config(tmp_path, server, games=[KUHN], rounds=12, seed=5)
        run_tournament(conf, board="off")
        bots = [{"name": name, "player": "random"} for name in ("one", "other")]
        joined = conf.model_copy(update={"players": (*conf.players, *map(PlayerConfig.model_validate, bots))})
        run_tournament(joined.model_copy(update={"rounds": 14}), board="off")  # those who join are as they were
    with Store.open(conf.db, read_only=True) as store:
        run = store.run()
        pairs: dict[str, list[Episode]] = {}
        for planned, (_, episode) in zip(store.planned(run), store.episodes(run), strict=True):
            pairs.setdefault(planned.pairing, []).append(episode)
        assert run.spec.recalling == ("model",)
    known = [
        dealt(second)[next(p for p in second.seats.values() if p != "model")] == dealt(first)["model"]
        for first, second in pairs.values()
        if "model" in first.seats.values()
    ]
    assert len(known) > 12
    assert not all(known)
    shared = {a.seed == b.seed for a, b in pairs.values() if "model" not in a.seats.values()}
    assert shared == {True}
    assert main(["verify", "--db", conf.db]) == 0


def test_a_run_of_before_goes_on_with_the_seeds_it_had(tmp_path, monkeypatch):
    with serving(says("\\boxed{Pass}")) as server:
        conf = config(tmp_path, server, games=[KUHN], rounds=2, seed=5)
        monkeypatch.setattr("arena.players.player.Player.may_recall", False)
        run_tournament(conf, board="off")
        monkeypatch.undo()
        run_tournament(conf.model_copy(update={"rounds": 3}), board="off")
    with Store.open(conf.db, read_only=True) as store:
        assert len({planned.match.seed for planned in store.planned(store.run())}) == 3
    assert main(["verify", "--db", conf.db]) == 0


def test_the_matches_of_a_trusted_server_share_their_cards(tmp_path):
    with serving(says("\\boxed{Pass}")) as server:
        conf = config(tmp_path, server, games=[KUHN], rounds=3, seed=5)
        model, other = conf.players
        trusted = model.model_copy(update={"player": model.player.replace("model=m", "model=m, recalls=false")})
        run_tournament(conf.model_copy(update={"players": (trusted, other)}), board="off")
    with Store.open(conf.db, read_only=True) as store:
        assert len({planned.match.seed for planned in store.planned(store.run())}) == 3
    assert main(["verify", "--db", conf.db]) == 0


@pytest.mark.parametrize(("recalls", "seeds"), [(True, 8), (False, 4)])
def test_an_evaluation_deals_a_server_different_cards_in_each_match(recalls, seeds):
    one, other = RandomPlayer(), RandomPlayer()
    one.recalls = recalls
    spec = make(KUHN).spec
    drawn: list[int] = []

    def note(self, source, done):
        drawn.extend(plan.seed for plan in source(100))
        return asyncio.sleep(0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LocalRunner, "run", note)
        asyncio.run(play_anchor(one, other, spec, 4, seed=1))
    assert len(drawn) == 8
    assert len(set(drawn)) == seeds


@pytest.mark.parametrize(("context", "warns"), [(2000, True), (100_000, False)])
def test_a_tournament_says_first_which_prompts_may_not_fit_into_a_context(context, warns, tmp_path, capsys):
    with serving(says("\\boxed{1}")) as server:
        id = f"openai(model=m, base_url={server.url}, max_tokens=10, context={context})"
        players = [{"name": "model", "player": id}, {"name": "random", "player": "random"}]
        run_tournament(config(tmp_path, server, games=["taboo(turns=1)"], rounds=1, players=players), board="plain")
    lines = re.sub(r"\s+", " ", capsys.readouterr().out)
    assert (f"of which these players read: model at most {context - 10:,}" in lines) is warns
