"""From a role's name to the object that speaks for it. A name nobody registered is a plain player of that name."""

from __future__ import annotations

from games import InputError
from games.naming import parse_name
from games.registries import Registry
from roles.role import Role

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


def make(id: str) -> Role:
    """The role named by `id`, such as `seller` or `attacker(style=polite)`."""
    name = parse_name(id)
    if name.base in ROLES.entries():
        return ROLES.make(id)
    if name.params:
        raise InputError(f"role {name.base!r} is the generic player and takes no parameters")
    return Role(name.base)
