"""Defaults that settings and the command line share; imported without pydantic, so that `arena --help` stays fast."""

DEFAULT_DB = "sqlite:///runs/arena.db"
"""the store of a run whose file names none"""
