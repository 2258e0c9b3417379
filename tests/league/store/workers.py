"""Processes for tests to kill: they lease and finish matches, and record what the store acknowledged."""

import os
import random
import time

from league.store import Store
from tests.league.store.episodes import episode


def play(url, acknowledged, seed, size):
    """Lease, finish in batches of any size, now and then give matches back; until `size` matches are finished."""
    rng = random.Random(seed)
    owner = f"worker {os.getpid()}"
    said = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with Store.open(url, lease_seconds=0.4) as store:
        run = store.run()
        while store.counts(run).finished < size:
            leased = [match for match, _ in store.lease(run, owner, rng.randint(1, 24))]
            if not leased:
                time.sleep(0.02)  # others hold the rest: their leases end or their results come
            rng.shuffle(leased)
            if rng.random() < 0.1:
                store.release(run, owner)
            while leased:
                batch, leased = leased[: (n := rng.randint(1, 8))], leased[n:]
                written = store.finish([(match, episode(match, salt=seed)) for match in batch])
                os.write(said, "".join(f"{result.match}\n" for result in written).encode())


def write_on(url, size, link):
    """Finish match after match; after every 20 say how many and wait, with the database open."""
    with Store.open(url) as store:
        run = store.run()
        for match, _ in store.lease(run, "writer", size):
            store.finish([(match, episode(match))])
            if (match.index + 1) % 20 == 0:
                link.send(match.index + 1)
                link.recv()


def hold(url, ready):
    """Take the run's lock, report it, and never release it."""
    with Store.open(url) as store:
        run = store.run()
        with store.exclusive(run):
            store.lease(run, "holder", 5)
            ready.send(os.getpid())
            time.sleep(600)
