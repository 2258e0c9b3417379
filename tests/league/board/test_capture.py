import os
import subprocess
import sys
from pathlib import Path

import pytest

from games import InputError
from league.board.capture import BURST, KEPT, Capture


@pytest.fixture
def fd(tmp_path):
    """A descriptor that stands for stderr."""
    fd = os.open(tmp_path / "terminal", os.O_RDWR | os.O_CREAT)
    yield fd
    os.close(fd)


def test_lines_are_kept_and_the_descriptor_comes_back(fd, tmp_path):
    log = tmp_path / "logs" / "run.log"
    capture = Capture([fd], log)
    capture.start()
    os.write(fd, b"one\ntw")
    assert capture.poll()
    assert list(capture.lines) == ["one"]
    os.write(fd, b"o\nprogress 1%\rprogress 100%\n\xff\xfe\npartial")
    capture.write("logged")
    capture.stop()
    capture.stop()
    assert list(capture.lines) == ["one", "two", "progress 100%", "��", "partial", "logged"]
    os.write(fd, b"seen")
    capture.close(complete=True)
    assert (tmp_path / "terminal").read_bytes() == b"seen"
    assert log.read_bytes().startswith(b"one\ntwo\n")


def test_children_are_captured(fd):
    capture = Capture([fd])
    capture.start()
    subprocess.run([sys.executable, "-c", "import os; os.write(2, b'from a child\\n')"], stderr=fd, check=True)
    capture.stop()
    assert list(capture.lines) == ["from a child"]
    capture.close(complete=True)
    assert not capture.path.exists()


def test_a_flood_neither_blocks_nor_fills_memory(fd):
    capture = Capture([fd])
    capture.start()
    line = b"x" * 99 + b"\n"
    for _ in range(3 * BURST // len(line)):
        os.write(fd, line)
    capture.stop()
    assert len(capture.lines) == KEPT
    assert capture.total < BURST // len(line) + 10
    kept = Path(capture.path).read_bytes()
    assert len(kept) == 3 * BURST // len(line) * len(line)
    capture.close(complete=False)
    assert capture.path.exists()
    capture.path.unlink()


def test_a_log_file_is_appended_to(fd, tmp_path):
    log = tmp_path / "run.log"
    log.write_text("before\n")
    capture = Capture([fd], log)
    capture.start()
    os.write(fd, b"after\n")
    capture.stop()
    assert list(capture.lines) == ["after"]
    capture.close(complete=True)
    assert log.read_text() == "before\nafter\n"


def test_a_log_file_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match="cannot write the log file"):
        Capture([], tmp_path)
