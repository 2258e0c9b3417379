"""Plays a tournament file on several seeds and compares its players: mean return and tokens per match.

    python scripts/bench/compare_players.py scripts/examples/planning.toml --seeds 1 2 3 --rounds 20 --plain random

The difference to the plain player is paired by seed; its spread is the standard deviation over seeds.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import mean, stdev

from _bench import machine_line, table

import league
from league.config.tournament import load_tournament


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--plain", required=True, help="the player to compare with")
    parser.add_argument("--late", type=float, default=0.0, help="count only matches after this share of the rounds")
    given = parser.parse_args()
    found = [played(given.file, seed, given.rounds, given.late) for seed in given.seeds]
    print(machine_line("open-spiel"))
    for game in found[0]:
        print(f"\n{game}, {len(given.seeds)} seeds, {found[0][game][given.plain][2]} matches a player and seed\n")
        head = ("player", "mean return", "minus plain", "spread", "tokens a match")
        print(table(head, rows(found, game, given.plain)))


Row = tuple[float, float, int]
"""mean return, tokens per match, matches"""


def played(file: str, seed: int, rounds: int | None, late: float) -> dict[str, dict[str, Row]]:
    """game -> player -> its figures in one tournament."""
    with tempfile.TemporaryDirectory() as folder:
        db = f"sqlite:///{Path(folder) / 'compare.db'}"
        config = load_tournament(file, db=db, seed=seed, rounds=rounds)
        league.run_tournament(config, file, board="off")
        scores: dict[str, dict[str, list[tuple[float, int]]]] = defaultdict(lambda: defaultdict(list))
        with league.open_store(db) as store:
            for result in store.results(config.name):
                if result.status != "void" and result.round >= late * config.rounds:
                    for seat in result.seats:
                        scores[result.game][seat.player].append((seat.score, seat.tokens))
    return {
        game: {p: (mean(s for s, _ in all_), mean(t for _, t in all_), len(all_)) for p, all_ in players.items()}
        for game, players in scores.items()
    }


def rows(found: list[dict[str, dict[str, Row]]], game: str, plain: str) -> list[tuple[object, ...]]:
    """One row for each player, the plain one first."""
    names = [plain, *(name for name in found[0][game] if name != plain)]
    listed: list[tuple[object, ...]] = []
    for name in names:
        differences = [one[game][name][0] - one[game][plain][0] for one in found]
        spread = stdev(differences) if len(differences) > 1 else 0.0
        score, tokens = mean(one[game][name][0] for one in found), mean(one[game][name][1] for one in found)
        listed.append((name, round(score, 3), round(mean(differences), 3), round(spread, 3), round(tokens, 1)))
    return listed


if __name__ == "__main__":
    main()
