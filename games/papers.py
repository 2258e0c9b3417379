"""The papers that games come from, for `arena games` and `arena info`. docs/papers.md says what differs."""

from __future__ import annotations

import re

from games.naming import parse_name

_NATIVE: dict[str, tuple[str, ...]] = {
    "ask": ("EAR, 2002.09102",),
    "bargain": ("GPT-Bargaining, 2305.10142",),
    "code-io": ("Absolute Zero, 2505.03335",),
    "conjecture": ("STP, 2502.00212", "SGS, 2604.20209"),
    "critic": ("SPC, 2504.19162",),
    "debate": ("multi-agent debate, 2305.14325", "MAD, 2305.19118"),
    "efg": ("GameInterpreter, 2501.17282",),
    "evolve": (
        "eva, 2411.00062",
        "Socratic-Zero, 2509.24726",
        "WebRL, 2411.02337",
        "PromptCoT 2.0, 2509.19894",
    ),
    "forum": ("CoMAS, 2510.08529",),
    "math-duel": ("R-Zero, 2508.05004",),
    "pragmatic": ("PraX, 2311.05740", "pragmatic synthesis, 2007.05060"),
    "prefer": ("SPO, 2401.04056", "LLaVA-Critic-R1, 2509.00676", "SPARK, 2509.22624", "RISE, 2505.13445"),
    "psj": ("Multi-Agent Evolve, 2510.23595",),
    "redteam": ("Self-RedTeam, 2506.07468",),
    "refine": (
        "RefCritic, 2507.15024",
        "Critique-GRPO, 2506.03106",
        "SCoRe, 2409.12917",
        "RISE, 2407.18219",
        "SPC, 2504.19162",
    ),
    "search": ("SSP, 2510.18821",),
    "spy": ("Vision-Zero, 2509.25541",),
    "starling": ("STARLING, 2406.05872", "TextWorld, 1806.11532"),
    "taboo": ("SPAG, 2404.10642",),
    "tax": ("LLM Economist, 2507.15815", "AI Economist, 2004.13332"),
}
NO_PAPER = frozenset({"solve"})
"""native games that come from no paper: solve-v0 asks the tasks of a source, as every benchmark does"""
_COLLECTIONS: dict[str, tuple[str, ...]] = {
    "openspiel": ("OpenSpiel, 1908.09453",),
    "pettingzoo": ("PettingZoo, 2009.14471",),
    "textarena": ("TextArena, 2504.11442",),
}


def papers_of_game(id: str) -> tuple[str, ...]:
    """Name and arXiv id of each paper that a game comes from; of a collection's game, the collection's.

    () for a game without a paper, or of a plugin.
    """
    collection, slash, _ = id.partition("/")
    if slash:
        return _COLLECTIONS.get(collection, ())
    return _NATIVE.get(re.sub(r"-v\d+$", "", parse_name(id).base), ())
