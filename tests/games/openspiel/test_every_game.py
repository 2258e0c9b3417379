"""OpenSpiel's games: observations, playthroughs, transcripts."""

import pytest

import games
from games.openspiel.catalog import CONTEXTUAL, PLAYABLE
from games.openspiel.rules import RULES
from games.openspiel.shared_game import LONGEST_MATCH
from tests.games.openspiel.play import random_match
from tests.games.openspiel.playthrough import FOLDER, GAMES, path, playthrough

# Their double-dummy solver takes more than a second at the end of a match.
SLOW = {"bridge_uncontested_bidding"}
# Observing every seat at every turn of these takes seconds, so only 40 turns are compared.
LONG = {"chess", "crazyhouse", "dark_chess", "kriegspiel", "rbc", "shogi", "xiangqi", "cursor_go", "go", "phantom_go"}


def named(names):
    return [pytest.param(n, marks=pytest.mark.long) if n in SLOW else n for n in names]


@pytest.mark.parametrize("name", named(PLAYABLE))
def test_a_seed_replays_and_the_match_keeps_its_word(name, capfd):
    game = games.make(f"openspiel/{name}")
    limit = 40 if name in LONG else 250
    first = random_match(game, 5, limit, look=True)
    random_match(game, 6, 30)
    assert random_match(game, 5, limit, look=True) == first
    other = games.make(f"openspiel/{name}")
    assert random_match(other, 5, limit, look=True) == first
    spec = game.spec
    turns = 0
    for acting, legal, seen, _ in first[:-2]:
        turns += len(acting)
        assert set(legal) == set(acting) <= set(spec.seats)
        for texts in legal.values():
            assert texts
            assert len(set(texts)) == len(texts)
            assert all(t and t == t.strip() for t in texts)
        assert all(s.text and s.phase for s in seen)
    assert turns <= spec.max_turns <= LONGEST_MATCH
    returns = first[-1]
    assert set(returns) == set(spec.seats)
    if not game.acting:
        assert game.legal("player_0") == ()
        if spec.payoff in ("zero_sum", "constant_sum"):
            assert sum(returns.values()) == pytest.approx(spec.payoff_sum, abs=1e-6)
        if spec.payoff == "cooperative":
            assert len(set(returns.values())) == 1
        if spec.returns_range:
            low, high = spec.returns_range
            assert all(low - 1e-6 <= r <= high + 1e-6 for r in returns.values())
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", named(n for n in PLAYABLE if n not in CONTEXTUAL))
def test_shared_action_texts_equal_the_engines(name):
    """The cached action texts equal fresh ones at every turn of some matches."""
    game = games.make(f"openspiel/{name}")
    for seed in range(3):
        game.reset(seed)
        for turn in range(60):
            if not game.acting:
                break
            state = game.openspiel_state()
            if state is None:
                return
            for seat in game.acting:
                player = int(seat.rpartition("_")[2])
                fresh = [state.action_to_string(player, a) for a in state.legal_actions(player)]
                assert [" ".join(t.split()) for t in fresh] == list(game.legal(seat))
            game.apply({s: game.legal(s)[(seed + turn) % len(game.legal(s))] for s in game.acting})


@pytest.mark.parametrize("name", GAMES)
def test_playthrough_is_the_golden_one(name):
    """A difference means that rules, rendering or chance changed; `playthrough` says how to update the files."""
    assert playthrough(name) == path(name).read_text(encoding="utf-8")


def test_every_game_with_rules_of_its_own_has_a_playthrough():
    """The rules of an efg_game follow from its file: see test_extensive."""
    assert set(RULES) - {"efg_game"} <= {name.partition("(")[0] for name in GAMES}
    assert {f.name for f in FOLDER.glob("*.txt")} == {path(name).name for name in GAMES}
