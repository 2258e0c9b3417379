"""What can go wrong, as one tree.

ArenaError
├── InputError            what the user gave is wrong: one clear line, exit code 2
│   ├── UnknownName       a game, role, player ... that does not exist; names the nearest ones
│   └── MissingPackage    a feature whose package is not installed; prints the line to type
└── InfrastructureError   a model, worker or database failed: the match is void, never a loss
    ├── PluginError       a plugin raised something or broke its contract; names it, its file and the line
    └── RunPaused         nothing of this run can be played now: it stops, and goes on when it is started again

IllegalAction             a ValueError: the text is no action of this seat now
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ArenaError(Exception):
    """Root of every error the arena raises on purpose."""


class InputError(ArenaError, ValueError):
    """What the user gave is wrong. The message is one line: what was seen, what is allowed, what to type."""


class UnknownName(InputError):
    """A name that nothing is registered under.

    >>> str(UnknownName("game", "kun_poker", ["kuhn_poker", "chess"], "arena games"))
    "unknown game 'kun_poker'; did you mean 'kuhn_poker'? `arena games` lists all"
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], list_command: str = "") -> None:
        known = list(known)
        near = _nearest(name, known)
        if near:
            hint = "; did you mean " + " or ".join(repr(n) for n in near) + "?"
        else:
            most = 12 if list_command else 24
            hint = "; known: " + ", ".join(known) if len(known) <= most else ""
        more = f"{'' if near else ';'} `{list_command}` lists all" if list_command else ""
        super().__init__(f"unknown {kind} {name!r}{hint}{more}")
        self.kind, self.name, self.near = kind, name, near


def _nearest(name: str, known: list[str]) -> list[str]:
    """Up to three known names like this one; `kuhn_poker` finds `openspiel/kuhn_poker`."""
    forms: dict[str, str] = {}
    for full in known:
        forms.setdefault(full.rsplit("/")[-1], full)
        forms[full] = full
    matches = difflib.get_close_matches(name, forms, n=3, cutoff=0.5)
    return list(dict.fromkeys(forms[m] for m in matches))


class MissingPackage(InputError):
    """A feature needs a package that is not installed; the message ends with the line to type."""

    def __init__(self, feature: str, package: str, install: str) -> None:
        super().__init__(f"{feature} needs the package {package!r}; type: pip install {install}")
        self.package = package


class InfrastructureError(ArenaError):
    """Something under the match failed (an engine, an endpoint, a worker). The match becomes void."""


class PluginError(InfrastructureError):
    """A plugin raised what it may not, or answered what its contract forbids. The message is one line: which plugin of
    which file, what it did, what is expected.
    """


class RunPaused(InfrastructureError):
    """What a run needs is used up or out of reach for long (a budget, a key, an endpoint).

    No match gets a result from it: those in need of it are left for later, the run stops, and is continued by
    starting it again. The message is one line: what happened, what to do.
    """


class IllegalAction(ValueError):
    """A text that is no action of this seat now; the message tells the seat why. The state is unchanged.

    Where several seats act at once, `seat` names the one whose action was refused.
    """

    def __init__(self, message: str, seat: str | None = None) -> None:
        super().__init__(message)
        self.seat = seat
