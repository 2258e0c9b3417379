"""A store with a short run, and the pack of it."""

import functools
import tempfile
from pathlib import Path

from league.pack import pack_run
from league.store import Store
from league.tournament.run import run_tournament
from tests.league.specs import KUHN, stored


def store_of(folder: Path, name: str = "cup") -> Path:
    """A store whose run has four matches; another run beside it has none."""
    db = folder / "runs" / "league.db"
    players = [{"name": "alice", "player": "random"}, {"name": "bob", "player": "random"}]
    settings = {"name": name, "db": f"sqlite:///{db}", "games": [KUHN], "rounds": 2, "players": players, "seed": 1}
    run_tournament(settings, board="off")
    with Store.open(str(db)) as store:
        store.start_run("private-run", stored(seed=2))
        store.add_event(store.run(name), "note", "one")
    return db


def pack_of(folder: Path, name: str = "cup") -> Path:
    """The pack of that run, whose store is elsewhere; the run is played once for all tests."""
    pack = folder / "cup.arena"
    pack.write_bytes(_packed(name))
    return pack


@functools.cache
def _packed(name: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return pack_run(str(store_of(Path(folder), name)), name, Path(folder) / "cup.arena").file.read_bytes()
