"""Decides who plays whom: matchmakers return pairings, `expand` turns them into planned matches."""

from __future__ import annotations

from league.matchmaking.match_plans import expand
from league.matchmaking.matchmaker import Matchmaker, Pairing, PairingContext
from league.matchmaking.registry import ids, make, register
from league.matchmaking.seating import rotations
from league.records.game_info import GameInfo
from league.records.matches import Result, SeatResult

__all__ = [
    "GameInfo",
    "Matchmaker",
    "Pairing",
    "PairingContext",
    "Result",
    "SeatResult",
    "expand",
    "ids",
    "make",
    "register",
    "rotations",
]
