"""One OpenAI-compatible endpoint: how many requests at once, when to try again, when to give up.

All requests of a player share one state: a server that is overloaded for one is so for all. A request has one
deadline, from its connection to the last byte of the answer. It is tried again after faults that pass (429, 5xx, no
connection, no answer in time, an answer that cannot be read), after waits that double, or as long as the server asks;
with another seed where a content filter took the answer away. Where all tries fail, the match is void; where that
happens several times without one answer in between, the run is paused. A prompt that the server refuses (400, a
content filter) makes its match void; after several refusals without one answer in between, harmless words in a prompt
of the same form tell whether the server refuses these prompts or all: only then is the run paused.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import msgspec

from arena.players._dialect import Dialect, restriction_of
from arena.players._faults import Fault, fault_of, too_long
from arena.players._keys import Redactor
from arena.players._reply import Reply, is_model, reply_of, usage_of
from arena.players._wire import client, most_bytes
from arena.players.budget import Budget, Charge, Spent
from games.errors import InfrastructureError, RunPaused
from games.text import clean, one_line

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from roles import ChatMessage

log = logging.getLogger(__name__)

HARMLESS = "Say yes."
"""for a prompt that no filter minds"""
MOST_WAIT = 60.0
"""seconds between two tries, where the server says nothing"""
_OTHER_ANSWER = 0x9E3779B1
"""added to the seed of a request whose answer was filtered"""


Chat = Callable[[bool], Sequence["ChatMessage"]]
"""the prompt, from whether the answer is restricted to the legal actions: where it is not, they must be shown"""


class Settings(msgspec.Struct, frozen=True):
    """How an endpoint is asked. Prices are per million tokens."""

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
    price_in: float
    price_out: float
    answers_as: str


class TooLong(Exception):
    """The model does not read that much."""


class Connection:
    """Serves one event loop."""

    def __init__(self, settings: Settings, dialect: Dialect) -> None:
        self._s, self.dialect = settings, dialect
        self._redact = Redactor(settings.key)
        self._client: AsyncOpenAI = client(
            settings.base_url, settings.key, settings.timeout, most_bytes(settings.max_tokens), self._redact
        )
        self._slots = asyncio.Semaphore(settings.concurrency)
        self._not_before = 0.0
        self._failed = 0  # requests in a row that had no answer after all their tries
        self._refused = 0  # requests in a row that were refused
        self._answers_as = ""  # the name of the first answer that told one
        self._closed: RunPaused | None = None
        self._keeper = asyncio.create_task(self._keep())

    async def ask(self, chat: Chat, seed: int, choices: Sequence[str] | None, budget: Budget) -> Reply:
        """The answer. Raises TooLong, InfrastructureError where this request fails, RunPaused where all would."""
        async with self._slots:
            tries = 0
            while True:
                if self._closed is not None:
                    raise self._closed
                await self._wait()
                sent = self.dialect.parameters(self._s.max_tokens, seed, choices)
                messages = chat(bool(restriction_of(sent)))
                async with budget.charge(self._most(messages)) as charge:
                    found = await self._send(messages, sent, charge)
                if isinstance(found, Reply):
                    self._failed = self._refused = 0
                    return found
                if too_long(found):
                    raise TooLong(found.line)
                if found.kind == "request" and self.dialect.refused(sent, found.what):
                    continue
                tries += 1
                if found.kind == "closed":
                    raise self._close(found.line)
                if found.kind == "request" or (found.kind == "filtered" and tries > self._s.retries):
                    raise await self._refusal(found, messages, sent, budget)
                if tries > self._s.retries:
                    raise self._give_up(found, tries)
                if found.kind == "filtered":
                    seed += _OTHER_ANSWER
                else:
                    self._delay(found, tries)

    async def _keep(self) -> None:
        """Close the sockets when the loop ends: it cancels what still runs then, and waits for it."""
        try:
            await asyncio.Event().wait()
        finally:
            await self._client.close()

    async def _send(self, messages: Sequence[ChatMessage], sent: dict[str, Any], charge: Charge) -> Reply | Fault:
        """One request. Books what it used, or the most it may have used where the server does not say."""
        charge.used = most = self._most(messages)  # stands if this task is cancelled while it waits
        try:
            async with asyncio.timeout(self._s.timeout):
                got = await self._client.chat.completions.create(
                    model=self._s.model,
                    messages=cast("Any", messages),
                    **self._s.sampling,
                    **sent,
                )
            reply = reply_of(got, restriction_of(sent), self._s.max_tokens, self._redact)
        except Exception as error:  # noqa: BLE001  the client also lets errors of decoding through
            fault = fault_of(error, self._redact)
            charge.used = most if fault.billed else Spent()
            return fault
        wrote = len(reply.text.encode()) if isinstance(reply, Reply) else 0
        used = usage_of(got, self._read_at_most(messages), max(self._s.max_tokens, wrote))
        charge.used = most if used is None else self._cost(*used)
        return self._misnamed(getattr(got, "model", None)) or reply

    def _misnamed(self, answered: object) -> Fault | None:
        """The fault of an answer that does not come from the model that was asked for, or no longer."""
        named = one_line(self._redact(clean(str(answered))), 80)
        if not is_model(answered, self._s.model, self._s.answers_as):
            return Fault(
                "closed",
                f"it answers as model {named!r}, not {self._s.answers_as or self._s.model!r}, and would be rated "
                f"under a wrong name; if that is the same model, add answers_as={named}",
            )
        if answered and self._answers_as and answered != self._answers_as:
            return Fault(
                "closed",
                f"it answered as model {self._answers_as!r} and now answers as {named!r}: two models would be rated as "
                "one; name one of them with model=",
            )
        if isinstance(answered, str) and answered:
            self._answers_as = answered
        return None

    def _cost(self, read: int, wrote: int) -> Spent:
        return Spent(read + wrote, (read * self._s.price_in + wrote * self._s.price_out) / 1e6)

    def _most(self, messages: Sequence[ChatMessage]) -> Spent:
        """The most a request can use."""
        return self._cost(self._read_at_most(messages), self._s.max_tokens)

    def _read_at_most(self, messages: Sequence[ChatMessage]) -> int:
        """No tokenizer makes more tokens than there are bytes."""
        return sum(len(m["content"].encode()) + 16 for m in messages) + 16

    async def _wait(self) -> None:
        loop = asyncio.get_running_loop()
        while (left := self._not_before - loop.time()) > 0:
            await asyncio.sleep(left)

    def _delay(self, fault: Fault, tries: int) -> None:
        """Nobody asks again before the wait is over."""
        wait = min(MOST_WAIT, self._s.backoff * 2 ** (tries - 1)) * random.uniform(
            0.5, 1.0
        )  # apart from other processes
        if fault.wait is not None:
            wait = fault.wait
        log.info("%s: %s; try %d follows in %.1f s", self._s.base_url, fault.line, tries + 1, wait)
        self._not_before = max(self._not_before, asyncio.get_running_loop().time() + wait)

    def _give_up(self, fault: Fault, tries: int) -> InfrastructureError:
        self._failed += 1
        after = f" after {tries} tries" if tries > 1 else ""
        if self._failed >= self._s.patience:
            return self._close(f"{fault.line}{after}, {self._failed} requests in a row")
        return InfrastructureError(f"{self._s.model} at {self._s.base_url}: {fault.line}{after}")

    async def _refusal(
        self, fault: Fault, messages: Sequence[ChatMessage], sent: dict[str, Any], budget: Budget
    ) -> InfrastructureError:
        """What a refused prompt leads to; every few of them in a row the server is asked something harmless.

        Their number alone would pause a run for good: when nothing is left but matches with prompts that a filter
        refuses, no answer ever comes in between.
        """
        refused = InfrastructureError(f"{self._s.model} at {self._s.base_url}: {fault.line}")
        self._refused += 1
        if self._refused < self._s.patience:
            return refused
        self._refused = 0
        plain: list[ChatMessage] = [{**message, "content": HARMLESS} for message in messages]
        async with budget.charge(self._most(plain)) as charge:
            found = await self._send(plain, sent, charge)
        if isinstance(found, Reply):
            self._failed = 0
            return refused
        if found.kind in ("again", "filtered"):  # this tells nothing: the next refusal asks again
            self._refused = self._s.patience - 1
            return refused
        if found.kind == "request":
            return self._close(f"{fault.line}; it refuses {HARMLESS!r}, too: {found.line}")
        return self._close(found.line)

    def _close(self, line: str) -> RunPaused:
        self._closed = RunPaused(
            f"{self._s.model} at {self._s.base_url} cannot be asked: {line}; start the run again to go on"
        )
        return self._closed
