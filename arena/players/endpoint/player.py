"""The player `openai`: a model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal
from weakref import WeakKeyDictionary

import msgspec
from annotated_types import Ge, Interval
from msgspec.structs import replace

import roles
from arena.players.budget import Budget
from arena.players.chat import (
    MaxTokens,
    ShownDemonstrations,
    Temperature,
    TopP,
    chat_of,
    memory_of,
    read,
    role_ids,
    sendable_outside,
)
from arena.players.endpoint.request import OPENAI, checked_url, extra_of, headers_of, key_of
from arena.players.player import Player, View
from arena.players.prompt_shortening import PromptTooLong, chat_bytes, shorter
from arena.players.seeds import new_secret, outside_seed
from arena.records import Decision
from games import InputError, MissingPackage
from games.parameters import check_parameters
from games.sanitize import clean
from roles import Role
from roles.types import Answer

if TYPE_CHECKING:
    from arena.players.endpoint.connection import Connection
    from arena.players.endpoint.reply import Reply
    from roles import ChatMessage

_CUTS = 3
"""requests with ever shorter quotations, after one that is too long"""

Amount = Annotated[float, Interval(ge=0, lt=inf)]


class Endpoint(Player):
    """A model behind an OpenAI-compatible endpoint, asked with the openai client.

    A failure on the way never counts as a loss: it is retried, then the match is void and played later. Raises
    InputError for a wrong parameter or a missing key.

    model: its name at the endpoint.
    base_url: the address; default: OpenAI.
    key: the NAME of the environment variable that holds the key; default: OPENAI_API_KEY if `base_url` is left out,
        else no key is sent.
    decode: with `choice` the server restricts its answer to the legal actions, in vLLM's form or by a JSON schema. If
        it supports neither, the model writes freely, and the log says so once.
    answer, show_legal, show_rules, memory, demonstrations, roles: as for `llm`.
    temperature, top_p: default: the server's own, also if the server refuses to change it; the log says so.
    max_tokens: tokens of an answer, at most.
    context: tokens that the model reads and writes together, at most; the longest prompt of a game is compared with it
        before a run.
    concurrency: concurrent requests.
    timeout: seconds for one attempt, to the last byte of its answer.
    retries: further attempts after a passing failure: the first after `backoff` seconds, each after twice the wait
        before, or after the wait that the server asks for.
    backoff: seconds before the first of these attempts.
    patience: requests in a row without an answer that pause the run. With the default, an outage pauses the run before
        it makes a match void for good. A prompt that the server refuses makes its match void; after `patience` of them
        in a row, the run is paused if the server also refuses "Say yes.".
    price_in, price_out: cost of a million tokens read and written, for the budget; 0: they are free. Default: unknown.
    answers_as: the exact model name in the server's answers, if it is neither `model` nor `model` with a date
        (`-2024-07-18`).
    recalls: whether the server may know in one match what it was sent in another; the matches of a pairing then do not
        share their cards. With false, which trusts the server, they do.
    extra: further fields of the body, as JSON: '{"reasoning_effort": "low"}'.
    headers: further headers, as JSON: '{"api-key": "env:MY_KEY"}'; env:NAME in a value stands for an environment
        variable.

    The seeds of its requests reveal nothing about the match. They are derived with `secret`, which a run draws and
    stores: they repeat when the run resumes, and in no other run unless ARENA_SEED_KEY in the environment fixes it.
    """

    waits = True
    outside = True
    budget: Budget
    secret: bytes

    def __init__(
        self,
        model: str,
        base_url: str = OPENAI,
        key: str | None = None,
        decode: Literal["choice", "free"] = "free",
        answer: Answer | None = None,
        temperature: Temperature | None = None,
        top_p: TopP | None = None,
        max_tokens: MaxTokens = 1024,
        memory: bool = False,
        show_legal: bool = True,
        concurrency: Annotated[int, Ge(1)] = 16,
        timeout: Annotated[float, Interval(gt=0, lt=inf)] = 120.0,
        retries: Annotated[int, Ge(0)] = 5,
        backoff: Amount = 1.0,
        patience: Annotated[int, Ge(1)] = 3,
        price_in: Amount | None = None,
        price_out: Amount | None = None,
        answers_as: str = "",
        demonstrations: ShownDemonstrations | None = None,
        roles: str = "",
        recalls: bool = True,
        show_rules: bool = True,
        context: MaxTokens | None = None,
        extra: str | Mapping[str, Any] = "",
        headers: str | Mapping[str, str] = "",
    ) -> None:
        from arena.players.endpoint.bill import Bill
        from arena.players.endpoint.connection import EndpointSettings
        from arena.players.endpoint.dialect import Dialect

        parameters = locals()
        check_parameters("openai", Endpoint, parameters)  # the registry checks ids; this checks direct calls
        answer = answer or ("bare" if decode == "choice" else "boxed")
        if importlib.util.find_spec("openai") is None:
            raise MissingPackage("the player openai", "openai", "'selfplay-arena[openai]'")
        if not model.strip():
            raise InputError("openai(model=...): the name is empty; write it as the server lists it")
        base_url = checked_url(base_url)
        header_values, secrets = headers_of(headers)
        sampling = {name: parameters[name] for name in ("temperature", "top_p") if parameters[name] is not None}
        self.name = f"openai(model={model})"
        self.decode, self.answer, self.remembers = decode, answer, memory
        self.show_legal, self.show_rules = show_legal, show_rules
        self.demonstrations, self._role_ids = demonstrations, role_ids(roles)
        self.budget = Budget()
        self.secret = new_secret()
        self.recalls = recalls
        self.prompt_room = None if context is None else context - max_tokens
        self.priced = price_in is not None or price_out is not None
        settings = parameters | {"base_url": base_url, "key": key_of(key, base_url)}
        settings |= {"header_values": header_values, "secrets": secrets}
        self._settings = msgspec.convert(settings, EndpointSettings)  # by name; whole numbers become floats
        self._dialect = Dialect(f"{model} at {base_url}", sampling, extra_of(extra))
        self._bill = Bill(f"{model} at {base_url}", max_tokens, float(price_in or 0), float(price_out or 0))
        self._connections: WeakKeyDictionary[asyncio.AbstractEventLoop, Connection] = WeakKeyDictionary()
        self._roles: dict[str, Role] = {}

    async def act_async(self, view: View) -> Decision:
        """Decide one turn. Raises InfrastructureError if the endpoint does not answer, RunPaused if it never will."""
        choices = tuple(map(clean, view.legal)) if self.decode == "choice" and view.legal else None
        reply = await self._reply(view, choices)
        if reply.choice is not None and view.legal:
            action = view.legal[reply.choice]
            decision = Decision(action, text=reply.text if reply.text != action else None)
        else:
            decision = read(self._role(view.role), reply.text, reply.cut, view.legal)
        return replace(decision, spent=reply.completion_tokens, prompt_tokens=reply.prompt_tokens)

    async def _reply(self, view: View, choices: tuple[str, ...] | None) -> Reply:
        """Returns the answer to a turn, with as much of its earlier turns and quotations as the model reads."""
        from arena.players.endpoint.connection import TooLong

        role, connection = self._role(view.role), self.connection()
        exchanges = view.exchanges
        cuts = 0

        def whole(restricted: bool) -> list[ChatMessage]:
            with_legal = self.show_legal or (choices is not None and not restricted)
            memory = memory_of(view, self.answer, with_legal, exchanges, self.demonstrations, self.show_rules)
            return sendable_outside(chat_of(role, view, memory))

        def chat(restricted: bool) -> list[ChatMessage]:
            levels = list(shorter(whole(restricted))) if cuts else []
            return levels[len(levels) * cuts // _CUTS - 1] if levels else whole(restricted)

        while True:
            try:
                return await connection.ask(chat, outside_seed(self.secret, view), choices, self.budget)
            except TooLong as error:
                if exchanges:
                    exchanges = exchanges[(len(exchanges) + 1) // 2 :]  # drops the oldest half
                elif cuts < _CUTS and any(shorter(chat(True))):
                    cuts += 1
                else:
                    await connection.check_room(chat, self.budget)
                    message = f"{self.name}: the prompt of {view.seat} is longer than the model reads: {error}"
                    raise PromptTooLong(message, chat_bytes(whole(True))) from None

    def _role(self, name: str) -> Role:
        """Returns the role that writes the prompts of a game's role."""
        return self._roles.get(name) or self._roles.setdefault(name, roles.make(self._role_ids.get(name, name)))

    def connection(self) -> Connection:
        """Returns the connection of the running event loop."""
        from arena.players.endpoint.connection import Connection

        loop = asyncio.get_running_loop()
        connection = self._connections.get(loop)
        if connection is None:
            connection = self._connections[loop] = Connection(self._settings, self._dialect, self._bill)
        return connection
