"""A file is written whole or not at all."""

import os

import pytest

from games.files import write_whole


def test_a_write_that_fails_leaves_the_file_as_it_was_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "report.md"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    monkeypatch.setattr(os, "replace", lambda work, path: os.stat(tmp_path / "gone"))
    with pytest.raises(FileNotFoundError):
        write_whole(path, "new")
    monkeypatch.undo()
    assert [one.read_text() for one in tmp_path.iterdir()] == ["old"]
    write_whole(path, "new")
    assert [one.read_text() for one in tmp_path.iterdir()] == ["new"]
