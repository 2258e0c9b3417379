"""Turns as they should go, shown before the first real one: a small model keeps a form that it has seen kept.

By game and phase, in the words the games use. SmolLM2-135M writes no tag at all when it is only told to, and nearly
always one after two such turns.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from roles.demonstrations_talk import TABLE

Shots = tuple[tuple[str, str], ...]
"""(what the seat saw, what it wrote)"""


def shots(game: str, phase: str) -> Shots:
    """The demonstrations for a phase of a game, whatever its parameters; () where there are none."""
    return _table().get(f"{game.partition('(')[0]} {phase}", ())


@lru_cache(1)
def _table() -> Mapping[str, Shots]:
    from games.dialogue import code_io_texts as code
    from games.dialogue import math_duel_texts as duel
    from games.dialogue import psj_texts as psj

    easy, other = "What is 31 - 4 * 5?", "What is 7 * 6 + 9?"
    double = "```python\ndef f(x):\n    return [x, x + 1]\n```"
    found: dict[str, Shots] = {
        "psj-v0 propose": (
            (psj.DUTY["propose"], f"<question>{easy}</question>"),
            (psj.DUTY["propose"], f"<question>{other}</question>"),
        ),
        "psj-v0 question": (
            (_asked(easy, psj.DUTY["question"]), "<score>9</score>"),
            (_asked("Is it?", psj.DUTY["question"]), "<score>1</score>"),
        ),
        "psj-v0 solve": (
            (_asked(easy, psj.DUTY["solve"]), "<answer>11</answer>"),
            (_asked(other, psj.DUTY["solve"]), "<answer>51</answer>"),
        ),
        "psj-v0 answer": (
            (_asked(easy, psj.DUTY["answer"].format(answer='"11"')), "<score>10</score>"),
            (_asked(other, psj.DUTY["answer"].format(answer='"49"')), "<score>1</score>"),
        ),
        "math-duel-v0 ask": (
            (duel.DUTY["ask"], rf"<question>{easy}</question> \boxed{{11}}"),
            (duel.DUTY["ask"], rf"<question>{other}</question> \boxed{{51}}"),
        ),
        "math-duel-v0 vote": (
            (_asked(easy, duel.DUTY["vote"]), r"4 * 5 = 20 and 31 - 20 = 11: \boxed{11}"),
            (_asked(other, duel.DUTY["vote"]), r"7 * 6 = 42 and 42 + 9 = 51: \boxed{51}"),
        ),
        "code-io-v0 solve deduction": (
            (f"{double}\nf is called with: 4\n{code.SOLVE['deduction']}", "```output\n[4, 5]\n```"),
        ),
        "code-io-v0 solve abduction": (
            (f"{double}\nf returned: [4, 5]\n{code.SOLVE['abduction']}", "```input\n4\n```"),
        ),
        "code-io-v0 solve induction": (
            (f'What f does: "Put the next after it."\nf(4) is [4, 5]\n{code.SOLVE["induction"]}', double),
        ),
    }
    proposal = f"{double}\n```input\n4\n```"
    found |= TABLE
    return found | {f"code-io-v0 propose {kind}": ((text, proposal),) for kind, text in code.PROPOSE.items()}


def _asked(question: str, duty: str) -> str:
    return f'The question: "{question}"\n{duty}'
