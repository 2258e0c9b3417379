"""What the ids in a database would do beyond computing: load a model, query a server, import a module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from arena.cache import cache_dir
from arena.inference import adapters
from arena.inference.convert import EMBEDDED
from arena.players import registry
from arena.players.chat import role_pairs
from arena.players.composite import PARTS
from arena.players.endpoint.request import KEY, OPENAI, variables_of
from games import InputError, UnknownName, plugins
from games.naming import Name, parse_name
from games.registry import source_of
from games.tasks.registry import SOURCES
from games.textarena.catalog import CHECKED
from league.records.game_info import names_a_file
from roles.registry import ROLES, is_known

HARMLESS = frozenset({"random", "mcts", "solver", "human", "note-reader", "policy"})
"""our kinds of player that only compute, or ask the human who started them"""

PROMPTED = ("llm", "openai")
"""our kinds of player with a parameter `roles`"""


class Capability(NamedTuple):
    """Something that the user must allow."""

    key: str
    """its key in the user's file"""
    effect: str
    """what it does, as the end of the sentence `it would ...`"""
    folder: Path | None = None
    """the folder of a model; a run may use its own folders"""


def of_player(id: str) -> list[Capability]:
    """Returns what a player would do. Raises InputError for an invalid id."""
    return list(_of_player(parse_name(id)))


def of_model(name: str) -> list[Capability]:
    """Returns what a model's name would load, with the base model of an adapter."""
    return list(_of_model(name, set()))


def of_game(id: str) -> list[Capability]:
    """Returns what a game would do. Raises InputError for an invalid id."""
    name = parse_name(id)
    if name.base.startswith("pettingzoo/") and ":" in name.base:
        module = name.base.removeprefix("pettingzoo/").partition(":")[0]
        return [Capability(f"game {name}", f"import the Python module {module} and make the game {name}")]
    if name.base.startswith("textarena/") and name.base.removeprefix("textarena/") not in CHECKED:
        reach = "which may use the network and OPENROUTER_API_KEY"
        return [Capability(f"game {name}", f"make the TextArena environment of the game {name}, {reach}")]
    if name.base.startswith("openenv/"):
        return [Capability(f"game {name}", f"play on the server {name.base.removeprefix('openenv/')}")]
    if name.base.startswith("verifiers/"):
        return [Capability(f"game {name}", f"import the environment package of the game {name} and run its code")]
    if names_a_file(str(name)):
        return [Capability(f"game {name}", f"read the file that the game {name} names")]
    if name.params and (origin := _plugin_of(name)):
        return [Capability(f"game {name}", f"make the game {name} of {origin}")]
    return list(_of_parameters(name))


def of_tasks(id: str) -> list[Capability]:
    """Returns what making a task source may do, such as importing code or reading files."""
    return list(_of_parameters(Name("tasks", {"tasks": id})))


def of_roles(ids: Iterable[str]) -> list[Capability]:
    """Returns a capability for each role of a plugin that gets parameters."""
    return list(_of_roles(map(parse_name, ids)))


def unknown_role(id: str) -> str:
    """Returns the role that the id of a player names and that is not known here, or ""."""
    roles = _roles_of(parse_name(id))
    return next((role.base for played, role in roles if not is_known(role.base, {played})), "")


def _plugin_of(game: Name) -> str:
    """Returns the plugin that a game is from, or "": ours, or unknown, so that it cannot be made."""
    try:
        source = source_of(str(game))
    except UnknownName:
        return ""
    return source.origin if isinstance(source, plugins.PluginEntry) and source.origin != plugins.BUILTIN else ""


def unknown_part(id: str) -> str:
    """Returns the task source that the id of one of our games names and that is not known here, or ""."""
    name = parse_name(id)
    if "/" in name.base or _plugin_of(name) or not name.params.get("tasks"):
        return ""
    base = parse_name(str(name.params["tasks"])).base
    return f"task source {base}" if base and base not in SOURCES.ids() else ""


def _of_parameters(name: Name) -> Iterator[Capability]:
    """Yields what the task sources would do that a game's parameters name."""
    for value in name.params.values():
        try:
            part = parse_name(str(value))
        except InputError:
            continue
        if part.params and SOURCES.is_plugin(str(part)):
            yield Capability(f"tasks {part}", f"make the tasks {part} of a plugin")


def _of_player(name: Name) -> Iterator[Capability]:
    entry = registry.PLAYERS.entries().get(name.base)
    if entry is None:
        return  # an unknown kind cannot be made
    if entry.origin != plugins.BUILTIN:
        if name.params:
            yield Capability(f"player {name}", f"make the player {name} of {entry.origin}")
    elif name.base == "by-role" or name.base in PARTS:
        for part in _parts_of(name):
            yield from _of_player(part)
    elif name.base in PROMPTED:
        if name.base == "llm":
            whole = name.params.get("engine") == "transformers"
            yield from _of_model(str(name.params.get("model", next(iter(EMBEDDED)))), set(), whole)
        else:
            yield _endpoint(name)
        yield from _of_roles(role for _, role in _roles_of(name))
    elif name.base not in HARMLESS:
        yield Capability(f"player {name}", f"make the player {name}")


def _parts_of(player: Name) -> Iterator[Name]:
    """Returns the players that a player consists of."""
    keys = player.params if player.base == "by-role" else PARTS.get(player.base, ())
    return (parse_name(str(player.params[key])) for key in keys if player.params.get(key))


def _roles_of(player: Name) -> Iterator[tuple[str, Name]]:
    """Yields the roles that the id of a player names, also in its parts, and who plays them."""
    for part in _parts_of(player):
        yield from _roles_of(part)
    for role, id in role_pairs(str(player.params.get("roles", ""))) if player.base in PROMPTED else ():
        yield role, parse_name(id)


def _of_roles(roles: Iterable[Name]) -> Iterator[Capability]:
    for role in roles:
        if role.params and ROLES.is_plugin(str(role)):
            yield Capability(f"role {role}", f"make the role {role} of a plugin")


def _endpoint(name: Name) -> Capability:
    url = str(name.params.get("base_url", OPENAI))
    key = name.params.get("key", KEY if url.rstrip("/") == OPENAI else "")
    variables = [str(key)] * bool(key) + variables_of(str(name.params.get("headers", "")))
    plural = "keys in the environment variables" if len(variables) > 1 else "key in the environment variable"
    sent = f", sending it the {plural} {', '.join(variables)}" if variables else ""
    return Capability(f"player {name}", f"ask the model {name.params.get('model')} at {url}{sent}")


def _of_model(model: str, visited: set[str], whole: bool = False) -> Iterator[Capability]:
    """`whole`: the engine loads a model without its base if it can."""
    if model in EMBEDDED or model == "tiny" or model.startswith("tiny(") or model in visited:
        return
    visited.add(model)
    path = Path(model).expanduser()
    if not path.is_dir():
        hub = model.count("/") <= 1 and not model.startswith((".", "~", "/"))
        source = "the Hugging Face hub" if hub else "a folder that is not here"
        yield Capability(f"model {model}", f"load the model {model} from {source}")
        return
    path = path.resolve()
    if not path.is_relative_to(cache_dir().resolve() / "models"):
        yield Capability(f"model {path}", f"load the model in the folder {path}", path)
    adapter = adapters.find(path)
    if adapter is not None and not (whole and adapter != path):
        try:
            base = adapters.base_of(adapter)
        except InputError:
            return  # loading it reports the fault
        yield from _of_model(base, visited)
