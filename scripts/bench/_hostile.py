"""Hostile programs from `_hostile.txt`: what each does, and which verdicts are acceptable."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import NamedTuple

_SECTION = re.compile(r"^== (.+): (.+)\n((?:(?!== ).*\n)*)", re.MULTILINE)


class Hostile(NamedTuple):
    """A program that defines `f`, and the acceptable kinds of verdict."""

    name: str
    program: str
    kinds: tuple[str, ...]


def templates() -> list[Hostile]:
    """Return every kind of program once, with placeholders."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    found = [Hostile(name, program, tuple(kinds.split())) for name, kinds, program in _SECTION.findall(text)]
    deep = "def f(x): return " + "(" * 300 + "@N@" + ")" * 300
    return [*found, Hostile("null byte", "def f(x): return 1\n\x00", ("invalid",)), Hostile("deep", deep, ("invalid",))]


def programs(n: int, rng: random.Random, canary: str, port: int) -> list[Hostile]:
    """Return `n` programs: the templates in turn, with different numbers."""
    order = templates()
    rng.shuffle(order)
    out = []
    for i in range(n):
        name, text, kinds = order[i % len(order)]
        filled = text.replace("@N@", str(rng.randrange(1, 10**4)))
        filled = filled.replace("@CANARY@", canary).replace("@PORT@", str(port))
        out.append(Hostile(name, _dressed(filled, rng), kinds))
    return out


def _dressed(program: str, rng: random.Random) -> str:
    """Return the program with harmless additions, so that no two programs are equal."""
    before = rng.choice(("", "import math\n", "# as asked\n", "y = None\n", "print('hello')\n", "import json, sys\n"))
    return f"{before}{program}\n# {rng.randrange(10**9)}\n"
