"""The target of a match, the rules that may prove it, and the options of a closed game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from games.native.conjecture import texts
from games.native.conjecture.quality import redundant
from games.proofs.condensed import conclusion
from games.proofs.first_order import decide
from games.proofs.formula import Formula, instance, renamed, show, size
from games.proofs.judge import extended
from games.proofs.kernel import BadProof
from games.proofs.search import discover
from games.proofs.theory import LEMMA, Theory, propositional
from games.randomness import RandomStream, derive
from games.tasks.formulas import FormulaSource, PosedFormula

_NO_LEMMA = 1 / 3  # share of matches without a prescribed lemma
_OPTIONS, _FALSE = 6, 2
"""how many theorems and how many false statements a closed game with tasks or `theorems` offers"""
FEWEST = 2 * _OPTIONS
"""theorems to draw from, at least"""
_LARGEST_THEOREM = 14
"""names and connectives of a listed theorem, at most"""
_SMALLEST_DRAWN, _LARGEST_DRAWN = 9, 18
THEOREMS = 264
"""the number of listed theorems"""


class ConjectureTarget(NamedTuple):
    """What a match is about. `statements` and `proofs` are the options of a closed game.

    origin: what a pooled statement is kept with: the id of the target of a source, or the proof of a drawn lemma.
    """

    text: str
    lemma: str
    theory: Theory
    origin: str = ""
    statements: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()


def built_in(stream: RandomStream, closed: bool) -> ConjectureTarget:
    """One of the built-in targets, proved with the built-in lemmas."""
    target = stream.choice(list(texts.TARGETS)[: texts.CHOSEN if closed else None])
    if closed:
        return ConjectureTarget(target, "", propositional(), "", texts.closed_statements(), texts.closed_proofs())
    lemma = stream.choice(texts.lemmas()) if stream.random() >= _NO_LEMMA else ""
    return ConjectureTarget(target, lemma, propositional())


def drawn_target(stream: RandomStream, proof: str = "") -> ConjectureTarget:
    """Returns a target and a lemma to use, both theorems of random proofs; whoever proves may use the lemma too.

    So what was stated or proved in other matches says nothing about this one. `proof`: of another lemma, with which a
    pooled statement was made. Raises BadProof.
    """
    theory = propositional()
    lemma, labels = _theorem(theory, 4, stream)
    target, _ = _theorem(theory, 3, stream)
    if proof:
        labels = proof.split()
        lemma = renamed(conclusion(theory.rules, labels))
    return ConjectureTarget(show(target), LEMMA, extended(theory, lemma, labels), " ".join(labels))


def _theorem(theory: Theory, steps: int, stream: RandomStream) -> tuple[Formula, list[str]]:
    """Returns a theorem that is no instance of a rule and has no trivial part, with the labels of a proof.

    Shorter ones are few, so that they would be drawn again and again.
    """
    conclusions = [rule.conclusion for rule in theory.rules.values() if not rule.premises]
    while True:
        theorem = discover(theory.rules, "", steps, _LARGEST_DRAWN, stream)
        if theorem is None or size(theorem[0]) < _SMALLEST_DRAWN or redundant(theorem[0]):
            continue
        if not any(instance(theorem[0], one) for one in conclusions):
            return theorem


def listed(stream: RandomStream, most: int) -> ConjectureTarget:
    """A target and options among the `most` shortest listed theorems."""
    theorems = short_theorems()[:most]
    offered = dict(stream.shuffled(theorems)[:_OPTIONS])
    target = stream.choice(list(offered))
    statements, proofs = _options(offered, stream)
    return ConjectureTarget(show(target), "", propositional(), "", statements, proofs)


@lru_cache(1)
def short_theorems() -> tuple[tuple[Formula, str], ...]:
    """Theorems with their proofs of two or three labels of the built-in theory, shortest proofs first, then by size.

    None of them is an axiom, a lemma, or another one with other letters.
    """
    rules = propositional().rules.values()
    none, one, two = ([rule.label for rule in rules if len(rule.premises) == n] for n in range(3))
    found: dict[Formula, str] = {rule.conclusion: "" for rule in rules if not rule.premises}
    for labels in (*product(none, one), *product(none, one, one), *product(none, none, two)):
        try:
            statement = renamed(conclusion(propositional().rules, labels))
        except BadProof:
            continue
        if size(statement) <= _LARGEST_THEOREM:
            found.setdefault(statement, " ".join(labels))
    proved = [(statement, proof) for statement, proof in found.items() if proof]
    return tuple(sorted(proved, key=lambda theorem: (theorem[1].count(" "), size(theorem[0]), show(theorem[0]))))


def from_source(source: FormulaSource, seed: int, given: str, closed: bool) -> ConjectureTarget:
    """The target with the id `given`, or one that the seed draws."""
    stream = RandomStream(derive(seed, "conjecture", "target"))
    task = source.load(given) if given else source.draw(seed)
    posed = source.posed(task)
    if closed:
        return _closed(source, seed, task.id, posed, stream)
    lemmas = [rule.label for rule in posed.theory.rules.values() if not rule.premises]
    lemma = stream.choice(lemmas) if lemmas and stream.random() >= _NO_LEMMA else ""
    return ConjectureTarget(show(posed.statement), lemma, posed.theory, task.id)


def _closed(source: FormulaSource, seed: int, id: str, posed: PosedFormula, stream: RandomStream) -> ConjectureTarget:
    """Statements and proofs to choose from: the target, other theorems of the source, and false statements."""
    offered = {show(posed.statement): posed}
    for i in range(4 * _OPTIONS):
        if len(offered) < _OPTIONS:
            other = source.posed(source.draw(derive(seed, "conjecture", "option", i)))
            offered.setdefault(show(other.statement), other)
    statements, proofs = _options({f.statement: " ".join(f.proof) for f in offered.values()}, stream)
    theory = _joined([found.theory for found in offered.values()])
    return ConjectureTarget(show(posed.statement), "", theory, id, statements, proofs)


def _options(offered: Mapping[Formula, str], stream: RandomStream) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Theorems and false statements, and the proofs of the theorems, both in random order."""
    false = [text for statement in offered if (text := _falsified(statement))]
    statements = stream.shuffled([*map(show, offered), *false[:_FALSE]])
    return tuple(statements), tuple(stream.shuffled(list(dict.fromkeys(offered.values()))))


def _falsified(statement: Formula) -> str:
    """The statement with both sides of its implication exchanged, if that is false; else ""."""
    if isinstance(statement, tuple) and statement[0] == "->":
        turned = ("->", statement[2], statement[1])
        if decide(turned).truth == "false":
            return show(turned)
    return ""


def _joined(theories: Sequence[Theory]) -> Theory:
    rules = {label: rule for theory in theories for label, rule in theory.rules.items()}
    return Theory(theories[0].database, rules, theories[0].symbols, closed=True)
