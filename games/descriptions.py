"""One sentence, the number of players and the payoff of each listed game, for `arena games --search`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from games import native, plugins, registry
from games.errors import InputError, MissingPackage
from games.exact import EXACT
from games.openspiel.parameters import types
from games.papers import papers_of_game
from games.registration import GROUP
from games.textarena.catalog import CHECKED

FAMILIES = {
    "openspiel": "of OpenSpiel",
    "pettingzoo": "an environment of PettingZoo",
    "textarena": "an environment of TextArena",
    "openenv": "an environment on an OpenEnv server",
    "verifiers": "an environment of Prime Intellect's verifiers",
}
"""namespace of a collection -> what its games are"""


class GameListing(msgspec.Struct, frozen=True):
    """What a list of games says of one."""

    id: str
    players: str
    """number of players, such as 2 or 2-10; "" if only making the game tells"""
    payoff: str
    """such as zero-sum; "" as in `players`"""
    about: str
    """one sentence"""


def about(id: str) -> str:
    """Returns one sentence about a listed game. Our own games are not imported; a game of a plugin is."""
    namespace, slash, name = id.partition("/")
    if slash:
        words = " ".join(re.sub(r"[-_]v\d+", "", name).replace("_", " ").replace("-", " ").split())
        sentence = f"{words}, {FAMILIES[namespace]}"
        return _about_openspiel(name, sentence) if namespace == "openspiel" else f"{sentence}."
    if entry := plugins.entries(GROUP).get(id):
        return _first_sentence(getattr(plugins.load("game", entry), "__doc__", None) or "A game of a plugin.")
    module = {**native.NATIVE, **EXACT}[id].partition(":")[0].split(".")[1:]
    path = Path(__file__).parent.joinpath(*module)
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    first = file.read_text(encoding="utf-8").split("\n", 1)[0].strip('"')
    return _first_sentence(first.partition(": ")[2])


def _first_sentence(text: str) -> str:
    sentence = " ".join(text.strip().split("\n\n")[0].split())
    return sentence[:1].upper() + sentence[1:]


def _about_openspiel(name: str, sentence: str) -> str:
    try:
        kind = types()[name]
    except (KeyError, MissingPackage):
        return f"{sentence}."
    information = kind.information.name.lower().replace("_", " ").replace("one shot", "one shot, no information")
    chance = "without chance" if kind.chance_mode.name == "DETERMINISTIC" else "with chance"
    return f"{kind.long_name}, {FAMILIES['openspiel']}: {information}, {chance}."


def listing(id: str) -> GameListing:
    """Returns what is known of a listed game; makes a native game and one of PettingZoo, but no other."""
    namespace, slash, name = id.partition("/")
    players = payoff = ""
    if namespace == "textarena":
        players = str(CHECKED.get(name, ""))
    elif namespace == "openspiel" and (kind := types().get(name)) is not None:
        players = "-".join(map(str, sorted({kind.min_num_players, kind.max_num_players})))
        payoff = kind.utility.name.lower().replace("_", "-").replace("identical", "cooperative")
    elif not slash or namespace == "pettingzoo":
        try:
            spec = registry.make(id).spec
            players, payoff = str(len(spec.seats)), spec.payoff.replace("_", "-")
        except InputError:  # such as a missing package
            pass
    return GameListing(id, players, payoff, about(id))


def search(word: str) -> Iterator[GameListing]:
    """Yields the listed games whose id, sentence or papers contain a text, in any case.

    Leaves out those of broken plugins, each of which causes a warning.
    """
    broken = plugins.entries(GROUP).keys() - plugins.working(GROUP).keys()
    for id in registry.ids():
        if id not in broken and word.lower() in " ".join((id, about(id), *papers_of_game(id))).lower():
            yield listing(id)
