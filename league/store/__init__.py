"""The append-only match log: every match planned, leased and finished exactly once, and what is rebuilt from it."""

from league.store.dialect import NoDatabase, RunTaken
from league.store.runs import Event, Run, RunStatus
from league.store.store import RosterChanged, Store

__all__ = ["Event", "NoDatabase", "RosterChanged", "Run", "RunStatus", "RunTaken", "Store"]
