"""Whether a text is an extensive-form game and the one that was described, by pygambit in a sandbox.

Two games are the same where their reduced normal forms are, up to the order of strategies, and their sequence forms:
the names, the order of the branches and the order in which simultaneous moves are written do not matter; who knows what
when it chooses does.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games.errors import InfrastructureError, MissingPackage
from games.verifiers import sandbox
from games.verifiers.verdict import Verdict
from games.verifiers.workers import Workers, library

SECONDS = 10.0
LONGEST = 6000
"""characters of a game"""
_NODE = re.compile(r"^\s*[cpt]\s", re.MULTILINE)
_NUMBER = re.compile(r"\d[\d.]*[eE]|\d{10}")


def require() -> None:
    """Raises MissingPackage without pygambit, MissingProgram without bubblewrap."""
    if importlib.util.find_spec("pygambit") is None:
        raise MissingPackage("efg-v0", "pygambit", "'selfplay-arena[efg]'")
    sandbox.program("efg-v0")


def verify(claim: Mapping[str, Any], answer: str) -> Verdict:
    """Whether `answer` is the game `claim["game"]`, both as .efg texts."""
    return same(str(claim["game"]), answer)[0]


Compared = tuple[Verdict, tuple[tuple[str, ...], ...]]


class _Late(Exception):
    """No answer in time: an exception, so that no cache keeps what hung on how busy the machine was."""


def same(reference: str, given: str, seconds: float = SECONDS) -> Compared:
    """pass where `given` is the game `reference`, fail where it is another, invalid where it is none; the payoffs of
    its extreme equilibria where it passes.

    Raises MissingPackage, MissingProgram without bubblewrap, and InfrastructureError where no worker starts.
    """
    try:
        return _same(reference, given, seconds)
    except _Late:
        return Verdict("timeout", f"not read and solved within {seconds:g} s"), ()


@lru_cache(4096)
def _same(reference: str, given: str, seconds: float) -> Compared:
    require()
    text = given.strip()
    if not text.startswith("EFG 2 R"):
        return Verdict("invalid", "a game begins with EFG 2 R"), ()
    if len(text) > LONGEST or _NUMBER.search(text) or not _plain(text):
        return Verdict("invalid", f"longer than {LONGEST} characters, a huge number or a control character"), ()
    message = {"given": text, "reference": reference, "lines": len(_NODE.findall(text))}
    said = _workers().ask(message, seconds)
    if said is None:
        raise _Late
    if "error" in said:
        raise InfrastructureError(f"the worker of efg-v0 failed: {said['error']}")
    if "unread" in said:
        return Verdict("invalid", " ".join(str(said["unread"]).split())[:200]), ()
    if "why" in said:
        return Verdict("fail", str(said["why"])), ()
    return Verdict("pass"), tuple(tuple(payoffs) for payoffs in said["equilibria"])


def _plain(text: str) -> bool:
    return all(c in "\n\t" or c.isprintable() for c in text)


@lru_cache(1)
def _workers() -> Workers:
    return Workers(lambda: library("games.dialogue._efg_inside", "pygambit"))
