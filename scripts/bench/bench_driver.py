"""CPU time of the driver of Ray workers for one match: from the message of a worker to the stored result.

Three ways in one run, batches of 64, SQLite: `episodes` (the driver decodes, summarises, compresses and writes, as all
runs did until the workers packed), `packed` (tournaments and rated leagues: the workers pack, the driver writes bytes),
and `packed + episode` (trainings that record: the learner needs the tokens too). Prompts are random, which is the worst
case, or those of a dialogue, which repeat the rules (300 tokens) and what was said so far. Ray's own time is not
included.

    .venv/bin/python scripts/bench/bench_driver.py [--matches 512] [--repeats 3]

Workers pack since that takes the driver a tenth of the time. Tokens that the driver has are not sent again
(arena/runner/ray/shared_prompts.py), and those for the learner travel as arrays (token_arrays.py). Garbage must be
collected rarely, as a run does (arena/gc_thresholds.py): else each collection visits every token decoded so far.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from _bench import cpu_seconds, machine_line, table
from bench_store import Entry, entry, filled
from msgspec.structs import replace

from arena.gc_thresholds import rare_collections
from arena.match import Decision, Episode, Sample
from arena.runner.packing import PackedEpisode
from arena.runner.ray.played_batch import Packing, decode_batch, encode_batch
from games.randomness import RandomStream, derive
from league.records.matches import PlannedMatch
from league.store.guard import pack_episode

BATCH = 64
KINDS = {
    "bots, 4 turns": (4, 0),
    "LLM, 8 turns, 160 tokens read and 40 written each": (8, 160),
    "LLM, 8 turns, 1,000 read and 250 written each": (8, 1000),
    "the same in a dialogue": (8, 0),
}
DIALOGUE = "the same in a dialogue"
WAYS = ("episodes", "packed", "packed + episode")


@dataclass
class WayCosts:
    """Of one way, per match."""

    sent: float
    """bytes of the message"""
    worker: float
    """CPU microseconds of the worker for summary, compression and encoding"""
    decode: float
    """CPU microseconds of the driver"""
    store: float
    """CPU microseconds of the driver: lease and write"""


def message(entries: Sequence[Entry], way: str) -> bytes:
    """What a worker sends after a batch."""
    played = [episode for _, episode in entries]
    if way == "episodes":
        return encode_batch(played, 1.0)
    return encode_batch(played, 1.0, packing=Packing(pack_episode, way == "packed + episode"))


def dialogue(index: int) -> Entry:
    """A planned match and its episode. A turn reads 300 tokens of rules and 200 of each earlier one, and writes 250."""
    planned, episode = entry(index, 8, 0)
    rng = RandomStream(derive(index, "dialogue"))
    rules = RandomStream(derive(0, "rules"))
    read = tuple(rules.below(49152) for _ in range(300))
    turns = []
    for turn in episode.turns:
        answer = tuple(rng.below(49152) for _ in range(250))
        sample = Sample(read, answer, tuple(-rng.random() for _ in answer))
        turns.append(replace(turn, attempts=(Decision("Bet", sample=sample),)))
        read += answer[:200]
    return planned, replace(episode, turns=tuple(turns))


def spent(entries: Sequence[Entry], way: str) -> WayCosts:
    """The time of all matches, stored in a new database."""
    began = cpu_seconds()
    sent = [message(entries[i : i + BATCH], way) for i in range(0, len(entries), BATCH)]
    worker, n = cpu_seconds() - began, len(entries) / 1e6
    decode = store_time = 0.0
    with tempfile.TemporaryDirectory() as folder:
        store, run = filled(f"{folder}/bench.db", list(entries))
        with store:
            for data in sent:
                began = cpu_seconds()
                batch = decode_batch(data)
                ended: list[Episode] | list[PackedEpisode] = batch.episodes or [each.packed for each in batch.packed]
                decode += cpu_seconds() - began
                began = cpu_seconds()
                planned: list[PlannedMatch] = [match for match, _ in store.lease(run, "bench", BATCH)]
                store.finish(list(zip(planned, ended, strict=True)))
                store_time += cpu_seconds() - began
            assert store.counts(run).finished == len(entries)
    return WayCosts(sum(map(len, sent)) / len(entries), worker / n, decode / n, store_time / n)


def main() -> None:
    """Print one row per kind of episode and way. The ways take turns; a row is the turn with the least driver time.

    Other work on a core's second hyperthread only adds to CPU time.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print(machine_line())
    rows = []
    for label, (turns, tokens) in KINDS.items():
        made = (dialogue(i) if label == DIALOGUE else entry(i, turns, tokens) for i in range(options.matches))
        entries = list(made)
        taken: dict[str, list[WayCosts]] = {way: [] for way in WAYS}
        with rare_collections():  # as in a tournament or training
            for _ in range(options.repeats):
                for way in WAYS:
                    taken[way].append(spent(entries, way))
        for way in WAYS:
            best = min(taken[way], key=lambda one: one.decode + one.store)
            sent, worker, decode, store = best.sent, best.worker, best.decode, best.store
            rows.append([label, way, sent, worker, decode, store, decode + store, 1e6 / (decode + store)])
    head = ["episode", "the worker sends", "bytes", "worker us", "decode us", "lease and write us", "driver us"]
    print(table([*head, "matches per driver second"], rows))


if __name__ == "__main__":
    main()
