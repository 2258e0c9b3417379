"""What a worker elsewhere is sent of the plugins that were loaded here."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from arena import players
from arena.workers.crew import Recipe, loaded_plugins
from games import plugins

FILE = """
from arena.players import register
from arena.players.uniform import Uniform

@register("{name}")
class Here(Uniform):
    pass
"""


class NoCrew:
    players: ClassVar[dict[str, players.Player]] = {}

    def describe(self) -> None: ...

    def update(self, channel: str, news: object) -> None: ...


def test_files_of_the_same_name_all_arrive_in_the_order_they_were_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "_loaded_files", {})
    for folder in "cab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.py").write_text(FILE.format(name=f"of-{folder}"))
        plugins.load_file(tmp_path / folder / "game.py")
    modules = {type(players.make(f"of-{folder}")).__module__ for folder in "cab"}
    assert len(modules) == 3  # each keeps its own
    sent = loaded_plugins()
    assert [text.split('"')[1] for text in sent.values()] == ["of-c", "of-a", "of-b"]
    assert list(sent) == ["game.py", "game-2.py", "game-3.py"]

    for offered in plugins._registered["arena.players"], plugins._loaded_files:
        offered.clear()
    monkeypatch.setattr("arena.workers.scratch.folder", lambda: tmp_path)
    Recipe(NoCrew, plugins=sent).prepare()
    assert {"of-a", "of-b", "of-c"} <= set(players.ids())
