"""Role ids and the roles they make. An unregistered name makes a generic role with that name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from typing import Any

from games import ArenaError, InputError, UnknownName
from games.naming import parse_name
from games.plugins import Registry, defined_at
from roles.chat_agent import ChatAgent
from roles.native import NATIVE
from roles.return_checks import OF_BATCH, REQUIREMENTS
from roles.reward_kind import RewardKind
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


_AGENT = "chat-agent-"
"""start of the names of an agent among several of an environment of another library"""
_METHODS = ("messages", "parse", "credit", "phases", "split_batch", "credit_batch", "task", "answer", "turn_rewards")


def chosen(id: str, game_roles: Collection[str]) -> Role:
    """Returns the role that a setting names: a registered one, or a generic one for a name in `game_roles`.

    `player` is always the generic role. Raises UnknownName for any other name.
    """
    base = parse_name(id).base
    if not is_known(base, game_roles):
        raise UnknownName("role", base, sorted({*ids(), *game_roles, Role.name}), "arena roles")
    return make(id)


def is_known(base: str, game_roles: Collection[str]) -> bool:
    """Returns whether a setting may name this role; see `chosen`."""
    return base in ROLES.entries() or base in game_roles or base == Role.name or base.startswith(_AGENT)


def make(id: str) -> Role:
    """Returns the role named by `id`, such as `seller` or `attacker(style=polite)`.

    If a plugin's role raises anything but ParseError, it becomes a PluginError that names the plugin, the file and the
    line. The match is then void, because the player is not at fault.
    """
    role = unguarded(id)
    if ROLES.is_plugin(id):
        if problem := kind_problem(role):
            raise ROLES.broken(id, problem)
        for method in _METHODS:
            setattr(role, method, _guarded(getattr(role, method), id, method))
    return role


def kind_problem(role: Role) -> str:
    """Returns what is wrong with the declared kind of a role's reward; "" if nothing is."""
    declared: object = role.reward_kind
    if isinstance(declared, RewardKind):
        return ""
    return f"reward_kind is {declared!r:.60}; write roles.outcome(midpoint), verdict(threshold) or preference()"


def unguarded(id: str) -> Role:
    """Returns the role without the wrapper that raises PluginError: the conformance kit reports errors itself."""
    name = parse_name(id)
    if name.base in ROLES.entries():
        role = ROLES.make(id)
        role._made_from = id
        return role
    if name.base.startswith(_AGENT):
        return ChatAgent(name.base)
    if name.params:
        raise InputError(f"role {name.base!r} is the generic role and takes no parameters")
    return Role(name.base)


def _guarded(call: Callable[..., Any], id: str, method: str) -> Callable[..., Any]:
    @functools.wraps(call)
    def guarded(*args: Any, **options: Any) -> Any:
        try:
            result = call(*args, **options)
        except (ParseError, ArenaError):
            raise
        except Exception:
            with ROLES.blamed(id, method):
                raise
        valid, requirement = REQUIREMENTS.get(method, (lambda result: True, ""))
        if not valid(result) or (method in OF_BATCH and result is not None and len(result) != len(args[0])):
            raise ROLES.broken(id, f"{method} returned {result!r:.80}; it returns {requirement}{defined_at(call)}")
        return result

    return guarded


def refuse_phases(role: Role, wrong: Collection[str], phases: Collection[str]) -> None:
    """Raises PluginError for a plugin's role whose `phases` names only phases that no turn of its seats has."""
    if ROLES.is_plugin(role._made_from):
        raise ROLES.broken(role._made_from, phases_problem(wrong, phases) + defined_at(type(role).phases))


def phases_problem(wrong: Collection[str], phases: Collection[str]) -> str:
    """Returns what to say of names of phases that no turn has; `phases` are those of the turns."""
    has = ", ".join(map(repr, sorted(phases)))
    return f"phases names {', '.join(map(repr, sorted(wrong)))}, and the turns of its seats have the phases {has}"
