"""The plugin files that are sent to a worker."""

from __future__ import annotations

from typing import ClassVar

from arena import players
from arena.runner.ray.worker_spec import WorkerSpec, loaded_plugins
from games import plugins
from tests import golden

FILE = golden.text(__file__, "worker_spec_file.py.txt")


class NoPlayers:
    players: ClassVar[dict[str, players.Player]] = {}

    def describe(self): ...

    def update(self, channel, value): ...


def test_files_of_the_same_name_all_arrive_in_the_order_they_were_loaded(tmp_path, monkeypatch):
    plugins.forget()
    for folder in "cab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.py").write_text(FILE.format(name=f"of-{folder}"))
        plugins.load_file(tmp_path / folder / "game.py")
    modules = {type(players.make(f"of-{folder}")).__module__ for folder in "cab"}
    assert len(modules) == 3  # each file is its own module
    sent = loaded_plugins()
    assert [plugin.files["game.py"].decode().split('"')[1] for plugin in sent] == ["of-c", "of-a", "of-b"]
    assert [plugin.folder for plugin in sent] == ["0/c", "1/a", "2/b"]

    plugins.forget()
    monkeypatch.setattr("arena.runner.ray.scratch.folder", lambda: tmp_path)
    WorkerSpec(NoPlayers, plugins=sent).prepare()
    assert {"of-a", "of-b", "of-c"} <= set(players.ids())


def test_what_a_file_imports_from_beside_it_arrives_too(tmp_path, monkeypatch):
    """Includes imports inside functions."""
    plugins.forget()
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "parts").mkdir(parents=True)
    (here / "parts" / "__init__.py").write_text("from .deep import NAME\n")
    (here / "parts" / "deep.py").write_text("NAME = 'neighbourly'\n")
    (here / "later.py").write_text("from parts import NAME as SAID\n")
    (here / "unused.py").write_text("1 / 0\n")
    late = "\n    def about_it(self):\n        import later\n        return later.SAID\n"
    (here / "game.py").write_text(
        "import parts\n" + FILE.replace("    pass", late).format(name="{name}").replace('"{name}"', "parts.NAME")
    )
    plugins.load_file(here / "game.py")
    (sent,) = loaded_plugins()
    assert sorted(sent.files) == ["game.py", "later.py", "parts/__init__.py", "parts/deep.py"]
    plugins.forget()
    for file in (*here.rglob("*.py"),):
        file.unlink()
    monkeypatch.setattr("arena.runner.ray.scratch.folder", lambda: there)
    WorkerSpec(NoPlayers, plugins=[sent]).prepare()
    assert players.make("neighbourly").about_it() == "neighbourly"  # type: ignore[attr-defined]
