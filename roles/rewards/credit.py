"""Credit from the facts of a match: reading an episode, and rewards for a whole batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, cast

from games.outcome import SeatOutcome
from roles.types import Scored


class EpisodeWithFacts(Scored, Protocol):
    """The part of an episode that facts are read from."""

    @property
    def match(self) -> str:
        """The id of the match."""
        ...

    @property
    def game(self) -> str:
        """The id of the game, with its parameters."""
        ...

    @property
    def roles(self) -> Mapping[str, str]:
        """The role of each seat."""
        ...

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts of the game; empty if the match was forfeited."""
        ...


def with_facts(episode: Scored) -> EpisodeWithFacts:
    """Returns the same episode, typed with its facts. Raises AttributeError if it has none."""
    cast(EpisodeWithFacts, episode).facts  # noqa: B018  the conformance kit passes an episode without facts
    return cast(EpisodeWithFacts, episode)


def seats_of(episode: EpisodeWithFacts, role: str) -> list[str]:
    """Returns the seats with a role, in seat order."""
    return [seat for seat, name in episode.roles.items() if name == role]


def outcomes(episode: Scored) -> dict[str, SeatOutcome]:
    """Returns what the game says of each seat (`TextGame.outcomes`); {} if it says nothing, or nobody finished it."""
    stored = (getattr(episode, "facts", None) or {}).get("outcomes")
    try:
        return {seat: SeatOutcome(**fields) for seat, fields in stored.items()} if isinstance(stored, Mapping) else {}
    except TypeError:  # facts of a plugin that mean something else
        return {}


def task_set(episode: Scored) -> str:
    """Returns the task that a seat or a pool set in the match, for `Role.task`; "" if there is none."""
    facts: Mapping[str, Any] = getattr(episode, "facts", None) or {}
    return str(facts.get("task", ""))


def controls_of(episode: EpisodeWithFacts) -> Mapping[str, bool]:
    """Returns seat -> whether it is right, of those that read a control question; {} without any."""
    return cast(Mapping[str, bool], (episode.facts.get("control") or {}).get("right", {}))


def from_batch(
    episodes: Sequence[Scored],
    role: str,
    has: Callable[[EpisodeWithFacts], bool],
    rewards: Callable[[Sequence[EpisodeWithFacts]], Sequence[float]],
) -> list[Mapping[str, float]]:
    """Returns the rewards of a role with one reward per match, for `Role.credit_batch`.

    `rewards` is called once, with the episodes for which `has` is true, and returns one number for each. `credit`
    decides for the other episodes.
    """
    scored = [e for e in map(with_facts, episodes) if seats_of(e, role) and has(e)]
    of = {id(e): reward for e, reward in zip(scored, rewards(scored), strict=True)}
    return [dict.fromkeys(seats_of(e, role), of[id(e)]) if id(e) in of else {} for e in map(with_facts, episodes)]
