"""Games as environments of Prime Intellect's `verifiers`, under the id `selfplay-arena`.

The match loop of the arena plays the match: the library's agents take seats as players, all other seats are players of
the arena. So an action means the same as in the arena, and a trace's reward is the return of its seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

import arena
import games
from arena.api import known_seat
from arena.export.agent_player import AgentPlayer, AgentReply, opening
from arena.players import Player
from games.errors import MissingPackage
from roles.types import Answer

try:
    import verifiers.v1 as vf
except ModuleNotFoundError:
    raise MissingPackage("selfplay_arena", "verifiers", "'selfplay-arena[prime-verifiers]'") from None

ID = "selfplay-arena"


class ArenaTasksetConfig(vf.TasksetConfig):
    """Which game is played, and who takes the seats that the agent does not."""

    game: str = "openspiel/kuhn_poker"
    """id of the game, such as openspiel/kuhn_poker(players=2)"""
    opponent: str = "random"
    """a player of the arena for all other seats; empty: the agent takes every seat, with a conversation for each"""
    seat: str = ""
    """the agent's seat; empty: all seats in turn"""
    matches: int = 100
    """the number of tasks; the seats take turns on the same seed"""
    first_seed: int = 0
    """seed of the first match"""
    answer: Answer = "boxed"
    """the form in which the prompt asks for an action: boxed, json, line or bare"""


class ArenaTaskData(vf.TaskData):
    """One match."""

    game: str
    seed: int
    seats: list[str]
    """the seats that the agent takes"""
    opponent: str
    answer: Answer


class ArenaTask(vf.Task[ArenaTaskData]):
    """A match without rewards of its own: `ArenaEnv` records them."""


class ArenaTaskset(vf.Taskset[ArenaTask, ArenaTasksetConfig]):
    """The matches of one game, one for each seed and seat of the agent."""

    def load(self) -> Iterator[ArenaTask]:
        """Yields the tasks. Raises InputError for an unknown game or seat."""
        config = self.config
        spec = games.make(config.game).spec
        chosen = [[seat] for seat in spec.seats] if config.opponent else [list(spec.seats)]
        if config.seat:
            chosen = [[known_seat(spec, config.seat)]]
        for number in range(config.matches):
            taken, seed = chosen[number % len(chosen)], config.first_seed + number // len(chosen)
            name = f"{config.game}#{seed} {'+'.join(taken)}"
            data = ArenaTaskData(
                name=name,
                game=config.game,
                seed=seed,
                seats=taken,
                opponent=config.opponent,
                answer=config.answer,
            )
            yield ArenaTask(data, config.task)


class ArenaEnvConfig(vf.EnvConfig):
    """`player` takes the seats of a task. Without another harness it is `ChatHarness`."""

    player: vf.AgentConfig = vf.AgentConfig(runtime={"type": "subprocess"})


class ArenaEnv(vf.Env[ArenaEnvConfig]):
    """Plays a match. Each trace of the agent gets the reward `return`, the return of its seat."""

    async def run(self, task: ArenaTask, agents: vf.Agents) -> None:
        """Play the match with one conversation for each of the agent's seats. Raises if the match is void."""
        data = task.data
        game = games.make(data.game)
        game.reset(data.seed)
        talks: dict[str, Any] = {}
        players: dict[str, Player | str] = dict.fromkeys(game.spec.seats, data.opponent)
        async with AsyncExitStack() as stack:
            for seat in data.seats:
                seated = task.with_data(system_prompt=opening(game, seat, data.answer) or None)
                talks[seat] = await stack.enter_async_context(agents.player.interaction(seated))
                players[seat] = AgentPlayer(f"agent in {seat}", _Conversation(talks[seat]).ask, data.answer)
            episode = await arena.play_async(game, players, data.seed)
            if episode.status == "void":
                raise RuntimeError(f"the match is void: {episode.reason}")
        for seat, talk in talks.items():
            _record(talk.trace, episode, seat)


def _record(trace: Any, episode: arena.Episode, seat: str) -> None:
    turns = [turn for turn in episode.turns if turn.seat == seat]
    attempts = [attempt for turn in turns for attempt in turn.attempts]
    forfeit = episode.forfeited_by == seat
    attempts += episode.failure if forfeit else ()
    trace.record_reward("return", episode.returns[seat])
    trace.record_metric("turns", len(turns))
    trace.record_metric("refused", sum(attempt.category != "ok" for attempt in attempts))
    trace.record_metric("forfeit", float(forfeit))
    trace.info["arena"] = {"game": episode.game, "seed": episode.seed, "seat": seat, "status": episode.status}


class _Conversation:
    """The agent's side of a conversation."""

    def __init__(self, talk: Any) -> None:
        self._talk, self._over = talk, False

    async def ask(self, message: str) -> AgentReply:
        """Returns the reply to a message. Raises InfrastructureError if the agent failed."""
        if self._over:
            return AgentReply(None)
        segment = await self._talk.turn(message)
        if segment.terminated:
            self._over = True
            if self._talk.trace.errors:
                raise games.InfrastructureError(f"the agent failed: {self._talk.trace.errors[-1].message:.200}")
            return AgentReply(None)
        calls = self._talk.trace.calls
        return AgentReply(segment.last_reply, bool(calls) and calls[-1].finish_reason == "length")


def verifiers_environment(
    game: str,
    opponent: str = "random",
    seat: str = "",
    matches: int = 100,
    first_seed: int = 0,
    answer: Answer = "boxed",
    **config: Any,
) -> vf.Env[Any]:
    """Returns the environment of a game; parameters as in `ArenaTasksetConfig`, `config` as in `ArenaEnvConfig`.

    Raises InputError for a game that cannot be made.
    """
    games.make(game)
    taskset = {"id": ID, "game": game, "opponent": opponent, "seat": seat, "answer": answer}
    counts = {"matches": matches, "first_seed": first_seed}
    return vf.load_environment(vf.resolve_env_config({"taskset": taskset | counts, **config}))


__all__: Sequence[str] = ["ArenaEnv", "ArenaTaskset", "verifiers_environment"]
