"""Builds what boards and reports show from the store of a run: `report` once, `follower` live, and panels."""
