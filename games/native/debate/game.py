"""debate-v2: debaters argue for answers to a question before a judge, who may stop early and names an answer.

After multi-agent debate: opinions exchanged in rounds (Du et al. 2023, arXiv 2305.14325), and sides argued before a
judge who stops when convinced (MAD, Liang et al. 2023, arXiv 2305.19118). The question has a known answer, which
decides the judge's reward. The parameter `reward` says what the debaters are paid for.

Wrong answers are right answers to other questions. Each of the answers is as likely to be right to a judge who reads no
speech. Earlier versions listed numbers that told more: see `games.native.debate.earlier`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from annotated_types import Interval

from games.dialogue.answers import letters, read, rival
from games.dialogue.messages import SHOWN, said
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.naming import Value
from games.native.common.own_questions import answer_to, answers_beside
from games.native.common.sourced import SourcedGame
from games.native.common.stages import game_id, seats_of
from games.native.debate.rules import HIDDEN, Reward, demonstrations, rules
from games.randomness import RandomStream, derive
from games.tasks import SourceTask
from games.verifiers.arithmetic import question

NAME = "debate"
SEED = "debate-v0"
"""part of every seed, in all versions: stored matches of debate-v0 were drawn with it"""
JUDGE = "judge"
CONTINUE = "continue"
_LETTERS = "ABCD"
_TRIES = 20
"""draws until a task has enough wrong answers"""
_STANCE = re.compile(r"\s*(?:[Aa]nswer\s*)?\(?([A-D])\)?\s*(?:[:.,-]|$)")


class DebateGame(SourcedGame):
    """Debaters argue for answers to a question, and a judge decides.

    `debaters`: one for each possible answer. `rounds`: speeches of each. `reward`: of the debaters. With verdict,
    each argues for its own answer and gets 1 if the judge names it, else -1 / (debaters - 1). With truth, a debater
    may change its mind and gets 1 if its last answer is correct, else -1. With consensus, it gets the share of the
    others with the same last answer. `closed`: speeches and verdicts are chosen from lists. `tasks`: the id of a
    task source (`games.tasks`), whose verifier says which answers are wrong; the wrong ones are answers to similar
    tasks. `evidence`: the judge does not see the question, only the answers and what the debaters quote and argue.
    """

    version = 2

    def __init__(
        self,
        debaters: Annotated[int, Interval(ge=2, le=4)] = 2,
        rounds: Annotated[int, Interval(ge=1, le=10)] = 2,
        reward: Reward = "verdict",
        closed: bool = False,
        tasks: str = "",
        evidence: bool = False,
    ) -> None:
        super().__init__(tasks)
        if closed and evidence:
            raise InputError("debate: a judge that sees only evidence needs free text; leave out closed or evidence")
        params: dict[str, Value] = {"debaters": debaters, "rounds": rounds, "reward": reward, "closed": closed}
        if self._source is not None:
            params["tasks"] = self._source.id
        params["evidence"] = evidence
        self.evidence = evidence
        id = game_id(f"{NAME}-v{self.version}", DebateGame, params)
        self.n, self.rounds, self.reward, self.closed = debaters, rounds, reward, closed
        self.debaters = seats_of("debater", debaters)
        self.spec = GameSpec(
            id=id,
            seats=dict.fromkeys(self.debaters, "debater") | {JUDGE: "debate-judge"},
            payoff="general_sum",
            rules=rules(debaters, rounds, reward, closed, evidence),
            max_turns=rounds * (debaters + 1),
            returns_range=(-1.0, 1.0),
            demonstrations=demonstrations(evidence),
        )
        self._question = ""
        self._answers: dict[str, str] = {}
        self._right = ""
        self._stance: dict[Seat, str] = {}
        self._lines: list[str] = []
        self._round = 0
        self._named: str | None = None

    def reset(self, seed: int) -> None:
        """Draw the question, wrong answers close to the correct one, the letters and the debaters' sides."""
        self._start()
        stream = RandomStream(derive(seed, SEED))
        truth, texts = self._pose(stream, seed)
        self._answers = dict(zip(_LETTERS, texts, strict=False))
        self._right = next(letter for letter, text in self._answers.items() if text == truth)
        letters = stream.shuffled(list(self._answers))
        self._stance = dict(zip(self.debaters, letters, strict=True))
        self._lines, self._round, self._named = [], 0, None
        self._due = self.debaters

    def _pose(self, stream: RandomStream, seed: int) -> tuple[str, Sequence[str]]:
        """Set the question. Returns the right answer, and an answer for each debater in random order."""
        if self._source is None:
            self._question = question(stream)
            return answer_to(self._question), self._answers_beside(self._question, stream)
        for attempt in range(_TRIES):
            task = self._posed(derive(seed, attempt))
            texts = self._answers_of(task, stream)
            if len(texts) == self.n:
                self._question = task.question
                return task.answer, texts
        raise InputError(
            f"{self._source.id} gave fewer than {self.n - 1} wrong answers to each of {_TRIES} tasks; debate needs as "
            "many to argue for, and leaves out those that its verifier passes"
        )

    def _answers_beside(self, asked: str, stream: RandomStream) -> Sequence[str]:
        """The right answer to a question of the game's own and wrong ones, in random order."""
        return answers_beside(asked, self.n - 1, stream)

    def _answers_of(self, task: SourceTask, stream: RandomStream) -> Sequence[str]:
        """The right answer to a task and wrong ones, in random order; fewer if the source has no more."""
        return self._tasks.fair_choices(task, stream, self.n - 1)

    def phase(self, seat: Seat) -> str:
        """`argue` for debaters, `judge` for the judge."""
        return "judge" if seat == JUDGE else "argue"

    def observe(self, seat: Seat) -> Observation:
        """The question, the answers, the side of the seat and all speeches."""
        asked = HIDDEN if self.evidence and seat == JUDGE else self._question
        lines = [asked, *(f"{letter}: {text}" for letter, text in self._answers.items())]
        if seat != JUDGE:
            lines.append(f"You argue for answer {self._stance[seat]}.")
        lines += self._lines
        if self._over:
            lines.append(f"The match is over: {self._ending()}.")
        else:
            left = self.rounds - self._round
            lines.append("This is the last round." if left == 1 else f"{left} rounds are left, including this one.")
        return Observation("\n".join(lines), self.phase(seat))

    def returns(self) -> Mapping[Seat, float]:
        """Debaters by `reward`; the judge gets 1 for the correct answer, -1 for a wrong one or none."""
        if not self._over:
            return dict.fromkeys(self.spec.seats, 0.0)
        return {seat: self._paid(seat) for seat in self.debaters} | {JUDGE: 1.0 if self._named == self._right else -1.0}

    def facts(self) -> Mapping[str, Any]:
        """The question, the correct answer, the verdict (None: no answer), the last answers, the rounds played."""
        return {
            "question": self._question,
            "truth": self._answers.get(self._right),
            "right": self._right,
            "verdict": self._named,
            "stances": dict(self._stance),
            "rounds": self._round,
            **({} if self._task is None else {"task": self._task.id, "kind": str(self._task.kind)}),
            **({"pooled": bool(self._given)} if self._task is not None else {}),
        } | self._heard()

    def spectate(self) -> str:
        """The question, sides, speeches and verdict."""
        sides = ", ".join(f"{seat} for {letter}" for seat, letter in self._stance.items())
        answers = ", ".join(f"{letter}: {text}" for letter, text in self._answers.items())
        head = f"{self._question} {answers}; right: {self._right}; {sides}"
        return "\n".join([head, *self._lines, self._ending() if self._over else "not over"])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Four matches with the default parameters."""
        return _known(type(self)()) if self.spec.id == f"{NAME}-v{self.version}" else ()

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        if seat == JUDGE:
            return (*self._answers, CONTINUE) if self._round + 1 < self.rounds else tuple(self._answers)
        mine = (self._stance[seat],) if self.reward == "verdict" else tuple(self._answers)
        return tuple(
            f"{letter}: {speech}" for letter in mine for speech in ("I worked it out twice.", "The others are wrong.")
        )

    def _take(self, said_by: Mapping[Seat, str]) -> None:
        if JUDGE in said_by:
            self._hear_judge(said_by[JUDGE])
            return
        for seat, text in said_by.items():
            if self.reward != "verdict" and (stance := self._argued(text)):
                self._stance[seat] = stance
        self._lines += [said(f"{seat}, for {self._stance[seat]}", text) for seat, text in said_by.items()]
        self._due = (JUDGE,)

    def _argued(self, text: str) -> str | None:
        """The answer that a speech ends with or, without one, the letter that it starts with, if no other follows."""
        kind, stance = letters("".join(self._answers)), _STANCE.match(text)
        if (answer := read(text, kind).value) or stance is None or stance[1] not in self._answers:
            return answer
        return None if rival(kind, text[stance.end() :], stance[1]) else stance[1]

    def _limit(self, seat: Seat) -> int | None:
        return None if seat == JUDGE else SHOWN

    def _hear_judge(self, text: str) -> None:
        """A letter names the answer; anything else continues the debate, or names none after the last round."""
        letter = self._read(JUDGE, text, letters("".join(self._answers), CONTINUE))
        self._named = letter if letter in self._answers else None
        self._round += 1
        self._lines.append(f"[{JUDGE}] {f'names {self._named}' if self._named else 'names no answer'}")
        self._due = () if self._named or self._round >= self.rounds else self.debaters

    def _paid(self, seat: Seat) -> float:
        mine = self._stance[seat]
        if self.reward == "truth":
            return 1.0 if mine == self._right else -1.0
        if self.reward == "consensus":
            return sum(self._stance[other] == mine for other in self.debaters if other != seat) / (self.n - 1)
        if self._named is None:
            return 0.0
        return 1.0 if mine == self._named else -1.0 / (self.n - 1)

    def _ending(self) -> str:
        return f"the judge named {self._named}" if self._named else "the judge named no answer"


def _known(game: DebateGame) -> tuple[KnownOutcome, ...]:
    game.reset(0)
    speeches: dict[Seat, str] = dict.fromkeys(game.debaters, "Trust me.")
    right = game._right
    wrong = next(letter for letter in game._answers if letter != right)
    side = {letter: seat for seat, letter in game._stance.items()}
    won = {side[right]: 1.0, side[wrong]: -1.0}
    return (
        KnownOutcome(0, (speeches, {JUDGE: right}), won | {JUDGE: 1.0}),
        KnownOutcome(0, (speeches, {JUDGE: f"Answer {wrong}."}), {s: -v for s, v in won.items()} | {JUDGE: -1.0}),
        KnownOutcome(0, (speeches, {JUDGE: CONTINUE}, speeches, {JUDGE: right}), won | {JUDGE: 1.0}),
        KnownOutcome(
            0, (speeches, {JUDGE: "A and B"}, speeches, {JUDGE: CONTINUE}), dict.fromkeys(won, 0.0) | {JUDGE: -1.0}
        ),
    )
