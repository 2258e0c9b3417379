"""The runner on a real cluster plays each match once, as one process does, even if workers die."""

from __future__ import annotations

import asyncio
import http.server
import os
import signal
import tempfile
import threading
import zlib
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.match import Decision, Episode, MatchPlan, Turn, decode
from arena.runner.local import LocalRunner
from arena.runner.packing import PackedMatch
from arena.runner.ray import RayConfig, RayRunner, WorkerSpec
from arena.runner.ray.runner import LOSSES
from arena.runner.ray.worker_spec import loaded_plugins
from games import InputError
from games.plugins import load_file
from league.config.tournament import TournamentConfig
from league.store.guard import pack_episode
from league.tournament.backends import TournamentPlayers, cluster_panels
from tests.arena.inference import tiny

pytestmark = [pytest.mark.ray, pytest.mark.timeout(1200)]

KUHN, BOARD = "openspiel/kuhn_poker", "openspiel/tic_tac_toe"
BOTS = {"mcts": "mcts(simulations=10)", "random": "random"}


def config(players, **more):
    entrants = [{"name": name, "player": player} for name, player in players.items()]
    return TournamentConfig.model_validate({"name": "t", "games": [KUHN, BOARD], "players": entrants} | more)


def plans(a, b):
    for i in count():
        seats = dict(zip(("player_0", "player_1"), (a, b) if i % 2 else (b, a), strict=True))
        yield MatchPlan(f"m{i}", (KUHN, BOARD)[i // 2 % 2], i // 4, seats)


class Played:
    """Source and sink: `size` matches, or more until `enough`."""

    def __init__(self, a: str, b: str, size: int) -> None:
        self._plans, self.size = plans(a, b), size
        self.given = 0
        self.episodes: list[Episode] = []

    def enough(self) -> bool:
        return True

    def source(self, room: int) -> list[MatchPlan]:
        n = min(room, self.size - self.given) if self.enough() else room
        self.given += max(0, n)
        return [next(self._plans) for _ in range(n)]

    def sink(self, episodes: list[Episode]) -> None:
        self.episodes += episodes

    def check(self) -> None:
        """Each match of the source ended once."""
        assert sorted(e.match for e in self.episodes) == sorted(f"m{i}" for i in range(self.given))


def told(episodes):
    """Episodes without fields that depend on time and place: seconds, workers, log-probabilities."""

    def bare(decision: Decision) -> Decision:
        return replace(decision, sample=decision.sample and replace(decision.sample, logprobs=()))

    def turns(episode: Episode) -> tuple[Turn, ...]:
        return tuple(replace(t, latency=0.0, attempts=tuple(map(bare, t.attempts))) for t in episode.turns)

    return {e.match: replace(e, seconds=0.0, worker="", turns=turns(e)) for e in episodes}


def logprobs(episodes):
    """The log-probabilities of all completion tokens, in the order of the matches."""
    turns = [turn for episode in sorted(episodes, key=lambda e: e.match) for turn in episode.turns]
    return [p for turn in turns for a in turn.attempts if a.sample for p in a.sample.logprobs]


def in_one_process(players, given):
    played = Played(*players, size=given)
    worker_players = TournamentPlayers(config(players))
    asyncio.run(LocalRunner(worker_players.players, concurrency=8).run(played.source, played.sink))
    return played.episodes


@pytest.fixture
def runner_of(nodes):
    made: list[RayRunner] = []

    def make(players: dict[str, str], actors: int | None = None, **more: Any) -> RayRunner:
        spec = WorkerSpec(partial(TournamentPlayers, config(players, **more.pop("config", {}))), concurrency=8, **more)
        made.append(RayRunner(spec, RayConfig(address=nodes.address, actors=actors)))
        return made[-1]

    yield make
    for runner in made:
        runner.close()


def uneven(place):
    """A random language model. The built-in tiny model is uniform before training, whatever it reads."""
    model = tiny.folder(place, context=4096)
    return {"tiny": f'llm(model="{model}", decode=choice, dtype=fp32)', "random": "random"}


@pytest.mark.parametrize("players", [lambda _: BOTS, uneven], ids=["bots", "tiny model"])
def test_a_cluster_plays_what_one_process_plays(runner_of, players, tmp_path):
    seated = players(tmp_path)
    runner = runner_of(seated)
    played = Played(*seated, size=300)
    asyncio.run(runner.run(played.source, played.sink))
    played.check()
    alone = in_one_process(seated, 300)
    assert told(played.episodes) == told(alone)
    assert logprobs(played.episodes) == pytest.approx(logprobs(alone), abs=1e-4)
    assert runner.in_flight == 0
    (panel,) = cluster_panels(runner)
    assert panel.title.endswith("matches in flight")
    assert len(panel.lines) == len({name.partition(":")[0] for name, _ in runner.workers()})


def test_a_node_that_is_killed_costs_only_its_unfinished_matches(runner_of, nodes):
    runner = runner_of(BOTS)
    said: list[str] = []
    runner.notify = said.append
    killed: list[str] = []

    class KillOne(Played):
        def enough(self) -> bool:
            return bool(said)

        def sink(self, episodes: list[Episode]) -> None:
            super().sink(episodes)
            busy = [name for name, in_flight in runner.workers() if in_flight]
            if not killed and len(busy) == 2:
                killed.append(busy[0])
                nodes.kill(busy[0])

    played = KillOne(*BOTS, size=400)
    asyncio.run(runner.run(played.source, played.sink))
    played.check()
    assert [line.partition(" (")[0] for line in said] == [f"worker {killed[0]} is gone"]
    assert told(played.episodes) == told(in_one_process(BOTS, played.given))
    assert {e.worker for e in played.episodes} <= {killed[0], *(name for name, _ in runner.workers())}


def test_a_worker_that_is_killed_comes_back(runner_of):
    runner = runner_of(BOTS, actors=1)
    said: list[str] = []
    runner.notify = said.append
    names: list[str] = []

    class KillOne(Played):
        def enough(self) -> bool:
            return len(set(names)) > 1

        def sink(self, episodes: list[Episode]) -> None:
            super().sink(episodes)
            names.append(episodes[-1].worker)
            if len(names) == 1:
                os.kill(int(names[0].rpartition(":")[2]), signal.SIGKILL)

    played = KillOne(*BOTS, size=200)
    asyncio.run(runner.run(played.source, played.sink))
    played.check()
    assert len(said) == 1
    assert len(set(names)) == 2
    assert told(played.episodes) == told(in_one_process(BOTS, played.given))


def test_workers_pack_what_they_played_and_a_killed_one_costs_nothing(runner_of):
    runner = runner_of(BOTS, actors=2)
    runner.notify = lambda line: None
    played, packed = Played(*BOTS, size=200), list[PackedMatch]()

    def sink(matches: list[PackedMatch]) -> None:
        if not packed:
            os.kill(int(matches[0].kept.worker.rpartition(":")[2]), signal.SIGKILL)
        packed.extend(matches)

    asyncio.run(runner.run_packed(played.source, sink, pack_episode, keep=True))
    kept = [each.kept for each in packed]
    assert told(kept) == told(in_one_process(BOTS, 200))
    assert [decode(zlib.decompress(each.packed.data)) for each in packed] == kept
    packed.clear()
    again = Played(*BOTS, size=20)
    asyncio.run(runner.run_packed(again.source, packed.extend, pack_episode))
    assert [each.episode for each in packed] == [None] * 20


DEADLY = '''
import os

import games
from games import register


@register("deadly-v0")
class Deadly:
    """Ends the process that plays it."""

    def __new__(cls):
        game = games.make("openspiel/kuhn_poker")
        game.reset = lambda seed: os._exit(1)
        return game
'''


def test_a_match_that_kills_its_workers_is_void_and_no_other(runner_of, tmp_path):
    (tmp_path / "deadly.py").write_text(DEADLY)
    load_file(tmp_path / "deadly.py")
    runner = runner_of({"a": "random", "b": "random"}, actors=2, plugins=loaded_plugins())
    seats = {"player_0": "a", "player_1": "b"}
    waiting = [MatchPlan(f"m{i}", KUHN, i, seats) for i in range(20)]
    waiting[3] = MatchPlan("m3", "deadly-v0", 3, seats)
    ended: list[Episode] = []
    said: list[str] = []
    runner.notify = said.append
    asyncio.run(runner.run(lambda room: [waiting.pop() for _ in range(min(room, len(waiting)))], ended.extend))
    assert sorted(e.match for e in ended) == sorted(f"m{i}" for i in range(20))
    void = [(e.match, e.reason) for e in ended if e.status == "void"]
    assert void == [("m3", f"its worker died {LOSSES} times")]
    files = Path(tempfile.gettempdir()) / f"arena-workers-{os.getuid()}"
    there = {f"{name.rpartition(':')[2]}-*" for name, _ in runner.workers()}
    assert there
    assert all(list(files.glob(f"{own}/plugins/*/*/deadly.py")) for own in there)
    runner.close()
    assert not [found for own in there for found in files.glob(own)]


def test_what_is_wrong_with_the_players_is_said_at_once(runner_of):
    with pytest.raises(InputError, match="unknown player 'mctss'; did you mean 'mcts'"):
        runner_of({"a": "mctss", "b": "random"})


def test_a_cluster_without_room_is_refused(nodes):
    spec = WorkerSpec(partial(TournamentPlayers, config(BOTS)))
    with pytest.raises(InputError, match="no node of the cluster has room for a worker, which takes 1 CPU, 1 GPU"):
        RayRunner(spec, RayConfig(address=nodes.address, gpus=1))


@pytest.mark.parametrize(("address", "why"), [("127.0.0.1:1", "nobody answers at"), ("here", "is not like host:6379")])
def test_a_cluster_that_is_not_there_is_refused(address, why):
    import ray

    if ray.is_initialized():
        ray.shutdown()
    with pytest.raises(InputError, match=why):
        RayRunner(WorkerSpec(partial(TournamentPlayers, config(BOTS))), RayConfig(address=address))


class Hello(http.server.BaseHTTPRequestHandler):
    """An HTTP server that is not Ray."""

    def log_message(self, *args: object) -> None:
        """Nothing."""


def test_what_is_not_ray_is_refused_at_once():
    with http.server.HTTPServer(("127.0.0.1", 0), Hello) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(InputError, match="is not Ray; start a cluster with"):
            RayRunner(
                WorkerSpec(partial(TournamentPlayers, config(BOTS))),
                RayConfig(address=f"127.0.0.1:{server.server_port}"),
            )
        server.shutdown()
