"""conjecture-v1: a conjecturer states a formula that should be just provable, and k provers try to prove it.

After STP (Dong and Ma 2025, arXiv 2502.00212) and SGS (Bailey et al. 2026, arXiv 2604.20209). README.md says what
differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from annotated_types import Interval

import games.tasks
from games import InputError, KnownOutcome
from games.dialogue import Script, Stage, Table, role_game
from games.game import Seat
from games.native.common.seats import Share, seats_of
from games.native.conjecture import texts
from games.native.conjecture.outcome import LARGEST, PROVES, ConjectureOutcome, quoted
from games.native.conjecture.policies import CONJECTURER, PROVER, suite
from games.native.conjecture.targets import (
    FEWEST,
    THEOREMS,
    ConjectureTarget,
    built_in,
    drawn_target,
    from_source,
    listed,
)
from games.proofs.first_order import decide, parse_any
from games.proofs.formula import Formula, NotAFormula, parse, show
from games.proofs.judge import Judged, judge
from games.proofs.kernel import BadProof
from games.proofs.theory import LEMMA
from games.randomness import RandomStream, derive
from games.tasks import TaskSource
from games.tasks.formulas import FormulaSource

_LONGEST_PROOF = 2000  # bytes
_SIZE = 40
"""names and connectives in a conjecture, at most"""


def _problem(closed: bool, tasks: str, theorems: int) -> str:
    if theorems and (not closed or tasks or theorems < FEWEST):
        return f"theorems={theorems} needs closed=true, no tasks, and at least {FEWEST} theorems"
    if tasks and not isinstance(source := games.tasks.make(tasks), FormulaSource):
        return f"{source.id} has no formulas; write tasks=formulas, or formulas(difficulty=small)"
    return ""


def _load(task: str, source: TaskSource | None, closed: bool, theorems: int, drawn: bool) -> tuple[str, str]:
    """Returns the origin of a pooled statement, "" without one, and the statement. Raises InputError."""
    if closed and (source or theorems):
        raise InputError("conjecture: a closed game whose options belong to the match takes no task of a pool")
    has_origin = source is not None or (drawn and not closed and PROVES in task)
    origin, _, statement = task.partition(PROVES) if has_origin else ("", "", task)
    if source:
        source.load(origin)
    elif origin:
        try:
            drawn_target(RandomStream(0), origin)
        except BadProof as error:
            raise InputError(f"conjecture: {origin[:60]!r} proves no lemma: {error}") from None
    try:
        _parsed(statement, closed, source)
    except NotAFormula as error:
        raise InputError(f"conjecture: {statement[:60]!r} is not a formula: {error}") from None
    if closed and statement not in texts.closed_statements():
        raise InputError(f"conjecture: {statement!r} is not one of the statements of a closed game")
    return origin, statement


def _parsed(text: str, closed: bool, source: TaskSource | None) -> Formula:
    largest = LARGEST if closed else _SIZE
    return parse_any(text, largest) if source else parse(text, largest)


def _known_outcomes(_: object) -> tuple[KnownOutcome, ...]:
    """Seed 404 draws the target (~p -> p) -> (~p -> q) and the lemma (p -> ~(q -> r)) -> (p -> ~r)."""
    stated = {CONJECTURER: "~(p -> ~r) -> ~(p -> ~(q -> r))"}

    def match(proofs: int, target: str, conjecturer: float) -> KnownOutcome:
        tried = {f"prover_{i}": f"{LEMMA} con3 mp" if i < proofs else "id" for i in range(8)}
        moves = stated, tried, {f"prover_{i}": target for i in range(8)}
        both = 0.5 * (target == "clavius explode com12 syl")
        return KnownOutcome(
            404, moves, {CONJECTURER: conjecturer} | {f"prover_{i}": 0.5 * (i < proofs) + both for i in range(8)}
        )

    # One of eight proves it and 1/8 < 1/4; two of eight are not less than 1/4.
    return match(1, "clavius explode com12 syl", 1.0), match(2, "id", 0.0)


@role_game(
    "conjecture-v1",
    seats=lambda provers: {CONJECTURER: CONJECTURER} | dict.fromkeys(seats_of(PROVER, provers), PROVER),
    payoff="general_sum",
    rules=lambda provers, threshold, closed, tasks, theorems: texts.rules(
        provers, threshold, closed, not closed or theorems > 0, bool(tasks)
    ),
    returns_range=(0.0, 1.0),
    max_turns=lambda provers: 1 + 2 * provers,
    teams=lambda provers: ((CONJECTURER,), seats_of(PROVER, provers)),
    rated=False,
    demonstrations=lambda tasks: {} if tasks else texts.DEMONSTRATIONS,
    source=lambda tasks: tasks,
    pool=_load,
    pools=lambda closed, tasks, theorems: not (closed and (tasks or theorems)),
    closed=True,
    problem=_problem,
    suite=suite,
    known=_known_outcomes,
)
def conjecture(
    t: Table,
    provers: Annotated[int, Interval(ge=1, le=64)] = 8,
    threshold: Share = 0.25,
    tasks: str = "",
    theorems: Annotated[int, Interval(ge=0, le=THEOREMS)] = 0,
    drawn: bool = True,
) -> Script:
    """A conjecturer states what provers can just prove; a Metamath kernel checks the proofs (STP, SGS).

    `provers`: how many try. `threshold`: a statement is barely provable if it is proved at a lower rate. `closed`:
    statements and proofs are chosen from a list. `tasks`: the id of the task source `formulas`, whose theorems of
    set.mm are the targets, each with rules of its own; without it they are propositional. `drawn`: then the target and
    the lemma to use are theorems of random proofs, which hardly two matches share; false: they are among 19 targets and
    15 lemmas, as in STP. `theorems`: for a closed game. Above 0, each match draws its target and six theorems to choose
    from; they are drawn from this many theorems with proofs of two or three labels, shortest first, and redundant ones
    earn nothing. 0: all matches offer the same eight, of which redundant ones are paid too.
    """
    origin, statement = _load(t.pooled, t.source, t.closed, theorems, drawn) if t.pooled else ("", "")
    about = _about(t, origin, theorems, drawn)
    m = ConjectureOutcome(about, t.closed, not t.closed or theorems > 0)
    t.facts |= {"target": about.text, "pooled": bool(t.pooled)} | ({"source_task": about.origin} if tasks else {})
    _show_target(t, m)
    if not t.pooled:
        statement = yield t.ask(
            CONJECTURER,
            "Choose a statement." if t.closed else texts.STATE,
            phase="conjecture",
            examples=about.statements or _statements(m),
            longest=_LONGEST_PROOF,
            waiting="Waiting for the conjecturer.",
        )
    _state(t, m, statement)
    if m.statement is not None and m.verdict in ("pass", "unknown"):
        texts_of = yield from _proofs(t, about, "prove", show(m.statement))
        m.tried = {seat: judge(m.statement, text, m.theory) for seat, text in texts_of.items()}
        _tell_verdicts(t, "conjecture", m.tried)
        if m.verdict == "unknown" and m.rate:
            m.verdict, m.reason = "pass", ""
    texts_of = yield from _proofs(t, about, "target", m.target)
    goal = parse_any(m.target, LARGEST)
    m.on_target = {seat: judge(goal, text, m.theory) for seat, text in texts_of.items()}
    _tell_verdicts(t, "target", m.on_target)
    _pay(t, m, threshold)


def _about(t: Table, origin: str, theorems: int, drawn: bool) -> ConjectureTarget:
    """Returns what the match is about: a target of a source, one of a list, a drawn one, or a built-in one."""
    if theorems:
        return listed(RandomStream(derive(t.seed, "conjecture", "theorems")), theorems)
    if isinstance(t.source, FormulaSource):
        return from_source(t.source, t.seed, origin, t.closed)
    return drawn_target(t.stream, origin) if drawn and not t.closed else built_in(t.stream, t.closed)


def _show_target(t: Table, m: ConjectureOutcome) -> None:
    if m.source_task and not t.closed:
        t.tell("all", "The labels:\n" + "\n".join(rule.line() for rule in m.theory.rules.values()))
    line = m.theory.rules[m.lemma].line() if m.lemma else ""
    t.tell("all", f"One more label of this match:\n{line}" if m.lemma == LEMMA else "", theory=m.theory)
    t.tell(CONJECTURER, f"The target: {m.target}", target=m.target, lemma=m.lemma, rule=line.partition(": ")[2])
    t.tell(CONJECTURER, f"The lemma to use: {line}" if line else "")


def _statements(m: ConjectureOutcome) -> tuple[str, ...]:
    return (m.target, "p -> q", *texts.ANY, texts.UNREADABLE[0]) if m.source_task else texts.STATEMENTS


def _state(t: Table, m: ConjectureOutcome, text: str) -> None:
    """Reads a conjecture and shows it, to the provers only if it is true or nothing refutes it."""
    try:
        m.statement = _parsed(text, t.closed, t.source)
    except NotAFormula as error:
        m.verdict, m.reason = "invalid", f"it is not a formula: {error}"
    else:
        decided = decide(m.statement)
        m.verdict = {"false": "fail", "true": "pass"}.get(decided.truth, "unknown")
        m.reason = decided.reason if m.verdict == "fail" else ""
        t.tell(CONJECTURER if m.verdict == "fail" else "all", f"The conjecture: {show(m.statement)}")
    if m.reason:
        t.tell(CONJECTURER, f"No prover tries it: {m.reason}.")


def _proofs(t: Table, about: ConjectureTarget, phase: str, goal: str) -> Stage[dict[Seat, str]]:
    """Asks every prover for a proof."""
    some = list(about.theory.rules)[:3]
    listed = (*some, " ".join(some), f"{some[0]} {some[0]}", texts.UNREADABLE[0])
    provers = [seat for seat in t.seats if seat != CONJECTURER]
    t.tell(provers, "", goal=goal)
    messages: dict[Seat, str] = yield t.ask(
        provers,
        f"Prove: {goal}" if t.closed else f"Prove: {goal}\n{texts.LISTED if t.source else texts.LABELS}",
        phase=phase,
        examples=about.proofs or (listed if t.source else texts.PROOFS),
        longest=_LONGEST_PROOF,
        waiting="Waiting for the provers.",
    )
    return messages


def _tell_verdicts(t: Table, what: str, tried: Mapping[Seat, Judged]) -> None:
    for seat, judged in tried.items():
        t.tell(seat, f"Your proof of the {what}: {quoted(str(judged.verdict))}")
    t.tell(CONJECTURER, f"Proofs of the {what}: {sum(j.verdict.ok for j in tried.values())} of {len(tried)}")


def _pay(t: Table, m: ConjectureOutcome, threshold: float) -> None:
    """Pays 1 for a barely provable conjecture, and each prover the share of its formulas that it proved."""
    facts, pooled = m.facts(), bool(t.pooled)
    asked = [tried for tried in (m.tried, m.on_target) if tried]
    t.pay(CONJECTURER, float(m.verdict == "pass" and not pooled and m.barely(threshold)))
    for seat in m.on_target:
        share = sum(tried[seat].verdict.ok for tried in asked) / len(asked)
        t.pay(seat, share)
        t.outcome(seat, right=share)
    if not pooled:
        sound = m.verdict == "pass" and not facts["guide"]["redundancy"]
        t.outcome(CONJECTURER, right=float(sound), broke=m.verdict == "invalid", solved=m.rate)
    t.facts |= facts | {"threshold": threshold, "idle": [CONJECTURER] if pooled else []}
    if m.strict:
        t.facts["strict"] = True
    t.end("", {seat: f"your reward is {paid:.2f}" for seat, paid in t.record.returns.items()})
