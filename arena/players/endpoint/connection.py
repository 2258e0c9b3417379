"""Sends requests to one OpenAI-compatible endpoint: concurrency, retries, budget, and when to give up.

All requests of a player share one state, because an overloaded server is overloaded for all of them. Each attempt has
one deadline, from its connection to the last byte of the answer. A passing failure (429, 5xx, no connection, no answer
in time, an unreadable answer) is retried after a wait that doubles, or that the server asks for; if a content filter
took the answer away, the request is retried with another seed. If all attempts fail, the match is void; after several
such requests without an answer in between, the run is paused. A refused prompt (400, a content filter) makes its match
void; after several refusals without an answer in between, a harmless prompt of the same form shows whether the server
refuses these prompts only, or all: then the run is paused.

The client's own `max_retries` cannot replace this. It has no deadline for an attempt that arrives byte by byte, repeats
429 even if the quota is used up, does not retry answers that are unreadable or filtered, books nothing to the budget
between attempts, and makes no other request wait.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import msgspec

from arena.players.budget import Budget, Reservation, Spent
from arena.players.endpoint.bill import Bill
from arena.players.endpoint.dialect import Dialect, restriction_of
from arena.players.endpoint.errors import RequestFailure, classify, too_long
from arena.players.endpoint.redaction import Redactor
from arena.players.endpoint.reply import Reply, is_model, reply_of
from arena.players.endpoint.transport import create_client, most_bytes
from games.errors import InfrastructureError, RunPaused
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
_PLAIN_NAME = re.compile(r"[\w.:/@+-]{1,80}")

MakeChat = Callable[[bool], Sequence["ChatMessage"]]
"""creates the prompt; the argument says whether the request restricts the answer to the legal actions"""


class EndpointSettings(msgspec.Struct, frozen=True):
    """The settings of an endpoint."""

    model: str
    base_url: str
    key: str
    sampling: dict[str, Any]
    max_tokens: int
    concurrency: int
    timeout: float
    retries: int
    backoff: float
    patience: int
    answers_as: str


class TooLong(Exception):
    """The prompt exceeds the model's context."""


class Connection:
    """The requests of one player on one event loop."""

    def __init__(self, settings: EndpointSettings, dialect: Dialect, bill: Bill) -> None:
        self._s, self.dialect, self._bill = settings, dialect, bill
        self._redact = Redactor(settings.key)
        self._client: AsyncOpenAI = create_client(
            settings.base_url, settings.key, settings.timeout, most_bytes(settings.max_tokens), self._redact
        )
        self._semaphore = asyncio.Semaphore(settings.concurrency)
        self._not_before = 0.0  # time of the event loop before which no request is sent
        self._failed = 0  # requests in a row whose attempts all failed
        self._refused = 0  # requests in a row that were refused
        self._answers_as = ""  # the model's name in the first answer that had one
        self._closed: RunPaused | None = None
        self._closer = asyncio.create_task(self._close_client())

    async def ask(self, chat: MakeChat, seed: int, choices: Sequence[str] | None, budget: Budget) -> Reply:
        """Returns the answer. Raises TooLong, InfrastructureError if the request fails, RunPaused if all would."""
        async with self._semaphore:
            attempts = 0
            while True:
                if self._closed is not None:
                    raise self._closed
                await self._wait()
                sent = self.dialect.parameters(self._s.max_tokens, seed, choices)
                messages = chat(bool(restriction_of(sent)))
                async with budget.reserve(self._bill.most(messages)) as reservation:
                    response = await self._send(messages, sent, reservation)
                if isinstance(response, Reply):
                    self._failed = self._refused = 0
                    return response
                if too_long(response):
                    raise TooLong(response.message)
                if response.kind == "refused" and self.dialect.adapt(sent, response.details):
                    continue
                attempts += 1
                if response.kind == "fatal":
                    raise self._close(response.message)
                if response.kind == "refused" or (response.kind == "filtered" and attempts > self._s.retries):
                    raise await self._refusal(response, messages, sent, budget)
                if attempts > self._s.retries:
                    raise self._give_up(response, attempts)
                if response.kind == "filtered":
                    seed += _OTHER_ANSWER
                else:
                    self._delay(response, attempts)

    async def _close_client(self) -> None:
        """Close the sockets when the event loop ends: it cancels the remaining tasks and waits for them."""
        try:
            await asyncio.Event().wait()
        finally:
            await self._client.close()

    async def _send(
        self, messages: Sequence[ChatMessage], sent: dict[str, Any], reservation: Reservation
    ) -> Reply | RequestFailure:
        """Sends one request and books its tokens: as the server counts them, else the most possible."""
        reservation.used = most = self._bill.most(messages)  # stays if this task is cancelled
        try:
            async with asyncio.timeout(self._s.timeout):
                response = await self._client.chat.completions.create(
                    model=self._s.model,
                    messages=cast("Any", messages),
                    **self._s.sampling,
                    **sent,
                )
            reply = reply_of(response, restriction_of(sent), self._s.max_tokens, self._redact)
        except Exception as error:  # noqa: BLE001  the client also raises errors of JSON decoding
            failure = classify(error, self._redact)
            reservation.used = most if failure.billed else Spent()
            return failure
        usage = self._bill.used(messages, response, reply.text if isinstance(reply, Reply) else "")
        reservation.used = self._bill.cost(usage)
        if isinstance(reply, Reply):
            reply = msgspec.structs.replace(reply, **usage._asdict())
        return self._wrong_model(getattr(response, "model", None)) or reply

    def _wrong_model(self, answered: object) -> RequestFailure | None:
        """Returns the failure if the answering model is not the requested one, or not the one before."""
        name = printable(self._redact(str(answered)))[:80]
        if not is_model(answered, self._s.model, self._s.answers_as):
            model = self._s.answers_as or self._s.model
            wrong = f"it answers as model {name!r}, not {model!r}, and would be rated under a wrong name"
            if isinstance(answered, str) and _PLAIN_NAME.fullmatch(answered):  # no further parameters to copy
                wrong += f"; if that is the same model, add answers_as={name}"
            return RequestFailure("fatal", wrong)
        if answered and self._answers_as and answered != self._answers_as:
            return RequestFailure(
                "fatal",
                f"it answered as model {self._answers_as!r} and now answers as {name!r}: two models would be rated as "
                "one; name one of them with model=",
            )
        if isinstance(answered, str) and answered:
            self._answers_as = answered
        return None

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
            return self._close(f"{failure.message}{after}, {self._failed} requests in a row")
        return InfrastructureError(f"{self._s.model} at {self._s.base_url}: {failure.message}{after}")

    async def _refusal(
        self, failure: RequestFailure, messages: Sequence[ChatMessage], sent: dict[str, Any], budget: Budget
    ) -> InfrastructureError:
        """Returns the error for a refused prompt. After `patience` refusals in a row a harmless prompt decides.

        The count alone must not pause the run: if the only matches left have prompts that a filter refuses, no answer
        ever comes in between.
        """
        refused = InfrastructureError(f"{self._s.model} at {self._s.base_url}: {failure.message}")
        self._refused += 1
        if self._refused < self._s.patience:
            return refused
        self._refused = 0
        plain: list[ChatMessage] = [{**message, "content": HARMLESS} for message in messages]
        async with budget.reserve(self._bill.most(plain)) as reservation:
            response = await self._send(plain, sent, reservation)
        if isinstance(response, Reply):
            self._failed = 0
            return refused
        if response.kind in ("retry", "filtered"):  # inconclusive: the next refusal sends it again
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
