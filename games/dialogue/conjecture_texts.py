"""What conjecture-v0 is played with: targets with a short proof, false statements, rules in words, known matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.game import KnownOutcome
from games.proofs.formula import show
from games.proofs.theory import propositional

# No target is an instance of an axiom or a lemma; from two labels to nine.
TARGETS: Mapping[str, str] = {
    "p -> (q -> q)": "id a1i",
    "p -> (~p -> q)": "explode com12",
    "~~p -> (q -> p)": "dneg ax1 syl",
    "p -> ~~(q -> p)": "ax1 dnegi syl",
    "~(p -> q) -> ~q": "ax1 con3 mp",
    "~(p -> q) -> p": "explode con1 mp",
    "p -> (~q -> ~(p -> q))": "app con3 syl",
    "(p -> q) -> (~~p -> q)": "dneg imim1 mp",
    "(p -> q) -> (p -> ~~q)": "dnegi imim2 mp",
    "((p -> q) -> r) -> (q -> r)": "ax1 imim1 mp",
    "((p -> q) -> r) -> (~p -> r)": "explode imim1 mp",
    "p -> ((q -> (p -> r)) -> (q -> r))": "swap com12",
    "(p -> (p -> q)) -> (r -> (p -> q))": "contract ax1 syl",
    "(p -> (q -> r)) -> ((r -> s) -> (p -> (q -> s)))": "imim2 imim2 syl com12",
    "((p -> q) -> p) -> p": "explode imim1 mp clavius syl",
    "(p -> ~p) -> ~p": "dneg imim1 mp clavius syl",
    "(p -> ~p) -> (p -> q)": "dneg imim1 mp clavius syl explode syl",
    "(~p -> ~q) -> ((~p -> q) -> p)": "ax3 imim2 syl clavius imim2 mp syl",
    "(p -> q) -> ((~p -> q) -> q)": "imim2 clavius imim2 mp syl con1 imim1 mp syl",
}
FALSE = ("p -> q", "(p -> q) -> (q -> p)", "~(p -> p)", "(p -> q) -> (~p -> ~q)")
CHOSEN = 8
"""how many of the targets a closed game has, the first ones"""
UNREADABLE = ("It is clear that p implies p.", "p -> ", "")


def closed_statements() -> tuple[str, ...]:
    """What the conjecturer of a closed game chooses among: some true, some false."""
    return (*list(TARGETS)[:CHOSEN], *FALSE[:2])


def closed_proofs() -> tuple[str, ...]:
    """What the provers of a closed game choose among."""
    return tuple(list(TARGETS.values())[:CHOSEN])


def lemmas() -> list[str]:
    """The labels of the lemmas without premises, which a conjecture can be asked to use."""
    return [rule.label for rule in propositional().rules.values() if rule.proved and not rule.premises]


def rule_line(label: str) -> str:
    """A rule as the players read it."""
    rule = propositional().rules[label]
    given = ", ".join(show(p) for p in rule.premises)
    return f"{label}: {f'from {given} follows ' if given else ''}{show(rule.conclusion)}"


def rules(parameters: Mapping[str, Any]) -> str:
    """The rules in words."""
    k, threshold = parameters["provers"], parameters["threshold"]
    shown = "\n".join(map(rule_line, propositional().rules))
    what = (
        "A conjecturer states something in propositional logic, with -> (if), ~ (not) and the names p, q, r, s, t. "
        f"Then {k} provers try to prove it, each alone."
    )
    if parameters["targets"]:
        what += " Then they try the target, which the conjecturer was shown."
    paid = (
        "The conjecturer is paid 1 for a statement that is true and new, that some but less than "
        f"{threshold:.0%} of the provers prove, with the lemma it was asked to use. A prover is paid 1 for a proof."
    )
    if parameters["closed"]:
        return f"{what} {paid} Statements and proofs are chosen from a list."
    how = (
        "A proof is a list of labels. Each takes as many proved formulas as it has premises, the last ones, and adds "
        "its conclusion; what stands for its letters is found for you. For example, ax1 ax1 mpd proves p -> p, and "
        "id a1i proves p -> (q -> q). One formula must be left at the end: the statement.\n"
        f"The labels:\n{shown}"
    )
    return f"{what} {paid}\n{how}"


# Seed 2 draws the target p -> (~p -> q) and the lemma explode: ~p -> (p -> q).
_STATED = {"conjecturer": "q -> (~p -> (p -> r))"}
KNOWN: Mapping[str, tuple[KnownOutcome, ...]] = {
    "conjecture-v0": (
        # One of eight proves it, 1/8 < 1/4; two of eight are not less than 1/4. All prove the target.
        KnownOutcome(
            2,
            (
                _STATED,
                {f"prover_{i}": "explode a1i" if i < 1 else "id" for i in range(8)},
                {f"prover_{i}": "explode com12" for i in range(8)},
            ),
            {"conjecturer": 1.0} | {f"prover_{i}": 1.0 if i < 1 else 0.5 for i in range(8)},
        ),
        KnownOutcome(
            2,
            (
                _STATED,
                {f"prover_{i}": "explode a1i" if i < 2 else "explode a2i" for i in range(8)},
                {f"prover_{i}": "explode" for i in range(8)},
            ),
            {"conjecturer": 0.0} | {f"prover_{i}": 0.5 if i < 2 else 0.0 for i in range(8)},
        ),
    ),
    "conjecture-v0(provers=2,threshold=0.6)": (
        # False: nobody has to try it.
        KnownOutcome(
            2,
            ({"conjecturer": "p -> q"}, {"prover_0": "explode com12", "prover_1": "com12 explode"}),
            {"conjecturer": 0.0, "prover_0": 1.0, "prover_1": 0.0},
        ),
        # Proved without the lemma: barely, but not as asked.
        KnownOutcome(
            2,
            (
                {"conjecturer": "p -> (q -> (r -> q))"},
                {"prover_0": "ax1 a1i", "prover_1": "ax1 ax1"},
                {"prover_0": "", "prover_1": "explode com12"},
            ),
            {"conjecturer": 0.0, "prover_0": 0.5, "prover_1": 0.5},
        ),
    ),
}
