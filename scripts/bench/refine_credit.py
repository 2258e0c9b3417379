"""Compares three ways to credit the critic of refine, on the same matches.

    python scripts/bench/refine_credit.py [--matches 200] [--seed 1] [--record]

Refiners and reader understand every code. `without the answer`: the reader knows the critique alone, not the first
answer. `always`: its accuracy is subtracted for right first answers as well. `refine`: the credit of the game, which
subtracts it for wrong first answers, and the refined accuracy for right ones that the critic rejects.
"""

from __future__ import annotations

import argparse
from math import sqrt
from statistics import fmean, stdev

from _bench import machine_line, table
from _claims import Claim, record

import games
from arena.evaluation.shortcuts import episodes_of
from arena.match import Episode
from games.native.refine.policies import BEST, CRITIC, REFINER, critics
from games.native.refine.texts import READER, VERDICT
from games.shortcuts import Scripted, ScriptedTurn, suite_of
from roles.rewards.credit import outcomes

POLICIES = {
    "honest: a random verdict": "",
    "a true verdict alone": "by the answer: nothing",
    "competent: a true verdict, points at the wrong digit": BEST,
    "a true verdict, tells the answer": "by the answer: the answer in base 64",
    "a true verdict, tells the gap": "by the answer: the gap in words",
    "always incorrect, tells the gap": "always incorrect: the gap in words",
    "always incorrect": "always incorrect: nothing",
    "a true verdict, tells the rest": "by the answer: the rest in digits",
}
HOLES = {
    ("a true verdict, tells the gap", "without the answer"),
    ("honest: a random verdict", "always"),
    ("always incorrect", "always"),
}
"""what other credits pay for"""


def main() -> None:
    """Prints a table, one line for each critic."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    chosen = options.parse_args()
    game = games.make("refine")
    suite = suite_of(game)
    assert suite is not None
    assert game.task_source is not None
    family = critics(game.task_source)
    deaf = {REFINER: without_answer(suite.partner(REFINER))}
    rows, claims = [], []
    for name, policy in POLICIES.items():
        plays = {CRITIC: family[policy] if policy else suite.honest[CRITIC]}
        seen = episodes_of("refine", plays, chosen.matches, chosen.seed)
        unseen = episodes_of("refine", plays, chosen.matches, chosen.seed, against=deaf)
        credits = {
            "without the answer": [accuracy(e) for e in unseen],
            "always": [accuracy(e) for e in seen],
            "refine": [e.returns["critic"] for e in seen],
        }
        rows.append([name, *(written(values) for values in credits.values())])
        claims += [
            Claim(f"refine, {name}, credit `{design}`", f"{fmean(v):.2f}", f"95%: ± {margin(v):.2f}, {len(v)} matches")
            for design, v in credits.items()
            if design == "refine" or (name, design) in HOLES
        ]
    print(machine_line(), table(["critic", *credits], rows), sep="\n\n")
    if chosen.record:
        record(claims)


def without_answer(policy: Scripted) -> Scripted:
    """Returns a policy that, as the reader, takes the first answer for 0."""

    def play(turn: ScriptedTurn) -> str:
        return policy(turn._replace(data={**turn.data, "answer": "0"}) if turn.seat == READER else turn)

    return play


def accuracy(episode: Episode) -> float:
    """Returns what a true verdict pays and the refined accuracy, less that of the reader."""
    of = outcomes(episode)
    refined = fmean(one.right or 0.0 for seat, one in of.items() if seat.startswith("refiner"))
    (blind,) = (turn.action for turn in episode.turns if turn.seat == READER)
    return VERDICT * (of["critic"].right or 0.0) + refined - (blind == episode.facts["truth"])


def margin(values: list[float]) -> float:
    """Returns half of the 95% interval of a mean."""
    return 1.96 * stdev(values) / sqrt(len(values))


def written(values: list[float]) -> str:
    """Returns a mean with half of its interval."""
    return f"{fmean(values):.2f} ± {margin(values):.2f}"


if __name__ == "__main__":
    main()
