"""Sends requests to one OpenAI-compatible endpoint: concurrency, retries, budget, and when to give up.

All requests of a player share one state, because an overloaded server is overloaded for all of them. Each attempt has
one deadline, from its connection to the last byte of the answer. A passing failure (429, 5xx, no connection, no answer
in time, an unreadable answer) is retried after a wait that doubles, or that the server asks for; if a content filter
took the answer away, the request is retried with another seed. If all attempts fail, the match is void; after several
such requests without an answer in between, the run is paused. A refused prompt (400, a content filter) makes its match
void; after several refusals without an answer in between, a harmless prompt of the same form shows whether the server
refuses these prompts only, or all: then the run is paused.

What a server refuses or ignores of the form of a request is asked again in another form (`dialect`). That is no attempt
of the model, and until a first answer has shown that the form is right, one request is sent at a time.

The client's own `max_retries` cannot replace this. It has no deadline for an attempt that arrives byte by byte, repeats
429 even if the quota is used up, does not retry answers that are unreadable or filtered, books nothing to the budget
between attempts, and makes no other request wait.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from arena.players.budget import Budget, Reservation, Spent
from arena.players.endpoint.bill import Bill
from arena.players.endpoint.dialect import Dialect, Form
from arena.players.endpoint.errors import NO_JSON, RequestFailure, classify
from arena.players.endpoint.redaction import Redactor
from arena.players.endpoint.reply import Reply, is_model, joined, reply_of
from arena.players.endpoint.transport import create_client, most_bytes
from arena.players.endpoint.words import payload_of
from games import InputError
from games.errors import InfrastructureError, RunPaused
from games.naming import Name
from games.sanitize import printable

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from roles import ChatMessage

log = logging.getLogger(__name__)

HARMLESS = "Say yes."
"""a prompt that no content filter refuses"""
MAX_WAIT = 60.0
"""seconds between two attempts, if the server does not ask for another wait"""
_OTHER_ANSWER = 0x9E3779B1
"""added to the seed of a request whose answer was filtered"""
_LONGEST_NAME = 300
_KEY_RIGHT = "(is the key right?)"
_LOST = re.compile(r"HTTP (404|405|200)")
"""statuses of servers for an address at which they answer nothing"""

_closers: set[asyncio.Task[None]] = set()
"""keeps the tasks that close sockets: an event loop itself does not, and the player may be gone before it ends"""

MakeChat = Callable[[bool], Sequence["ChatMessage"]]
"""creates the prompt; the argument says whether the request restricts the answer to the legal actions"""


class EndpointSettings(msgspec.Struct, frozen=True):
    """The settings of an endpoint."""

    model: str
    base_url: str
    key: str
    header_values: dict[str, str]
    secrets: list[str]
    max_tokens: int
    concurrency: int
    timeout: float
    retries: int
    backoff: float
    patience: int
    answers_as: str


class TooLong(Exception):
    """The prompt exceeds the model's context."""


class _Question(NamedTuple):
    """One request in one form."""

    form: Form
    chat: Sequence[ChatMessage]
    seed: int
    choices: Sequence[str] | None


class Connection:
    """The requests of one player on one event loop."""

    def __init__(self, settings: EndpointSettings, dialect: Dialect, bill: Bill) -> None:
        self._s, self.dialect, self._bill = settings, dialect, bill
        self._redact = Redactor(settings.key, *settings.secrets)
        self._client: AsyncOpenAI = create_client(
            settings.base_url,
            settings.key,
            settings.header_values,
            settings.timeout,
            most_bytes(settings.max_tokens),
            self._redact,
        )
        self._semaphore = asyncio.Semaphore(settings.concurrency)
        self._alone = asyncio.Lock()
        self._failing = False  # the first requests fail for reasons of their own: others need not wait for them
        self._not_before = 0.0  # time of the event loop before which no request is sent
        self._answered = 0  # requests
        self._failed = 0  # requests in a row whose attempts all failed
        self._refused = 0  # requests in a row that were refused
        self.answers_as = ""  # the model's name in the first answer that had one
        self.seconds = 0.0  # of the last request
        self._silent = False
        self._closed: RunPaused | None = None
        closer = asyncio.create_task(self._close_client())
        _closers.add(closer)
        closer.add_done_callback(_closers.discard)

    async def ask(self, chat: MakeChat, seed: int, choices: Sequence[str] | None, budget: Budget) -> Reply:
        """Returns the answer. Raises TooLong, InfrastructureError if the request fails, RunPaused if all would."""
        restricted = choices is not None
        async with self._semaphore, AsyncExitStack() as alone:
            if not self._open(restricted):
                await alone.enter_async_context(self._alone)
            attempts, answered = 0, self._answered
            while True:
                if self._open(restricted):
                    await alone.aclose()
                if self._closed is not None:
                    raise self._closed
                await self._wait()
                form = self.dialect.form(restricted)
                question = _Question(form, chat(bool(form["restriction"])), seed, choices)
                response = await self._reserved(question, budget)
                if isinstance(response, Reply):
                    if (reply := self._judged(question, response)) is not None:
                        return reply
                elif not self._adapts(form, response):
                    # Where a limit lets other requests through, this one's turn comes, after however many attempts.
                    attempts = 0 if response.busy and self._answered > answered else attempts + 1
                    answered = self._answered
                    await self._fail(response, max(attempts, 1), question, budget)
                    seed += _OTHER_ANSWER * (response.kind == "filtered")

    def _adapts(self, form: Form, failure: RequestFailure) -> bool:
        """Returns whether sending a request again in another form may help. Raises RunPaused for a value of the user's.

        Raises TooLong.
        """
        if advice := self.dialect.fault(form, failure):
            raise self._close(f"{failure.message}; {advice}")
        if self.dialect.adapt(form, failure):
            return True
        if failure.kind == "long":
            raise TooLong(failure.message)
        return failure.kind == "refused" and failure.words is not None and self.dialect.doubt(form)

    async def _fail(self, failure: RequestFailure, attempts: int, question: _Question, budget: Budget) -> None:
        """Raises what ends a request after so many failed attempts; else delays all requests if that may help."""
        self._failing = True
        if failure.kind == "fatal":
            raise self._close(failure.message)
        if failure.kind == "refused" or (failure.kind == "filtered" and attempts > self._s.retries):
            raise await self._refusal(failure, question, budget)
        if attempts > self._s.retries:
            raise self._give_up(failure, attempts)
        if failure.kind != "filtered":
            self._delay(failure, attempts)

    async def check_room(self, chat: MakeChat, budget: Budget) -> None:
        """Raises RunPaused if a short prompt is too long as well: then no prompt leaves room for `max_tokens`."""
        form = self.dialect.form(restricted=False)
        response = await self._reserved(_Question(form, _harmless(chat(False)), 0, None), budget)
        if isinstance(response, RequestFailure) and response.kind == "long":
            raise self._close(
                f"even {HARMLESS!r} is too long with max_tokens={self._s.max_tokens}: {response.message}; use a "
                "smaller max_tokens, or a server with a larger context"
            )

    def body(self, form: Form, chat: Sequence[ChatMessage], seed: int, choices: Sequence[str] | None) -> dict[str, Any]:
        """Returns the body of a request without its model."""
        return self.dialect.body(form, chat, self._s.max_tokens, seed, choices)

    async def models(self) -> object:
        """Returns what the server lists as its models. Raises InfrastructureError if it does not answer."""
        try:
            async with asyncio.timeout(self._s.timeout):
                response = await self._client.models.with_raw_response.list()
        except Exception as error:  # noqa: BLE001  as in `_send`
            failure = self._explained(classify(error, self._redact))
            raise InfrastructureError(f"{self._s.base_url} lists no models: {failure.message}") from None
        return payload_of(response.content)

    def _open(self, restricted: bool) -> bool:
        """Returns whether requests of this kind need not wait for the first one."""
        return self._failing or self.dialect.settled(restricted)

    def _judged(self, question: _Question, reply: Reply) -> Reply | None:
        """Returns the answer with the choice that it is; None if the server ignored the restriction."""
        restricted = question.choices is not None
        if (restriction := question.form["restriction"]) and question.choices is not None:
            choice = self.dialect.judge(question.form, reply.text, reply.cut, question.choices)
            if choice is None and self.dialect.form(restricted)["restriction"] != restriction:
                return None
            reply = msgspec.structs.replace(reply, choice=choice)
        self._failed = self._refused = 0
        self._answered += 1
        if reply.silent:
            self._note_silence()
        self.dialect.settle(restricted)
        return reply

    def _note_silence(self) -> None:
        """Log once that answers are empty because the server takes them for thoughts."""
        if not self._silent:
            self._silent = True
            log.warning(
                "%s at %s: an answer is empty and its words stand in the field of the reasoning, which nobody plays; "
                "it counts against the model; is the server's reasoning parser that of this model?",
                *(self._s.model, self._s.base_url),
            )

    async def _reserved(self, question: _Question, budget: Budget) -> Reply | RequestFailure:
        async with budget.reserve(self._bill.most(question.chat)) as reservation:
            return await self._send(question, reservation)

    async def _close_client(self) -> None:
        """Close the sockets when the event loop ends: it cancels the remaining tasks and waits for them."""
        try:
            await asyncio.Event().wait()
        finally:
            await self._client.close()

    async def _send(self, question: _Question, reservation: Reservation) -> Reply | RequestFailure:
        """Sends one request and books its tokens: as the server counts them, else the most possible."""
        reservation.used = most = self._bill.most(question.chat)  # stays if this task is cancelled
        body, start = self.body(*question), asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(self._s.timeout):
                response = await self._client.chat.completions.with_raw_response.create(
                    model=self._s.model, messages=[], extra_body=body
                )
            self.seconds = asyncio.get_running_loop().time() - start
            payload = joined(payload_of(response.content))
            reply = reply_of(payload, self._s.max_tokens, self._redact)
        except Exception as error:  # noqa: BLE001  the client also raises errors of its HTTP library
            failure = self._explained(classify(error, self._redact))
            reservation.used = most if failure.billed else Spent()
            return failure
        if isinstance(reply, RequestFailure) and not reply.billed:
            reservation.used = Spent()
            return self._explained(reply)
        data: Mapping[str, Any] = payload if isinstance(payload, dict) else {}
        usage = self._bill.used(question.chat, data.get("usage"), reply.text if isinstance(reply, Reply) else "")
        reservation.used = self._bill.cost(usage)
        if isinstance(reply, Reply):
            reply = msgspec.structs.replace(reply, **usage._asdict())
        return self._wrong_model(data.get("model")) or reply

    def _explained(self, failure: RequestFailure) -> RequestFailure:
        """Returns a failure with what the user may have forgotten: the key, or the end of the address."""
        message = failure.message
        if message.endswith(_KEY_RIGHT) and not (self._s.key or self._s.secrets):
            no_key = "(no key was sent; if it needs one, add key=NAME, an environment variable that holds it)"
            message = message.removesuffix(_KEY_RIGHT) + no_key
        lost = failure.kind == "fatal" and _LOST.search(message) and "model" not in message
        if (lost or message.startswith(NO_JSON)) and not re.search(r"/v\d", self._s.base_url.partition("://")[2]):
            message += f" (most servers answer at {self._s.base_url}/v1)"
        return replace(failure, message=message)

    def _wrong_model(self, answered: object) -> RequestFailure | None:
        """Returns the failure if the answering model is not the requested one, or not the one before."""
        name = printable(self._redact(str(answered)))[:80]
        if not is_model(answered, self._s.model, self._s.answers_as):
            model = self._s.answers_as or self._s.model
            wrong = f"it answers as model {name!r}, not {model!r}, and would be rated under a wrong name"
            return RequestFailure("fatal", wrong + self._answers_as_hint(answered))
        if answered and self.answers_as and answered != self.answers_as:
            return RequestFailure(
                "fatal",
                f"it answered as model {self.answers_as!r} and now answers as {name!r}: two models would be rated as "
                "one; name one of them with model=",
            )
        if isinstance(answered, str) and answered:
            self.answers_as = answered
        return None

    def _answers_as_hint(self, name: object) -> str:
        """Returns the parameter to copy for a model's other name, whole and quoted; "" if no text can hold it."""
        if not isinstance(name, str) or len(name) > _LONGEST_NAME or printable(self._redact(name)) != name:
            return ""
        try:
            written = str(Name("openai", {"answers_as": name})).removeprefix("openai(").removesuffix(")")
        except InputError:
            return ""
        return f"; if that is the same model, add {written}"

    async def _wait(self) -> None:
        loop = asyncio.get_running_loop()
        while (left := self._not_before - loop.time()) > 0:
            await asyncio.sleep(left)

    def _delay(self, failure: RequestFailure, attempts: int) -> None:
        """Make all requests wait."""
        wait = failure.wait
        if wait is None:  # random, so that several processes do not retry at the same time
            wait = min(MAX_WAIT, self._s.backoff * 2 ** (attempts - 1)) * random.uniform(0.5, 1.0)
        log.info("%s: %s; attempt %d follows in %.1f s", self._s.base_url, failure.message, attempts + 1, wait)
        self._not_before = max(self._not_before, asyncio.get_running_loop().time() + wait)

    def _give_up(self, failure: RequestFailure, attempts: int) -> InfrastructureError:
        self._failed += 1
        after = f" after {attempts} attempts" if attempts > 1 else ""
        if self._failed >= self._s.patience:
            row = f", {self._failed} requests in a row" if self._failed > 1 else ""
            return self._close(f"{failure.message}{after}{row}")
        return InfrastructureError(f"{self._s.model} at {self._s.base_url}: {failure.message}{after}")

    async def _refusal(self, failure: RequestFailure, question: _Question, budget: Budget) -> InfrastructureError:
        """Returns the error for a refused prompt. After `patience` refusals in a row a harmless prompt decides.

        The count alone must not pause the run: if the only matches left have prompts that a filter refuses, no answer
        ever comes in between.
        """
        refused = InfrastructureError(f"{self._s.model} at {self._s.base_url}: {failure.message}")
        self._refused += 1
        if self._refused < self._s.patience:
            return refused
        self._refused = 0
        response = await self._reserved(question._replace(chat=_harmless(question.chat)), budget)
        if isinstance(response, Reply):
            self._failed = 0
            return refused
        if response.kind in ("retry", "filtered", "long"):  # inconclusive: the next refusal sends it again
            self._refused = self._s.patience - 1
            return refused
        if response.kind == "refused":
            return self._close(f"{failure.message}; it also refuses {HARMLESS!r}: {response.message}")
        return self._close(response.message)

    def _close(self, reason: str) -> RunPaused:
        self._closed = RunPaused(
            f"{self._s.model} at {self._s.base_url} cannot be asked: {reason}; start the run again to continue"
        )
        return self._closed


def _harmless(chat: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Returns a chat of the same form with harmless words."""
    return [{**message, "content": HARMLESS} for message in chat]


__all__ = ["HARMLESS", "Connection", "EndpointSettings", "TooLong"]
