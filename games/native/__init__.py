"""Our own games, one package each, and their tables: ids and papers. Importing the tables imports no game.

Each keeps the contract of `games.TextGame`, and nothing of it is known outside its package.
"""

from __future__ import annotations

NATIVE = {
    "ask-v1": "games.native.ask:ask",
    "bargain-v1": "games.native.bargain:bargain",
    "conjecture-v1": "games.native.conjecture:conjecture",
    "critic-v1": "games.native.critic:critic",
    "debate-v2": "games.native.debate:debate",
    "efg-v2": "games.native.efg:efg",
    "evolve-v1": "games.native.evolve:evolve",
    "forum-v3": "games.native.forum:forum",
    "prefer-v2": "games.native.prefer:prefer",
    "refine-v1": "games.native.refine:refine",
    "redteam-v1": "games.native.redteam:redteam",
    "spy-v2": "games.native.spy:spy",
    "taboo-v2": "games.native.taboo:taboo",
    "starling-v1": "games.native.starling:starling",
    "tax-v0": "games.native.tax:tax",
    "math-duel-v1": "games.native.math_duel:math_duel",
    "code-io-v1": "games.native.code_io:code_io",
    "psj-v1": "games.native.psj:psj",
    "pragmatic-v1": "games.native.pragmatic:pragmatic",
    "search-v1": "games.native.search:search",
    "solve-v1": "games.native.solve:solve",
}
"""id -> module and factory. A version keeps its rules and defaults, because stores hold its id; a new default is a new
version, and the old one stays."""
PAPERS: dict[str, tuple[str, ...]] = {
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
"""name without a version -> name and arXiv id of each paper that the game comes from"""
NO_PAPER = frozenset({"solve"})
"""native games that come from no paper: solve asks the tasks of a source, as every benchmark does"""
