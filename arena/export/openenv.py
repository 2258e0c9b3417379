"""Games as environments of OpenEnv, in process (`ArenaEnvironment`) or behind a server (`openenv_app`).

    python -m arena.export.openenv openspiel/kuhn_poker --opponent random --port 8000

OpenEnv knows one agent. It takes one seat, players of the arena take the others, and the match loop of the arena plays
the match: a refused action is asked for again, and then forfeits the match, as everywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import weakref
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from pydantic import Field

import arena
import games
from arena.api import known_seat
from arena.players import Player, View
from arena.players.player import observed
from arena.records import Decision, Episode
from games import TextGame
from games.errors import InputError, MissingPackage

try:
    from openenv.core.env_server.http_server import create_fastapi_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State
except ModuleNotFoundError:
    missing = MissingPackage("arena.export.openenv", "openenv", "'selfplay-arena[openenv]'")
    if __name__ == "__main__":
        argparse.ArgumentParser().exit(2, f"arena: {missing}\n")
    raise missing from None

T = TypeVar("T")


class ArenaAction(Action):
    """An action of the seat, as the game writes it: one of `legal_actions`, or a message."""

    text: str


class ArenaObservation(Observation):
    """What the seat may know. `reward` is its return at the end, 0 before."""

    text: str
    legal_actions: list[str] = Field(default_factory=list)
    """the legal actions; empty if any text is legal"""
    seat: str
    role: str
    rules: str
    error: str = ""
    """why the last action was refused"""


class _Agent(Player):
    """The seat of the agent: it waits for the next step."""

    name, waits = "agent", True

    def __init__(self, asked: asyncio.Queue[tuple[View, asyncio.Future[str]]]) -> None:
        self._asked = asked

    async def act_async(self, view: View) -> Decision:
        """Returns the action of the next step."""
        reply: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        await self._asked.put((view, reply))
        return Decision(await reply)


class _AgentMatch:
    """A match that runs until the agent must act, and then stands still."""

    def __init__(self, game: TextGame, players: dict[str, Player | str], seat: str, seed: int) -> None:
        self._loop = asyncio.new_event_loop()
        self._asked: asyncio.Queue[tuple[View, asyncio.Future[str]]] = asyncio.Queue()
        self._reply: asyncio.Future[str] | None = None
        players[seat] = _Agent(self._asked)
        self._playing = self._loop.create_task(arena.play_async(game, players, seed))

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._playing.done()

    def next(self, action: str | None = None) -> View | Episode:
        """Give the agent's action, and run to its next turn or to the end."""
        if self._reply is not None and action is not None:
            self._reply.set_result(action)
        return self._run(self._turn())

    async def _turn(self) -> View | Episode:
        turn = asyncio.ensure_future(self._asked.get())
        await asyncio.wait({turn, self._playing}, return_when=asyncio.FIRST_COMPLETED)
        if not turn.done():
            turn.cancel()
            return self._playing.result()
        view, self._reply = turn.result()
        return view

    def _run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run the event loop of the match; in another thread if this one runs a loop of its own."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return self._loop.run_until_complete(main)
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(self._loop.run_until_complete, main).result()

    def close(self) -> None:
        """Stop the match."""
        self._playing.cancel()
        self._run(self._ended())
        self._loop.close()

    async def _ended(self) -> None:
        await asyncio.gather(self._playing, return_exceptions=True)
        await self._loop.shutdown_default_executor()


class ArenaEnvironment(Environment[ArenaAction, ArenaObservation, State]):
    """One game with the agent in one seat. Raises InputError for an unknown game, player or seat.

    `opponent`: a player of the arena for all other seats. `seat`: the agent's; empty: it changes with the seed.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, game: str, opponent: str = "random", seat: str = "") -> None:
        super().__init__()
        self._game = games.make(game)
        self._seats = tuple(self._game.spec.seats)
        if seat:
            known_seat(self._game.spec, seat)
        self._opponent, self._default_seat, self._seat = opponent, seat, seat or self._seats[0]
        self._match: _AgentMatch | None = None
        self._free: weakref.finalize[..., ArenaEnvironment] | None = None
        self._state = State()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, seat: str = "", **options: Any
    ) -> ArenaObservation:
        """Begin a match; without a seed with a random one. `seat` is for this match only."""
        seed = secrets.randbits(31) if seed is None else seed
        agent_seat = seat or self._default_seat or self._seats[seed % len(self._seats)]
        self._seat = known_seat(self._game.spec, agent_seat)
        self.close()
        players: dict[str, Player | str] = dict.fromkeys(self._seats, self._opponent)
        self._match = _AgentMatch(self._game, players, self._seat, seed)
        self._free = weakref.finalize(self, self._match.close)
        self._state = State(episode_id=episode_id or secrets.token_hex(8))
        return self._observation(self._match.next())

    def step(self, action: ArenaAction, timeout_s: float | None = None, **options: Any) -> ArenaObservation:
        """Play an action. One that is not legal comes back with `error`; after the last attempt the match is lost."""
        if self._match is None or self._match.over:
            raise ValueError("the match is over; reset begins another one")
        self._state.step_count += 1
        return self._observation(self._match.next(action.text))

    def _observation(self, now: View | Episode) -> ArenaObservation:
        """Returns the observation at the agent's turn, or at the end. Raises RuntimeError for a match that is void."""
        fields: dict[str, Any] = {"seat": self._seat, "role": self._game.spec.seats[self._seat]}
        fields |= {"rules": self._game.spec.rules}
        if isinstance(now, View):
            error = now.rejected[-1].reason if now.rejected else ""
            legal = list(now.legal or ())
            return ArenaObservation(text=now.observation.text, legal_actions=legal, error=error, reward=0.0, **fields)
        if now.status == "void":
            raise RuntimeError(f"the match is void: {now.reason}")
        metadata = {"returns": dict(now.returns), "status": now.status, "forfeited_by": now.forfeited_by}
        text, paid = observed(self._game, self._seat).text, now.returns[self._seat]
        return ArenaObservation(text=text, done=True, reward=paid, metadata=metadata, **fields)

    @property
    def state(self) -> State:
        """The id of the episode and the number of steps; nothing that the seat may not know."""
        return self._state

    def close(self) -> None:
        """Abandon the match."""
        if self._free is not None:
            self._free()
        self._match = self._free = None


def openenv_app(game: str, opponent: str = "random", seat: str = "", sessions: int = 64) -> Any:
    """Returns a FastAPI application that serves a game; the parameters are those of `ArenaEnvironment`.

    sessions: clients at a time, each with a match of its own.
    """
    ArenaEnvironment(game, opponent, seat)  # a wrong id is reported now, not at the first client
    from arena import players

    players.make(opponent).close()

    def make() -> ArenaEnvironment:
        return ArenaEnvironment(game, opponent, seat)

    make.SUPPORTS_CONCURRENT_SESSIONS = True  # type: ignore[attr-defined]
    return create_fastapi_app(make, ArenaAction, ArenaObservation, max_concurrent_envs=sessions, env_name="arena")


def main() -> int:
    """Serve a game from the command line. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m arena.export.openenv", description="Serve a game with OpenEnv.")
    parser.add_argument("game", help="id of the game, such as openspiel/kuhn_poker")
    parser.add_argument("--opponent", default="random", help="the player in all other seats")
    parser.add_argument("--seat", default="", help="the agent's seat; by default it changes with the seed")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    import uvicorn

    try:
        app = openenv_app(options.game, options.opponent, options.seat)
    except InputError as error:
        parser.exit(2, f"arena: {error}\n")
    uvicorn.run(app, host=options.host, port=options.port, log_level="warning")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
