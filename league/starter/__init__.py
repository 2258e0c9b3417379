"""Writes a first tournament or training file, for `arena init`."""

from league.starter.answers import StarterAnswers, defaults, player_name
from league.starter.write import StarterFile, suited, write_file

__all__ = ["StarterAnswers", "StarterFile", "defaults", "player_name", "suited", "write_file"]
