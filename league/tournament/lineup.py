"""The games and players of a tournament, made from its file and checked before the first match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

import games
from arena import players
from arena.match import check_opening
from arena.players import Player
from games import GameSpec, InputError, TextGame, chance, plugins
from games.forfeit import check_forfeits
from games.registry import canonical_id
from league.config.tournament import OPERATION, PlayerConfig, TournamentConfig
from league.records.game_info import GameInfo
from league.records.run_spec import RunSpec


class Lineup(msgspec.Struct, frozen=True):
    """The games by canonical id, the players by name, and which player plays which games."""

    games: Mapping[str, GameSpec]
    players: Mapping[str, Player]
    plays: Mapping[str, tuple[str, ...]]
    """player -> the games it plays, in the file's order"""
    outside: tuple[str, ...] = ()
    """players that send requests to other programs, such as endpoints"""
    recalling: tuple[str, ...] = ()
    """players that may know in one match what they saw in another"""

    def close(self) -> None:
        """Close the players."""
        for player in self.players.values():
            player.close()


def load_plugins(config: TournamentConfig, base: Path) -> None:
    """Load the file's plugins. Their paths are relative to the file's folder."""
    for path in config.plugins:
        plugins.load_file(base / Path(path).expanduser())


def assemble(config: TournamentConfig) -> Lineup:
    """Make all games and players. Raises InputError for an invalid game, player or combination."""
    made = {id: games.make(id) for id in config.games}
    specs = {game.spec.id: chance.spec_with_chance(game) for game in made.values()}
    for game in made.values():
        check_forfeits(game)
    refuse_equal(list(made), [game.spec.id for game in made.values()])
    check_openings(config.openings, made.values(), specs)
    seated: dict[str, Player] = {}
    plays: dict[str, tuple[str, ...]] = {}
    for player_config in config.players:
        player = players.make(player_config.player, player_config.name)
        seated[player_config.name] = player
        plays[player_config.name] = tuple(made[id].spec.id for id in _chosen(player_config, player, made))
    outside = tuple(name for name, player in seated.items() if player.outside)
    return Lineup(specs, seated, plays, outside, tuple(name for name, player in seated.items() if player.may_recall))


def check_openings(moves: int, made: Iterable[TextGame], specs: Mapping[str, GameSpec]) -> None:
    """Raises InputError if a game takes free text or ends within the opening moves, or if all games have chance."""
    if not moves:
        return
    for game in made:
        game.load_task("")
        game.reset(0)
        if game.legal(game.acting[0]) is None or not specs[game.spec.id].chance:
            check_opening(game, moves)
    if all(spec.chance for spec in specs.values()):
        raise InputError(
            f"openings = {moves} is for games without chance, and chance varies the matches of {', '.join(specs)} "
            "already; leave openings out"
        )


def refuse_equal(written: Sequence[str], ids: Sequence[str]) -> None:
    """Raise InputError if two games are the same. `written` are the games as in the file, `ids` their canonical ids."""
    for i, id in enumerate(ids):
        if (first := ids.index(id)) < i:
            raise InputError(f"games: {written[first]!r} and {written[i]!r} are the same game, {id}; leave one out")


def _chosen(player_config: PlayerConfig, player: Player, made: Mapping[str, TextGame]) -> list[str]:
    by_id = {game.spec.id: id for id, game in made.items()}
    ids = list(made)
    if player_config.games is not None:
        ids = [id if id in made else by_id.get(canonical_id(id), id) for id in player_config.games]
    for id in ids:
        if id not in made:
            raise InputError(
                f"player {player_config.name!r} lists the game {id!r}, which is not in this tournament; "
                f"games = {', '.join(made)}"
            )
        if why := player.supports(made[id]):
            others = ", ".join(repr(g) for g in made if g != id)
            advice = f"give it games = [{others}] or fewer" if others else "leave it out, or choose another game"
            raise InputError(
                f"player {player_config.name!r} ({player_config.player}) cannot play {id}: {why}; {advice}"
            )
    return list(dict.fromkeys(ids))


def tournament_spec(config: TournamentConfig, lineup: Lineup, named: Mapping[str, str]) -> RunSpec:
    """Returns the resolved settings of a tournament. `named`: player -> the stored name that the file gives."""
    return RunSpec(
        name=config.name,
        games={spec.id: GameInfo.of(spec) for spec in lineup.games.values()},
        plays=dict(lineup.plays),
        written_games=config.games,
        players=config.players,
        named=dict(named),
        pairing=config.pairing,
        rounds=config.rounds,
        seed=config.seed or 0,
        openings=config.openings,
        notes={spec.id: spec.notes for spec in lineup.games.values() if spec.notes},
        learning=tuple(name for name, player in lineup.players.items() if player.learns),
        recalling=lineup.recalling,
        illegal=config.illegal,
        ratings=config.ratings,
        stop=config.stop,
        plugins=tuple(map(str, plugins.loaded_files())),
        other=config.model_dump(mode="json", exclude={*RunSpec.__struct_fields__, *OPERATION}),
    )
