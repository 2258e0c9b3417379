"""What every inference engine offers: token ids in, token ids with exact log probabilities out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import msgspec

from roles import ChatMessage


class Request(msgspec.Struct, frozen=True, gc=False):
    """One completion that is wanted."""

    prompt_ids: tuple[int, ...]
    seed: int
    """the same seed gives the same tokens, whatever else is in the batch (up to rounding, see TransformersEngine)"""
    max_tokens: int = 256
    """at least 1; not used by a choice"""
    temperature: float = 1.0
    """0: always the most probable token"""
    top_p: float = 1.0
    """only the most probable tokens that together reach this probability are sampled"""
    stop_ids: tuple[int, ...] = ()
    """tokens that end the answer, kept as its last token; (): the model's own"""
    choices: tuple[tuple[int, ...], ...] | None = None
    """the only sequences allowed, each with its end token, none a prefix of another; None: free text"""
    prefix_len: int = 0
    """how many tokens at the start are the same in many requests (rules, role); 0: not known"""


class Completion(msgspec.Struct, frozen=True, gc=False):
    """What was sampled. T = number of tokens."""

    ids: tuple[int, ...]
    """(T,) the stop token included, where there is one"""
    logprobs: tuple[float, ...]
    """(T,) under the distribution each token was sampled from: temperature, top_p and restriction included"""
    allowed: tuple[tuple[int, ...] | None, ...] | None
    """(T,) the tokens sampling was restricted to at each position; None: unrestricted"""
    finish: Literal["stop", "length"]
    text: str
    """without the stop token and other special tokens"""
    version: int = 0
    """version of the weights that sampled"""
    choice: int | None = None
    """which of the request's choices this is"""


class EngineStats(msgspec.Struct):
    """Counters since the engine started."""

    requests: int = 0
    tokens_in: int = 0
    """prompt tokens of all requests, shared ones counted each time"""
    tokens_out: int = 0
    prefix_hits: int = 0
    """requests whose prompt began with a stored prefix"""
    prefix_tokens: int = 0
    """prompt tokens that were not computed again thanks to those"""
    repeated: int = 0
    """decisions whose distribution was already known: the same prompt, the same choices"""
    batches: int = 0
    """forward passes"""
    rows: int = 0
    """rows of all forward passes; rows / batches is the mean batch"""
    busy_seconds: float = 0.0


class Engine(Protocol):
    """A model that answers. Everything is asyncio-safe; requests of all matches are batched together."""

    name: str
    """the model, as it was named"""
    context: int
    """most tokens of prompt and completion together"""
    about: str
    """what runs the model, where and in which precision, in a few words"""

    @property
    def version(self) -> int:
        """Version of the weights."""
        ...

    @property
    def tokenizer(self) -> Any:
        """The model's tokenizer."""
        ...

    @property
    def stats(self) -> EngineStats:
        """A copy of the counters."""
        ...

    def encode_chat(self, messages: Sequence[ChatMessage], *, think: bool | None = None) -> tuple[int, ...]:
        """A chat as token ids, up to where the model's answer begins."""
        ...

    def encode_choices(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Answers as token sequences, each with the end-of-turn token, so that none is a prefix of another."""
        ...

    def prefix_len(self, messages: Sequence[ChatMessage], prompt_ids: tuple[int, ...], steady: int = 1) -> int:
        """How many tokens of the prompt come from its `steady` first messages: `Request.prefix_len`."""
        ...

    async def complete(self, request: Request) -> Completion:
        """Answer one request. Raises InfrastructureError, for this request only."""
        ...

    async def policy(
        self, prompt_ids: tuple[int, ...], choices: tuple[tuple[int, ...], ...], *, temperature: float = 1.0
    ) -> list[float]:
        """The exact probability of each choice after the prompt; they sum to 1. Raises InfrastructureError."""
        ...

    def close(self) -> None:
        """Stop the engine; what is still waiting fails with InfrastructureError."""
        ...
