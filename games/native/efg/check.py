"""Compares extensive-form games with pygambit, in a sandbox.

Two games are the same if their reduced normal forms are equal up to the order of strategies, and so are their sequence
forms. Names, the order of branches and the order of simultaneous moves do not matter; the information of the players
does.
"""

from __future__ import annotations

import importlib.util
import re
from functools import lru_cache

from games.errors import InfrastructureError, MissingPackage
from games.native.efg.notation import HEADER
from games.quoting import byte_length
from games.verifiers import sandbox
from games.verifiers.verdict import Verdict
from games.verifiers.workers import SandboxedWorkers, library

SECONDS = 10.0
LONGEST = 6000
"""bytes of a game"""
_NODE = re.compile(r"^\s*[cpt]\s", re.MULTILINE)
_NUMBER = re.compile(r"\d[\d.]*[eE]|\d{10}")


def require() -> None:
    """Raises MissingPackage without pygambit, MissingProgram without bubblewrap."""
    if importlib.util.find_spec("pygambit") is None:
        raise MissingPackage("efg-v2", "pygambit", "'selfplay-arena[efg]'")
    sandbox.program("efg-v2")


Compared = tuple[Verdict, tuple[tuple[str, ...], ...]]


class _Late(Exception):
    """No answer in time. As an exception it is not cached: it depends on the load of the machine."""


def same(reference: str, given: str, seconds: float = SECONDS) -> Compared:
    """pass if `given` is the game `reference`, fail if it is another game, invalid if it is not a game; for a pass also
    the payoffs of its extreme equilibria.

    Raises MissingPackage, MissingProgram without bubblewrap, and InfrastructureError if no worker starts.
    """
    try:
        return _same(reference, given, seconds)
    except _Late:
        return Verdict("timeout", f"not read and solved within {seconds:g} s"), ()


@lru_cache(4096)
def _same(reference: str, given: str, seconds: float) -> Compared:
    require()
    text = given.strip()
    if not text.startswith(HEADER):
        return Verdict("invalid", f"a game starts with {HEADER}"), ()
    if byte_length(text) > LONGEST or _NUMBER.search(text) or not _plain(text):
        return Verdict("invalid", f"it has more than {LONGEST} bytes, a huge number or a control character"), ()
    message = {"given": text, "reference": reference, "lines": len(_NODE.findall(text))}
    said = _workers().ask(message, seconds)
    if said is None:
        raise _Late
    if "error" in said:
        raise InfrastructureError(f"the worker of efg-v2 failed: {said['error']}")
    if "unread" in said:
        return Verdict("invalid", " ".join(str(said["unread"]).split())[:200]), ()
    if "why" in said:
        return Verdict("fail", str(said["why"])), ()
    if not isinstance(said.get("equilibria"), list):
        raise InfrastructureError("the worker of efg-v2 gave no answer that it can give")
    return Verdict("pass"), tuple(tuple(payoffs) for payoffs in said["equilibria"])


def _plain(text: str) -> bool:
    return all(c in "\n\t" or c.isprintable() for c in text)


@lru_cache(1)
def _workers() -> SandboxedWorkers:
    return SandboxedWorkers(lambda: library("games.native.efg._child", "pygambit"))
