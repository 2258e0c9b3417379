"""The parameters of psj-v0, which of them go together, and the seats and rules they make."""

from __future__ import annotations

from games.dialogue import psj_texts as texts
from games.dialogue.staged import named, seats_of, share, whole
from games.errors import InputError
from games.game import GameSpec

ID = "psj-v0"
PROPOSER = "proposer"


class Settings:
    """What the parameters of `games.dialogue.psj.PSJ` come to. Raises InputError."""

    def __init__(
        self,
        solvers: int,
        votes: int | None,
        grade: str | None,
        size: int,
        threshold: float,
        references: float,
        calibrate: bool,
    ) -> None:
        self.k = whole(ID, "solvers", solvers, 1, 64)
        self.size = whole(ID, "size", size, 0, 9)
        self.threshold, self.references = share(ID, "threshold", threshold), share(ID, "references", references)
        usual_grade = "truth" if self.size or self.threshold else "judge"
        usual_votes = 0 if self.threshold else 1
        self.grade = grade or usual_grade
        self.votes = usual_votes if votes is None else whole(ID, "votes", votes, 0, 16)
        self.calibrate = calibrate
        self._check()
        self.solvers = seats_of("solver", self.k)
        self.judges = seats_of("judge", self.k * self.votes)
        shown = {
            "solvers": (self.k, 4),
            "votes": (self.votes, usual_votes),
            "grade": (self.grade, usual_grade),
            "size": (self.size, 0),
            "threshold": (self.threshold, 0.0),
            "references": (self.references, 0.0),
            "calibrate": (calibrate, True),
        }
        self.id = named(ID, shown)

    def _check(self) -> None:
        if self.grade not in ("judge", "truth"):
            raise InputError(f"{ID}: grade is judge or truth, not {self.grade!r}")
        if not isinstance(self.calibrate, bool):
            raise InputError(f"{ID}: calibrate is true or false, not {self.calibrate!r}")
        if self.grade == "judge" and (self.size or self.threshold):
            raise InputError(f"{ID}: size and threshold go by the exact answer; leave grade out or write grade=truth")
        if self.grade == "judge" and not self.votes:
            raise InputError(f"{ID}: without judges (votes=0) write grade=truth")
        if self.threshold and self.votes:
            raise InputError(f"{ID}: with a threshold the proposer meets the solvers alone; write votes=0")

    def spec(self) -> GameSpec:
        """Seats, rules and payoffs."""
        roles = {PROPOSER: PROPOSER} | dict.fromkeys(self.solvers, "solver") | dict.fromkeys(self.judges, "judge")
        match = self.threshold > 0
        question_votes = self.votes if self.grade == "judge" else 0
        return GameSpec(
            id=self.id,
            seats=roles,
            payoff="zero_sum" if match else "general_sum",
            rules=texts.rules(self),
            max_turns=1 + question_votes + self.k + len(self.judges),
            returns_range=(-1.0, 1.0) if match else (0.0, 1.0),
            teams=tuple(side for side in ((PROPOSER,), self.solvers, self.judges) if side),
            rated=match,
        )
