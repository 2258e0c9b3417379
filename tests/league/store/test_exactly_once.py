"""Any interleaving of several owners, crashes and clocks, compared with a model that is a few sets."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from league.store import Store
from tests.league.store.conftest import Clock
from tests.league.store.episodes import episode, planned

OWNERS = st.sampled_from(["a", "b", "c"])
STATUSES = st.sampled_from(["finished", "finished", "forfeit", "void"])
LEASE = 60


class Interleavings(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.connect()
        self.run = self.store.start_run("cup", {})
        self.size = 0
        self.leases = {}  # index -> (owner, until), None once given back
        self.attempts = {}
        self.log = []  # (index, status) in the order of commit
        self.playing = []  # what an owner still believes it holds; it may return at any time
        self.seen = []  # a reader that follows the log by seq

    def connect(self):
        path = Path(self.folder.name, "x.db")
        self.store = Store.open(str(path), synchronous="NORMAL", clock=self.clock, lease_seconds=LEASE)

    def teardown(self):
        self.store.close()
        self.folder.cleanup()

    def done(self):
        return {index for index, _ in self.log}

    def live(self, index):
        return self.leases.get(index) is not None and self.leases[index][1] > self.clock.now

    @rule(again=st.integers(0, 3), new=st.integers(0, 6))
    def plan(self, again, new):
        start = max(0, self.size - again)
        assert self.store.plan(self.run, [planned(i) for i in range(start, self.size + new)]) == new
        self.size += new

    @rule(owner=OWNERS, n=st.integers(0, 4))
    def lease(self, owner, n):
        until = self.clock.now + LEASE
        for index, held in self.leases.items():
            if held is not None and held[0] == owner:
                self.leases[index] = (owner, until)
        free = [i for i in range(self.size) if i not in self.done() and not self.live(i)]
        got = self.store.lease(self.run, owner, n)
        assert [p.index for p, _ in got] == free[:n]
        for match, attempt in got:
            self.attempts[match.index] = self.attempts.get(match.index, 0) + 1
            assert attempt == self.attempts[match.index]
            self.leases[match.index] = (owner, until)
            self.playing.append(match)

    @rule(data=st.data(), status=STATUSES, salt=st.integers(0, 2))
    def finish(self, data, status, salt):
        if not self.playing:
            return
        batch = data.draw(st.lists(st.sampled_from(self.playing), max_size=5))
        fresh = list(dict.fromkeys(m.index for m in batch if m.index not in self.done()))
        written = self.store.finish([(m, episode(m, status, salt)) for m in batch])
        assert [r.index for r in written] == fresh
        self.log += [(index, status) for index in fresh]
        for match in batch:
            self.leases.pop(match.index, None)

    @rule(owner=OWNERS)
    def release(self, owner):
        mine = [i for i, held in self.leases.items() if held is not None and held[0] == owner]
        assert self.store.release(self.run, owner) == len(mine)
        self.leases.update(dict.fromkeys(mine))

    @rule(held=st.booleans())
    def reclaim(self, held):
        lost = [i for i, lease in self.leases.items() if lease is not None and (held or not self.live(i))]
        if held:
            with self.store.exclusive(self.run):
                assert self.store.reclaim(self.run) == len(lost)
        else:
            assert self.store.reclaim(self.run) == len(lost)
        self.leases.update(dict.fromkeys(lost))

    @rule(seconds=st.sampled_from([1, 30, 59, 61, 500]))
    def wait(self, seconds):
        self.clock.now += seconds

    @rule()
    def reopen(self):
        self.store.close()
        self.connect()

    @rule()
    def read_on(self):
        self.seen += self.store.results(self.run, after_seq=len(self.seen))

    @invariant()
    def the_log_holds_each_result_once(self):
        counts = self.store.counts(self.run)
        void = sum(status == "void" for _, status in self.log)
        flying = sum(self.live(i) for i in self.leases)
        want = (self.size, len(self.log) - void, void, flying)
        assert (counts.planned, counts.finished, counts.void, counts.in_flight) == want
        results = self.store.results(self.run)
        assert [(r.index, r.status) for r in results] == self.log
        assert [r.seq for r in results] == list(range(1, len(results) + 1))
        assert results[: len(self.seen)] == self.seen


TestInterleavings = Interleavings.TestCase
TestInterleavings.settings = settings(
    max_examples=20, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
