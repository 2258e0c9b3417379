"""Fills the template of a file, and checks that the file is valid before it is written."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from string import Template

import games
from arena import players
from arena.players.composite import PARTS
from games import InputError, plugins
from games.naming import parse_name
from league.config.json_schema import schema_text
from league.config.toml_file import VERBS, parse_toml
from league.config.tournament import parse_tournament
from league.config.training import parse_training
from league.starter.answers import named_players
from league.starter.purposes import StarterAnswers

_WAITING = ("by-role", "human", "llm", "openai", *PARTS)
"""players that are not made only to ask what they can play: a model would be loaded"""

_FIXED_SEED = "# the same seed gives the same matches"
_DRAWN_SEED = "# no seed: a large one is drawn, so that the provider of the model cannot compute the cards"
_BUDGET = """\
[budget]                    # of all endpoints together, restarts included; the run stops before it is exceeded
tokens = 1_000_000          # of prompts and answers

"""
_CHOICE = """\
decode = "choice"           # one of the legal actions, sampled under a mask; "free": the model writes"""
_FREE = """\
decode = "free"             # the model writes, and the role reads its answer
max_tokens = 64             # of an answer"""
_TINY = """
[loss]
tau = 0.5                   # the magnet, an average of earlier policies: without it the policy cycles or collapses
magnet_rate = 0.02
magnet_floor = 0.3          # the share of uniform play in it, falling to 0

[optimizer]
lr = 2e-3
schedule = "linear"         # to 0 at the end

[opponents]
self = 1.0                  # share of the matches; "snapshots = 0.2" beside it keeps larger games from being forgotten
"""
_PRETRAINED = """\
lora = 16                   # the rank of the adapter that is trained; without it, all weights at lr = 1e-6
deterministic = false       # batches of any size; a repeated run differs in the last bits

[loss]
name = "ppo"
entropy = 0.1               # this and the magnet, an average of earlier policies, keep it from one answer to everything
tau = 0.3
magnet_rate = 0.02

[optimizer]
lr = 1.5e-4
token_budget = 4096         # tokens that the learner takes at a time; SmolLM2 needs about 1.5 GB for 1,024

[opponents]                 # shares of the matches
self = 0.8
snapshots = 0.2             # earlier snapshots of the policy
"""


@dataclass(frozen=True, slots=True)
class StarterFile:
    """What `write_file` wrote."""

    file: Path
    schema: Path
    command: str
    """what to type next"""


def write_file(answers: StarterAnswers, file: Path) -> StarterFile:
    """Write a commented file, and beside it the JSON schema that its first line names.

    A player that cannot play every game gets a list of those it can. Raises InputError for an unknown game or player,
    for a player that can play nothing, and if the file exists.
    """
    if file.exists():
        raise InputError(f"{file} exists already; name another file with --file, or delete it")
    text = _filled(answers, file)
    parse = parse_tournament if answers.kind == "tournament" else parse_training
    parse(parse_toml(text.encode(), file), file)
    schema = file.with_name(f"{answers.kind}.schema.json")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        schema.write_text(schema_text(answers.kind), encoding="utf-8")
    except OSError as error:
        file.unlink(missing_ok=True)  # it may be a part
        raise InputError(f"cannot write {file}: {error.strerror}; name another file with --file") from None
    return StarterFile(file, schema, f"{VERBS[answers.kind]} {shlex.quote(str(file))}")


def _filled(answers: StarterAnswers, file: Path) -> str:
    ids = [games.make(id).spec.id for id in answers.games]
    tiny = parse_name(answers.model).base == "tiny"
    chosen = named_players(answers.players)
    paid = any(parse_name(id).base == "openai" for _, id in chosen)
    words = {
        "file": shlex.quote(str(file)),
        "name": _text(answers.name),
        "plain_name": shlex.quote(answers.name),
        "db": shlex.quote(f"runs/{answers.name}.db"),
        "db_text": _text(f"sqlite:///runs/{answers.name}.db"),
        "games": _list(ids),
        "game": ids[0],
        "rounds": _column(f"rounds = {answers.rounds}"),
        "steps": _column(f"steps = {answers.rounds}"),
        "every": _column(f"every = {max(1, answers.rounds // 4)}"),
        "seed": _DRAWN_SEED if paid else _column(f"seed = {answers.seed}") + _FIXED_SEED,
        "budget": _BUDGET if paid else "",
        "model": _text(answers.model),
        "matches": _column(f"matches_per_step = {256 if tiny else 64}"),
        "decode": _FREE if _all_free(ids) else _CHOICE,
        "learning": _TINY if tiny else _PRETRAINED,
        "plugins": _plugins(file),
        "players": "\n".join(_player(answers, name, id, ids) for name, id in chosen),
    }
    template = resources.files("league.starter").joinpath("templates", f"{answers.kind}.toml.txt")
    return Template(template.read_text(encoding="utf-8")).substitute(words)


def _player(answers: StarterAnswers, name: str, id: str, ids: Sequence[str]) -> str:
    table = "players" if answers.kind == "tournament" else "anchors"
    lines = [f"[[{table}]]", f"name = {_text(name)}", f"player = {_text(id)}"]
    able = _playable(name, id, ids)
    if len(able) < len(ids) and table == "players":
        lines.append(f"games = {_list(able)}")
    return "\n".join(lines) + "\n"


def _all_free(ids: Sequence[str]) -> bool:
    """Returns whether all games begin with a turn of free text."""

    def free(id: str) -> bool:
        game = games.make(id)
        game.reset(seed=0)
        return any(game.legal(seat) is None for seat in game.acting)

    return all(map(free, ids))


def suited(answers: StarterAnswers) -> StarterAnswers:
    """Returns the answers without the players that can play none of the games. Raises InputError for an unknown game.

    For suggested players: most search or solve OpenSpiel's games, and the user may have chosen others. If one is left
    for a tournament, it meets the scripted policy of the game, where there is one. In games of free text, models write.
    """

    def plays(id: str) -> bool:
        return any(why is None for why in _reasons(id, answers.games).values())

    able = list(filter(plays, answers.players))
    if _all_free(answers.games):
        able = [id.replace("decode=choice", "decode=free, max_tokens=64") for id in able]
    if answers.kind == "tournament" and len(able) == 1:
        able += filter(plays, ["policy(name=competent)"])
    return replace(answers, players=tuple(able))


def _playable(name: str, id: str, ids: Sequence[str]) -> list[str]:
    """Returns the games that a player can play. Raises InputError if there is none."""
    if parse_name(id).base not in players.ids():
        players.make(id)  # raises the error with the nearest names
    reasons = _reasons(id, ids)
    able = [game for game, reason in reasons.items() if reason is None]
    if not able:
        raise InputError(
            f"{name} can play none of the games: {next(iter(reasons.values()))}; `arena players` lists the others"
        )
    return able


def _reasons(id: str, ids: Sequence[str]) -> dict[str, str | None]:
    """Game -> why a player cannot play it, or None. Raises InputError."""
    if parse_name(id).base in _WAITING:
        return dict.fromkeys(ids)
    with closing(players.make(id)) as player:
        return {game: player.supports(games.make(game)) for game in ids}


def _plugins(file: Path) -> str:
    """Returns the line that names the plugin files loaded now, relative to the file; "" if there are none."""
    loaded = [os.path.relpath(plugin, file.resolve().parent) for plugin in plugins.loaded_files()]
    return f"plugins = {_list(loaded)}\n" if loaded else ""


def _column(text: str) -> str:
    """Returns a setting, padded so that comments begin in one column."""
    return f"{text:<27} "


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, values))}]"
