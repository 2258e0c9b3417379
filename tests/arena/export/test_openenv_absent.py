"""Without OpenEnv, `python -m arena.export.openenv` names the package in one line."""

import runpy
import sys

import pytest


def test_the_package_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "openenv.core.env_server.http_server", None)
    monkeypatch.delitem(sys.modules, "arena.export.openenv", raising=False)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("arena.export.openenv", run_name="__main__")
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("arena: arena.export.openenv needs the package 'openenv'; type: pip")
