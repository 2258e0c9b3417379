"""`arena doctor`: what is missing is named with the command that installs it."""

import json
from importlib import metadata

import pytest

from games.plugins import entry
from league.doctor import Diagnosis, diagnosis_lines, packages, places
from league.doctor.packages import Requirement
from tests.arena.cli.command import run


def test_the_requirements_are_those_of_the_project():
    found = packages.requirements()
    core = {r.package for r in found if not r.extra}
    assert {"pydantic", "typer", "sqlalchemy", "open-spiel"} <= core
    assert Requirement("peft", "0.15", "lora") in found
    assert Requirement("psycopg", "3.2", "postgres") in found


def test_missing_and_old_packages(monkeypatch):
    wanted = [Requirement("numpy", "999.0", ""), Requirement("no-such", "1.0", ""), Requirement("nor-this", "2", "big")]
    monkeypatch.setattr(packages, "requirements", lambda: wanted)
    old, absent = packages.core()
    version = metadata.version("numpy")
    assert old == Diagnosis(
        "packages", "numpy", "wrong", f"{version} is older than 999.0", "pip install 'numpy>=999.0'"
    )
    assert absent.state == "wrong"
    assert list(packages.extras()) == [
        Diagnosis("extras", "big", "missing", "nor-this is not installed", "pip install 'selfplay-arena[big]'")
    ]


@pytest.mark.parametrize(
    ("version", "numbers"), [("2.13.0+cpu", [2, 13, 0]), ("1.0rc1", [1, 0]), ("26", [26]), ("dev", [])]
)
def test_versions_are_compared_by_their_numbers(version, numbers):
    assert packages._numbers(version) == numbers


def test_a_broken_plugin_is_a_problem():
    def load():
        raise ImportError("no module named cards")

    entry.registered.setdefault("arena.games", {})["torn-v0"] = entry.PluginEntry("torn-v0", "package torn", load)
    (torn,) = [d for d in places.installed_plugins() if d.name == "games torn-v0"]
    assert (torn.state, torn.detail) == ("wrong", "package torn is broken: ImportError: no module named cards")


def test_entry_points_in_a_misspelt_group_are_named(tmp_path, monkeypatch, capsys):
    made = tmp_path / "hopeful-1.0.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: hopeful\nVersion: 1.0\n")
    groups = "[arena.game]\nheaps-v0 = hopeful:Heaps\n[arena_roles]\nsly = hopeful:Sly\n[console_scripts]\nq = h:q\n"
    (made / "entry_points.txt").write_text(groups)
    monkeypatch.syspath_prepend(str(tmp_path))
    details = {d.name: d.detail for d in places.installed_plugins() if "hopeful" in d.detail}
    assert details.keys() == {"arena.game", "arena_roles"}
    assert details["arena.game"].endswith(
        "offers heaps-v0 in the group 'arena.game', which is not read; the group is 'arena.games'"
    )
    code, _, err = run(capsys, "check", "heaps")
    assert code == 2
    assert details["arena.game"] in err


def test_a_store_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert places.store(None).state == "note"
    assert places.store("sqlite:///nowhere.db").state == "wrong"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(monkeypatch):
    monkeypatch.setenv("ARENA_CACHE", "/proc/nowhere")
    cache = next(places.folders())
    assert (cache.state, cache.fix) == ("wrong", "export ARENA_CACHE=FOLDER")


def test_lines_name_the_state_and_what_to_type():
    found = [Diagnosis("a", "x", "ok", "1.0"), Diagnosis("a", "long", "missing", "not there", "pip install long")]
    assert list(diagnosis_lines([*found, Diagnosis("b", "y", "wrong", "bad")])) == [
        "a",
        "  ok x     1.0",
        "  -- long  not there; type: pip install long",
        "b",
        "  !! y     bad",
        "problems: 1; -- marks what is optional and not installed",
    ]


def test_the_verb(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "doctor", "--db", "sqlite:///nowhere.db", "--json")
    found = {(d["part"], d["name"]): d for d in json.loads(out)}
    assert code == 1
    assert found["packages", "pydantic"]["state"] == "ok"
    assert found["store", "store"]["state"] == "wrong"
    assert ("programs", "sandbox") in found
