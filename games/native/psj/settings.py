"""The settings of psj-v0: which parameters go together, and the seats and rules that follow from them."""

from __future__ import annotations

from games.errors import InputError
from games.game import Demonstrations, GameSpec
from games.native.common.examples import TaskExamples
from games.native.common.posing import TaskSetter
from games.native.common.stages import seats_of
from games.native.psj import rules as texts
from games.native.psj.outcome import RewardRules

ID = "psj-v0"
PROPOSER = "proposer"


class PsjSettings:
    """The parameters of `games.native.psj.PSJGame` and the seats. Raises InputError for contradictory parameters."""

    def __init__(
        self,
        solvers: int,
        votes: int,
        grade: str,
        size: int,
        threshold: float,
        references: float,
        rewards: RewardRules,
        setter: TaskSetter | None = None,
    ) -> None:
        if setter and (size or references or grade == "judge"):
            raise InputError(f"{ID}: tasks are graded by their verifier; leave out size, references and grade=judge")
        if grade == "judge" and (size or threshold):
            raise InputError(f"{ID}: size and threshold need the exact answer; leave grade out or write grade=truth")
        if grade == "judge" and not votes:
            raise InputError(f"{ID}: without judges (votes=0) write grade=truth")
        if threshold and votes:
            raise InputError(f"{ID}: with a threshold the proposer plays against the solvers alone; write votes=0")
        self.k, self.votes, self.grade, self.size = solvers, votes, grade, size
        self.threshold, self.references, self.rewards = float(threshold), float(references), rewards
        self.setter = setter
        self.solvers = seats_of("solver", self.k)
        self.judges = seats_of("judge", self.k * self.votes)

    def spec(self, id: str) -> GameSpec:
        """The spec of a game with these settings."""
        roles = {PROPOSER: PROPOSER} | dict.fromkeys(self.solvers, "solver") | dict.fromkeys(self.judges, "judge")
        match = self.threshold > 0
        question_votes = self.votes if self.grade == "judge" else 0
        return GameSpec(
            id=id,
            seats=roles,
            payoff="zero_sum" if match else "general_sum",
            rules=texts.rules(
                self.k,
                len(self.judges),
                self.grade,
                self.size,
                self.threshold,
                self.rewards.zero_at_zero,
                "" if self.setter is None else "write" if self.setter.writes else "choose",
            ),
            max_turns=1 + question_votes + self.k + len(self.judges),
            returns_range=(-1.0, 1.0) if match else (0.0, self._highest()),
            teams=tuple(side for side in ((PROPOSER,), self.solvers, self.judges) if side),
            rated=match,
            demonstrations=self._demonstrations(),
        )

    def _demonstrations(self) -> Demonstrations:
        if self.setter is None:
            return texts.DEMONSTRATIONS
        return TaskExamples(self.setter.source, "solve", texts.solved, texts.DEMONSTRATIONS)

    def _highest(self) -> float:
        """The highest return: that of a judge who alone judged an answer of its kind, if kinds weigh the same."""
        return max(1.0, 0.5 + 0.25 * len(self.judges)) if self.rewards.balanced and self.rewards.calibrate else 1.0
