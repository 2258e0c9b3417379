"""prefer-v2: several answers to one task are compared in pairs; an answer earns the share of the others it beats.

Preferences instead of scores: SPO (Swamy et al. 2024, arXiv 2401.04056) pays a sample of a policy the share of its
other samples that it is preferred to, from which SPPO, INPO and Nash mirror prox learn (`arena.learner.losses`).
The referee is exact (the verifier of the task), a table of preferences, or judges, who are paid by the truth: pairs, as
LLaVA-Critic-R1 (arXiv 2509.00676) trains its critic and SPARK (arXiv 2509.22624) its own judge, or single answers, as
RISE (Liu et al. 2025, arXiv 2505.13445) lets a model verify its own answers.

Any answer on the list of a closed game is as likely to be right as any other. Earlier versions listed numbers that told
more: see `games.native.prefer.earlier`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from annotated_types import Interval

from games.dialogue.answers import CORRECTNESS, letters
from games.dialogue.messages import SHOWN, said
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common import tags
from games.native.common.rewards import balanced
from games.native.common.sourced import Problems, SourcedGame
from games.native.common.stages import game_id, seats_of
from games.native.prefer import rules as texts
from games.native.prefer.settings import Comparison, Referee, check, comparisons
from games.native.prefer.tables import TABLES, TableName
from games.quoting import quote
from games.randomness import RandomStream, derive
from games.shortcut_modules import suite_beside

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

NAME = "prefer"
SEED = "prefer-v0"
"""part of every seed, in all versions: stored matches of prefer-v0 were drawn with it"""


class PreferGame(SourcedGame):
    """Answers to one task, compared in pairs.

    After SPO (arXiv 2401.04056); judges after LLaVA-Critic-R1 (2509.00676), SPARK (2509.22624) and RISE (2505.13445).

    answers: how many seats answer.
    table: a small table of preferences (`games.native.prefer.tables`) instead of tasks.
    referee: exact, by the verifier; pairs: a judge for each pair; single: a judge for each answer.
    tasks: the id of a task source; without one it is `arithmetic`.
    orders: 2 asks two judges about each pair, once in each order.
    closed: answers and verdicts are chosen from lists. Each answer of a list is as likely to be right; in prefer-v1 a
    frequent answer is the best guess, in prefer-v0 distances tell the right one.
    problems: above 0, matches are about this many tasks of the source, for tiny models.
    """

    version = 2
    pools = True

    def __init__(
        self,
        answers: Annotated[int, Interval(ge=2, le=16)] = 2,
        table: TableName = "",
        referee: Referee = "exact",
        tasks: str = "",
        orders: Annotated[int, Interval(ge=1, le=2)] = 1,
        closed: bool = False,
        problems: Problems = 0,
    ) -> None:
        check(answers, table, referee, tasks, orders)
        super().__init__("" if table else tasks or "arithmetic", problems)
        params: dict[str, Value] = {"answers": answers, "table": table, "referee": referee}
        params |= {"tasks": self._source.id if tasks and self._source else "", "orders": orders, "closed": closed}
        params["problems"] = problems
        id = game_id(f"{NAME}-v{self.version}", PreferGame, params)
        self.answerers, self.table, self.referee = seats_of("answerer", answers), table, referee
        self.closed = closed or bool(table)
        self._asks = comparisons(self.answerers, referee, orders)
        judge = "answer-judge" if referee == "single" else "pair-judge"
        payoff: Literal["general_sum", "constant_sum"] = "general_sum" if self._asks else "constant_sum"
        self.spec = GameSpec(
            id=id,
            seats=dict.fromkeys(self.answerers, "answerer") | dict.fromkeys(self._asks, judge),
            payoff=payoff,
            payoff_sum=0.0 if self._asks else answers / 2,
            rules=texts.rules(answers, table, referee, self.closed),
            max_turns=answers + len(self._asks),
            returns_range=(-1.0, max(1.0, answers - 1.0)) if self._asks else (0.0, 1.0),
            rated=not self._asks,
            chance=False if table else None,
            demonstrations=texts.demonstrations(self._source),
        )
        self._reads: dict[Seat, Comparison] = {}
        self._texts: dict[Seat, str] = {}
        self._found: dict[Seat, str | None] = {}
        self._right: dict[Seat, bool] = {}
        self._verdicts: dict[Seat, str | None] = {}

    def reset(self, seed: int) -> None:
        """Draw the task, and which of two answers each judge sees first."""
        self._start()
        stream = RandomStream(derive(seed, SEED))
        self._listed = tuple(TABLES[self.table].options) if self.table else ()
        if self._source is not None:
            self._posed(seed)
            self._draw_list(seed, stream)
        self._reads = {seat: stream.choice(ways) for seat, ways in self._asks.items()}
        self._texts, self._found, self._right, self._verdicts = {}, {}, {}, {}
        self._due = self.answerers

    def _draw_list(self, seed: int, stream: RandomStream) -> None:
        """List the answers of a closed game. Earlier versions go on with the stream of the match."""
        self._list(seed)

    def _take(self, said_by: Mapping[Seat, str]) -> None:
        if self.answerers[0] in said_by:
            self._texts = dict(said_by)
            for seat, text in said_by.items():
                self._hear_answer(seat, text)
            self._due = tuple(self._asks)
            return
        kind = CORRECTNESS if self.referee == "single" else letters("AB")
        self._verdicts = {seat: self._read(seat, text, kind) for seat, text in said_by.items()}
        self._due = ()

    def _hear_answer(self, seat: Seat, text: str) -> None:
        """Read an answer and grade it, if there is a truth."""
        if self.closed:
            self._found[seat] = text
        else:
            found, why = tags.answer(text)
            self._found[seat] = found.content
            self._miss(seat, why)
        answer = self._found[seat]
        if self._source is not None and self._task is not None:
            self._right[seat] = answer is not None and self._source.verdict(self._task, answer).ok

    def preference(self, one: Seat, other: Seat) -> float:
        """How far one answer is preferred to another, from 0 to 1."""
        if self.table:
            options, wins = TABLES[self.table]
            return wins[options.index(self._texts[one])][options.index(self._texts[other])]
        if self.referee == "pairs":
            votes = [self._vote(judge, one) for judge, pair in self._reads.items() if {*pair} == {one, other}]
            return sum(votes) / len(votes)
        marks = self._right if self.referee == "exact" else self._called_correct()
        return (1.0 + marks[one] - marks[other]) / 2

    def _vote(self, judge: Seat, seat: Seat) -> float:
        """1 if a judge of a pair prefers the answer of `seat`, 1/2 without a verdict."""
        verdict = self._verdicts[judge]
        return 0.5 if verdict is None else float((verdict == "A") == (self._reads[judge].first == seat))

    def _called_correct(self) -> dict[Seat, bool]:
        return {pair.first: self._verdicts[judge] == "correct" for judge, pair in self._reads.items()}

    def returns(self) -> Mapping[Seat, float]:
        """The share of the other answers that each is preferred to; judges are paid by the truth."""
        out = dict.fromkeys(self.spec.seats, 0.0)
        if not self._over:
            return out
        for seat in self.answerers:
            beaten = [self.preference(seat, other) for other in self.answerers if other != seat]
            out[seat] = sum(beaten) / len(beaten)
        return out | {judge: self._judge_paid(judge) for judge in self._asks}

    def _judge_paid(self, judge: Seat) -> float:
        first, second = self._reads[judge]
        verdict = self._verdicts[judge]
        if verdict is None:
            return -1.0
        if second is None:
            agrees = float((verdict == "correct") == self._right[first])
            return 2 * balanced(agrees, self._right[first], list(self._right.values())) - 1
        better = self._right[first] - self._right[second]
        return float(better if verdict == "A" else -better)

    def _agrees(self, judge: Seat) -> bool | None:
        """Whether a judge's verdict is true; None if both answers are equally right."""
        first, second = self._reads[judge]
        verdict = self._verdicts[judge]
        if second is None:
            return verdict == ("correct" if self._right[first] else "incorrect")
        if self._right[first] == self._right[second]:
            return None
        return verdict == ("A" if self._right[first] else "B")

    def facts(self) -> Mapping[str, Any]:
        """The task, the answers, which are right (none for a table), the verdicts and whether they are true."""
        shown = {seat: None if text is None else quote(text)[1:-1] for seat, text in self._found.items()}
        out: dict[str, Any] = {"task": f"table/{self.table}", "answers": shown, "right": dict(self._right)}
        if self._task is not None:
            out |= self._task_facts()
        if self._over and self._asks:
            out |= {"verdicts": dict(self._verdicts), "agrees": {judge: self._agrees(judge) for judge in self._asks}}
            out["reads"] = {judge: [seat for seat in pair if seat] for judge, pair in self._reads.items()}
        return out | self._heard()

    def phase(self, seat: Seat) -> str:
        """`choose` for a table; `answer` and the kind of the task; `compare` or `verify` for judges."""
        if seat in self._asks:
            return "verify" if self.referee == "single" else "compare"
        return "choose" if self._task is None else f"answer {self._task.kind}"

    def observe(self, seat: Seat) -> Observation:
        """The question; judges also read answers."""
        lines = [texts.question(self.table) if self._task is None else self._task.question]
        if seat in self._asks:
            lines += self._shown(seat)
        elif self._task is not None and not self.closed:
            lines.append(texts.DUTY)
        if self._over:
            lines.append("The match is over.")
        return Observation("\n".join(lines), self.phase(seat))

    def _shown(self, judge: Seat) -> list[str]:
        """What a judge reads after the question."""
        first, second = self._reads[judge]
        if first not in self._texts:
            return ["No answer has been given yet."]
        if second is None:
            return [said("answer", self._texts[first]), texts.CHECK]
        return [said("A", self._texts[first]), said("B", self._texts[second]), texts.BETTER]

    def _limit(self, seat: Seat) -> int | None:
        return SHOWN if self._asks and seat not in self._asks else None

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if seat in self._asks:
            return ("correct", "incorrect") if self.referee == "single" else ("A", "B")
        return self._listed or ("<answer>42</answer>", "<answer>Yes</answer>", "I do not know", "42 perhaps")

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of this game, if the scripts can solve its tasks."""
        if self._source is None or self._source.solve(self._source.draw(0).question) is None:
            return None
        return suite_beside(self)

    def spectate(self) -> str:
        """The question, the answers and the verdicts."""
        lines = [self.observe(self.answerers[0]).text.partition("\n")[0]]
        lines += [said(seat, text) for seat, text in self._texts.items()]
        lines += [f"[{judge}] {verdict or 'no verdict'}" for judge, verdict in self._verdicts.items()]
        return "\n".join([*lines, "over" if self._over else "not over"])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Answers that win, lose and draw, for the default parameters, a table, and judges of pairs."""
        from games.native.prefer.known import outcomes

        return outcomes(self)
