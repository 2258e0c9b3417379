"""Who plays whom, what it says about them, and what is kept."""

DEFAULT_DB = "sqlite:///runs/arena.db"
"""where a run is kept when nothing else is said"""
