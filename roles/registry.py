"""From a role's name to the object that speaks for it. A name nobody registered is a plain player of that name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from math import isfinite
from typing import Any

from games import ArenaError, InputError
from games.naming import parse_name
from games.registries import Registry
from roles.role import ParseError, Role

ROLES = Registry(
    "role",
    "arena.roles",
    Role,
    {
        "buyer": "roles.bargain:Buyer",
        "seller": "roles.bargain:Seller",
        "civilian": "roles.spy:Civilian",
        "spy": "roles.spy:Spy",
        "coach": "roles.coach:Coach",
        "critic": "roles.critic:Critic",
        "sneaky": "roles.critic:Sneaky",
        "debate-judge": "roles.debate:DebateJudge",
        "debater": "roles.debate:Debater",
        "evaluator": "roles.forum:Evaluator",
        "forum-solver": "roles.forum:ForumSolver",
        "scorer": "roles.forum:Scorer",
        "translator": "roles.translator:Translator",
        "attacker": "roles.taboo:Attacker",
        "defender": "roles.taboo:Defender",
        "conjecturer": "roles.conjecture:Conjecturer",
        "prover": "roles.conjecture:Prover",
        "challenger": "roles.proposer:Challenger",
        "judge": "roles.judge:Judge",
        "proposer": "roles.proposer:Proposer",
        "red-attacker": "roles.redteam:RedAttacker",
        "red-defender": "roles.redteam:RedDefender",
        "referee": "roles.redteam:Referee",
        "solver": "roles.solver:Solver",
    },
)

ids = ROLES.ids
register = ROLES.register


_METHODS = ("messages", "parse", "credit", "phases", "split_batch", "credit_batch")


def _is_chat(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(m, dict) and {"role", "content"} <= m.keys() for m in found)


def _is_credit(found: Any) -> bool:
    return isinstance(found, int | float) and isfinite(found)


_WANTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "messages": (_is_chat, 'a list of {"role": ..., "content": ...}'),
    "parse": (lambda found: isinstance(found, str), "the action, a text, or raises roles.ParseError"),
    "credit": (_is_credit, "a finite number"),
}
"""method -> whether an answer will do, and what it must be"""


def make(id: str) -> Role:
    """The role named by `id`, such as `seller` or `attacker(style=polite)`.

    What a plugin's role raises, but for ParseError, is a PluginError that names it, its file and the line: the match is
    void, for it is no fault of whoever plays the role.
    """
    role = unguarded(id)
    if ROLES.is_plugin(id):
        for method in _METHODS:
            setattr(role, method, _guarded(getattr(role, method), id, method))
    return role


def unguarded(id: str) -> Role:
    """The same role, whose errors are its own: for who looks for them."""
    name = parse_name(id)
    if name.base in ROLES.entries():
        return ROLES.make(id)
    if name.params:
        raise InputError(f"role {name.base!r} is the generic player and takes no parameters")
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
        will_do, wanted = _WANTED.get(method, (lambda found: True, ""))
        if not will_do(found):
            raise ROLES.broken(id, f"{method} returned {found!r:.80}; it returns {wanted}")
        return found

    return guarded
