"""One OpenAI-compatible endpoint: how many requests at once, when to try again, when to give up.

All requests of a player share one state: a server that is overloaded for one is so for all. A request is tried again
after faults that pass (429, 5xx, no connection, no answer in time, an answer that cannot be read), after waits that
double, or as long as the server asks. Where all tries fail, the match is void; where that happens several times
without one answer in between, the run is paused. A prompt that the server refuses (400, a content filter) makes its
match void; after several refusals without one answer in between, harmless words in a prompt of the same form tell
whether the server refuses these prompts or all: only then is the run paused.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import msgspec

from arena.players._dialect import Dialect, restriction_of
from arena.players._faults import Fault, Unreadable, fault_of, too_long
from arena.players.budget import Budget, Charge, Spent
from games.errors import InfrastructureError, RunPaused

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from roles import ChatMessage

log = logging.getLogger(__name__)

HARMLESS = "Say yes."
"""for a prompt that no filter minds"""
MOST_WAIT = 60.0
"""seconds between two tries, where the server says nothing"""


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


class Reply(msgspec.Struct, frozen=True):
    """An answer. `cut`: it ended because it was too long. `restricted_by`: the form the request used for choices."""

    text: str
    cut: bool
    restricted_by: str = ""


class TooLong(Exception):
    """The model does not read that much."""


class Connection:
    """Serves one event loop."""

    def __init__(self, settings: Settings, dialect: Dialect) -> None:
        import openai

        self._s, self.dialect = settings, dialect
        self._client: AsyncOpenAI = openai.AsyncOpenAI(
            api_key=settings.key or "none", base_url=settings.base_url, timeout=settings.timeout, max_retries=0
        )
        self._slots = asyncio.Semaphore(settings.concurrency)
        self._not_before = 0.0
        self._failed = 0  # requests in a row that had no answer after all their tries
        self._refused = 0  # requests in a row that were refused
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
                if found.kind == "request":
                    raise await self._refusal(found, messages, sent, budget)
                if tries > self._s.retries:
                    raise self._give_up(found, tries)
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
            got = await self._client.chat.completions.create(
                model=self._s.model,
                messages=cast("Any", messages),
                **self._s.sampling,
                **sent,
            )
            reply, used = self._read(got, restriction_of(sent))
        except Exception as error:  # noqa: BLE001  the client also lets errors of decoding through
            fault = fault_of(error)
            charge.used = most if fault.billed else Spent()
            return self._cleaned(fault)
        charge.used = used or most
        if self._named(got.model):
            return reply
        return Fault(
            "closed",
            f"it answers as model {self._clean(str(got.model))[:80]!r}, not {self._s.model!r}, and would be rated "
            f"under a wrong name; if that is the same model, add answers_as={self._clean(str(got.model))[:80]}",
        )

    def _read(self, got: Any, form: str) -> tuple[Reply, Spent | None]:
        """The answer and what it used, where that is told. Raises Unreadable."""
        try:
            choice = got.choices[0]
            text, cut = choice.message.content, choice.finish_reason == "length"
        except (AttributeError, TypeError, IndexError):
            raise Unreadable("no chat completion") from None
        if not isinstance(text, str | None):
            raise Unreadable("its content is no text")
        usage = getattr(got, "usage", None)
        read, wrote = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
        if isinstance(read, int) and isinstance(wrote, int) and read >= 0 and wrote >= 0:
            return Reply(text or "", cut, form), self._cost(read, wrote)
        return Reply(text or "", cut, form), None

    def _cost(self, read: int, wrote: int) -> Spent:
        return Spent(read + wrote, (read * self._s.price_in + wrote * self._s.price_out) / 1e6)

    def _most(self, messages: Sequence[ChatMessage]) -> Spent:
        """The most a request can use: no tokenizer makes more tokens than there are bytes."""
        read = sum(len(m["content"].encode()) + 16 for m in messages) + 16
        return self._cost(read, self._s.max_tokens)

    def _named(self, answered: object) -> bool:
        """Whether that is the model that was asked for: `gpt-4o` may answer as `gpt-4o-2024-08-06`."""
        if not isinstance(answered, str) or not answered:
            return True  # not told
        wanted = self._s.answers_as or self._s.model
        answer, want = (name.rstrip("/").rsplit("/")[-1].lower() for name in (answered, wanted))
        return answer.startswith(want)

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
        if found.kind == "again":  # this tells nothing: the next refusal asks again
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

    def _cleaned(self, fault: Fault) -> Fault:
        return Fault(fault.kind, self._clean(fault.line), fault.wait, fault.billed, fault.what)

    def _clean(self, text: str) -> str:
        """Without the key, should the server repeat it, whole or in part."""
        if len(self._s.key) >= 8:
            text = text.replace(self._s.key, "***")
        return re.sub(r"sk-[\w*-]{6,}", "***", text)
