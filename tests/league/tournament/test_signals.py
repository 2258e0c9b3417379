"""SIGTERM ends a command whose matches wait for a slow endpoint, and the resumed run ends as one without a break."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest

import league
from arena.termination import ECHO
from league.store import Store

ROOT = Path(__file__).parents[3]
TERM, INT = signal.SIGTERM, signal.SIGINT


class SlowServer(ThreadingHTTPServer):
    """Answers the first requests at once and holds the others until `opened`; `held` is set once it holds one."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.quick, self.opened, self.held = 12, threading.Event(), threading.Event()
        self.lock = threading.Lock()

    @property
    def player(self):
        return f"openai(model=m,base_url='http://127.0.0.1:{self.server_port}/v1')"


class Answer(BaseHTTPRequestHandler):
    server: SlowServer

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.quick -= 1
            waits = self.server.quick < 0
        if waits:
            self.server.held.set()
            self.server.opened.wait()
        message = {"role": "assistant", "content": "\\boxed{Pass}"}
        body = {
            "id": "1", "object": "chat.completion", "created": 0, "model": asked["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }  # fmt: skip
        data = json.dumps(body).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            pass  # the process that asked has ended

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    pytest.importorskip("openai")
    with SlowServer() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.opened.set()
        server.shutdown()
        thread.join()


def signalled(server, words, signals, folder):
    """Exit code and lines of a command that gets signals while the server holds its requests."""
    command = [sys.executable, "-m", "arena", *words]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, cwd=folder
    ) as process:
        try:
            assert server.held.wait(120), words
            for number in signals:
                process.send_signal(number)
                time.sleep(2 * ECHO)
            assert process.stdout is not None
            told = process.stdout.read()
            return process.wait(120), told  # the server answers no request before
        finally:
            process.kill()


def settings(server, db):
    players = [{"name": "slow", "player": server.player}, {"name": "random", "player": "random"}]
    return {
        "name": "t", "db": f"sqlite:///{db}", "games": ["openspiel/kuhn_poker"], "players": players, "rounds": 6,
        "seed": 3, "concurrency": 4,
    }  # fmt: skip


def as_toml(config):
    lines = [f"{key} = {json.dumps(value)}" for key, value in config.items() if key != "players"]
    for player in config["players"]:
        lines += ["[[players]]", *(f"{key} = {json.dumps(value)}" for key, value in player.items())]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("signals", "told"),
    [
        ((TERM,), "matches in flight have 4 s to end; later, the resumed run repeats them"),
        pytest.param((TERM, TERM), "matches in flight have 4 s", marks=pytest.mark.slow),
        pytest.param((INT, INT), "matches are played to the end; Ctrl-C again abandons them", marks=pytest.mark.slow),
    ],
)
def test_a_stopped_tournament_ends_as_one_without_a_break(server, tmp_path, signals, told):
    config = settings(server, tmp_path / "t.db")
    (tmp_path / "t.toml").write_text(as_toml(config))
    code, lines = signalled(server, ("tournament", "t.toml", "--board", "plain"), signals, tmp_path)
    assert code == 130, lines
    assert told in lines
    with Store.open(config["db"]) as store:
        counts = store.counts(store.run())
    assert 0 < counts.finished < counts.planned
    assert (counts.in_flight, counts.void) == (0, 0)  # what was in flight is leased back
    server.opened.set()
    resumed = league.run_tournament(config, board="off")
    whole = league.run_tournament(config | {"db": f"sqlite:///{tmp_path}/whole.db"}, board="off")
    assert resumed.complete
    assert msgspec.json.encode(resumed.snapshot.standings) == msgspec.json.encode(whole.snapshot.standings)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("duel", "{player}", "random", "--game", "openspiel/kuhn_poker", "--board", "off"),
        ("rank", "{player}", "--board", "off"),
        ("eval", "{player}", "--game", "openspiel/kuhn_poker"),
        ("play", "openspiel/kuhn_poker", "{player}", "random"),
    ],
    ids=lambda words: words[0],
)
def test_sigterm_ends_every_verb_that_plays(server, tmp_path, words):
    server.quick = 0
    code, lines = signalled(server, [word.format(player=server.player) for word in words], (TERM,), tmp_path)
    assert code in (1, 130), lines
    assert "Traceback" not in lines
    assert "bug of the arena" not in lines
