"""Policies as expressions: what `arena attack` searches, prints, and what a suite stores of it.

    policy('tag("question", join(inner(), " ", base64(secret("The answer: ", ""))))')

An expression never does the task of a role. It says a constant, copies what the seat reads, writes a secret in a code,
or changes what a random honest player says.
"""

from games.attack.codes import CODES
from games.attack.expression import Expression, parse, policy, policy_of, text_of
from games.attack.sources import Lacking

__all__ = ["CODES", "Expression", "Lacking", "parse", "policy", "policy_of", "text_of"]
