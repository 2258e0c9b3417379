"""redteam: an attacker writes a request, a defender answers it and keeps a secret, a referee labels the exchange."""

from games.native.redteam.game import redteam

__all__ = ["redteam"]
