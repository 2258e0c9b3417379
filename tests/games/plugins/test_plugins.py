"""Plugin files, entry points, and broken plugins."""

import logging
from importlib import metadata
from pathlib import Path
from typing import Annotated

import pytest
from annotated_types import Interval

import games
from games import InputError, UnknownName, plugins
from games.plugins.entry import installed
from tests import golden

FILE = golden.text(__file__, "plugins_file.py.txt")


def write(folder, id, text=FILE):
    path = folder / f"{id.replace('-', '_')}.py"
    path.write_text(text.format(id=id))
    return path


def test_a_file_adds_games_with_parameters(tmp_path):
    plugins.load_file(write(tmp_path, "solo-v0"))
    plugins.load_file(write(tmp_path, "solo-v3"))
    assert "solo-v0" in games.ids()
    assert games.make("solo-v0(size=5)").spec.rules == "5"
    assert games.make("solo").spec.id == "solo-v3"  # unversioned: the newest
    with pytest.raises(InputError, match=r"wrong parameters for game 'solo-v0'.*allowed: size"):
        games.make("solo-v0(colour=red)")


def test_two_games_of_one_id_in_a_file_are_refused_and_in_two_files_told(tmp_path, caplog):
    path = write(tmp_path, "twin-v0")
    path.write_text(path.read_text() * 2)
    with pytest.raises(InputError, match=r"'twin-v0' is registered twice in this file; .* \(twin_v0\.py, line \d+\)"):
        plugins.load_file(path)
    (tmp_path / "other.py").write_text(FILE.format(id="pair-v0"))
    plugins.load_file(write(tmp_path, "pair-v0"))
    plugins.load_file(tmp_path / "other.py")
    assert "'pair-v0' of " in caplog.text
    assert caplog.text.rstrip().endswith(f"is hidden by {tmp_path / 'other.py'}")


@pytest.mark.parametrize(("id", "name"), [("taboo-v2", "taboo-v2"), ("taboo-v99", "taboo")])
def test_a_file_that_replaces_a_game_of_the_arena_is_told_once(tmp_path, caplog, id, name):
    plugins.load_file(write(tmp_path, id))
    assert [games.make("taboo").spec.id for _ in range(2)] == [id, id]
    assert [r.getMessage() for r in caplog.records] == [
        f"arena.games {name!r} of the arena is replaced by {id} of {tmp_path / id.replace('-', '_')}.py"
    ]


def test_a_file_is_run_once(tmp_path):
    path = write(tmp_path, "once-v0", FILE + "with open(__file__ + '.n', 'a') as log:\n    log.write('x')\n")
    plugins.load_file(path)
    plugins.load_file(path)
    assert Path(f"{path}.n").read_text() == "x"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("import nothing_like_this", "ModuleNotFoundError"), ("def (:", "SyntaxError"), ("1/0", "ZeroDivisionError")],
)
def test_a_broken_file_is_named_with_its_reason(tmp_path, text, reason):
    path = write(tmp_path, "broken", text)
    with pytest.raises(InputError, match=reason) as error:
        plugins.load_file(path)
    assert str(path) in str(error.value)
    with pytest.raises(InputError, match="does not exist"):
        plugins.load_file(tmp_path / "absent.py")


class _Point:
    dist = None

    def __init__(self, name: str, value: str) -> None:
        self.name, self.value = name, value

    def load(self) -> object:
        return metadata.EntryPoint(self.name, self.value, "arena.games").load()


@pytest.fixture
def points(monkeypatch):
    found = [_Point("good-v0", "tests.toys.small_games:Race"), _Point("bad-v0", "tests.nowhere:Game")]
    monkeypatch.setattr(metadata, "entry_points", lambda group: found)
    installed.cache_clear()
    yield found
    installed.cache_clear()


@pytest.mark.usefixtures("points")
def test_one_broken_package_is_warned_of_and_skipped(caplog):
    with caplog.at_level(logging.WARNING):
        usable = plugins.working("arena.games")
    assert "good-v0" in usable
    assert "bad-v0" not in usable
    assert "bad-v0" in caplog.text
    assert "ModuleNotFoundError" in caplog.text
    assert games.make("good-v0").spec.id == "good-v0"  # it calls itself race-v0
    with pytest.raises(InputError, match="cannot be loaded: ModuleNotFoundError"):
        games.make("bad-v0")


def test_an_unknown_game_names_the_nearest():
    with pytest.raises(UnknownName, match=r"did you mean .*bargain-v1"):
        games.make("bargian-v0")
    with pytest.raises(UnknownName, match="unknown game"):
        games.make("nowhere/chess")


def test_an_unknown_name_says_how_to_name_a_plugin_file():
    with pytest.raises(UnknownName, match=r"add --plugin FILE, or plugins = \[\.\.\.\] in a TOML file$"):
        games.make("zqx")


def test_a_default_must_be_a_value_that_ids_may_write():
    def capped(top: Annotated[int, Interval(ge=2, le=9)] = 99) -> games.TextGame:
        raise AssertionError

    games.register("capped-v0")(capped)
    said = r"'capped-v0' of .*: the default top=99 is not allowed: top must be a whole number from 2 to 9"
    for id in ("capped", "capped(top=3)"):
        with pytest.raises(InputError, match=said):
            games.make(id)


def test_a_factory_must_make_a_game():
    games.register("impostor-v0")(lambda: 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"made a int, not a games\.TextGame"):
        games.make("impostor-v0")
    with pytest.raises(InputError, match="call it impostor-v0"):
        games.register("impostor")


_SPEC = next(line.strip() for line in FILE.splitlines() if "self.spec" in line)


@pytest.mark.parametrize(
    ("id", "old", "new", "said"),
    [
        ("specless-v0", _SPEC, "pass", r"has no spec; set `self\.spec = GameSpec"),
        ("tuple-v0", _SPEC, "self.spec = ()", "has no spec"),
        ("abstract-v0", "def returns", "def revenue", "cannot be made: TypeError: .*abstract.* '?returns"),
        ("bang-v0", _SPEC, "raise RuntimeError('boom')", "cannot be made: RuntimeError: boom"),
    ],
)
def test_a_plugin_that_makes_no_game_is_named(tmp_path, id, old, new, said):
    path = write(tmp_path, id, FILE.replace(old, new))
    plugins.load_file(path)
    with pytest.raises(InputError, match=said) as error:
        games.make(id)
    assert str(path) in str(error.value)
