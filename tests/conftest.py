"""What every test gets: plugins registered by one test are unknown to the next."""

from __future__ import annotations

import pytest

from games import plugins


@pytest.fixture(autouse=True)
def _plugins_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "_registered", {group: dict(found) for group, found in plugins._registered.items()})
    monkeypatch.setattr(plugins, "_loaded_files", dict(plugins._loaded_files))
