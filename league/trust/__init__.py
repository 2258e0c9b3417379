"""A database is data: what it names is used only if the user of this machine has said so before.

Code, models, URLs and environment variables that a stored run names are listed, and refused, unless the user started
that run here from a file of his own, gave the code with --plugin, or allowed it all with --trust-db. What he allowed is
kept outside the database, so that he is asked once.
"""

from league.trust.gate import Gate, allow_game, find_plugins, readable
from league.trust.things import Thing, of_game, of_model, of_player

__all__ = ["Gate", "Thing", "allow_game", "find_plugins", "of_game", "of_model", "of_player", "readable"]
