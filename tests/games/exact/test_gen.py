"""gen: generated games in words."""

from itertools import product

import pytest

import games
from arena.evaluation import measure
from games.errors import InputError
from games.exact.gen import _made
from games.exact.tokens import words
from games.naming import parse_name
from games.openspiel.tree import states

SOME = [(seed, size, payoff) for seed, size in product(range(6), (2, 4, 6)) for payoff in ("zero_sum", "general_sum")]


def id_of(seed, size, payoff):
    return f"gen(seed={seed},size={size},payoff={payoff})"


@pytest.mark.parametrize("params", SOME[::5])
def test_openspiel_pays_what_the_rules_say(params):
    plan, tree = _made(*params)
    game = games.make(id_of(*params))
    assert game.spec.payoff == params[2]
    ends = [state for state in states(tree.new_initial_state()) if state.is_terminal()]
    assert len(ends) > 1
    for state in ends:
        game.place(state)
        assert list(game.returns().values()) == state.returns() == list(plan.pays(game._path))
        assert not game.acting
    texts = {line.outcomes for line in plan.points}
    assert all(f"- {' and '.join(sorted(pair))}: " in game.spec.rules for pair in texts)
    assert words([game.spec.rules]) >= {outcome for stage in plan.stages for outcome in stage.outcomes}


@pytest.mark.parametrize("params", SOME)
def test_both_players_lose_by_playing_at_random(params):
    exact = measure("random", id_of(*params), matches=0).exact
    assert all(exact.best_responses[seat] - exact.values[seat] >= 0.5 for seat in exact.values)


def test_a_seat_reads_only_what_it_saw():
    for seed, size in product(range(4), (3, 5)):
        plan, tree = _made(seed, size, "general_sum")
        game = games.make(id_of(seed, size, "general_sum"))
        for state in states(tree.new_initial_state()):
            if state.is_chance_node():
                continue
            game.place(state)
            for player, seat in enumerate(game.spec.seats):
                stages = zip(game._path, plan.stages, strict=False)
                hidden = {outcome for outcome, stage in stages if player not in stage.readers}
                assert not hidden & words([game.observe(seat).text])


def test_solutions_of_two_games_are_not_confused():
    """Both are an efg_game to OpenSpiel, and the solver keeps solutions by name."""
    for seed in range(3):
        assert measure("solver", id_of(seed, 2, "zero_sum"), matches=0).exact.nash_conv < 1e-3


def test_golden_transcript():
    game = games.make("gen(seed=2,size=2)")
    assert game.spec.id == "gen-v1(seed=2,size=2)"
    game.reset(3)
    texts = []
    while game.acting:
        texts.append(game.observe(game.acting[0]).text)
        game.apply({game.acting[0]: game.legal(game.acting[0])[-1].upper()})
    assert texts == [
        "Stage 1: chance drew lotuz.\nStage 2: hidden from you.\nStage 3 of 4: it is your turn.",
        "Stage 1: hidden from you.\nStage 2: chance drew devap.\nStage 3: hidden from you.\n"
        "Stage 4 of 4: it is your turn.",
    ]
    assert game.returns() == {"player_0": 6.0, "player_1": -6.0}


def test_wrong_actions_and_parameters():
    game = games.make("gen")
    with pytest.raises(games.IllegalAction, match="is not a legal action now; legal: "):
        game.apply({game.acting[0]: "zzz"})
    with pytest.raises(games.IllegalAction, match="expected an action of player_"):
        game.apply({})
    for id in ("gen(size=1)", "gen(size=7)", "gen(payoff=mixed)", "gen(seed=-1)"):
        with pytest.raises(InputError, match=next(iter(parse_name(id).params))):
            games.make(id)


def test_a_cache_that_cannot_be_written_is_one_line(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "file"))
    with pytest.raises(InputError, match="set ARENA_CACHE to another folder"):
        games.make("gen(seed=987654)")


def test_the_conformance_kit_finds_nothing():
    games.check("gen(seed=5,size=3,payoff=general_sum)", episodes=20).raise_if_failed()
