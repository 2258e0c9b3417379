"""The interface of inference engines: token ids in, token ids with exact log probabilities out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import msgspec

from roles import ChatMessage


class Request(msgspec.Struct, frozen=True, gc=False):
    """A request for one completion."""

    prompt_ids: tuple[int, ...]
    seed: int
    """the same seed gives the same tokens in any batch, up to rounding (see TransformersEngine)"""
    max_tokens: int = 256
    """at least 1; ignored with `choices`"""
    temperature: float = 1.0
    """0: take the most probable token"""
    top_p: float = 1.0
    """sample from the most probable tokens that together reach this probability"""
    stop_ids: tuple[int, ...] = ()
    """tokens that end the answer and are its last token; (): those of the model"""
    choices: tuple[tuple[int, ...], ...] | None = None
    """the allowed sequences, each with its end token, none a prefix of another; None: free text"""
    prefix_len: int = 0
    """number of first tokens that many requests share (rules, role); 0: unknown"""


class Completion(msgspec.Struct, frozen=True, gc=False):
    """A sampled completion of T tokens."""

    ids: tuple[int, ...]
    """(T,) including the stop token, if there is one"""
    logprobs: tuple[float, ...]
    """(T,) under the distribution that was sampled from, with temperature, top_p and restriction"""
    allowed: tuple[tuple[int, ...] | None, ...] | None
    """(T,) the tokens that sampling was restricted to at each position; None: unrestricted"""
    finish: Literal["stop", "length"]
    text: str
    """without special tokens"""
    version: int = 0
    """version of the weights that sampled it, or its last token"""
    versions: tuple[int, ...] | None = None
    """(T,) version of the weights that sampled each token, if they changed in the middle; None: all by `version`"""
    choice: int | None = None
    """index among the request's choices"""

    def token_versions(self) -> tuple[int, ...]:
        """Returns (T,) the version of the weights that sampled each token."""
        return self.versions or (self.version,) * len(self.ids)


def several(versions: Sequence[int]) -> tuple[int, ...] | None:
    """`Completion.versions` for the versions of all tokens: None if they are the same."""
    return tuple(versions) if len(set(versions)) > 1 else None


class EngineStats(msgspec.Struct):
    """Counters since the start of the engine."""

    requests: int = 0
    tokens_in: int = 0
    """prompt tokens of all requests; shared tokens count each time"""
    tokens_out: int = 0
    prefix_hits: int = 0
    """requests whose prompt starts with a stored prefix"""
    prefix_tokens: int = 0
    """prompt tokens that stored prefixes saved from computation"""
    repeated: int = 0
    """decisions whose distribution was in memory: the same prompt and the same choices"""
    batches: int = 0
    """forward passes"""
    rows: int = 0
    """rows of all forward passes; rows / batches is the mean batch size"""
    busy_seconds: float = 0.0


class Engine(Protocol):
    """A model that completes prompts. Safe to use from asyncio; batches the requests of all matches."""

    name: str
    """the model's name in the configuration"""
    context: int
    """maximum tokens of prompt and completion together"""
    about: str
    """a short description of the engine, its device and its precision"""

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
        """Returns the token ids of a chat, up to the start of the model's answer."""
        ...

    def encode_choices(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Answers as token sequences, each with the end-of-turn token, so that none is a prefix of another.

        Raises InfrastructureError if the tokenizer writes two different texts alike.
        """
        ...

    def prefix_len(self, messages: Sequence[ChatMessage], prompt_ids: tuple[int, ...], steady: int = 1) -> int:
        """Returns the number of prompt tokens that the first `steady` messages produce, for `Request.prefix_len`."""
        ...

    async def complete(self, request: Request) -> Completion:
        """Answer one request. An InfrastructureError concerns this request only."""
        ...

    async def policy(
        self, prompt_ids: tuple[int, ...], choices: tuple[tuple[int, ...], ...], *, temperature: float = 1.0
    ) -> list[float]:
        """Returns the exact probability of each choice after the prompt; they sum to 1. Raises InfrastructureError."""
        ...

    def close(self) -> None:
        """Stop the engine; pending requests raise InfrastructureError."""
        ...
