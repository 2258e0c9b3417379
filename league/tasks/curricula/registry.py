"""Makes curricula from ids such as `uniform` or `mopps(target=0.5)`."""

from __future__ import annotations

from games.plugins import Registry
from league.tasks.curricula.base import Curriculum

CURRICULA = Registry(
    "curriculum",
    "arena.curricula",
    Curriculum,
    {
        "mopps": "league.tasks.curricula.mopps:Mopps",
        "newest": "league.tasks.curricula.uniform:Newest",
        "uniform": "league.tasks.curricula.uniform:Uniform",
    },
)

ids = CURRICULA.ids
make = CURRICULA.make
register = CURRICULA.register
