"""The records of a match: plan, decisions, turns, episode. Token ids are stored, never recomputed from text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

Category = Literal["ok", "truncated", "empty", "unparsable", "illegal", "timeout", "error"]
Status = Literal["finished", "forfeit", "truncated", "void"]
CATEGORIES: tuple[Category, ...] = ("ok", "truncated", "empty", "unparsable", "illegal", "timeout", "error")


class MatchPlan(msgspec.Struct, frozen=True, gc=False):
    """The specification of a match: plain data that can be stored, sent and played again."""

    id: str
    game: str
    seed: int
    seats: dict[str, str]
    """seat -> name of the player"""
    task: str = ""
    """the task that the game loads before its reset; "": the game creates its own"""
    opening: int = 0
    """number of random legal moves before the players' first turn, drawn from the seed (`arena.match.opening`)"""
    notes: dict[str, tuple[str, ...]] = {}
    """seat -> what its player learned from its earlier matches; only for players that learn (`Player.learns`)"""


class Sample(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The tokens that a model read and wrote for one decision. T = number of completion tokens."""

    prompt_ids: tuple[int, ...]
    completion_ids: tuple[int, ...]
    """(T,)"""
    logprobs: tuple[float, ...]
    """(T,) log-probability of each token under the sampling distribution, with temperature and restriction applied"""
    allowed: tuple[tuple[int, ...] | None, ...] | None = None
    """(T,) the token ids that sampling was restricted to at each position; None: unrestricted"""
    temperature: float = 1.0
    top_p: float = 1.0
    policy: str = ""
    version: int = 0
    """version of the weights that sampled, or sampled the last token"""
    truncated: bool = False
    """whether the limit of tokens ended the completion, not the model"""
    versions: tuple[int, ...] | None = None
    """(T,) version of the weights that sampled each token, if they changed in the middle; None: all by `version`"""

    def token_versions(self) -> tuple[int, ...]:
        """Returns (T,) the version of the weights that sampled each token."""
        return self.versions or (self.version,) * len(self.completion_ids)


class Decision(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A player's answer for one turn; a turn records one per attempt."""

    action: str | None
    """None if no action could be read; `category` says why"""
    category: Category = "ok"
    text: str | None = None
    """the written text, if it differs from the action"""
    reason: str = ""
    """why it failed; the seat sees it at its next attempt"""
    sample: Sample | None = None
    spent: int = 0
    """completion tokens beside those of `sample`: of an endpoint, or of answers that a planning player did not play"""
    prompt_tokens: int = 0
    """prompt tokens beside those of `sample`"""

    @property
    def written(self) -> int:
        """Number of completion tokens."""
        return self.spent + (0 if self.sample is None else len(self.sample.completion_ids))

    @property
    def read(self) -> int:
        """Number of prompt tokens."""
        return self.prompt_tokens + (0 if self.sample is None else len(self.sample.prompt_ids))


class Turn(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One decision of one seat: the action played and all attempts. A move of an opening has no player."""

    seat: str
    role: str
    phase: str
    player: str
    action: str
    attempts: tuple[Decision, ...]
    """the last one was played, unless the turn was forfeited or substituted"""
    latency: float = 0.0
    """seconds that the player took for all attempts"""
    trainable: bool = False
    substituted: bool = False
    """whether a random action replaced the last failed attempt"""

    @property
    def opening(self) -> bool:
        """Whether this is a random move of the match's opening."""
        return not self.player

    @property
    def failed(self) -> tuple[Decision, ...]:
        """The attempts that were not played."""
        return self.attempts if self.substituted else self.attempts[:-1]

    @property
    def sample(self) -> Sample | None:
        """The tokens of the attempt that was played; None for a substituted turn."""
        return None if self.substituted else self.attempts[-1].sample


class Episode(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The complete record of a match that ended. A void one holds the turns before it failed."""

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
    """the seat that forfeited; "" if none did"""
    failure: tuple[Decision, ...] = ()
    """the attempts of the offender's last turn"""
    seconds: float = 0.0
    facts: dict[str, Any] = {}
    """the game's facts beside the returns: `TextGame.facts`"""
    worker: str = ""
    """the worker that played it: `host:process`, or `host/node:process` on a cluster"""
    task: str = ""
    """`MatchPlan.task`"""
    opening: int = 0
    """`MatchPlan.opening`"""
    notes: dict[str, tuple[str, ...]] = {}
    """`MatchPlan.notes`"""
    voided_by: str = ""
    """the seat whose player or text made the match void; "" if it belongs to no seat, such as a store or a game that
    fails without a text"""
    last_phase: str = ""
    """the phase of the offender's last turn"""
    deterministic: bool = False
    """whether what was played follows from seats, task and opening, and from the seed in a game with chance: all
    players are `Player.deterministic`, and neither notes nor a substituted action played a part"""

    def _repr_html_(self) -> str | None:
        """Returns the match as HTML for a notebook; None before `arena.match` is imported."""
        return _notebook_page[0](self) if _notebook_page else None

    @property
    def offender(self) -> str:
        """The seat that ended the match by a forfeit or made it void; "" if none did."""
        return self.forfeited_by or self.voided_by


_notebook_page: list[Callable[[Episode], str]] = []
"""draws an episode; `arena.match.page` appends it, because a record knows no game"""


def show_in_notebooks(page: Callable[[Episode], str]) -> None:
    """Draw episodes in notebooks with this function."""
    _notebook_page[:] = [page]


def encode(episode: Episode) -> bytes:
    """Encode an episode as JSON."""
    return _encoder.encode(episode)


def decode(data: bytes) -> Episode:
    """Decode the JSON of `encode`. Raises msgspec.ValidationError."""
    return _decoder.decode(data)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Episode)
