"""Makes curricula from ids such as `uniform` or `mopps(target=0.5)`."""

from __future__ import annotations

from games.plugins import Registry
from league.config.training import TasksConfig
from league.tasks.curricula.base import Curriculum

CURRICULA = Registry(
    "curriculum",
    "arena.curricula",
    Curriculum,
    {
        "b-star": "league.tasks.curricula.b_star:BStar",
        "knapsack": "league.tasks.curricula.knapsack:Knapsack",
        "mopps": "league.tasks.curricula.mopps:Mopps",
        "newest": "league.tasks.curricula.uniform:Newest",
        "pcl": "league.tasks.curricula.pcl:Pcl",
        "sec": "league.tasks.curricula.sec:Sec",
        "uniform": "league.tasks.curricula.uniform:Uniform",
    },
)

ids = CURRICULA.ids
make = CURRICULA.make
register = CURRICULA.register


def most_copies(config: TasksConfig, group: int) -> int:
    """Returns the maximum number of matches on one task, and so of copies of the live policy."""
    most = make(config.curriculum).most_matches if config.share > 0 else 0
    return max(group, most)
