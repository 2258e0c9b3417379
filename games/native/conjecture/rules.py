"""The targets, rules, prompts and demonstrations of conjecture-v0, and matches with a known outcome."""

from __future__ import annotations

from collections.abc import Mapping

from games.game import Demonstrations, KnownOutcome
from games.proofs.theory import propositional
from games.tasks.formulas.source import HOW

# target -> a proof, of two to nine labels. No target is an instance of an axiom or a lemma.
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
"""number of targets in a closed game, the first of TARGETS"""
UNREADABLE = ("It is clear that p implies p.", "p -> ", "")


def closed_statements() -> tuple[str, ...]:
    """The options of the conjecturer in a closed game: some are true, some false."""
    return (*list(TARGETS)[:CHOSEN], *FALSE[:2])


def closed_proofs() -> tuple[str, ...]:
    """The options of the provers in a closed game."""
    return tuple(list(TARGETS.values())[:CHOSEN])


def lemmas() -> list[str]:
    """The labels of the lemmas without premises: a conjecturer is given one of them to use."""
    return [rule.label for rule in propositional().rules.values() if rule.proved and not rule.premises]


def rule_line(label: str) -> str:
    """A rule of the built-in theory as the players read it."""
    return propositional().rules[label].line()


def rules(provers: int, threshold: float, targets: bool, closed: bool, strict: bool, sourced: bool) -> str:
    """The rules that every seat reads. `sourced`: formulas of first-order logic, with labels that each match lists."""
    logic = _ANY_LOGIC if sourced else _PROPOSITIONAL_LOGIC
    what = f"A conjecturer states a formula of {logic}. Then {provers} provers try to prove it, each alone."
    if targets:
        what += " Then they try to prove the target, which the conjecturer was shown."
    paid = (
        f"The conjecturer gets 1 if its statement is true and new{', with no needless premise,' * strict} and if some "
        "but fewer than "
        f"{threshold:.0%} of the provers prove it, using the lemma that the conjecturer was given. A prover gets 1 for "
        "a proof."
    )
    if closed:
        return f"{what} {paid} Statements and proofs are chosen from a list."
    if sourced:
        return f"{what} {paid}\n{HOW}"
    shown = "\n".join(map(rule_line, propositional().rules))
    how = (
        "A proof is a list of labels, applied from left to right. Each label removes the last proved formulas, one for "
        "each of its premises, and adds its conclusion; its letters are matched with formulas for you. For example, "
        "ax1 ax1 mpd proves p -> p, and id a1i proves p -> (q -> q). Exactly one formula must be left at the end: the "
        f"statement.\nThe labels:\n{shown}"
    )
    return f"{what} {paid}\n{how}"


ANY = ("p -> (q -> p)", "forall x p -> p", "(p & q) -> p", "exists x p -> forall x p")
"""formulas as examples of what a conjecturer writes"""
_PROPOSITIONAL_LOGIC = "propositional logic, written with -> (implies), ~ (not) and the letters p, q, r, s, t"
_ANY_LOGIC = (
    "logic, written with -> (implies), ~ (not), & (and), | (or), <-> (if and only if), forall x, exists x, x = y, "
    "x in y, the letters p, q, r, s, t for any formula and x, y, z for individuals"
)
STATE = "Write your conjecture, a formula such as p -> (q -> q)"
LABELS = "Write only labels, such as: id a1i"
LISTED = "Write only labels, separated by spaces."
DEMONSTRATIONS: Demonstrations = {
    "conjecture": (
        (f"The target: p -> (q -> (r -> q))\nThe lemma to use: id: p -> p\n{STATE}", "r -> (p -> p)"),
        (f"The target: p -> (p -> (q -> q))\nThe lemma to use: dneg: ~~p -> p\n{STATE}", "q -> (~~p -> p)"),
    ),
    "prove": (
        (f"The conjecture: r -> (p -> p)\nProve: r -> (p -> p)\n{LABELS}", "id a1i"),
        (f"The conjecture: q -> (~~p -> p)\nProve: q -> (~~p -> p)\n{LABELS}", "dneg a1i"),
    ),
    "target": (
        (f"The conjecture: r -> (p -> p)\nProve: p -> (q -> (r -> q))\n{LABELS}", "ax1 a1i"),
        (f"The conjecture: q -> (~~p -> p)\nProve: p -> (p -> (q -> q))\n{LABELS}", "id a1i a1i"),
    ),
}

# Seed 2 draws the target p -> (~p -> q) and the lemma explode: ~p -> (p -> q).
_STATED = {"conjecturer": "q -> (~p -> (p -> r))"}
KNOWN: Mapping[str, tuple[KnownOutcome, ...]] = {
    "conjecture-v0": (
        # One of eight proves it and 1/8 < 1/4; two of eight are not less than 1/4. All prove the target.
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
        # The statement is false, so no prover tries it.
        KnownOutcome(
            2,
            ({"conjecturer": "p -> q"}, {"prover_0": "explode com12", "prover_1": "com12 explode"}),
            {"conjecturer": 0.0, "prover_0": 1.0, "prover_1": 0.0},
        ),
        # Proved by few enough provers, but without the lemma.
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
