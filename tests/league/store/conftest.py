"""An empty store of each kind: SQLite always, PostgreSQL where ARENA_TEST_POSTGRES names an empty database."""

import time

import pytest

from league.store import Store
from tests.postgres import POSTGRES, empty_database


class Clock:
    def __init__(self):
        self.now = time.time()

    def __call__(self):
        return self.now


@pytest.fixture(params=["sqlite", "postgresql"] if POSTGRES else ["sqlite"])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/runs/arena.db"
    return empty_database()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(url, clock):
    with Store.open(url, clock=clock, lease_seconds=60) as opened:
        yield opened


@pytest.fixture
def run(store):
    return store.start_run("cup", {"seed": 7, "rounds": 2})
