"""What SGS asks a language model about a conjecture, computed: is it relevant, redundant, too complex?"""

from __future__ import annotations

from games.proofs.formula import Formula, parts, refutation, renamed, size


def guide(statement: Formula, target: Formula, known: bool) -> dict[str, int]:
    """The three scores that SGS asks a language model for, computed; for `roles.guides.sgs_guide`.

    relevance (0 to 5): the share of the target's compound parts, names aside, that are parts of the conjecture too.
    redundancy (0, 1): it is an instance of what is known, or true without one of its premises. complexity (0 to 4): how
    many times the target's size it has, rounded down; SGS saw conjecturers escape into ever longer statements.
    """
    wanted, found = _shapes(target), _shapes(statement)
    return {
        "relevance": int(5 * len(wanted & found) / len(wanted) + 0.5),
        "redundancy": int(known or _needless(statement)),
        "complexity": min(4, (size(statement) - 1) // size(target)),
    }


def _shapes(formula: Formula) -> set[Formula]:
    return {renamed(part) for part in parts(formula) if isinstance(part, tuple)}


def _needless(formula: Formula) -> bool:
    """Whether a formula stays true without one of its premises."""
    if not isinstance(formula, tuple) or formula[0] != "->":
        return False
    premises = []
    while isinstance(formula, tuple) and formula[0] == "->":
        premises.append(formula[1])
        formula = formula[2]
    for left_out in range(len(premises)):
        shorter = formula
        for premise in reversed(premises[:left_out] + premises[left_out + 1 :]):
            shorter = ("->", premise, shorter)
        if refutation(shorter) is None:
            return True
    return False
