"""Measures the ratings of the anchors of `arena rank`: a round-robin of the anchors of each game.

The scale of a game is set by the mean of its anchors, 25. All anchors are deterministic given the seed, so the same
command gives the same ratings and the same digest of the matches.

    .venv/bin/python scripts/bench/rank_anchors.py --record      writes league/rank/anchors.json, a minute
    .venv/bin/python scripts/bench/rank_anchors.py --game 1      compares one game with it
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tomllib
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from _bench import machine_line

from league import run_tournament
from league.rank.suite import RankSuite, SuiteGame
from league.store import Store

FOLDER = Path(__file__).parents[2] / "league" / "rank"
ROUNDS = 60


def main() -> None:
    """Measures all games, or compares one."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--record", action="store_true", help="write anchors.json")
    options.add_argument("--game", type=int, help="the number of one game, from 1")
    chosen = options.parse_args()
    of = RankSuite.model_validate(tomllib.loads((FOLDER / "suite.toml").read_text()))
    games = of.games if chosen.game is None else of.games[chosen.game - 1 : chosen.game]
    logs, turns, ratings = {}, {}, list[dict[str, Any]]()
    for game in games:
        logs[game.id], turns[game.id], rows = measure(of, game, ROUNDS)
        ratings += rows
        print(
            game.id,
            logs[game.id][:16],
            turns[game.id],
            "turns",
            ", ".join(f"{row['player']} {row['rating']:.2f} ± {row['sd']:.2f}" for row in rows),
        )
    about = {"suite": of.version, "rounds": ROUNDS, "machine": machine_line()}
    measured = about | {"matches": logs, "turns": turns, "ratings": ratings}
    if chosen.record:
        (FOLDER / "anchors.json").write_text(json.dumps(measured, indent=1) + "\n")
    else:
        stored = json.loads((FOLDER / "anchors.json").read_text())
        same = all(stored["matches"][game] == head for game, head in logs.items())
        print("the same matches as recorded" if same else "other matches than recorded")


def measure(of: RankSuite, game: SuiteGame, rounds: int) -> tuple[str, float, list[dict[str, Any]]]:
    """Returns the digest of all matches of a round-robin, the mean turns of a seat, and the rating of each anchor."""
    players = [{"name": of.name(game, anchor), "player": id} for anchor, id in game.anchors.items()]
    with TemporaryDirectory() as folder:
        db = f"sqlite:///{folder}/anchors.db"
        settings = {"name": "anchors", "db": db, "games": [game.id], "players": players, "rounds": rounds}
        result = run_tournament(settings | {"seed": of.seed, "concurrency": 8}, board="off")
        with Store.open(db, read_only=True) as store:
            results = store.results(store.run())
    played = [(r.index, r.transcript, [(s.player, s.score) for s in r.seats]) for r in results]
    turns = round(fmean(seat.turns for r in results for seat in r.seats), 2)
    digest = hashlib.sha256(repr(sorted(played)).encode()).hexdigest()
    return (
        digest,
        turns,
        [
            {
                "player": row.player,
                "game": game.id,
                "rating": round(row.rating, 3),
                "sd": round((row.high - row.low) / 3.92, 3),
            }
            for row in result.snapshot.standings
        ],
    )


if __name__ == "__main__":
    main()
