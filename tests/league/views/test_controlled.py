"""Format held fixed in the ratings of a stored run: the signs of format are read from its episodes."""

import json

import msgspec
import numpy as np
import pytest

from arena.match import Decision
from league.store import Store
from tests.arena.cli.command import run as command
from tests.league.specs import KUHN, KUHN_INFO, stored
from tests.league.store.episodes import finished, planned

NAMES = "alice", "bob", "carol"


def answer(marks):
    return "\n".join(["I bet.", *["- because"] * marks])


def played(match, marks, won):
    """A match whose sides answer with so many signs of format, the first after an answer that did not count."""
    _, episode = finished(match)
    changed = []
    for turn, number in zip(episode.turns, marks, strict=True):
        failed = (Decision(None, "illegal", text=answer(9)),) if turn is episode.turns[0] else ()
        decision = Decision(turn.action, text=answer(number))
        changed.append(msgspec.structs.replace(turn, player=match.match.seats[turn.seat], attempts=(*failed, decision)))
    return match, msgspec.structs.replace(episode, turns=tuple(changed), returns={"player_0": won, "player_1": -won})


@pytest.mark.parametrize("worth", [1.5, 0.0])
def test_what_format_is_worth_is_measured_in_a_stored_run(tmp_path, capsys, worth):
    """The players are equally good; a judge likes twice the signs by so many standard deviations of a match."""
    rng, ended = np.random.default_rng(8), []
    with Store.open(str(tmp_path / "x.db")) as store:
        plays = {name: [KUHN] for name in NAMES}
        run = store.start_run("cup", stored(rated={KUHN: KUHN_INFO | {"stakes": False}}) | {"plays": plays})
        for index in range(240):
            first, second = rng.choice(NAMES, 2, replace=False).tolist()
            match = planned(index, seats={"player_0": first, "player_1": second})
            marks = rng.integers(0, 8, 2)
            gap = worth * np.log2((1 + marks[0]) / (1 + marks[1])) + rng.normal()
            ended.append(played(match, marks.tolist(), 1.0 if gap > 0.0 else -1.0))
        store.plan(run, [match for match, _ in ended])
        store.finish(ended)
    code, out, _ = command(capsys, "board", "--db", str(tmp_path / "x.db"), "--control", "format", "--json")
    table = json.loads(out)
    assert (code, table["matches"], len(table["rows"])) == (0, 240, 3)
    [effect] = table["effects"]
    points = worth * 2**0.5 * 25.0 / 6.0
    assert effect["low"] <= points <= effect["high"]
    assert (effect["low"] > 0.0) == (worth > 0.0)
    assert "format held fixed" in command(capsys, "board", "--db", str(tmp_path / "x.db"), "--control", "format")[1]
