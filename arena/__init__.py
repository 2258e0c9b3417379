"""How matches are played and learned from.

    episode = arena.play("openspiel/kuhn_poker", ["mcts(simulations=50)", "random"])
    report = arena.evaluate("solver", "openspiel/kuhn_poker")

Everything is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.match import Decision, Episode, IllegalPolicy, MatchPlan, Turn
    from arena.players import Player, View
    from arena.single import evaluate, play, play_async

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

_WHERE = {
    **dict.fromkeys(("evaluate", "play", "play_async"), "arena.single"),
    **dict.fromkeys(("Decision", "Episode", "IllegalPolicy", "MatchPlan", "Turn"), "arena.match"),
    **dict.fromkeys(("Player", "View"), "arena.players"),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("selfplay-arena")
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
