"""What a request costs: the bound that is reserved before, and the amount that is booked after.

The server's count is a claim. It may exceed `max_tokens`, because many services charge for hidden reasoning, or be
false. Booking never hides a cost: a claim is booked in full, one below what the texts need is raised, and a claim that
says nothing is booked as the most that the request can have used. After a claim above the reserved amount, requests
reserve as much as the largest one, so a budget is passed by the requests in flight at most.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.players.budget import Spent

if TYPE_CHECKING:
    from roles import ChatMessage

log = logging.getLogger(__name__)

SPARSE = 16
"""bytes of a token, at the most, in texts that people and models write; longer tokens are rows of spaces"""
MOST_CREDIBLE = 10_000_000
"""tokens read or written by one request; no model takes more"""


class Usage(NamedTuple):
    """Tokens of one request."""

    prompt_tokens: int
    completion_tokens: int


class Bill:
    """The costs of one player's requests. Prices are per million tokens."""

    def __init__(self, name: str, max_tokens: int, price_in: float, price_out: float) -> None:
        self._name, self._max_tokens = name, max_tokens
        self._price_in, self._price_out = price_in, price_out
        self._read = self._wrote = 0  # the largest claims
        self._warned = False

    def most(self, messages: Sequence[ChatMessage]) -> Spent:
        """Returns the most that a request can use, as far as the server has shown."""
        return self.cost(self._most(messages))

    def used(self, messages: Sequence[ChatMessage], usage: object, text: str) -> Usage:
        """Returns what an answered request used: the larger of claim and estimate, or the most without a claim.

        `usage`: the field of that name in the answer.
        """
        claim = _claim(usage)
        if claim is None or not claim[0] or (text and not claim[1]):
            return self._most(messages)
        read, wrote = claim
        if read > _most_read(messages) or wrote > self._max_tokens:
            self._raise_to(read, wrote)
        size = sum(len(m["content"].encode()) for m in messages)
        return Usage(max(read, size // SPARSE), max(wrote, len(text.encode()) // SPARSE))

    def cost(self, usage: Usage) -> Spent:
        """Returns the tokens of a request and their price."""
        read, wrote = usage
        return Spent(read + wrote, (read * self._price_in + wrote * self._price_out) / 1e6)

    def _most(self, messages: Sequence[ChatMessage]) -> Usage:
        return Usage(max(_most_read(messages), self._read), max(self._max_tokens, self._wrote))

    def _raise_to(self, read: int, wrote: int) -> None:
        self._read, self._wrote = max(self._read, read), max(self._wrote, wrote)
        if not self._warned:
            self._warned = True
            log.warning(
                "%s counts %s tokens read and %s written for one request with max_tokens=%s, so it charges for more "
                "than the answer; the budget books that and reserves it for each further request",
                *(self._name, f"{read:,}", f"{wrote:,}", f"{self._max_tokens:,}"),
            )


def _most_read(messages: Sequence[ChatMessage]) -> int:
    """Returns an upper bound on the prompt's tokens: no tokenizer makes more tokens than there are bytes."""
    return sum(len(m["content"].encode()) + 16 for m in messages) + 16


def _claim(usage: object) -> tuple[int, int] | None:
    """Returns tokens read and written as the server counts them; None if it gives no credible number.

    Some services count hidden reasoning in the total alone.
    """
    fields = usage if isinstance(usage, Mapping) else {}
    read, wrote, total = (fields.get(f"{of}_tokens") for of in ("prompt", "completion", "total"))
    if type(read) is not int or type(wrote) is not int:
        return None
    if type(total) is int and 0 < wrote < total - read <= MOST_CREDIBLE:
        wrote = total - read
    return (read, wrote) if 0 <= min(read, wrote) <= max(read, wrote) <= MOST_CREDIBLE else None


__all__ = ["Bill", "Usage"]
