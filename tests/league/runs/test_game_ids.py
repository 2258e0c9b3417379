"""Parameters of a plugin's game take effect in tournaments and trainings."""

import pytest

import games
from games import InputError, Notes, plugins
from league import TournamentConfig, run_tournament, run_training
from league.config.training import parse_training
from league.records.game_info import GameInfo
from league.records.run_spec import RunSpec
from league.runs.game_ids import id_in_run, kept_ids, with_stored_ids
from league.store import Run, Store
from tests import golden

PILE = golden.text(__file__, "game_ids_pile.py.txt")


@pytest.fixture(params=['"pile-v0"', 'f"pile-v0(pile={pile})"'], ids=["bare", "own"])
def pile(tmp_path, request):
    file = tmp_path / "pile.py"
    file.write_text(PILE.replace("ID", request.param))
    plugins.load_file(file)


def played(folder, *ids, **changes):
    return run_tournament(config(folder, *ids, **changes), board="off")


def config(folder, *ids, **changes):
    players = [{"name": name, "player": "random"} for name in "ab"]
    given = {"name": "t", "db": f"sqlite:///{folder}/t.db", "games": ids, "players": players, "rounds": 2}
    return TournamentConfig.model_validate(given | changes)


def episodes(folder, run="t"):
    with Store.open(f"sqlite:///{folder}/t.db", read_only=True) as store:
        return [(episode.game, episode.facts["pile"]) for _, episode in store.episodes(store.run(run))]


@pytest.mark.usefixtures("pile")
def test_a_tournament_plays_the_parameters_and_games_that_differ_in_them(tmp_path):
    played(tmp_path, "pile(pile=2)", "pile-v0( most = 2,pile=9 )", "other")
    assert set(episodes(tmp_path)) == {("pile-v0(pile=2)", 2), ("pile-v0(pile=9,most=2)", 9), ("other-v0", 12)}
    with pytest.raises(InputError, match=r"'pile\(pile=12\)' and 'pile-v0' are the same game, pile-v0"):
        played(tmp_path, "pile(pile=12)", "pile-v0", name="u")


@pytest.mark.usefixtures("pile")
def test_a_typed_id_is_found_however_it_is_spelled():
    stored = ("pile-v0(pile=2)", "pile-v0(pile=9)", "other-v0", "toolbox-v1(handover=True)")
    same = {"pile(pile=2)": 0, "pile-v0( pile = 9 )": 1, "other": 2, "other()": 2, "toolbox(handover=true)": 3}
    assert {id: id_in_run(stored, id) for id in same} == {id: stored[n] for id, n in same.items()}
    assert id_in_run(["pile-v0"], "pile(pile=12)") == "pile-v0"  # its default
    assert id_in_run(stored, "toolbox") == "toolbox-v1(handover=True)"
    for other in ("pile", "pile(pile=3)", "toolbox-v0", "toolbox(handover=false)"):
        assert id_in_run(stored, other) == other


@pytest.mark.usefixtures("pile")
def test_a_player_may_list_a_game_written_otherwise(tmp_path):
    players = [{"name": n, "player": "random", "games": ["pile-v0( pile=2 )", "pile(pile=2)"]} for n in "ab"]
    assert played(
        tmp_path,
        "pile(pile=2)",
        "other",
        players=[*players, {"name": "c", "player": "random"}, {"name": "d", "player": "random"}],
    ).complete
    with Store.open(f"sqlite:///{tmp_path}/t.db", read_only=True) as store:
        assert store.run().spec.plays["a"] == ("pile-v0(pile=2)",)


@pytest.mark.usefixtures("pile")
def test_a_training_plays_closed_and_its_pile(tmp_path):
    data = {
        "name": "t", "db": f"sqlite:///{tmp_path}/t.db", "folder": str(tmp_path / "run"), "steps": 1,
        "matches_per_step": 2, "games": ["pile(closed=True, pile=3)"], "policy": {"model": "tiny(layers=1, hidden=16)"},
        "snapshots": {"matches": 0}, "evaluation": {"matches": 0}, "trackers": [],
    }  # fmt: skip
    for steps in (1, 2):
        assert run_training(parse_training(data | {"steps": steps}), board="off").step == steps
    with Store.open(data["db"], read_only=True) as store:
        found = [episode for _, episode in store.episodes(store.run("t.training"))]
    assert {e.game for e in found} == {"pile-v0(pile=3,closed=True)"}
    assert {(e.facts["pile"], e.facts["closed"]) for e in found} == {(3, True)}


@pytest.mark.usefixtures("pile")
def test_a_run_goes_on_when_its_game_is_written_otherwise(tmp_path):
    played(tmp_path, "pile(pile=2)")
    assert played(tmp_path, "pile-v0( pile = 2, most=3 )", rounds=3).complete
    assert set(episodes(tmp_path)) == {("pile-v0(pile=2)", 2)}
    with pytest.raises(InputError, match="is missing from the file; a run keeps its games"):
        played(tmp_path, "pile(pile=4)", rounds=3)


def test_ids_of_a_stored_run_are_kept():
    old = "pettingzoo/tests.games.pettingzoo.envs:Countdown(in_info=False,heap=7)"
    new = games.make(old).spec.id
    assert new == "pettingzoo/tests.games.pettingzoo.envs:Countdown(heap=7)"
    info, notes = GameInfo("zero_sum", ("a", "b"), chance=False), Notes(("a",), 1)

    def spec(id):
        return RunSpec(name="t", games={id: info}, plays={"a": (id,)}, written_games=(id,), notes={id: notes})

    run = Run(1, "t", "tournament", "", spec(old).to_json(), 0, "running", "")
    assert kept_ids(run, [new]) == {new: old}
    assert kept_ids(None, [new]) == {}
    assert with_stored_ids(run, spec(new)) == spec(old)
    assert with_stored_ids(None, spec(new)) == spec(new)
