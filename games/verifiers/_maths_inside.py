"""The worker behind `games.verifiers.maths`: math-verify and SymPy on two texts."""

from __future__ import annotations

import logging
from typing import Any

from games.verifiers.workers import Message, serve

_DIGITS = 12  # to which decimals must agree; math-verify's 6 take 0.3333333 for one third


def _main() -> None:
    from math_verify import LatexExtractionConfig, parse, verify
    from sympy import simplify
    from sympy.core.relational import Relational
    from sympy.logic.boolalg import BooleanAtom, BooleanFunction

    logging.disable(logging.CRITICAL)

    def read(text: str) -> list[Any]:
        form = [LatexExtractionConfig()]
        found: list[Any] = parse(f"${text}$", form, fallback_mode="no_fallback", parsing_timeout=None)
        return found

    def decided(found: list[Any]) -> bool:
        """Whether it is true or false by itself, as 1=2 is: math-verify takes all that are false for the same."""
        relations = [f for f in found if isinstance(f, Relational | BooleanFunction)]
        return any(isinstance(simplify(f), BooleanAtom) for f in relations)

    def answer(message: Message) -> Message:
        try:
            given = read(message["given"])
        except Exception as error:  # noqa: BLE001  math-verify raises what SymPy and ANTLR raise
            return {"unread": type(error).__name__}
        if not given:
            return {"unread": "nothing"}
        gold = read(message["gold"])
        if decided(given) or decided(gold):
            return {"unread": "true or false by itself"}
        return {"equal": bool(verify(gold, given, float_rounding=_DIGITS, timeout_seconds=None))}

    serve(answer)


if __name__ == "__main__":
    _main()
