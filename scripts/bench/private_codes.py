"""Whether speaker and listener of pragmatic agree on a private code, without and with earlier versions as partners.

    python scripts/bench/private_codes.py [--seeds 3] [--steps 80] [--matches 300] [--fresh 20]

The tiny model of pragmatic_train.toml learns with itself alone, or half of the time with its own snapshots. Afterwards
each speaker meets its own listener, the listeners of the other seeds, the exact models, which read strings by their
meaning alone, and a fresh listener: new weights that learn for `--fresh` steps from this speaker alone, whose weights
stay. A pair with a code earns more than its members earn with anybody else.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from _bench import cpu_seconds, machine_line, table

from arena import players
from arena.match import Episode, MatchPlan
from arena.players import Player
from arena.runner.local import LocalRunner
from games.naming import Name, parse_name
from league.config.toml_file import read_toml
from league.config.training import parse_training
from league.training.run import run_training

FILE = Path(__file__).parents[1] / "examples" / "pragmatic_train.toml"
PARTNERS = {"itself": 0.0, "itself and its snapshots": 1.0}
"""the partners of a training -> the weight of snapshots; that of itself is 1"""
HEAD = ("learned with", "seed", "own", "other seeds", "speaker, L0", "speaker, L1", "S1, listener", "fresh listener")
EXACT = {"L0": "policy(name=literal)", "L1": "policy"}


def main() -> None:
    """Train, play and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--steps", type=int, default=80)
    options.add_argument("--matches", type=int, default=300)
    options.add_argument("--fresh", type=int, default=20, help="steps that a fresh listener learns for; 0: no such")
    given = options.parse_args()
    began = cpu_seconds()
    rows: list[tuple[str | float, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        for partners, weight in PARTNERS.items():
            seeds = range(given.seeds)
            pairs = [trained(Path(folder) / f"{weight}-{seed}", seed, given.steps, weight) for seed in seeds]
            new = [fresh(Path(folder) / f"{weight}-{seed}-new", seed, given, pairs[seed]) for seed in seeds]
            found = zip(met(pairs, given.matches), new, strict=True)
            rows += [(partners, seed, *pair, last) for seed, (pair, last) in enumerate(found)]
            print(table(HEAD, rows), flush=True)
    print(machine_line("torch"))
    print(f"{given.steps} steps, {given.matches} matches a pair, {given.fresh} steps of fresh listeners")
    print(f"{(cpu_seconds() - began) / 60:.1f} CPU minutes")


def trained(folder: Path, seed: int, steps: int, weight: float) -> Mapping[str, Path]:
    """Role -> the folder of its weights after training."""
    return learned(folder, seed, steps, {"opponents": {"self": 1.0, "snapshots": weight, "anchors": 0.0}})


def fresh(folder: Path, seed: int, given: argparse.Namespace, pair: Mapping[str, Path]) -> float:
    """The mean reward of a speaker with a listener that starts from new weights and meets nobody else."""
    if not given.fresh:
        return float("nan")
    speaker = f'llm(model="{pair["speaker"]}", decode=choice, dtype=fp32)'
    changes: dict[str, Any] = {"opponents": {"self": 0.0, "snapshots": 0.0, "anchors": 1.0}}
    changes["anchors"] = [{"name": "fixed", "player": f"by-role(speaker={speaker}, listener=random)"}]
    changes["freeze"] = [{"role": "speaker"}]
    new = learned(folder, seed + 100, given.fresh, changes)["listener"]
    players_of = [players.make(speaker), players.make(f'llm(model="{new}", decode=choice, dtype=fp32)')]
    found = reward(parse_training(read_toml(str(FILE), "training")).games[0].id, *players_of, given.matches)
    for player in players_of:
        player.close()
    return found


def learned(folder: Path, seed: int, steps: int, changes: Mapping[str, Any]) -> Mapping[str, Path]:
    """Role -> the folder of its weights after a training with these changes of the file."""
    data: dict[str, Any] = read_toml(str(FILE), "training")
    model = parse_name(data["policy"]["model"])
    data["policy"]["model"] = str(Name("tiny", {**model.params, "seed": seed}))
    data |= {"db": f"sqlite:///{folder}.db", "folder": str(folder), "seed": seed, "steps": steps, "trackers": []}
    data["snapshots"] = {"every": max(1, steps // 4), "matches": 0}
    data["evaluation"] = {"every": steps, "matches": 0, "exact": False}
    data |= changes
    run_training(parse_training(data), board="off")
    last = max((folder / "snapshots").iterdir(), key=lambda found: found.stat().st_mtime)
    return {role: last / role for role in ("speaker", "listener")}


def met(pairs: Sequence[Mapping[str, Path]], matches: int) -> list[tuple[float, ...]]:
    """The mean rewards of each pair: together, with other seeds, and with exact partners."""
    game = parse_training(read_toml(str(FILE), "training")).games[0].id
    spoken = [players.make(f'llm(model="{pair["speaker"]}", decode=choice, dtype=fp32)') for pair in pairs]
    heard = [players.make(f'llm(model="{pair["listener"]}", decode=choice, dtype=fp32)') for pair in pairs]
    exact = {name: players.make(id) for name, id in EXACT.items()}
    found = []
    for n, (speaker, listener) in enumerate(zip(spoken, heard, strict=True)):
        others = [reward(game, speaker, other, matches) for m, other in enumerate(heard) if m != n]
        found.append(
            (
                reward(game, speaker, listener, matches),
                statistics.fmean(others) if others else float("nan"),
                *(reward(game, speaker, partner, matches) for partner in exact.values()),
                reward(game, exact["L1"], listener, matches),
            )
        )
    for player in (*spoken, *heard):
        player.close()
    return found


def reward(game: str, speaker: Player, listener: Player, matches: int) -> float:
    """The mean reward of a pair, on the same seeds for all pairs."""
    speaker.name, listener.name = "speaker", "listener"
    seats = {"speaker": "speaker", "listener": "listener"}
    plans = [MatchPlan(str(seed), game, 10_000 + seed, seats) for seed in range(matches)]
    episodes: list[Episode] = []
    runner = LocalRunner({"speaker": speaker, "listener": listener}, concurrency=32)
    asyncio.run(runner.run(lambda room: [plans.pop() for _ in range(min(room, len(plans)))], episodes.extend))
    return statistics.fmean(episode.returns["speaker"] for episode in episodes)


if __name__ == "__main__":
    main()
