"""Players by their names in the store: found, seated, and the same ones when a run resumes."""

import shutil
from pathlib import Path

import msgspec
import pytest

from arena.cli import main
from games import InputError, UnknownName
from league import TournamentConfig, run_tournament, run_training
from league.records.player_ref import PlayerRef
from league.runs.stored_players import Named, game_of, in_folder, make, resolve
from league.store import Store
from league.training.resolve import resolve as resolve_training
from tests.league.specs import KUHN_INFO, stored
from tests.league.training.runs import KUHN, config


def freeze(store, run, name, **players):
    policy, _, step = name.partition("@")
    event = {"name": name, "ref": PlayerRef(policy, frozen=True, step=int(step)), "player": players}
    store.add_event(run, "snapshot", msgspec.json.encode(event).decode())


@pytest.fixture
def db(tmp_path):
    """A training `t`, and two tournaments in which `m` is somebody else."""
    url = f"sqlite:///{tmp_path}/x.db"
    with Store.open(url) as store:
        run = store.start_run("t", stored(training={"anchors": [{"name": "fixed", "player": "mcts(simulations=7)"}]}))
        for step in (2, 10):
            freeze(store, run, f"t@{step}", **{"": f"mcts(simulations={step})"})
        freeze(
            store,
            run,
            "roles@0",
            **{"red-attacker": "random", "referee": 'llm(model="tiny(layers=2, hidden=64)", decode=choice)'},
        )
        for n in (3, 4):
            players = [{"name": "m", "player": f"mcts(simulations={n})"}, {"name": "n", "player": "random"}]
            store.start_run(f"cup-{n}", stored(players=players))
    return url


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("random", Named("random")),
        ("mcts(simulations=1)", Named("mcts(simulations=1)")),
        ("t@2", Named("mcts(simulations=2)", "t@2")),
        ("t", Named("mcts(simulations=10)", "t@10")),
        ("fixed", Named("mcts(simulations=7)", "fixed")),
        ("n", Named("random", "n")),
        (
            "roles",
            Named(
                'by-role(red-attacker=random, referee=llm(model="tiny(layers=2, hidden=64)", decode=choice))', "roles@0"
            ),
        ),
    ],
)
def test_a_name_is_a_kind_a_snapshot_a_training_or_who_sat_in_a_run(db, text, found):
    assert resolve(text, db) == found


def test_the_game_of_a_training_is_that_of_its_snapshots(db):
    with Store.open(db) as store:
        for name, games in (("one", [KUHN]), ("two", [KUHN, "openspiel/tic_tac_toe"])):
            rated = dict.fromkeys(games, KUHN_INFO)
            freeze(store, store.start_run(name, stored(rated=rated)), f"{name}@3", **{"": "random"})
    assert game_of("one", db) == game_of("one@3", db) == KUHN
    with pytest.raises(InputError, match=r"two@3 was trained in .*kuhn_poker, .*tic_tac_toe: choose one with --game"):
        game_of("two@3", db)
    for name in ("random", "fixed", "nobody"):
        with pytest.raises(InputError, match="which game"):
            game_of(name, db)


def test_names_that_are_nobodys_or_two_players(db, tmp_path):
    assert make("t@2", db).name == "t@2"
    with pytest.raises(UnknownName, match=r"unknown player 't@3'; did you mean 't@2'.*`arena board --db sqlite:///"):
        resolve("t@3", db)
    with pytest.raises(UnknownName, match="unknown player 'mtcs'; did you mean 'mcts'"):
        resolve("mtcs(simulations=3)", db)
    with pytest.raises(
        InputError, match=r"'m' of .* is mcts\(simulations=3\) in run 'cup-3', mcts\(simulations=4\) in"
    ):
        resolve("m", db)
    with pytest.raises(InputError, match=r"'t@2' is looked up in the store: .* does not exist; .*--db names another"):
        resolve("t@2", f"sqlite:///{tmp_path}/no.db")


def test_a_policy_and_a_training_of_one_name_are_not_taken_for_each_other(tmp_path):
    """A policy `b` of the training `a`, and a training `a.b`."""
    db = f"sqlite:///{tmp_path}/x.db"
    with Store.open(db) as store:
        for n, name in enumerate(("a", "a.b")):
            freeze(store, store.start_run(name, stored(training={})), "a.b@0", **{"": f"mcts(simulations={n + 1})"})
    for name in ("a.b", "a.b@0"):
        with pytest.raises(InputError, match=r"simulations=1\) in run 'a', mcts\(simulations=2\) in run 'a.b'; write"):
            resolve(name, db)


def test_a_store_that_cannot_be_read_is_the_reason(db, monkeypatch):
    monkeypatch.setattr("league.store.schema.VERSION", 10_000)
    with pytest.raises(InputError, match=r"player 'm' is looked up in the store: .* was made by arena schema"):
        resolve("m", db)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The store of a training of two steps with its snapshots, of one policy and of one for each role."""
    c = config(
        tmp_path_factory.mktemp("trained"),
        steps=2,
        matches_per_step=2,
        opponents={"self": 1.0},
        snapshots={"every": 1, "matches": 0},
        evaluation={"matches": 0, "exact": False},
        record=False,
    )
    run_training(c, board="off")
    policy = {"model": "tiny(layers=1, hidden=32)", "per_role": True}
    more = {"name": "each", "folder": str(c.place / "each"), "policy": policy, "steps": 1}
    run_training(c.model_validate(c.model_dump(by_alias=True) | more), board="off")
    return str(c.db)


@pytest.mark.parametrize("player", ["kuhn@1", "kuhn", "each@1"])
def test_a_snapshot_plays_a_shown_match(trained, player, capsys):
    assert main(["play", KUHN, player, "random", "--db", trained]) == 0
    shown = player if "@" in player else "kuhn@2"
    assert f"player_0 ({shown}) sees:" in capsys.readouterr().out


@pytest.mark.parametrize("player", ["kuhn", "kuhn@1", "each@1"])
def test_the_snapshots_of_a_moved_training_play_without_more_trust(trained, tmp_path, player, monkeypatch):
    source = Path(trained.removeprefix("sqlite:///")).parent
    moved = tmp_path / "moved"
    shutil.copytree(source, moved)
    hidden = source.with_name(f"{source.name}-hidden")
    source.rename(hidden)
    try:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        assert main(["play", KUHN, player, "random", "--db", f"sqlite:///{moved / 'arena.db'}"]) == 0
    finally:
        hidden.rename(source)


def cup(db, **more):
    seats = [("new", "kuhn"), ("old", "kuhn@1"), ("each", "each@0"), ("r", "random")]
    settings = {"name": "cup", "db": db, "games": [KUHN], "players": [{"name": n, "player": p} for n, p in seats]}
    return TournamentConfig.model_validate(settings | more)


def test_snapshots_sit_in_a_tournament_that_goes_on_with_the_same_ones_elsewhere(trained, tmp_path, monkeypatch):
    shutil.copytree(Path(trained.removeprefix("sqlite:///")).parent, tmp_path / "copy")
    db = f"sqlite:///{tmp_path}/copy/arena.db"
    assert run_tournament(cup(db), board="off").complete
    with Store.open(db) as store:
        before = store.run("cup").settings
        assert before["named"] == {"new": "kuhn", "old": "kuhn@1", "each": "each@0"}
        ids = {p["name"]: p["player"] for p in before["players"]}
        assert "store:run/snapshots/kuhn@2," in ids["new"]
        assert "store:run/snapshots/kuhn@1," in ids["old"]
        assert ids["each"].startswith("by-role(first=llm(")
        freeze(store, store.run("kuhn"), "kuhn@3", **{"": "random"})
    assert resolve("kuhn", db) == Named("random", "kuhn@3")
    (tmp_path / "copy").rename(tmp_path / "moved")
    db = f"sqlite:///{tmp_path}/moved/arena.db"
    monkeypatch.setenv("ARENA_STATE", str(tmp_path / "somebody"))  # who has allowed nothing
    again = run_tournament(cup(db, rounds=2), board="off")
    assert (again.complete, again.snapshot.matches.finished) == (True, 24)
    with Store.open(db, read_only=True) as store:
        after = store.run("cup")
        assert after.settings == before | {"rounds": 2}
        assert all(episode.status == "finished" for _, episode in store.episodes(after))
    changed = cup(db, players=[p.model_copy(update={"player": "mcts"}) for p in cup(db).players])
    with pytest.raises(InputError, match=r"player 'new' of run 'cup' was llm\(.*, is mcts: a run keeps"):
        run_tournament(changed, board="off")


def test_the_anchors_of_a_training_may_be_snapshots_of_another(trained, tmp_path):
    plan = resolve_training(config(tmp_path, db=trained, anchors=[{"name": "old", "player": "kuhn@1"}]))
    assert "snapshots/kuhn@1," in plan.anchors["old"]
    assert plan.runs["training"].named == {"old": "kuhn@1"}


def test_a_stored_snapshot_lies_in_the_folder_of_its_training(tmp_path):
    assert in_folder("llm(model=snapshots/kuhn@1)", tmp_path) == f"llm(model={tmp_path}/snapshots/kuhn@1)"
    for outside in ("llm(model=snapshots/../../secret)", "llm(model='/snapshots/x')", "llm(model=other/snapshots/x)"):
        assert str(tmp_path) not in in_folder(outside, tmp_path)
