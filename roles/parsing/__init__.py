"""Parsing of a model's own text into an action (`parse`) or a free message (`message`)."""

from roles.parsing._matching import undressed
from roles.parsing.actions import LEGAL_HINT, parse
from roles.parsing.free_text import message

__all__ = ["LEGAL_HINT", "message", "parse", "undressed"]
