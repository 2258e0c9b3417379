"""The settings that the store keeps of a tournament."""

from __future__ import annotations

from collections.abc import Mapping

from games import plugins
from league.config.tournament import OPERATION, TournamentConfig
from league.records.game_info import GameInfo
from league.records.run_spec import RunSpec
from league.tournament.lineup import Lineup


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
