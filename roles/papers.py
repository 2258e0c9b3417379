"""The papers that roles come from, for `arena roles` and `arena info`. docs/papers.md says what differs."""

from __future__ import annotations

from games.papers import papers_of_game

_GAMES = {
    "buyer": "bargain",
    "seller": "bargain",
    "coach": "bargain",
    "civilian": "spy",
    "spy": "spy",
    "critic": "critic",
    "sneaky": "critic",
    "debate-judge": "debate",
    "debater": "debate",
    "evaluator": "forum",
    "evolver": "evolve",
    "forum-solver": "forum",
    "scorer": "forum",
    "translator": "efg",
    "attacker": "taboo",
    "defender": "taboo",
    "conjecturer": "conjecture",
    "prover": "conjecture",
    "challenger": "math-duel",
    "judge": "psj",
    "proposer": "psj",
    "planner": "tax",
    "worker": "tax",
    "listener": "pragmatic",
    "speaker": "pragmatic",
    "reader": "search",
    "red-attacker": "redteam",
    "red-defender": "redteam",
    "referee": "redteam",
}
"""roles of the papers of a game"""
_OWN: dict[str, tuple[str, ...]] = {
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
NO_PAPER = frozenset({"chat-agent"})
"""roles that come from no paper: chat-agent plays the environments of other libraries"""


def papers_of_role(id: str) -> tuple[str, ...]:
    """Name and arXiv id of each paper that a role comes from; () for a role without a paper, or of a plugin."""
    return papers_of_game(_GAMES[id]) if id in _GAMES else _OWN.get(id, ())
