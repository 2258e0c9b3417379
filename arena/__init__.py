"""Plays matches between players and measures them.

    episode = arena.play("openspiel/kuhn_poker", ["mcts(simulations=50)", "random"])
    report = arena.evaluate("solver", "openspiel/kuhn_poker")

`Player` is the base class of players, `Episode` the record of a match. Names are imported on first use, so importing
this package is fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.api import evaluate, play, play_async
    from arena.match import Decision, Episode, IllegalPolicy, MatchPlan, Turn
    from arena.players import Player, View

    __version__: str

__all__ = [
    "Decision",
    "Episode",
    "IllegalPolicy",
    "MatchPlan",
    "Player",
    "Turn",
    "View",
    "__version__",
    "evaluate",
    "play",
    "play_async",
]

_MODULES = {
    **dict.fromkeys(("evaluate", "play", "play_async"), "arena.api"),
    **dict.fromkeys(("Decision", "Episode", "IllegalPolicy", "MatchPlan", "Turn"), "arena.match"),
    **dict.fromkeys(("Player", "View"), "arena.players"),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("selfplay-arena")
    from games.lazy import lazy_attribute  # here, so that importing this package imports nothing else

    return lazy_attribute(__name__, _MODULES, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
