"""debate-v0: debaters argue for answers to a question before a judge, who may stop early and names the answer.

After multi-agent debate: opinions exchanged in rounds (Du et al. 2023, arXiv 2305.14325), and sides argued before a
judge who stops when convinced (MAD, Liang et al. 2023, arXiv 2305.19118). The question has a known answer, which the
judge is paid by. What pays the debaters is a parameter: the verdict, the truth, or their consensus.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

from games.dialogue.staged import Staged, named, whole
from games.dialogue.sums import question, value
from games.dialogue.talk import said
from games.errors import InputError
from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.randomness import Stream, derive

JUDGE = "judge"
CONTINUE = "continue"
Reward = Literal["verdict", "truth", "consensus"]
_LETTERS = "ABCD"
_STANCE = re.compile(r"\s*(?:[Aa]nswer\s*)?\(?([A-D])\)?\s*(?:[:.,-]|$)")
_VERDICT = re.compile(r"(?:answer\s*)?\(?([A-D])\)?\.?|(continue)\.?", re.IGNORECASE)


class Debate(Staged):
    """`debaters`: 2 to 4, one for each answer on offer. `rounds`: speeches of each. `reward`: what pays debaters.

    verdict: each is bound to its side and gets 1 if the judge names it, else -1 / (debaters - 1). truth: a debater may
    change its mind and gets 1 if its last answer is right, else -1. consensus: it gets the share of the others whose
    last answer is the same. `closed`: speeches and verdicts are chosen from lists.
    """

    def __init__(self, debaters: int = 2, rounds: int = 2, reward: Reward = "verdict", closed: bool = False) -> None:
        super().__init__()
        self.n = whole("debate-v0", "debaters", debaters, 2, 4)
        self.rounds = whole("debate-v0", "rounds", rounds, 1, 10)
        if reward not in get_args(Reward):
            raise InputError(f"debate-v0: reward is one of {', '.join(get_args(Reward))}, not {reward!r}")
        if not isinstance(closed, bool):
            raise InputError(f"debate-v0: closed is true or false, not {closed!r}")
        self.reward, self.closed = reward, closed
        self.debaters = tuple(f"debater_{i}" for i in range(debaters))
        given = {"debaters": (debaters, 2), "rounds": (rounds, 2), "reward": (reward, "verdict")}
        self.spec = GameSpec(
            id=named("debate-v0", {**given, "closed": (closed, False)}),
            seats=dict.fromkeys(self.debaters, "debater") | {JUDGE: "debate-judge"},
            payoff="general_sum",
            rules=_rules(debaters, rounds, reward, closed),
            max_turns=rounds * (debaters + 1),
            returns_range=(-1.0, 1.0),
        )
        self._question = ""
        self._answers: dict[str, str] = {}
        self._right = ""
        self._stance: dict[Seat, str] = {}
        self._lines: list[str] = []
        self._round = 0
        self._named: str | None = None
        self._over = True

    def reset(self, seed: int) -> None:
        """Draw the question, wrong answers near the right one, the letters and who argues for which."""
        stream = Stream(derive(seed, "debate-v0"))
        self._question = question(stream)
        truth = value(self._question)
        assert truth is not None
        near = stream.shuffled([-10, -2, -1, 1, 2, 10])[: self.n - 1]
        texts = stream.shuffled([str(truth), *(str(truth + d) for d in near)])
        self._answers = dict(zip(_LETTERS, texts, strict=False))
        self._right = next(letter for letter, text in self._answers.items() if text == str(truth))
        letters = stream.shuffled(list(self._answers))
        self._stance = dict(zip(self.debaters, letters, strict=True))
        self._lines, self._round, self._named, self._over = [], 0, None, False
        self._due = self.debaters

    def phase(self, seat: Seat) -> str:
        """`argue` for debaters, `judge` for the judge."""
        return "judge" if seat == JUDGE else "argue"

    def observe(self, seat: Seat) -> Observation:
        """The question, the answers, the own side, all speeches."""
        lines = [self._question, *(f"{letter}: {text}" for letter, text in self._answers.items())]
        if seat != JUDGE:
            lines.append(f"You argue for answer {self._stance[seat]}.")
        lines += self._lines
        if self._over:
            lines.append(f"The match is over: {self._ending()}.")
        else:
            left = self.rounds - self._round
            lines.append("The last round is on." if left == 1 else f"{left} rounds are left, this one included.")
        return Observation("\n".join(lines), self.phase(seat))

    def returns(self) -> Mapping[Seat, float]:
        """Debaters by the parameter; the judge 1 for the right answer, -1 for a wrong one or none."""
        if not self._over:
            return dict.fromkeys(self.spec.seats, 0.0)
        return {seat: self._paid(seat) for seat in self.debaters} | {JUDGE: 1.0 if self._named == self._right else -1.0}

    def facts(self) -> Mapping[str, Any]:
        """Question, truth, verdict (None: none), last answers, rounds held."""
        return {
            "question": self._question,
            "truth": self._answers.get(self._right),
            "right": self._right,
            "verdict": self._named,
            "stances": dict(self._stance),
            "rounds": self._round,
        }

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Speeches for an answer; the verdicts."""
        return self._messages(seat) if seat in self._due else ()

    def spectate(self) -> str:
        """Question, sides, speeches, verdict."""
        sides = ", ".join(f"{seat} for {letter}" for seat, letter in self._stance.items())
        answers = ", ".join(f"{letter}: {text}" for letter, text in self._answers.items())
        head = f"{self._question} {answers}; right: {self._right}; {sides}"
        return "\n".join([head, *self._lines, self._ending() if self._over else "not over"])

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Matches worked out by hand, for the usual parameters."""
        return _known() if self.spec.id == "debate-v0" else ()

    def _options(self, seat: Seat) -> tuple[str, ...] | None:
        return self._messages(seat) if self.closed else None

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
            stance = _STANCE.match(text)
            if self.reward != "verdict" and stance and stance[1] in self._answers:
                self._stance[seat] = stance[1]
        self._lines += [said(f"{seat}, for {self._stance[seat]}", text, 400) for seat, text in said_by.items()]
        self._due = (JUDGE,)

    def _hear_judge(self, text: str) -> None:
        """One letter names the answer; anything else lets the debate go on, and is no verdict after the last round."""
        found = _VERDICT.fullmatch(text.strip())
        letter = found[1].upper() if found and found[1] else ""
        self._named = letter if letter in self._answers else None
        self._round += 1
        self._over = self._named is not None or self._round >= self.rounds
        self._lines.append(f"[{JUDGE}] {f'names {self._named}' if self._named else 'names no answer'}")
        self._due = () if self._over else self.debaters

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


def _rules(debaters: int, rounds: int, reward: Reward, closed: bool) -> str:
    paid = {
        "verdict": "A debater argues for its own answer and wins if the judge names it.",
        "truth": "A debater begins a speech with a letter, such as A: ..., to change its mind; it scores if its last "
        "answer is right.",
        "consensus": "A debater begins a speech with a letter, such as A: ..., to change its mind; it scores for every "
        "other debater whose last answer is the same.",
    }[reward]
    how = "Choose from what is listed." if closed else "A speech is one or two sentences."
    return (
        f"A question has {debaters} answers on offer, one of them right, and a debater for each. In each of at most "
        f"{rounds} rounds all debaters speak at once, then the judge names an answer by its letter and nothing else, "
        "which ends the debate, or says continue. The judge scores if the answer it names is right and loses if it is "
        f"wrong or none was named after the last round. {paid}\n{how}"
    )


def _known() -> tuple[KnownOutcome, ...]:
    game = Debate()
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
