"""The quality of a conjecture: relevance, redundancy and complexity, for which SGS asks a language model."""

from __future__ import annotations

from games.proofs.formula import Formula, parts, refutation, renamed, size


def guide(statement: Formula, target: Formula, known: bool) -> dict[str, int]:
    """The three scores of SGS, computed; the input of `roles.rewards.shaping.sgs_guide`.

    relevance (0 to 5): the share of the target's compound parts that also occur in the conjecture, up to renaming.
    redundancy (0 or 1): whether the conjecture is known, or is true without one of its premises. complexity (0 to 4):
    its size divided by the target's, rounded down; in SGS conjecturers drifted to ever longer statements.
    """
    wanted, found = _shapes(target), _shapes(statement)
    return {
        "relevance": int(5 * len(wanted & found) / len(wanted) + 0.5),
        "redundancy": int(known or needless(statement)),
        "complexity": min(4, (size(statement) - 1) // size(target)),
    }


def _shapes(formula: Formula) -> set[Formula]:
    return {renamed(part) for part in parts(formula) if isinstance(part, tuple)}


def needless(formula: Formula) -> bool:
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
