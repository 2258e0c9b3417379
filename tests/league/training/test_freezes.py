"""What `[[freeze]]` freezes: the games of the file, however their ids are written, and nothing that is not there."""

from __future__ import annotations

import pytest

import games
from games import GameSpec, InputError
from league.store import Store
from league.training.config import TrainingConfig, parse_training
from league.training.freezes import settled_freezes
from league.training.matches import FROZEN, learns
from league.training.run import run_training
from tests.league.training.runs import KUHN
from tests.league.training.runs import config as small

TABOO = "taboo(turns=3, words=4, closed=true)"


def settled(text: str, **freeze: object) -> tuple[TrainingConfig, dict[str, GameSpec]]:
    config = parse_training({"name": "t", "steps": 5, "games": [text], "freeze": [freeze]})
    spec = games.make(text).spec
    return settled_freezes(config, {spec.id: spec}), {spec.id: spec}


@pytest.mark.parametrize(
    ("played", "written"),
    [
        (TABOO, TABOO),
        (TABOO, "taboo-v0(closed=True,words=4,turns=3)"),
        (TABOO, None),
        ("bargain", "bargain"),
        ("openspiel/kuhn_poker(players=2)", "openspiel/kuhn_poker(players=2)"),
        (KUHN, KUHN),
    ],
)
def test_a_game_is_frozen_however_its_id_is_written(played: str, written: str | None) -> None:
    spec = games.make(played).spec
    role, *others = sorted(set(spec.seats.values()))
    config, specs = settled(played, role=role, game=written)
    (id,) = specs
    assert not learns(config, id, role, 0)
    assert all(learns(config, id, other, 0) for other in others)


@pytest.mark.parametrize(
    ("freeze", "words"),
    [
        ({"role": "x"}, "freeze: no game here has a role 'x'; it has attacker, defender"),
        ({"role": "x", "game": TABOO}, r"freeze: taboo-v0\(.*\) has no role 'x'; it has attacker, defender"),
        ({"role": "attacker", "game": "nope"}, r"freeze: 'nope' is no game of this training; its games: taboo-v0\("),
        ({"role": "attacker", "game": "taboo"}, "freeze: 'taboo' is no game of this training"),
        ({"role": "attacker", "start": 3, "stop": 2}, "freeze.0: stop is 2 and start 3, which freezes no step"),
        ({"role": "attacker", "start": 3, "stop": 3}, "stop must be above start"),
    ],
)
def test_a_freeze_of_nothing_is_told(freeze: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words) as error:
        settled(TABOO, **freeze)
    assert "\n" not in str(error.value)


def test_a_training_plays_with_what_its_file_freezes(tmp_path) -> None:
    text = "openspiel/kuhn_poker(players=2)"
    quiet = {"steps": 1, "anchors": [], "opponents": {"self": 1}, "evaluation": {"matches": 0, "exact": False}}
    freeze = [{"role": "first", "game": text}]
    c = small(tmp_path, games=[text], freeze=freeze, snapshots={"every": 5, "matches": 0}, **quiet)
    assert run_training(c, board="off").complete
    with Store.open(c.db, read_only=True) as store:
        results = store.results(store.run("kuhn.training"))
    assert {seat.player for result in results for seat in result.seats if seat.role == "first"} == {FROZEN}


def test_a_training_refuses_a_freeze_of_nothing_before_it_plays(tmp_path) -> None:
    with pytest.raises(InputError, match="freeze: no game here has a role 'x'"):
        run_training(small(tmp_path, freeze=[{"role": "x"}]), board="off")
    assert not (tmp_path / "arena.db").exists()
