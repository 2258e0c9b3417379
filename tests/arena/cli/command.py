"""Runs the command in tests."""

import os
import subprocess
import sys

import pytest

from arena.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command."""
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err


def unread(*words: str) -> tuple[int, str]:
    """Exit code and standard error of the command if the reader of its standard output has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-c", "import sys; from arena.cli import main; sys.exit(main())", *words]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writing)
    return done.returncode, done.stderr
