"""A command that does not react to SIGTERM ends all the same, with the processes that it started."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from arena.termination import Deadline, Terminations

STUCK = """
import subprocess, sys, threading
from arena import termination
from arena.termination import deadline
termination.LIMIT = 0.5
def stuck():
    subprocess.Popen([sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"])
    while True:
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("goes on", flush=True)
with deadline.command(), deadline.cleanup(lambda: print("tidied", flush=True)):
    stuck()
"""


def test_what_does_not_end_is_ended():
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", STUCK]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "up\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 130
        assert process.stdout.read() == "goes on\ntidied\n"  # the child, which also writes there, has ended
        assert "type the same command again: it repeats what was in progress" in process.stderr.read()


def test_two_signals_at_the_same_moment_are_one_request():
    """`timeout` sends one to the process and one to its group."""
    signals = Terminations(Deadline())
    assert signals.repeated() is False
    assert signals.repeated() is None


def test_only_the_command_has_a_deadline():
    ends = Deadline()
    ends.within(0.0)
    assert not ends.near
