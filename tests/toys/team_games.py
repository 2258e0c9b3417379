"""Small real games for tests of the league: two teams of two that win together, and one that is not rated."""

from collections.abc import Mapping

from games import GameSpec, IllegalAction, Observation, RandomStream, TextGame


class Tug(TextGame):
    """Each seat in turn pulls with 1 to 5; the team that pulled harder wins. Seats of the teams alternate."""

    spec = GameSpec(
        "tug-v0",
        {"a1": "lead", "b1": "lead", "a2": "anchor", "b2": "anchor"},
        "zero_sum",
        "Pull with 1 to 5.",
        4,
        returns_range=(-1, 1),
        teams=(("a1", "a2"), ("b1", "b2")),
    )

    def reset(self, seed: int) -> None:
        self.pulls: list[int] = []
        self.wind = RandomStream(seed).below(3) - 1

    @property
    def acting(self) -> tuple[str, ...]:
        return tuple(self.spec.seats)[len(self.pulls) : len(self.pulls) + 1]

    def observe(self, seat: str) -> Observation:
        return Observation(f"wind {self.wind}, pulls {self.pulls}")

    def legal(self, seat: str) -> tuple[str, ...] | None:
        return tuple("12345") if seat in self.acting else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        ((seat, action),) = actions.items()
        if action not in (self.legal(seat) or ()):
            raise IllegalAction(f"pull with 1 to 5, not {action!r}")
        self.pulls.append(int(action))

    def returns(self) -> Mapping[str, float]:
        lead = self.wind + sum(self.pulls[0::2]) - sum(self.pulls[1::2])
        sign = float((lead > 0) - (lead < 0)) if not self.acting else 0.0
        return {seat: sign if seat.startswith("a") else -sign for seat in self.spec.seats}


class Quiz(TextGame):
    """A proposer names a number, two solvers guess it; who proposes and who solves cannot be compared."""

    spec = GameSpec(
        "quiz-v0",
        {"asker": "proposer", "left": "solver", "right": "solver"},
        "general_sum",
        "Name or guess 1 to 3.",
        3,
        returns_range=(0, 1),
        rated=False,
    )

    def reset(self, seed: int) -> None:
        self.said: list[str] = []

    @property
    def acting(self) -> tuple[str, ...]:
        return tuple(self.spec.seats)[len(self.said) : len(self.said) + 1]

    def observe(self, seat: str) -> Observation:
        return Observation(f"{len(self.said)} of 3 have spoken")

    def legal(self, seat: str) -> tuple[str, ...] | None:
        return tuple("123") if seat in self.acting else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        ((seat, action),) = actions.items()
        if action not in (self.legal(seat) or ()):
            raise IllegalAction(f"say 1 to 3, not {action!r}")
        self.said.append(action)

    def returns(self) -> Mapping[str, float]:
        if self.acting:
            return dict.fromkeys(self.spec.seats, 0.0)
        right = [float(guess == self.said[0]) for guess in self.said[1:]]
        return {"asker": 1.0 - sum(right) / 2, "left": right[0], "right": right[1]}
