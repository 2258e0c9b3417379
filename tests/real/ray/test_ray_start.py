"""A cluster started by `ray start`, as in the documentation, which requires a token."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.ray, pytest.mark.timeout(1200)]

TOKEN = "0123456789abcdef" * 4
FILE = """
name = "t"
db = "sqlite:///{folder}/t.db"
games = ["openspiel/kuhn_poker"]
rounds = 2
workers = "ray"
ray.address = "127.0.0.1:{port}"
players = [{{name = "a", player = "random"}}, {{name = "b", player = "random"}}]
"""


@pytest.fixture
def home(tmp_path):
    """An environment with a token."""
    token = tmp_path / ".ray" / "auth_token"
    token.parent.mkdir()
    token.write_text(TOKEN)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return kept | {"HOME": str(tmp_path), "RAY_USAGE_STATS_ENABLED": "0"}


@pytest.fixture
def port(home, tmp_path):
    """The port of the head."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        number = int(free.getsockname()[1])
    ray = Path(sys.executable).with_name("ray")
    options = f"--head --block --port={number} --num-cpus=1 --include-dashboard=false --object-store-memory={80 << 20}"
    with (tmp_path / "head.log").open("w") as log:
        words = [ray, "start", *options.split()]
        head = subprocess.Popen(words, env=home, stdout=log, stderr=log, start_new_session=True)
        try:
            until = time.monotonic() + 600
            while "Ray runtime started" not in (tmp_path / "head.log").read_text() and time.monotonic() < until:
                assert head.poll() is None, (tmp_path / "head.log").read_text()
                time.sleep(0.2)
            yield number
        finally:
            head.send_signal(signal.SIGTERM)  # it stops its child processes
            try:
                head.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(head.pid, signal.SIGKILL)
                head.wait()


def test_a_tournament_joins_a_cluster_that_asks_for_a_token(home, port, tmp_path):
    assert "Token authentication is enabled" in (tmp_path / "head.log").read_text()
    file = tmp_path / "t.toml"
    file.write_text(FILE.format(folder=tmp_path, port=port))
    arena = Path(sys.executable).with_name("arena")
    done = subprocess.run([arena, "tournament", file], env=home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Unauthenticated" not in done.stderr
