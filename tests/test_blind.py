"""scripts/bench/blind.py: the best answers without a look, found on other seeds than they are measured on."""

import sys
from pathlib import Path

import pytest

from games import plugins
from league.study.config import EndpointConfig

ROOT = Path(__file__).parents[1]
WORLD = "laws(size=3, steps=3, places=false, closed=true)"


@pytest.fixture
def blind(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "bench"))
    plugins.load_file(ROOT / "scripts" / "examples" / "laws.py")
    import blind

    yield blind
    sys.modules.pop("blind")


def endpoint(role, game=WORLD, matches=60):
    against = {"against": "policy(name=competent)", "matches": matches}
    return EndpointConfig(name="e", measure="return", game=game, role=role, **against)


def test_both_actions_must_be_tried_and_that_needs_no_look(blind):
    """Without places one step of an action shows its law; where a law stays, so does the world."""
    answers = blind.best(endpoint("explorer"))
    assert set(answers) == {"x", "y"}
    assert blind.value(endpoint("explorer"), answers) == 1.0
    assert blind.value(endpoint("explorer"), ("x", "x", "x")) < 0.8


def test_fixed_laws_predict_a_third(blind):
    answers = blind.best(endpoint("writer"))
    assert len(answers) == 2
    assert 0.2 < blind.value(endpoint("writer", matches=300), answers) < 0.45


def test_too_many_sequences_are_refused(blind):
    with pytest.raises(SystemExit, match="2704 sequences of answers; at most 600"):
        blind.best(endpoint("writer", "laws(size=4, steps=2, closed=true)"))


def test_scripted_policies_are_measured_where_the_game_has_them(blind):
    file = str(ROOT / "scripts" / "examples" / "study_spear.toml")
    lines = {c.claim: c.figure for c in blind.policy_claims(file, ["competent", "always answer", "no such policy"])}
    words = "study-spear: right, answered: the policy "
    assert set(lines) == {f"{words}competent", f"{words}always answer"}
    assert lines[f"{words}competent"] == "1.000"
    assert float(lines[f"{words}always answer"]) < 0.2
