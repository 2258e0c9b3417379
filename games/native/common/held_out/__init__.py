"""A held-out reader: how much a text says about the letters of a word, without the dialogue, in bits.

A text is written to somebody who does not know the word, so it costs as many bits as English has (`english`). If it is
cheaper to write down with the word in hand (`evidence`), it spells the word, in whatever way. A text that knows
nothing of the word saves b bits with a chance of at most 2 ** -b, which bounds how often a fair one is refused.
"""

from games.native.common.held_out.evidence import bits, gives_away
from games.native.common.held_out.rows_of_letters import BITS

__all__ = ["BITS", "bits", "gives_away"]
