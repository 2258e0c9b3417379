"""How often claims about players of several games are right: simulated leagues whose games differ.

Each player plays some of the games, and a double round robin of `--rounds` rounds is played in each. Settings:

    luck        one skill, but games with different discrimination (log-normal, sd 0.7)
    own         a deviation of 0.5 beta per player and game
    quickstart  four players; two play both of two games, the others one each; deviations of 0.7 beta
    one skill   the same four players without deviations

The truth is the mean of a player's skills in these games, those included that it does not play. A claim is a statement
with at least 95% probability that one of two players is stronger. `right` is the share of claims that hold, `claims`
their number per league, for pairs that share a game and for pairs that do not (for which the arena makes no claims).
`covered`: share of the true gaps between two players in the 95% interval of their draws. `pooled` counts matches of all
games alike; `mean` is the arena's.

    .venv/bin/python scripts/bench/simulate_games.py --seeds 400
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy

import numpy as np
from _bench import machine_line, table

from league.ratings import BradleyTerry, SkillModel
from league.ratings.comparisons import Counts
from league.ratings.fit.fit import Fit
from league.ratings.fit.games import comparable, mean_over_games

SETTINGS = ("luck", "own", "quickstart", "one skill")
CLAIM = 0.95
HEAD = ("setting", "fit", "sharing a game: claims", "right", "sharing none: claims", "right", "covered")


def league(setting: str, rng: np.random.Generator, rounds: int) -> tuple[np.ndarray, Counts]:
    """The means of the true skills in beta, and the counts."""
    if setting in ("quickstart", "one skill"):
        plays = [[0, 1, 2], [0, 1, 3]]
        n, own, discrimination = 4, 0.7 if setting == "quickstart" else 0.0, np.ones(2)
    else:
        n, games = 10, 3
        who = [rng.choice(games, 2 if rng.random() < 0.5 else 1, replace=False) for _ in range(n)]
        plays = [[i for i in range(n) if g in who[i]] for g in range(games)]
        own = 0.5 if setting == "own" else 0.0
        discrimination = np.exp(rng.normal(0.0, 0.7, games)) if setting == "luck" else np.ones(games)
    skill = rng.normal(0.0, 1.0, n)
    columns, counts = [], []
    skills = discrimination[:, None] * skill + rng.normal(0.0, own, (len(plays), n))
    for game, players in enumerate(plays):
        here = skills[game]
        for place, a in enumerate(players):
            for b in players[place + 1 :]:
                won = (here[a] - here[b]) / 2**0.5 + rng.standard_normal(2 * rounds) > 0.0
                columns.append((game, a, b, 0, 0, 0, 0, 2))
                counts.append((won.sum(), 0, (~won).sum()))
    names = tuple(f"p{i}" for i in range(n))
    ids = tuple(f"g{g}" for g in range(len(plays)))
    return skills.mean(0), Counts(names, ids, ("player",), np.array(columns, np.int64).T, np.array(counts, np.int64).T)


def fits(counts: Counts) -> Mapping[str, Fit]:
    """The fits that are compared."""
    games = {counts.games[g]: SkillModel().fit(counts.only(counts.games[g])) for g in np.unique(counts.game)}
    return {
        "pooled": BradleyTerry(groups=1).fit(counts),
        "mean": mean_over_games(games, counts),
    }


def judge(setting: str, rounds: int, seeds: range) -> list[list[object]]:
    """A row per fit."""
    claims: dict[str, list[list[bool]]] = {}
    covered: dict[str, list[float]] = {}
    for seed in seeds:
        skill, counts = league(setting, np.random.default_rng([seed, len(setting)]), rounds)
        shared = comparable(counts)
        for name, fit in fits(counts).items():
            draws, found = fit.posterior, claims.setdefault(name, [[], []])
            for i, j in np.argwhere(~np.eye(len(skill), dtype=bool)):
                if fit.played[i] and fit.played[j] and draws.above(fit.players[i], fit.players[j]) >= CLAIM:
                    found[not shared[i, j]].append(bool(skill[i] > skill[j]))
            a, b = np.triu_indices(len(skill), 1)
            low, high = np.quantile(draws.skills[a] - draws.skills[b], (0.025, 0.975), axis=1)
            gap = SkillModel().beta * (skill[a] - skill[b])
            covered.setdefault(name, []).append(
                float(((low <= gap) & (gap <= high))[fit.played[a] & fit.played[b]].mean())
            )
    return [
        [setting, name, *_told(claims[name][0], len(seeds)), *_told(claims[name][1], len(seeds)), _mean(covered[name])]
        for name in claims
    ]


def _told(right: list[bool], leagues: int) -> tuple[str, str]:
    return f"{len(right) / leagues:.2f}", _mean([float(r) for r in right])


def _mean(values: list[float]) -> str:
    if len(values) < 2:
        return "–"
    return f"{np.mean(values):.1%} ± {np.std(values) / len(values) ** 0.5:.1%}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", nargs="+", default=SETTINGS)
    parser.add_argument("--rounds", type=int, default=20, help="pairs of matches of each two players in a game")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=200)
    given = parser.parse_args()
    print(machine_line("numpy", "scipy"))
    rows = []
    for setting in given.settings:
        rows += judge(setting, given.rounds, range(given.first, given.first + given.seeds))
    print(table(HEAD, rows))


if __name__ == "__main__":
    main()
