"""The player `openai`: a model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import importlib.util
import math
import os
import re
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import roles
from arena.match.records import Decision
from arena.players._chat import check_sampling, memory_of, read, sendable
from arena.players.budget import Budget
from arena.players.player import Player, View
from arena.players.seeds import new_secret, outside_seed
from games import InputError, MissingPackage
from games.text import clean
from roles import Role
from roles.role import Answer

if TYPE_CHECKING:
    from arena.players._connection import Connection
    from arena.players._reply import Reply
    from roles import ChatMessage

OPENAI = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"


class Endpoint(Player):
    """A model that is asked over the network by the openai client.

    base_url: where; default: OpenAI. key: the NAME of the environment variable that holds the key, by default
    OPENAI_API_KEY; a server of one's own needs none. decode: `choice` has the server restrict its answer to the legal
    actions in the way it knows (vLLM's, or a JSON schema); where it knows none, the model writes freely, which is
    told once. answer, show_legal, memory: as for `llm`. temperature, top_p: the server's own where not given.
    concurrency: requests at once. timeout: seconds for one, to the last byte of its answer. retries: further tries of
    a request after a fault that passes, the first after `backoff` seconds, each after twice the time of the one
    before, or when the server says. patience: requests in a row without any answer, after which the run is paused;
    more than two of a match's own, so that an outage alone makes no match void. A prompt that the server refuses makes
    its match void; after `patience` of them in a row it is asked to say yes, and the run is paused if it refuses that,
    too. price_in, price_out: cost of a million tokens read and written, for the budget. answers_as: the name by which
    the server calls the model in its answers, letter by letter, where it is another one than `model` or that and a
    date (`-2024-07-18`).

    The seeds of its requests tell nothing of the match: they are made with `secret`, which a run draws and keeps, so
    that they repeat when it goes on, and in no other run. ARENA_SEED_KEY in the environment gives another run the
    same ones.

    Nothing that goes wrong on the way is ever a loss: what passes is tried again, then the match is void and played
    later. Raises InputError for a wrong parameter or a missing key.
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
        temperature: float | None = None,
        top_p: float | None = None,
        max_tokens: int = 1024,
        memory: bool = False,
        show_legal: bool = True,
        concurrency: int = 16,
        timeout: float = 120.0,
        retries: int = 5,
        backoff: float = 1.0,
        patience: int = 3,
        price_in: float = 0.0,
        price_out: float = 0.0,
        answers_as: str = "",
    ) -> None:
        from arena.players._connection import Settings
        from arena.players._dialect import Dialect

        answer = answer or ("bare" if decode == "choice" else "boxed")
        check_sampling("openai", temperature or 0.0, 1.0 if top_p is None else top_p, max_tokens)
        _check_counts(concurrency=(concurrency, 1), retries=(retries, 0), patience=(patience, 1))
        _check_amounts(timeout=timeout, backoff=backoff, price_in=price_in, price_out=price_out)
        if importlib.util.find_spec("openai") is None:
            raise MissingPackage("the player openai", "openai", "'selfplay-arena[openai]'")
        base_url = _checked_url(base_url)
        given = {"temperature": temperature, "top_p": top_p}
        self.name = f"openai(model={model})"
        self.decode, self.answer, self.show_legal, self.remembers = decode, answer, show_legal, memory
        self.budget = Budget()
        self.secret = new_secret()
        self.priced = price_in > 0 or price_out > 0
        self._settings = Settings(
            model,
            base_url,
            _key(key, base_url),
            {name: value for name, value in given.items() if value is not None},
            max_tokens,
            concurrency,
            float(timeout),
            retries,
            float(backoff),
            patience,
            float(price_in),
            float(price_out),
            answers_as,
        )
        self._dialect = Dialect(f"{model} at {base_url}")
        self._connections: WeakKeyDictionary[asyncio.AbstractEventLoop, Connection] = WeakKeyDictionary()
        self._roles: dict[str, Role] = {}

    async def act_async(self, view: View) -> Decision:
        """One decision. Raises InfrastructureError where the endpoint does not answer, RunPaused where it will not."""
        from arena.players._connection import TooLong

        role = self._roles.get(view.role) or self._roles.setdefault(view.role, roles.make(view.role))
        choices = tuple(map(clean, view.legal)) if self.decode == "choice" and view.legal else None
        exchanges = view.exchanges

        def chat(restricted: bool) -> list[ChatMessage]:
            shown = self.show_legal or (choices is not None and not restricted)
            return sendable(role.messages(view.observation, view.legal, memory_of(view, self.answer, shown, exchanges)))

        while True:
            try:
                reply = await self._connection().ask(chat, outside_seed(self.secret, view), choices, self.budget)
                break
            except TooLong as error:
                if not exchanges:
                    return Decision(None, "error", reason=str(error))
                exchanges = exchanges[(len(exchanges) + 1) // 2 :]  # oldest out
        decision = read(role, reply.text, reply.cut, view.legal)
        if choices is not None:
            self._watch(reply, choices)
        return decision

    def _watch(self, reply: Reply, choices: tuple[str, ...]) -> None:
        """Servers that do not know a way to restrict answers may ignore it in silence."""
        form = reply.restricted_by
        if form in ("structured_outputs", "guided_choice") and not reply.cut and reply.text not in choices:
            self._dialect.unrestricted(form)

    def _connection(self) -> Connection:
        from arena.players._connection import Connection

        loop = asyncio.get_running_loop()
        found = self._connections.get(loop)
        if found is None:
            found = self._connections[loop] = Connection(self._settings, self._dialect)
        return found


def _key(name: str | None, base_url: str) -> str:
    """The key itself. It goes from the environment into the client and nowhere else."""
    if name is not None and not re.fullmatch(r"[A-Z_][A-Z0-9_]*", name):
        raise InputError(
            "openai(key=...) is the name of an environment variable that holds the key, such as OPENAI_API_KEY; what "
            "was given is no such name. Never write a key into a file"
        )
    value = os.environ.get(name or KEY, "").strip()
    if not value and (name is not None or base_url == OPENAI):
        raise InputError(f"the environment variable {name or KEY} holds no key; type: export {name or KEY}=...")
    # A key for OpenAI is not sent to somebody else's server because it happens to be there.
    return value if name is not None or base_url == OPENAI else ""


def _checked_url(base_url: str) -> str:
    """The address, always spelled the same."""
    try:
        url = urlsplit(base_url)
        good = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        good = False
    if not good:
        raise InputError(f"openai(base_url={base_url!r}): write it like http://127.0.0.1:8000/v1")
    if url.username or url.password or url.query:
        raise InputError("openai(base_url=...): no user, password or query in it; key= names an environment variable")
    return url._replace(netloc=url.netloc.lower(), path=url.path.rstrip("/")).geturl()


def _check_counts(**values: tuple[int, int]) -> None:
    for name, (value, least) in values.items():
        if value < least:
            raise InputError(f"openai({name}={value!r}): {name} is a whole number, at least {least}")


def _check_amounts(**values: float) -> None:
    for name, value in values.items():
        if not (math.isfinite(value) and value >= 0) or (name == "timeout" and value == 0):
            raise InputError(f"openai({name}={value!r}): {name} is a number, at least 0")
