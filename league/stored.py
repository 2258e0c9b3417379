"""What the store keeps of a tournament's settings, enough to plan, rate and show it without making its games."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from pydantic import ValidationError

import games
from games import GameSpec, InputError, plugins
from games.naming import parse_name
from league import ratings
from league.config import RatingConfig, TournamentConfig, faults
from league.entry import Entry
from league.ratings import GameInfo, Ledger
from league.ratings.sides import to_stored
from league.trust.things import of_game

if TYPE_CHECKING:
    from league.ratings.refined import Refined


def stored_config(config: TournamentConfig, entry: Entry) -> dict[str, Any]:
    """The file's settings, how each game is rated (`rated`), which games have no chance (`chanceless`) and who plays
    what (`plays`), as JSON values; `notes` where matches of a game leave notes to later ones.
    """
    noted = {spec.id: spec.notes._asdict() for spec in entry.games.values() if spec.notes}
    seed = 0 if config.seed is None and not entry.outside else config.seed
    return config.model_dump(mode="json") | {
        "seed": seed,
        "plugins": stored_plugins(),
        "ratings": stored_ratings(config.ratings),
        "rated": {spec.id: to_stored(GameInfo.of(spec)) for spec in entry.games.values()},
        "chanceless": chanceless(entry.games.values()),
        "plays": {player: list(games) for player, games in entry.plays.items()},
        **({"notes": noted} if noted else {}),
    }


def stored_ratings(config: RatingConfig) -> dict[str, Any]:
    """The rating settings as JSON values, without what is as usual, as in runs of before it could be said."""
    kept, usual = config.model_dump(mode="json"), RatingConfig().model_dump(mode="json")
    later = ("lineage", "anchors", "intervals")
    return {key: value for key, value in kept.items() if key not in later or value != usual[key]}


def chanceless(specs: Iterable[GameSpec]) -> list[str]:
    """The games in which the seed decides nothing."""
    return [spec.id for spec in specs if spec.chance is False]


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
    """How each game of a stored configuration is rated.

    Runs of before `chanceless` was kept: games of OpenSpiel are asked again, all others count as games with chance,
    in which only the same moves on the same seed are the same match.
    """
    try:
        found = {id: msgspec.convert(info, GameInfo) for id, info in config["rated"].items()}
    except (KeyError, AttributeError, msgspec.ValidationError) as error:
        raise InputError(f"the stored settings of run {config.get('name')!r} are damaged: rated: {error}") from None
    without = (
        config["chanceless"]
        if "chanceless" in config
        else [id for id in found if not of_game(id) and _is_chanceless(id)]
    )
    return {id: msgspec.structs.replace(info, chance=id not in without) for id, info in found.items()}


@functools.lru_cache(maxsize=256)
def _is_chanceless(id: str) -> bool:
    if not id.startswith("openspiel/"):
        return False  # making it could run code that the database names
    try:
        return games.make(id).spec.chance is False
    except games.ArenaError:
        return False


def ratings_for(config: Mapping[str, Any]) -> Refined:
    """Empty ratings for a stored configuration, by the method it names.

    Runs no code that the configuration names: see `league.trust.find_plugins`. Raises InputError for a method that is
    not known here, or settings that are none.
    """
    from league.ratings.refined import Refined

    settings, players = rating_settings(config), _players(config)
    if (name := parse_name(settings.method).base) not in ratings.ids():
        raise InputError(
            f"run {config['name']!r} is rated by {name!r}, which is not known here; known: {', '.join(ratings.ids())}; "
            "add --plugin PATH of the file that brings it, or install its package"
        )
    if "training" not in config:
        return Refined(rated_games(config), settings, players)
    run = str(config["name"]).removesuffix(".gate")
    return Refined(rated_games(config), settings, players, snapshots_of(run))


def _players(config: Mapping[str, Any]) -> list[str]:
    plays = config.get("plays")
    if not isinstance(plays, dict):
        raise InputError(f"the stored settings of run {config.get('name')!r} are damaged: they name no players")
    return list(plays)


def rating_settings(config: Mapping[str, Any]) -> RatingConfig:
    """The rating settings of a stored configuration. Raises InputError."""
    try:
        return RatingConfig.model_validate(config.get("ratings", {}))
    except ValidationError as error:
        told = faults(error, RatingConfig)
        raise InputError(f"the stored ratings settings of run {config.get('name')!r} are damaged: {told}") from None


def ledger_for(config: Mapping[str, Any]) -> Ledger:
    """An empty ledger for a stored configuration."""
    return Ledger(rated_games(config), rating_settings(config), _players(config))
