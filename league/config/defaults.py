"""Defaults that settings and the command line share; imported without pydantic, so that `arena --help` stays fast."""

from league.config.database_url import DatabaseUrl

DEFAULT_DB = DatabaseUrl("sqlite:///runs/arena.db")
"""the store of a run whose file names none"""
