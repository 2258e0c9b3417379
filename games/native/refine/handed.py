"""Whether a critique hands over the answer: as it is, in words, spelled out, or as an expression of the same value.

What the refiner can read anyway, in the question or in the earlier answer, is not handed over. It does not find other
languages, or codes that both sides agreed on before, such as the number of words.
"""

from __future__ import annotations

from games.dialogue.messages import SHOWN, tokens
from games.native.common.tells import spells
from games.native.refine import told
from games.verifiers import arithmetic

_SHORTEST = 3
"""words of fewer letters, such as yes and no, are not checked: the verdict alone tells them"""


def hands_over(critique: str, answer: str, known: str) -> bool:
    """Whether a critique tells an answer that `known`, what its readers see beside it, does not contain."""
    critique = critique[:SHOWN]
    truth = arithmetic.number(answer)
    if truth is not None:
        return truth not in set(told.numbers(known)) and told.tells(critique, truth, known)
    wanted, said = " ".join(tokens(answer)), f" {' '.join(tokens(critique))} "
    if len(wanted) <= _SHORTEST or f" {wanted} " in f" {' '.join(tokens(known))} ":
        return False
    return f" {wanted} " in said or (" " not in wanted and spells(critique, {wanted}))
