"""Kinds of errors in a step of arithmetic, for the errors that SPC asks its sneaky player to make.

SPC (Chen et al. 2025, arXiv 2504.19162) draws one of five kinds and tells the sneaky player which. A step of arithmetic
can go wrong in three ways, which can be told apart exactly.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from games.verifiers.arithmetic import number, value

StepError = Literal["calculation", "condition", "operation"]
STEP_ERRORS: tuple[StepError, ...] = get_args(StepError)
ERROR_TEXT: dict[StepError, str] = {
    "calculation": "a wrong result of the right calculation",
    "condition": "a misread number, with the right result for it",
    "operation": "a wrong operation, with the right result for it",
}
_SIDES = re.compile(r"\s*(-?[\d.]+)\s*([-+*/×÷−·])\s*(-?[\d.]+)\s*=\s*(.+)")
_SIGNS = str.maketrans("×÷−·", "*/-*")


def error_of(true: str, wrong: str) -> StepError | None:
    """The kind of error in a wrong step, compared with the correct one; None if it is of no kind or of several.

    >>> error_of("7 + 5 = 12", "7 + 6 = 13")
    'condition'
    """
    right, found = _SIDES.fullmatch(true), _SIDES.fullmatch(wrong)
    if right is None or found is None:
        return None
    numbers = sum(number(right[i]) != number(found[i]) for i in (1, 3))
    operation = right[2].translate(_SIGNS) != found[2].translate(_SIGNS)
    left, _, result = wrong.partition("=")
    consistent = value(left) == number(result)
    kinds: dict[tuple[int, bool, bool], StepError] = {
        (0, False, False): "calculation",
        (1, False, True): "condition",
        (0, True, True): "operation",
    }
    return kinds.get((numbers, operation, consistent))
