"""The roles of the native games, and their tables: ids and papers. Importing the tables imports no role.

`tagged` holds their base classes; every other module holds the roles of a game.
"""

from __future__ import annotations

NATIVE = {
    "buyer": "roles.native.bargain:Buyer",
    "seller": "roles.native.bargain:Seller",
    "civilian": "roles.native.spy:Civilian",
    "spy": "roles.native.spy:Spy",
    "coach": "roles.native.bargain:Coach",
    "critic": "roles.native.critic:Critic",
    "sneaky": "roles.native.critic:Sneaky",
    "debate-judge": "roles.native.debate:DebateJudge",
    "debater": "roles.native.debate:Debater",
    "evolver": "roles.native.evolve:Evolver",
    "evaluator": "roles.native.forum:Evaluator",
    "forum-solver": "roles.native.forum:ForumSolver",
    "scorer": "roles.native.forum:Scorer",
    "translator": "roles.native.efg:Translator",
    "attacker": "roles.native.taboo:Attacker",
    "defender": "roles.native.taboo:Defender",
    "conjecturer": "roles.native.conjecture:Conjecturer",
    "prover": "roles.native.conjecture:Prover",
    "challenger": "roles.native.proposer_solver:Challenger",
    "answer-judge": "roles.native.prefer:AnswerJudge",
    "answerer": "roles.native.prefer:Answerer",
    "judge": "roles.native.psj:Judge",
    "pair-judge": "roles.native.prefer:PairJudge",
    "proposer": "roles.native.proposer_solver:Proposer",
    "planner": "roles.native.tax:TaxPlanner",
    "worker": "roles.native.tax:TaxWorker",
    "listener": "roles.native.pragmatic:ExampleListener",
    "speaker": "roles.native.pragmatic:ExampleSpeaker",
    "reader": "roles.native.search:Reader",
    "red-attacker": "roles.native.redteam:RedAttacker",
    "red-defender": "roles.native.redteam:RedDefender",
    "completer": "roles.native.refine:Completer",
    "refine-critic": "roles.native.refine:RefineCritic",
    "refine-sneaky": "roles.native.refine:RefineSneaky",
    "refiner": "roles.native.refine:Refiner",
    "referee": "roles.native.redteam:RefereeRole",
    "majority-solver": "roles.native.majority:MajoritySolver",
    "solver": "roles.native.proposer_solver:SolverRole",
}
"""id -> module and class"""
_ELSEWHERE = {"challenger": "math-duel", "proposer": "psj"}
"""roles of several games whose papers are those of one"""
PAPERS: dict[str, tuple[str, ...]] = {
    "answer-judge": ("RISE, 2505.13445",),
    "answerer": ("SPO, 2401.04056",),
    "pair-judge": ("LLaVA-Critic-R1, 2509.00676", "SPARK, 2509.22624"),
    "completer": ("SPC, 2504.19162",),
    "refine-critic": ("RefCritic, 2507.15024",),
    "refine-sneaky": ("SPC, 2504.19162",),
    "refiner": ("SCoRe, 2409.12917", "RISE, 2407.18219"),
    "majority-solver": ("EVOL-RL, 2509.15194",),
    "solver": ("Multi-Agent Evolve, 2510.23595", "R-Zero, 2508.05004", "Absolute Zero, 2505.03335"),
}
"""name and arXiv id of each paper, of roles that do not come from the papers of a game"""


def game_of(role: str) -> str:
    """Returns the game whose papers a role comes from: that of its module."""
    return _ELSEWHERE.get(role) or NATIVE[role].partition(":")[0].rpartition(".")[2]
