"""Role ids and the roles they make. An unregistered name makes a generic role with that name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

from games import ArenaError, InputError
from games.naming import parse_name
from games.plugins import Registry
from roles.chat_agent import ChatAgent
from roles.native import NATIVE
from roles.role import Role
from roles.types import ParseError

ROLES = Registry(
    "role",
    "arena.roles",
    Role,
    {**NATIVE, "chat-agent": "roles.chat_agent:ChatAgent"},
)

ids = ROLES.ids
register = ROLES.register


_METHODS = ("messages", "parse", "credit", "phases", "split_batch", "credit_batch", "task", "answer", "turn_rewards")


def _is_chat(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(m, dict) and {"role", "content"} <= m.keys() for m in found)


def _is_credit(found: Any) -> bool:
    return isinstance(found, int | float) and isfinite(found)


def _are_rewards(found: object) -> bool:
    return found is None or (isinstance(found, Sequence) and all(map(_is_credit, found)))


_WANTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "messages": (_is_chat, 'a list of {"role": ..., "content": ...}'),
    "parse": (lambda found: isinstance(found, str), "the action as a str, or raises roles.ParseError"),
    "credit": (_is_credit, "a finite number"),
    "task": (lambda found: isinstance(found, str), "the task as a str"),
    "answer": (lambda found: isinstance(found, str), "the answer as a str"),
    "turn_rewards": (_are_rewards, "None, or a sequence of finite numbers"),
}
"""method -> a check of what it returns, and the requirement in words"""


def make(id: str) -> Role:
    """The role named by `id`, such as `seller` or `attacker(style=polite)`.

    If a plugin's role raises anything but ParseError, it becomes a PluginError that names the plugin, the file and the
    line. The match is then void, because the player is not at fault.
    """
    role = unguarded(id)
    if ROLES.is_plugin(id):
        for method in _METHODS:
            setattr(role, method, _guarded(getattr(role, method), id, method))
    return role


def unguarded(id: str) -> Role:
    """The same role without PluginError, for the conformance kit, which reports the errors itself."""
    name = parse_name(id)
    if name.base in ROLES.entries():
        return ROLES.make(id)
    if name.base.startswith("chat-agent-"):  # an agent among several of an environment of another library
        return ChatAgent(name.base)
    if name.params:
        raise InputError(f"role {name.base!r} is the generic role and takes no parameters")
    return Role(name.base)


def _guarded(call: Callable[..., Any], id: str, method: str) -> Callable[..., Any]:
    @functools.wraps(call)
    def guarded(*args: Any, **options: Any) -> Any:
        try:
            found = call(*args, **options)
        except (ParseError, ArenaError):
            raise
        except Exception:
            with ROLES.blamed(id, method):
                raise
        valid, wanted = _WANTED.get(method, (lambda found: True, ""))
        if not valid(found):
            raise ROLES.broken(id, f"{method} returned {found!r:.80}; it returns {wanted}")
        return found

    return guarded
