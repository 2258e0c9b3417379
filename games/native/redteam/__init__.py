"""redteam: an attacker writes a request, a defender answers it and keeps a secret, a referee labels the exchange."""

from games.native.redteam.game import redteam
from games.native.redteam.referee import Case, ExchangeLabels, Referee

__all__ = ["Case", "ExchangeLabels", "Referee", "redteam"]
