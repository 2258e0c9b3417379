"""A database is untrusted data: what it names is used only if the user of this machine has allowed it before.

Code, models, URLs and environment variables that a stored run names are listed, and refused, unless the user started
that run here from their own file, gave the code with --plugin, or allowed everything with --trust-db. What the user
allowed is stored outside the database, so that each thing is asked once.
"""

from league.trust.capabilities import (
    Capability,
    of_game,
    of_model,
    of_player,
    of_roles,
    of_tasks,
    unknown_role,
)
from league.trust.gate import TrustGate, allow_game, find_plugins, readable
from league.trust.witness import warn_of_changes, witness

__all__ = [
    "Capability",
    "TrustGate",
    "allow_game",
    "find_plugins",
    "of_game",
    "of_model",
    "of_player",
    "of_roles",
    "of_tasks",
    "readable",
    "unknown_role",
    "warn_of_changes",
    "witness",
]
