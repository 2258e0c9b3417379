"""Writes a first tournament or training file, for `arena init`."""

from league.starter.answers import player_name
from league.starter.purposes import PURPOSES, Purpose, StarterAnswers
from league.starter.write import StarterFile, suited, write_file

__all__ = ["PURPOSES", "Purpose", "StarterAnswers", "StarterFile", "player_name", "suited", "write_file"]
