"""conjecture-v0: a conjecturer states what it thinks can just be proved, and k provers try, at once.

After STP (Dong and Ma 2025, arXiv 2502.00212): the conjecturer is shown a target nobody has to have proved and a lemma
to use, and is paid where 0 < p < 0.25 of the provers prove its statement with that lemma; then the provers try the
target. What SGS (Bailey et al. 2026, arXiv 2604.20209) asks a language model (is the conjecture relevant to the target,
redundant, too complex?) is computed here. Proofs are checked by the Metamath kernel; truth tables tell a false
statement from one that is only unproved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.dialogue import conjecture_texts as texts
from games.dialogue.conjecture_outcome import Outcome, quoted
from games.dialogue.staged import Staged, listed, named, seats_of, share, whole
from games.errors import IllegalAction, InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.proofs.formula import NotAFormula, parse, refutation, show
from games.proofs.judge import judge
from games.randomness import Stream, derive

ID = "conjecture-v0"
CONJECTURER, PROVER = "conjecturer", "prover"
_LONGEST_PROOF = 2000  # characters
_NO_LEMMA = 1 / 3  # share of matches in which any lemma will do


class Conjecture(Staged):
    """`provers`: k. threshold: the rate below which a proved statement was barely provable. targets: the provers also
    try the target. size: names and connectives of a conjecture at most. closed: statements and proofs are chosen from a
    list, for players that choose.
    """

    pools = True

    def __init__(
        self,
        provers: int = 8,
        threshold: float = 0.25,
        targets: bool = True,
        size: int = 40,
        closed: bool = False,
    ) -> None:
        super().__init__()
        self.k = whole(ID, "provers", provers, 1, 64)
        self.threshold = share(ID, "threshold", threshold)
        self.largest = whole(ID, "size", size, 3, 200)
        if not isinstance(targets, bool) or not isinstance(closed, bool):
            raise InputError(f"{ID}: targets and closed are true or false, not {targets!r} and {closed!r}")
        self.targets, self.closed = targets, closed
        self.provers = seats_of(PROVER, self.k)
        shown = {
            "provers": (self.k, 8),
            "threshold": (self.threshold, 0.25),
            "targets": (targets, True),
            "size": (self.largest, 40),
            "closed": (closed, False),
        }
        self.spec = GameSpec(
            id=named(ID, shown),
            seats={CONJECTURER: CONJECTURER} | dict.fromkeys(self.provers, PROVER),
            payoff="general_sum",
            rules=texts.rules({name: value for name, (value, _) in shown.items()}),
            max_turns=1 + 2 * self.k,
            returns_range=(0.0, 1.0),
            teams=((CONJECTURER,), self.provers),
            rated=False,
        )
        self._given = ""
        self._clear()

    def _clear(self) -> None:
        self._stage, self._due = "over", ()
        self._out = Outcome(self.closed)

    def given(self, task: str) -> None:
        """Prove this statement of a pool; "": the conjecturer states one."""
        if task:
            try:
                parse(task, self.largest)
            except NotAFormula as error:
                raise InputError(f"{ID}: {task[:60]!r} is no formula: {error}") from None
            if self.closed and task not in texts.closed_statements():
                raise InputError(f"{ID}: {task!r} is none of the statements of a closed game")
        self._given = task

    def reset(self, seed: int) -> None:
        """Draw the target and the lemma."""
        self._clear()
        stream = Stream(derive(seed, ID))
        self._out.target = stream.choice(list(texts.TARGETS)[: texts.CHOSEN if self.closed else None])
        if not self.closed and stream.random() >= _NO_LEMMA:
            self._out.lemma = stream.choice(texts.lemmas())
        self._stage, self._due = "conjecture", (CONJECTURER,)
        if self._given:
            self._state(self._given)

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Take the messages of a stage; a proof that is far too long is refused."""
        for seat, text in actions.items():
            if seat in self._due and isinstance(text, str) and len(text) > _LONGEST_PROOF:
                raise IllegalAction(f"write at most {_LONGEST_PROOF} characters", seat)
        super().apply(actions)

    def _take(self, said: Mapping[Seat, str]) -> None:
        if self._stage == "conjecture":
            self._state(said[CONJECTURER])
        elif self._stage == "prove":
            self._out.tried = {seat: judge(self._out.statement, text) for seat, text in said.items()}
            self._next()
        else:
            target = parse(self._out.target)
            self._out.on_target = {seat: judge(target, text) for seat, text in said.items()}
            self._stage, self._due = "over", ()

    def _state(self, text: str) -> None:
        """Read a conjecture; only a true one is worth trying."""
        try:
            self._out.statement = parse(text, self.largest)
        except NotAFormula as error:
            self._out.verdict, self._out.reason = "invalid", f"it is no formula: {error}"
            return self._next()
        refuted = refutation(self._out.statement)
        if refuted is None:
            self._out.verdict, self._stage, self._due = "pass", "prove", self.provers
            return None
        values = ", ".join(f"{name} {'true' if value else 'false'}" for name, value in refuted.items())
        self._out.verdict, self._out.reason = "fail", f"it is false where {values} is set"
        return self._next()

    def _next(self) -> None:
        self._stage, self._due = ("target", self.provers) if self.targets else ("over", ())

    def returns(self) -> Mapping[Seat, float]:
        """1 for a conjecture that is barely provable; a prover's share of proofs among what it was asked to prove."""
        paid = {
            CONJECTURER: float(self._out.verdict == "pass" and not self._given and self._out.barely(self.threshold))
        }
        asked = [tried for tried in (self._out.tried, self._out.on_target) if tried]
        for seat in self.provers:
            paid[seat] = sum(tried[seat].verdict.ok for tried in asked) / len(asked) if asked else 0.0
        return paid

    def facts(self) -> Mapping[str, Any]:
        """The conjecture and what became of it: verdict, attempts, rate, and what filters and guides go by."""
        given = bool(self._given)
        more = {"pooled": given, "threshold": self.threshold, "idle": [CONJECTURER] if given else []}
        return self._out.facts() | more

    def phase(self, seat: Seat) -> str:
        """conjecture, prove, target or over."""
        return self._stage

    def observe(self, seat: Seat) -> Observation:
        """What this seat has to do; what became of it."""
        told = self._seen(seat)
        if self._stage == "over":
            told.append(f"The match is over. Your reward is {self.returns()[seat]:.2f}.")
        elif seat in self._due:
            told.append(self._duty())
        else:
            told.append("The provers are at work." if self._stage != "conjecture" else "The conjecturer is at work.")
        return Observation(listed(told), self._stage)

    def _seen(self, seat: Seat) -> list[str]:
        """What has happened, as far as a seat may know it."""
        told = []
        if seat == CONJECTURER:
            told.append(f"The target: {self._out.target}")
            told.append(f"The lemma to use: {texts.rule_line(self._out.lemma)}" if self._out.lemma else "")
        if self._out.statement is not None and (seat == CONJECTURER or self._out.verdict == "pass"):
            told.append(f"The conjecture: {show(self._out.statement)}")
        if self._out.reason and seat == CONJECTURER:
            told.append(f"It is not tried: {self._out.reason}.")
        for tried, what in ((self._out.tried, "conjecture"), (self._out.on_target, "target")):
            if seat in tried:
                told.append(f"Your proof of the {what}: {quoted(str(tried[seat].verdict))}")
            elif tried and seat == CONJECTURER:
                told.append(f"Proofs of the {what}: {sum(j.verdict.ok for j in tried.values())} of {self.k}")
        return told

    def _duty(self) -> str:
        if self._stage == "conjecture":
            return "Choose a statement." if self.closed else "Write your conjecture, a formula such as p -> (q -> q)"
        what = show(self._out.statement) if self._stage == "prove" else self._out.target
        return f"Prove: {what}" if self.closed else f"Prove: {what}\nWrite labels only, such as: id a1i"

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        if not self.closed:
            return None
        return texts.closed_statements() if self._stage == "conjecture" else texts.closed_proofs()

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Statements true, false and unreadable; proofs right for one thing or another, and texts that are none."""
        if seat not in self._due:
            return ()
        if self.closed:
            return self._options(seat) or ()
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
        """Matches worked out by hand."""
        return texts.KNOWN.get(self.spec.id, ())
