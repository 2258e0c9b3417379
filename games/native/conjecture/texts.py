"""The targets, rules, prompts and demonstrations of conjecture."""

from __future__ import annotations

from collections.abc import Mapping

from games.game import Demonstrations
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
    """Returns the options of the conjecturer in a closed game: some are true, some false."""
    return (*list(TARGETS)[:CHOSEN], *FALSE[:2])


def closed_proofs() -> tuple[str, ...]:
    """Returns the options of the provers in a closed game."""
    return tuple(list(TARGETS.values())[:CHOSEN])


def lemmas() -> list[str]:
    """Returns the labels of the lemmas without premises: a conjecturer is given one of them to use."""
    return [rule.label for rule in propositional().rules.values() if rule.proved and not rule.premises]


def rule_line(label: str) -> str:
    """Returns a rule of the built-in theory as the players read it."""
    return propositional().rules[label].line()


def rules(provers: int, threshold: float, closed: bool, strict: bool, sourced: bool) -> str:
    """Returns the rules that every seat reads. `sourced`: of first-order logic, with labels that each match lists."""
    logic = _ANY_LOGIC if sourced else _PROPOSITIONAL_LOGIC
    what = f"A conjecturer states a formula of {logic}. Then {provers} provers try to prove it, each alone."
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
STATEMENTS = (*TARGETS, *FALSE, UNREADABLE[0])
PROOFS = ("id", "ax1 ax1 mpd", "id a1i", "ax1 dnegi syl", "mp", UNREADABLE[0])
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
