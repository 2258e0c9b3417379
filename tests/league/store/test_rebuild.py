"""Tables rebuilt from a stored log are those of its results one by one, in either database."""

import msgspec
import pytest

from league.runs.ratings import ratings_for
from league.runs.rebuild import compute, rebuild
from league.store import Store, log
from tests.league.specs import KUHN, KUHN_INFO, stored
from tests.league.store.episodes import finished, planned

NAMES = ("alice", "bob", 'a},{"b')


def filled(store, stakes):
    """A run whose results came in another order than the plan's, some of them void."""
    plays = {name: [KUHN] for name in NAMES}
    run = store.start_run("cup", stored(rated={KUHN: KUHN_INFO | {"stakes": stakes}}) | {"plays": plays})
    plan = []
    for index in range(60):
        two = [NAMES[(index // 2 + k * (1 + index // 30)) % 3] for k in range(2)]
        first, second = two if index % 2 else two[::-1]
        plan.append(planned(index, seats={"player_0": first, "player_1": second}))
    store.plan(run, plan)
    for start in range(0, 55, 5):
        ended = sorted(plan[start : start + 5], key=lambda match: match.match.seed % 5)
        store.finish([finished(match, "void" if match.index % 11 == 3 else "finished") for match in ended])
    return run


@pytest.mark.parametrize("stakes", [False, True])
@pytest.mark.parametrize("part", [4000, 7])
def test_a_rebuild_gives_what_the_results_give_one_by_one(url, monkeypatch, stakes, part):
    monkeypatch.setattr(log, "JOINED", part)
    with Store.open(url) as store:
        run = filled(store, stakes)
        engine = ratings_for(run.spec)
        for result in store.results(run):
            engine.add([msgspec.structs.replace(result, ranks=())])
        board = compute(store, run)
        assert board == engine.final(run.name, store.counts(run))
        assert sum(row.tokens for row in board.standings)
        assert sum(row.faults.get("illegal", 0) for row in board.standings) == 55 - stakes  # half a pairing
        assert "NOT" not in rebuild(store.url if url.startswith("sqlite") else url)
