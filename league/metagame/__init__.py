"""The meta-game of a league: who beats whom, equilibria, cycles and surprising results."""

from league.metagame.cycles import Surprise, cyclic, surprises
from league.metagame.equilibrium import Nash, alpha_rank, nash
from league.metagame.export import payoffs, to_csv, to_json, write_picture
from league.metagame.payoff import PayoffMatrix, from_points
from league.metagame.report import MetaGame, Mix, analyse, heat_map_panel

__all__ = [
    "MetaGame",
    "Mix",
    "Nash",
    "PayoffMatrix",
    "Surprise",
    "alpha_rank",
    "analyse",
    "cyclic",
    "from_points",
    "heat_map_panel",
    "nash",
    "payoffs",
    "surprises",
    "to_csv",
    "to_json",
    "write_picture",
]
