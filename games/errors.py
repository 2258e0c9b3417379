"""The exceptions of the arena.

ArenaError
├── InputError            the user's input is wrong: one clear line, exit code 2
│   ├── UnknownName       no game, role, player ... has this name; suggests the nearest names
│   └── MissingPackage    a feature needs a package that is not installed; prints the command to type
└── InfrastructureError   a model, worker or database failed: the match is void, not a loss
    ├── PluginError       a plugin raised an error or broke its contract; names the plugin, file and line
    └── RunPaused         a run cannot continue now; starting it again resumes it

IllegalAction             a ValueError: the text is not a legal action of this seat now
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ArenaError(Exception):
    """Base class of the arena's exceptions."""


class InputError(ArenaError, ValueError):
    """The user's input is wrong. The message is one line: what was found, what is allowed, what to type."""


class UnknownName(InputError):
    """No entry is registered under this name. `plugin`: a plugin file may register it.

    >>> str(UnknownName("game", "kun_poker", ["kuhn_poker", "chess"], "arena games"))
    "unknown game 'kun_poker'; did you mean 'kuhn_poker'? `arena games` lists all"
    """

    def __init__(
        self, kind: str, name: str, names: Iterable[str], list_command: str = "", plugin: bool = False
    ) -> None:
        names = list(names)
        near = _nearest(name, names)
        if near:
            hint = "; did you mean " + " or ".join(repr(n) for n in near) + "?"
        else:
            most = 12 if list_command else 24
            hint = "; known: " + ", ".join(names) if len(names) <= most else ""
        more = f"{'' if near else ';'} `{list_command}` lists all" if list_command else ""
        if plugin:
            more += "; if a plugin file has it, add --plugin FILE, or plugins = [...] in a TOML file"
        super().__init__(f"unknown {kind} {name!r}{hint}{more}")
        self.kind, self.name, self.near = kind, name, near


def _nearest(name: str, names: list[str]) -> list[str]:
    """Returns up to three similar names; `kuhn_poker` finds `openspiel/kuhn_poker`."""
    forms: dict[str, str] = {}
    for full in names:
        forms.setdefault(full.rsplit("/")[-1], full)
        forms[full] = full
    matches = difflib.get_close_matches(name, forms, n=3, cutoff=0.5)
    return list(dict.fromkeys(forms[m] for m in matches))


class MissingPackage(InputError):
    """A feature needs a package that is not installed; the message ends with the command to type."""

    def __init__(self, feature: str, package: str, install: str) -> None:
        super().__init__(f"{feature} needs the package {package!r}; type: pip install {install}")
        self.package = package


class InfrastructureError(ArenaError):
    """An engine, endpoint, worker or database failed. The match becomes void."""


class PluginError(InfrastructureError):
    """A plugin raised an unexpected error, or broke its contract.

    The message is one line: which plugin of which file, what it did, what is expected.
    """


class RunPaused(InfrastructureError):
    """A run lacks something for longer than a retry helps: a budget, a key, an endpoint.

    The matches that need it get no result and stay planned. The run stops, and starting it again resumes it. The
    message is one line: what happened, what to do.
    """


class IllegalAction(ValueError):
    """A text is not a legal action of this seat now; the message tells the seat why. The state is unchanged.

    If several seats act at once, `seat` names the one whose action is illegal.
    """

    def __init__(self, message: str, seat: str | None = None) -> None:
        super().__init__(message)
        self.seat = seat
