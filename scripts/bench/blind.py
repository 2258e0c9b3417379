"""What answers without a look, or the scripted policies of a game, earn at the endpoints of studies.

    python scripts/bench/blind.py scripts/examples/study_desk.toml scripts/examples/study_laws.toml [--record]
        [--policies competent honest] [--name blind]

A trained policy that earns no more than this shows nothing of what it reads. Every sequence of three answers is tried
on other seeds, the last answer being repeated; the endpoint's matches then measure the best one. With `--policies` the
scripted policies of the game by these names are measured instead, where it has them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from _bench import machine_line
from _claims import Claim, record

import arena
import games
from arena import Decision, Player
from arena.players import register
from games import plugins
from league.study.config import EndpointConfig, load_study
from league.study.measure import measured
from league.study.plan import study_plan

DEPTH, SEQUENCES = 3, 600
TRIAL, FINAL, KEPT, ALIKE = 20, 200, 24, 4
"""matches of every sequence and of the best ones, how many those are, and how many of one value, which mostly do the
same"""
IN_MEMORY = "sqlite:///:memory:"
legal_answers: list[set[str]] = [set() for _ in range(DEPTH)]
"""what was legal at each turn of the measured seats"""


@register("blind")
class Blind(Player):
    """Gives its answers one after another, whatever it reads; then the last one again, and where none is legal any.

    answers: separated by |
    """

    remembers = True

    def __init__(self, answers: str = "") -> None:
        self.answers = answers.split("|")

    def act(self, view: arena.players.View) -> Decision:
        """Returns the answer of the turn."""
        turn, legal = len(view.exchanges), view.legal or ()
        if turn < DEPTH:
            legal_answers[turn].update(legal)
        answer = self.answers[min(turn, len(self.answers) - 1)]
        return Decision(answer if answer in legal else view.rng.choice(legal))


def value(endpoint: EndpointConfig, answers: Sequence[str]) -> float:
    """Returns what the answers earn at an endpoint."""
    return measured(f"blind(answers='{'|'.join(answers)}')", endpoint, IN_MEMORY).value


def best(endpoint: EndpointConfig) -> tuple[str, ...]:
    """Returns the best sequence of answers, on other seeds. Raises SystemExit if there are too many."""
    for answers in legal_answers:
        answers.clear()
    value(_with(endpoint, 50), ("",))
    left = list(product(*(sorted(answers) for answers in legal_answers if answers)))
    if len(left) > SEQUENCES:
        raise SystemExit(f"endpoint {endpoint.name!r} has {len(left)} sequences of answers; at most {SEQUENCES}")
    trial = [(value(_with(endpoint, TRIAL), answers), answers) for answers in left]
    alike, kept = Counter[float](), list[tuple[str, ...]]()
    for earned, answers in sorted(trial, key=lambda pair: -pair[0]):
        alike[earned] += 1
        if alike[earned] <= ALIKE and len(kept) < KEPT:
            kept.append(answers)
    return max(kept, key=lambda answers: value(_with(endpoint, FINAL), answers))


def _with(endpoint: EndpointConfig, matches: int) -> EndpointConfig:
    return endpoint.model_copy(update={"seed": endpoint.seed + 1, "matches": matches})


def endpoints(file: str) -> Iterator[tuple[str, EndpointConfig]]:
    """Yields the endpoints of a study that are measured in matches where more is better, each with its words."""
    config = load_study(file)
    plan = study_plan(config, file)
    for path in plan.runs[0].config.plugins:
        plugins.load_file(plan.base.parent / Path(path))
    for endpoint in config.endpoints:
        if endpoint.against is None or endpoint.better == "lower":
            continue
        yield f"{config.name}: {endpoint.measure}, {endpoint.name}", endpoint


def sequence_claims(file: str) -> Iterator[Claim]:
    """Yields a line for the best fixed answers at each endpoint of a role."""
    for words, endpoint in endpoints(file):
        if endpoint.role is None:
            continue
        answers = best(endpoint)
        words += f": best fixed answers of the {endpoint.role}: {', '.join(answers)}"
        yield Claim(words, f"{value(endpoint, answers):.3f}", f"{endpoint.matches} matches, chosen on other seeds")


def policy_claims(file: str, names: Sequence[str]) -> Iterator[Claim]:
    """Yields a line for each of these scripted policies at each endpoint whose game has it."""
    for words, endpoint in endpoints(file):
        for name in names:
            player = f"policy(name='{name}')"
            if arena.players.make(player).supports(games.make(endpoint.game or "")) is None:
                figure = measured(player, endpoint, IN_MEMORY).value
                yield Claim(f"{words}: the policy {name}", f"{figure:.3f}", f"{endpoint.matches} matches")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("files", nargs="+", help="study files")
    options.add_argument("--record", action="store_true", help="write the claims of docs/claims.md")
    options.add_argument("--policies", nargs="+", default=[], help="scripted policies to measure instead")
    options.add_argument("--name", default="blind", help="the claims are written under this name")
    settings = options.parse_args()
    print(machine_line())
    lines = []
    for file in settings.files:
        for claim in policy_claims(file, settings.policies) if settings.policies else sequence_claims(file):
            print(f"{claim.claim}  {claim.figure}", flush=True)
            lines.append(claim)
    if settings.record:
        record(lines, name=settings.name)


if __name__ == "__main__":
    main()
