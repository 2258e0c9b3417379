"""A worker removes its folder when it ends; the next worker removes the folder of a killed one."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.runner.ray import scratch
from tests import golden

OTHER = golden.text(__file__, "worker_files_other.py.txt")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    scratch.remove()
    yield
    scratch.remove()


def test_a_process_has_one_folder_and_removes_it():
    scratch.remove()  # no folder yet: no effect
    mine = scratch.folder()
    (mine / "snapshots").mkdir()
    assert scratch.folder() is mine
    scratch.remove()
    assert not mine.exists()
    assert scratch.folder().is_dir()  # a new folder
    assert scratch.folder() != mine


def test_the_folder_of_a_process_that_was_killed_goes_and_that_of_a_living_one_stays():
    other = subprocess.Popen([sys.executable, "-c", OTHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with other:
        assert other.stdout is not None
        theirs = Path(other.stdout.readline().strip())
        scratch.folder()
        assert (theirs / "file").read_text() == "something"
        other.kill()
        other.wait()
    assert theirs.exists()
    scratch.remove()
    mine = scratch.folder()
    assert not theirs.exists()
    assert mine.is_dir()


def test_the_half_made_folder_of_a_process_that_was_killed_goes_too():
    half = scratch.folder().parent / "1-half"
    half.mkdir()
    scratch.remove()
    scratch.folder()
    assert not half.exists()
