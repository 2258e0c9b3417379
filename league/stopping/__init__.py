"""Stop rules: they end a run once it has enough matches."""

from __future__ import annotations

from league.stopping.monitor import PlanOrderBuffer, StopMonitor
from league.stopping.rules import StopRule
from league.stopping.sprt_rule import Sprt

__all__ = ["PlanOrderBuffer", "Sprt", "StopMonitor", "StopRule"]
