"""What is kept of a match: decisions, turns, the episode. Token ids are stored, never re-made from text."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Category = Literal["ok", "truncated", "empty", "unparsable", "illegal", "timeout", "error"]
Status = Literal["finished", "forfeit", "truncated", "void"]
CATEGORIES: tuple[Category, ...] = ("ok", "truncated", "empty", "unparsable", "illegal", "timeout", "error")


class MatchPlan(msgspec.Struct, frozen=True, gc=False):
    """One match before it is played: pure data, so it can be stored, sent and played again."""

    id: str
    game: str
    seed: int
    seats: dict[str, str]
    """seat -> name of the player"""
    task: str = ""
    """a task of a pool, given to the game before its reset; "": the game makes its own"""
    opening: int = 0
    """random legal moves before the players take over; which ones follows from the seed (`arena.match.opening`)"""


class Sample(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Exactly what a model read and wrote for one decision. T = number of completion tokens."""

    prompt_ids: tuple[int, ...]
    completion_ids: tuple[int, ...]
    """(T,)"""
    logprobs: tuple[float, ...]
    """(T,) log probability of each token under the sampling distribution (temperature and restriction included)"""
    allowed: tuple[tuple[int, ...] | None, ...] | None = None
    """(T,) the token ids sampling was restricted to at each position; None: unrestricted"""
    temperature: float = 1.0
    top_p: float = 1.0
    policy: str = ""
    version: int = 0
    """version of the policy's weights that sampled"""


class Decision(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What a player answers for one turn, and one attempt of the turn's record."""

    action: str | None
    """None where no action could be read; `category` says why"""
    category: Category = "ok"
    text: str | None = None
    """what was written, where it differs from the action"""
    reason: str = ""
    """why it failed, as the seat is told"""
    sample: Sample | None = None


class Turn(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One decision of one seat: the action played and every attempt it took. A move of an opening has no player."""

    seat: str
    role: str
    phase: str
    player: str
    action: str
    attempts: tuple[Decision, ...]
    """the last one was played, unless the turn was forfeited or replaced by a random action"""
    latency: float = 0.0
    """seconds that the player took, all attempts together"""
    trainable: bool = False
    substituted: bool = False
    """True where the action was drawn at random after the last failed attempt"""

    @property
    def opening(self) -> bool:
        """Whether it is a random move of the match's opening, which no player made."""
        return not self.player

    @property
    def sample(self) -> Sample | None:
        """The tokens of the attempt that was played."""
        return None if self.substituted else self.attempts[-1].sample


class Episode(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The full record of a match."""

    match: str
    game: str
    seed: int
    seats: dict[str, str]
    """seat -> name of the player"""
    roles: dict[str, str]
    """seat -> role"""
    turns: tuple[Turn, ...]
    returns: dict[str, float]
    status: Status
    reason: str = ""
    forfeited_by: str = ""
    """the seat whose failure ended the match"""
    failure: tuple[Decision, ...] = ()
    """the attempts of the turn that was forfeited"""
    seconds: float = 0.0
    facts: dict[str, Any] = {}
    """what the game established beside the returns: `TextGame.facts`"""
    worker: str = ""
    """who played it, where a run has several workers: `host:process`, or a node of a cluster"""
    task: str = ""
    """what the game was given before its reset: `MatchPlan.task`"""
    opening: int = 0
    """random moves before the players took over: `MatchPlan.opening`"""


def encode(episode: Episode) -> bytes:
    """An episode as JSON."""
    return _encoder.encode(episode)


def decode(data: bytes) -> Episode:
    """The episode `encode` wrote. Raises msgspec.ValidationError."""
    return _decoder.decode(data)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Episode)
