"""What the store keeps of a tournament's settings, enough to plan, rate and show it without making its games."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from games import InputError, plugins
from games.naming import parse_name
from league import ratings
from league.config import RatingConfig, TournamentConfig
from league.entry import Entry
from league.ratings import GameInfo, Ledger
from league.ratings.sides import to_stored

if TYPE_CHECKING:
    from league.ratings.refined import Refined


def stored_config(config: TournamentConfig, entry: Entry) -> dict[str, Any]:
    """The file's settings, how each game is rated (`rated`) and who plays what (`plays`), as JSON values; `notes` where
    matches of a game leave notes to later ones.
    """
    noted = {spec.id: spec.notes._asdict() for spec in entry.games.values() if spec.notes}
    seed = 0 if config.seed is None and not entry.outside else config.seed
    return config.model_dump(mode="json") | {
        "seed": seed,
        "plugins": stored_plugins(),
        "ratings": stored_ratings(config.ratings),
        "rated": {spec.id: to_stored(GameInfo.of(spec)) for spec in entry.games.values()},
        "plays": {player: list(games) for player, games in entry.plays.items()},
        **({"notes": noted} if noted else {}),
    }


def stored_ratings(config: RatingConfig) -> dict[str, Any]:
    """The rating settings as JSON values, without what is as usual, as in runs of before it could be said."""
    kept, usual = config.model_dump(mode="json"), RatingConfig().model_dump(mode="json")
    later = ("lineage", "anchors", "intervals")
    return {key: value for key, value in kept.items() if key not in later or value != usual[key]}


def stored_plugins() -> list[str]:
    """The plugin files that were run, those of the command line too: who reads the run from another folder needs them
    where its rating method is of one.
    """
    return [str(path) for path in plugins.loaded_files()]


def snapshots_of(training: str) -> Callable[[Sequence[str]], dict[str, str]]:
    """The lineage of a training's snapshots, NAME@STEP, among some players: each comes from the one before it."""

    def lineage(players: Sequence[str]) -> dict[str, str]:
        steps = {p: p.removeprefix(f"{training}@") for p in players if p.startswith(f"{training}@")}
        order = sorted((p for p, step in steps.items() if step.isdecimal()), key=lambda p: int(steps[p]))
        return {child: parent for parent, child in itertools.pairwise(order)}

    return lineage


def rated_games(config: Mapping[str, Any]) -> dict[str, GameInfo]:
    """How each game of a stored configuration is rated."""
    return {id: msgspec.convert(info, GameInfo) for id, info in config["rated"].items()}


def ratings_for(config: Mapping[str, Any]) -> Refined:
    """Empty ratings for a stored configuration, by the method it names.

    A method that is not known is looked for in the run's plugin files. Raises InputError where it is not there.
    """
    from league.ratings.refined import Refined

    settings, players = RatingConfig.model_validate(config["ratings"]), list(config["plays"])
    _find_method(settings.method, config)
    if "training" not in config:
        return Refined(rated_games(config), settings, players)
    name = str(config["name"]).removesuffix(".gate")
    return Refined(rated_games(config), settings, players, snapshots_of(name))


def _find_method(method: str, config: Mapping[str, Any]) -> None:
    name = parse_name(method).base
    if name in ratings.ids():
        return
    files = config.get("plugins", ())
    lost = [file for file in files if not Path(file).is_file()]
    for file in files:
        if file not in lost:
            plugins.load_file(file)
    if name not in ratings.ids():
        why = f"the run's plugin file is gone: {', '.join(lost)}" if lost else f"known: {', '.join(ratings.ids())}"
        raise InputError(
            f"run {config['name']!r} is rated by {name!r}, which is not known here; {why}; add --plugin PATH of the "
            "file that brings it, or install its package"
        )


def ledger_for(config: Mapping[str, Any]) -> Ledger:
    """An empty ledger for a stored configuration."""
    return Ledger(rated_games(config), RatingConfig.model_validate(config["ratings"]), list(config["plays"]))
