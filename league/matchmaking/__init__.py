"""Who plays whom: pure generators of pairings, and the matches they stand for."""

from __future__ import annotations

from league.matchmaking.expand import expand, rotations
from league.matchmaking.matchmaker import Field, Matchmaker, Pairing
from league.matchmaking.registry import ids, make, register

__all__ = ["Field", "Matchmaker", "Pairing", "expand", "ids", "make", "register", "rotations"]
