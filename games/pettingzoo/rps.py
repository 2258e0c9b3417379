"""Repeated rock, paper, scissors; both seats choose at the same time."""

from __future__ import annotations

from typing import Any

from games.game import KnownOutcome, Seat
from games.pettingzoo.interface import EnvState, TextInterface


class RockPaperScissors(TextInterface):
    """rps_v2, with any number of choices and rounds."""

    payoff = "zero_sum"
    chance = False

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        rounds = env.max_cycles
        self._names = [move.lower() for move in env._moves[:-1]]
        self._menu = {name: i for i, name in enumerate(self._names)}
        self.max_turns = 2 * rounds
        self.returns_range = (-float(rounds), float(rounds))
        if len(self._names) == 3 and rounds > 1:
            self.twin = f"repeated_game(stage_game=matrix_rps(),num_repetitions={rounds})"
        elif len(self._names) == 3:
            self.twin = "matrix_rps"
        seats = env.possible_agents
        beaten = ({seats[0]: "rock", seats[1]: "paper"},) * rounds
        self.outcomes = (KnownOutcome(0, beaten, {seats[0]: -float(rounds), seats[1]: float(rounds)}),)
        self.rules = (
            f"{', '.join(self._names)}: {rounds} rounds. In each round both players choose at the same time and then "
            f"see both choices. {self._beats()} The winner of a round gets +1, the loser -1; equal choices give 0.\n"
            "An action is the name of a choice."
        )

    def _beats(self) -> str:
        """Which choice beats which, as in the environment: the lower number of two even or two odd, else the higher."""
        names, n = self._names, len(self._names)
        wins = [
            f"{names[a]} beats {' and '.join(names[b] for b in range(n) if a != b and (a < b) == ((a + b) % 2 == 0))}"
            for a in range(n)
        ]
        return "; ".join(wins).capitalize() + "."

    def menu(self, state: EnvState, seat: Seat) -> dict[str, Any]:
        """Returns every choice."""
        return self._menu

    def text(self, state: EnvState, seat: Seat) -> str:
        """Returns the choices of all rounds so far, and the score."""
        (other,) = (s for s in state.seats if s != seat)
        rounds = [f"Round {i}: you {turn[seat]}, opponent {turn[other]}." for i, turn in enumerate(state.played, 1)]
        now = f"Round {len(rounds) + 1} of {self.env.max_cycles}. " if state.acting else ""
        score = f"Your score is {state.scores[seat]:+g}."
        return "\n".join([f"You are {seat}.", *rounds, score, now + state.status(seat)])
