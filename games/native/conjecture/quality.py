"""The quality of a conjecture: relevance, redundancy and complexity, for which SGS asks a language model."""

from __future__ import annotations

from collections.abc import Iterator

from games.proofs.first_order import decide
from games.proofs.formula import Formula, parts, renamed, size


def guide(statement: Formula, target: Formula, known: bool) -> dict[str, int]:
    """The three scores of SGS, computed; the input of `roles.native.conjecture.sgs_guide`.

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
        if decide(shorter).truth == "true":
            return True
    return False


def redundant(formula: Formula) -> bool:
    """Whether a true formula says less than a shorter one, or has a part that says nothing.

    One step of shortening leaves out a premise, a part of a premise joined by &, or a part of the conclusion joined by
    |. The formula is redundant if no value of its letters, and no small model, refutes it after such a step; or if
    nothing refutes one of its parts, or the opposite of that part.
    """
    if any(not _refuted(shorter) for shorter in _shorter(formula)):
        return True
    inner = (part for part in parts(formula) if isinstance(part, tuple) and part is not formula)
    return any(not _refuted(part) or not _refuted(("~", part)) for part in inner)


def _refuted(formula: Formula) -> bool:
    return decide(formula).truth == "false"


def _shorter(formula: Formula) -> Iterator[Formula]:
    if not isinstance(formula, tuple):
        return
    sign, *inner = formula
    if sign == "->":
        yield inner[1]
        yield from (("->", premise, inner[1]) for premise in _weaker(inner[0]))
        yield from (("->", inner[0], rest) for rest in _shorter(inner[1]))
    elif sign == "|":
        yield from inner


def _weaker(premise: Formula) -> Iterator[Formula]:
    """The premise without one of the parts that & joins."""
    if isinstance(premise, tuple) and premise[0] == "&":
        _, a, b = premise
        yield from (b, a)
        yield from (("&", part, b) for part in _weaker(a))
        yield from (("&", a, part) for part in _weaker(b))
