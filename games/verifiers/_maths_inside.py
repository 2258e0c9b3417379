"""The worker behind `games.verifiers.maths`: math-verify and SymPy on two texts."""

from __future__ import annotations

import logging
from typing import Any

from games.verifiers.workers import Message, serve

_DIGITS = 12  # to which decimals must agree; math-verify's 6 take 0.3333333 for one third


def _main() -> None:
    from math_verify import LatexExtractionConfig, parse, verify

    logging.disable(logging.CRITICAL)

    def read(text: str) -> list[Any]:
        form = [LatexExtractionConfig()]
        found: list[Any] = parse(f"${text}$", form, fallback_mode="no_fallback", parsing_timeout=None)
        return found

    def answer(message: Message) -> Message:
        try:
            given = read(message["given"])
        except Exception as error:  # noqa: BLE001  math-verify raises what SymPy and ANTLR raise
            return {"unread": type(error).__name__}
        if not given:
            return {"unread": "nothing"}
        return {"equal": bool(verify(read(message["gold"]), given, float_rounding=_DIGITS, timeout_seconds=None))}

    serve(answer)


if __name__ == "__main__":
    _main()
