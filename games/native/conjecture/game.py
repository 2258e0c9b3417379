"""conjecture-v1: a conjecturer states a formula that should be just provable, and k provers try to prove it.

After STP (Dong and Ma 2025, arXiv 2502.00212): the conjecturer is shown a target, which may be unproved, and a lemma to
use; it is paid if 0 < p < 0.25 of the provers prove its statement with that lemma. Then the provers try the target. SGS
(Bailey et al. 2026, arXiv 2604.20209) asks a language model whether a conjecture is relevant to the target, redundant
or too complex; here that is computed. The Metamath kernel checks the proofs, and truth tables distinguish a false
statement from an unproved one.

conjecture-v0 pays `s -> (t -> LEMMA)`, which is the lemma behind premises that nobody needs. conjecture-v1 pays nothing
for such a statement; its role pays one of several equal statements of a batch, and each lemma for a tenth of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import Interval

import games.tasks
from games.errors import IllegalAction, InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common.stages import Share, StagedGame, game_id, joined, seats_of
from games.native.conjecture import rules as texts
from games.native.conjecture.outcome import LARGEST, PROVES, ConjectureOutcome, quoted
from games.native.conjecture.targets import FEWEST, THEOREMS, ConjectureTarget, built_in, from_source, listed
from games.proofs.first_order import decide, parse_any
from games.proofs.formula import Formula, NotAFormula, parse, show
from games.proofs.judge import Judged, judge
from games.quoting import byte_length
from games.randomness import RandomStream, derive
from games.tasks.formulas import FormulaSource

ID = "conjecture"
CONJECTURER, PROVER = "conjecturer", "prover"
_LONGEST_PROOF = 2000  # bytes


def _formulas(id: str) -> FormulaSource:
    source = games.tasks.make(id)
    if not isinstance(source, FormulaSource):
        raise InputError(f"{ID}: {source.id} has no formulas; write tasks=formulas, or formulas(difficulty=small)")
    return source


class ConjectureGame(StagedGame):
    """A conjecturer states what provers can just prove; a Metamath kernel checks the proofs (STP, SGS).

    provers: how many try. threshold: a statement is barely provable if it is proved at a lower rate. targets: the
    provers also try the target. size: the largest number of names and connectives in a conjecture. closed: statements
    and proofs are chosen from a list. strict: the rules of conjecture-v1; by default not in a closed game, whose list
    is fixed. tasks: the id of the task source `formulas`, whose theorems of set.mm are the targets, each with rules of
    its own; without it there are 19 built-in ones. theorems: for a closed game. Above 0, each match draws its target
    and six theorems to choose from; they are drawn from this many theorems with proofs of two or three labels, shortest
    first. 0: all matches offer the same eight.
    """

    version = 1
    pools = True

    def __init__(
        self,
        provers: Annotated[int, Interval(ge=1, le=64)] = 8,
        threshold: Share = 0.25,
        targets: bool = True,
        size: Annotated[int, Interval(ge=3, le=200)] = 40,
        closed: bool = False,
        strict: bool | None = None,
        tasks: str = "",
        theorems: Annotated[int, Interval(ge=0, le=THEOREMS)] = 0,
    ) -> None:
        super().__init__()
        if theorems and (not closed or tasks or theorems < FEWEST):
            raise InputError(f"{ID}: theorems={theorems} needs closed=true, no tasks, and at least {FEWEST} theorems")
        usual = self.version > 0 and not closed
        self.strict = usual if strict is None else strict
        params: dict[str, Value] = {
            "provers": provers,
            "threshold": threshold,
            "targets": targets,
            "size": size,
            "closed": closed,
            "theorems": theorems,
        }
        self._formulas, self.theorems = _formulas(tasks) if tasks else None, theorems
        self.pools = not (closed and (tasks or theorems))  # such options belong to the seed
        if self._formulas is not None:
            self.task_source, params["tasks"] = self._formulas, self._formulas.id
        id = game_id(f"{ID}-v{self.version}", ConjectureGame, params | {"strict": self.strict}, {"strict": usual})
        self.k, self.threshold, self.targets = provers, float(threshold), targets
        self.largest, self.closed = size, closed
        self.provers = seats_of(PROVER, self.k)
        self.spec = GameSpec(
            id=id,
            seats={CONJECTURER: CONJECTURER} | dict.fromkeys(self.provers, PROVER),
            payoff="general_sum",
            rules=texts.rules(self.k, self.threshold, targets, closed, self.strict, bool(tasks)),
            max_turns=1 + 2 * self.k,
            returns_range=(0.0, 1.0),
            teams=((CONJECTURER,), self.provers),
            rated=False,
            demonstrations={} if tasks else texts.DEMONSTRATIONS,
        )
        self._given, self._given_target = "", ""
        self._about: ConjectureTarget | None = None
        self._clear()

    def _clear(self) -> None:
        self._stage, self._due = "over", ()
        self._out = ConjectureOutcome(self.closed, self.strict)

    def load_task(self, task: str) -> None:
        """Prove this statement from a pool; "": the conjecturer states one."""
        target, statement = "", task
        if task and not self.pools:
            raise InputError(f"{ID}: a closed game whose options belong to the match takes no task of a pool")
        if task and self._formulas is not None:
            target, _, statement = task.partition(PROVES)
            self._formulas.load(target)
        if task:
            try:
                self._parsed(statement)
            except NotAFormula as error:
                raise InputError(f"{ID}: {statement[:60]!r} is not a formula: {error}") from None
            if self.closed and statement not in texts.closed_statements():
                raise InputError(f"{ID}: {statement!r} is not one of the statements of a closed game")
        self._given, self._given_target = statement, target

    def _parsed(self, text: str) -> Formula:
        largest = max(self.largest, LARGEST) if self.closed else self.largest
        return parse(text, largest) if self._formulas is None else parse_any(text, largest)

    def reset(self, seed: int) -> None:
        """Draw the target and the lemma."""
        self._clear()
        if self.theorems:
            about = listed(RandomStream(derive(seed, "conjecture", "theorems")), self.theorems)
        elif self._formulas is None:
            about = built_in(RandomStream(derive(seed, "conjecture-v0")), self.closed)
        else:
            about = from_source(self._formulas, seed, self._given_target, self.closed)
        self._about = about
        self._out.target, self._out.lemma, self._out.source_task = about.text, about.lemma, about.source_task
        self._out.theory = about.theory
        self._stage, self._due = "conjecture", (CONJECTURER,)
        if self._given:
            self._state(self._given)

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play the messages of a stage. Raises IllegalAction for a message that is too long."""
        for seat, text in actions.items():
            if seat in self._due and isinstance(text, str) and byte_length(text) > _LONGEST_PROOF:
                raise IllegalAction(f"write at most {_LONGEST_PROOF} bytes", seat)
        super().apply(actions)

    def _take(self, said: Mapping[Seat, str]) -> None:
        if self._stage == "conjecture":
            self._state(said[CONJECTURER])
        elif self._stage == "prove":
            self._out.tried = {seat: self._judged(self._out.statement, text) for seat, text in said.items()}
            if self._out.verdict == "unknown" and self._out.rate:
                self._out.verdict, self._out.reason = "pass", ""
            self._next()
        else:
            target = parse_any(self._out.target, LARGEST)
            self._out.on_target = {seat: self._judged(target, text) for seat, text in said.items()}
            self._stage, self._due = "over", ()

    def _judged(self, statement: Formula, text: str) -> Judged:
        return judge(statement, text, self._out.theory)

    def _state(self, text: str) -> None:
        """Read a conjecture; the provers try one that is true, or that nothing refutes."""
        try:
            self._out.statement = self._parsed(text)
        except NotAFormula as error:
            self._out.verdict, self._out.reason = "invalid", f"it is not a formula: {error}"
            return self._next()
        decided = decide(self._out.statement)
        if decided.truth == "false":
            self._out.verdict, self._out.reason = "fail", decided.reason
            return self._next()
        self._out.verdict = "pass" if decided.truth == "true" else "unknown"
        self._stage, self._due = "prove", self.provers
        return None

    def _next(self) -> None:
        self._stage, self._due = ("target", self.provers) if self.targets else ("over", ())

    def returns(self) -> Mapping[Seat, float]:
        """1 for a barely provable conjecture; for a prover the share of its formulas that it proved."""
        paid = {
            CONJECTURER: float(self._out.verdict == "pass" and not self._given and self._out.barely(self.threshold))
        }
        asked = [tried for tried in (self._out.tried, self._out.on_target) if tried]
        for seat in self.provers:
            paid[seat] = sum(tried[seat].verdict.ok for tried in asked) / len(asked) if asked else 0.0
        return paid

    def facts(self) -> Mapping[str, Any]:
        """The conjecture with its verdict, attempts and solve rate, and the input of filters and quality scores."""
        given = bool(self._given)
        more = {"pooled": given, "threshold": self.threshold, "idle": [CONJECTURER] if given else []}
        return self._out.facts() | more | ({"strict": True} if self.strict else {})

    def phase(self, seat: Seat) -> str:
        """conjecture, prove, target or over."""
        return self._stage

    def observe(self, seat: Seat) -> Observation:
        """The state of the match as far as the seat may know it, and its instruction."""
        lines = self._seen(seat)
        if self._stage == "over":
            lines.append(f"The match is over. Your reward is {self.returns()[seat]:.2f}.")
        elif seat in self._due:
            lines.append(self._duty())
        else:
            lines.append("Waiting for the provers." if self._stage != "conjecture" else "Waiting for the conjecturer.")
        return Observation(joined(lines), self._stage)

    def _seen(self, seat: Seat) -> list[str]:
        """The part of the match that a seat may know."""
        lines = []
        if self._formulas is not None and not self.closed:
            lines.append("The labels:\n" + "\n".join(rule.line() for rule in self._out.theory.rules.values()))
        if seat == CONJECTURER:
            lines.append(f"The target: {self._out.target}")
            lemma = self._out.theory.rules[self._out.lemma].line() if self._out.lemma else ""
            lines.append(f"The lemma to use: {lemma}" if lemma else "")
        public = seat == CONJECTURER or self._out.verdict in ("pass", "unknown")
        if self._out.statement is not None and public:
            lines.append(f"The conjecture: {show(self._out.statement)}")
        if self._out.reason and seat == CONJECTURER:
            lines.append(f"No prover tries it: {self._out.reason}.")
        for tried, what in ((self._out.tried, "conjecture"), (self._out.on_target, "target")):
            if seat in tried:
                lines.append(f"Your proof of the {what}: {quoted(str(tried[seat].verdict))}")
            elif tried and seat == CONJECTURER:
                lines.append(f"Proofs of the {what}: {sum(j.verdict.ok for j in tried.values())} of {self.k}")
        return lines

    def _duty(self) -> str:
        if self._stage == "conjecture":
            return "Choose a statement." if self.closed else texts.STATE
        what = show(self._out.statement) if self._stage == "prove" else self._out.target
        how = texts.LABELS if self._formulas is None else texts.LISTED
        return f"Prove: {what}" if self.closed else f"Prove: {what}\n{how}"

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if self.closed:
            assert self._about is not None
            return self._about.statements if self._stage == "conjecture" else self._about.proofs
        if self._formulas is not None:
            some = list(self._out.theory.rules)[:3]
            targets = (self._out.target, "p -> q", *texts.ANY)
            proofs = (*some, " ".join(some), f"{some[0]} {some[0]}")
            return (*(targets if self._stage == "conjecture" else proofs), texts.UNREADABLE[0])
        if self._stage == "conjecture":
            return (*texts.TARGETS, *texts.FALSE, texts.UNREADABLE[0])
        return ("id", "ax1 ax1 mpd", "id a1i", "ax1 dnegi syl", "mp", texts.UNREADABLE[0])

    def spectate(self) -> str:
        """The target, the lemma, the conjecture and every proof."""
        lines = [f"target: {self._out.target}", f"lemma: {self._out.lemma or 'any'}"]
        if self._out.verdict:
            stated = "nothing readable" if self._out.statement is None else show(self._out.statement)
            lines.append(
                f"conjecture: {stated} ({self._out.verdict}{f': {self._out.reason}' if self._out.reason else ''})"
            )
        for what, tried in (("conjecture", self._out.tried), ("target", self._out.on_target)):
            lines += [
                f"{s} on the {what}: [{quoted(' '.join(j.labels))}] {quoted(str(j.verdict))}" for s, j in tried.items()
            ]
        if self._stage == "over":
            lines.append(f"returns: {', '.join(f'{s} {r:g}' for s, r in self.returns().items())}")
        return "\n".join(lines)

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches with some of the parameters."""
        return texts.KNOWN.get(self.spec.id, ())


class PublishedConjectureGame(ConjectureGame):
    """conjecture-v0: a statement may have premises that nobody needs."""

    version = 0
