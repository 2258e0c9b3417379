"""Settings of runs, as JSON values and decoded."""

from collections.abc import Iterable
from typing import Any

from league.records.run_spec import RunSpec

KUHN = "openspiel/kuhn_poker"
KUHN_INFO = {"payoff": "zero_sum", "seats": ["player_0", "player_1"]}


def stored(names: Iterable[str] = ("alice", "bob"), **more: Any) -> dict[str, Any]:
    """The stored settings of a tournament of Kuhn poker. `more` replaces or adds keys."""
    games = more.get("rated", {KUHN: KUHN_INFO})
    kind = {"kind": "training"} if "training" in more else {}
    return {"ratings": {}, "rated": games, "plays": {player: list(games) for player in names}} | kind | more


def spec(names: Iterable[str] = ("alice", "bob"), name: str = "cup", **more: Any) -> RunSpec:
    """The same, decoded."""
    settings = stored(names, **more)
    return RunSpec.from_json(name, settings.get("seed", 0), settings)
