"""A training whose policy advises a fixed player."""

from pathlib import Path
from typing import Any

import pytest

from arena import players
from arena.players.advised import Advised
from arena.players.by_role import WHOLE
from games import InputError
from league import open_store, run_training
from league.config.training import PolicyConfig, parse_training
from league.training.participants.players import SavedSnapshot

TREE = 'behaviour-tree(tree=\'selector(sequence(advised("bold"), play("bet")), play("pass"))\')'
SETTINGS: dict[str, Any] = {
    "name": "advice",
    "steps": 8,
    "matches_per_step": 24,
    "games": ["openspiel/kuhn_poker"],
    "policy": {"model": "tiny(layers=1, hidden=16)", "advises": TREE, "advice": ["bold", "careful"]},
    "optimizer": {"lr": 0.02},
    "opponents": {"self": 0.0, "anchors": 1.0},
    "anchors": [{"name": "shy", "player": "behaviour-tree(tree='play(\"pass\")')"}],
    "snapshots": {"every": 8, "matches": 0},
    "evaluation": {"every": 8, "matches": 0, "exact": False},
    "trackers": [],
}


def test_the_policy_learns_to_advise_and_its_snapshot_plays(tmp_path):
    """Against a player that always passes, a bet always wins: the policy must learn to say bold."""
    db = f"sqlite:///{tmp_path / 'a.db'}"
    result = run_training({**SETTINGS, "db": db, "folder": str(tmp_path / "runs")}, board="off")
    assert result.complete
    assert result.metrics["reward/openspiel/kuhn_poker/first"] > 0.5
    with open_store(db) as store:
        episodes = list(store.episodes("advice.training"))
    texts = [t.attempts[0].text for e in episodes for t in e.turns if t.trainable]
    assert texts.count("Advice: bold\nBet") > len(texts) / 2
    assert all(t.sample is not None for e in episodes for t in e.turns if t.trainable)


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        ({"advice": ["a", "b"]}, "advice needs advises"),
        ({"advises": "random"}, 'write advice = ["ONE", "OTHER"]'),
        ({"advises": "random", "advice": ["a", "a"]}, "at least two different texts"),
        ({"advises": "random", "advice": ["a|b", "c"]}, "without quotes"),
    ],
)
def test_settings_that_do_not_fit_are_told(policy, why):
    with pytest.raises(InputError, match=why.replace("[", r"\[")):
        parse_training({**SETTINGS, "policy": policy})


def test_the_id_of_a_snapshot_holds_both_players():
    settings = PolicyConfig(model="tiny", dtype="fp32", advises=TREE, advice=("bold", "careful"))
    (id,) = SavedSnapshot("s@1", Path("tiny"), (WHOLE,), settings).player_ids().values()
    player = players.make(id)
    assert isinstance(player, Advised)
    assert player.advice == ("bold", "careful")
    assert player.adviser.name.startswith("llm(model=tiny,decode=choice")
    player.close()
