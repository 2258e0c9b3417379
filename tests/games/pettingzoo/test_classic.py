"""Every classic environment: matches, returns, observations, illegal texts."""

import warnings

import pytest
from pettingzoo import make as pz_make

import games
from games import IllegalAction, RandomStream
from games.pettingzoo.adapter import env_seed
from games.pettingzoo.catalog import CLASSIC

# matches to play; go and chess are slow
MATCHES = {"go_v5(board_size=5)": 10, "go_v5": 1, "chess_v6": 2}
NAMES = [*CLASSIC, "go_v5(board_size=5)", "rps_v2(num_actions=5,max_cycles=4)"]
NAMES += ["texas_holdem_v4(num_players=3)", "texas_holdem_no_limit_v6(num_players=4)"]


def made(name):
    return games.make(f"pettingzoo/{name}")


def random_match(game, seed, watch=lambda: None):
    stream = RandomStream(seed)
    game.reset(seed)
    watch()
    while game.acting:
        game.apply({seat: stream.choice(game.legal(seat)) for seat in game.acting})
        watch()
    return game.returns()


def replay(name, params, game, seed):
    """The same match in PettingZoo's wrapped environment, with the scores of its average_total_reward."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = pz_make("aec", f"classic/{name}", **params)
    env.reset(seed=env_seed(seed))
    moves = iter([action for chosen in game._ids for action in chosen])
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        action = next(moves)
        assert not isinstance(observation, dict) or observation["action_mask"][action] == 1
        env.step(action)
    assert next(moves, None) is None
    return total


@pytest.mark.parametrize("name", NAMES)
def test_random_matches_pay_what_the_environment_pays(name):
    game = made(name)
    base, params = name.partition("(")[0], games.naming.parse_name(name).params
    low, high = game.spec.returns_range
    for seed in range(MATCHES.get(name, 20)):
        returns = random_match(game, seed)
        assert returns == pytest.approx(replay(base, params, game, seed))
        assert sum(returns.values()) == pytest.approx(0)
        assert all(low <= r <= high for r in returns.values())
        assert sum(map(len, game.played)) <= game.spec.max_turns
    assert game.spec.payoff == "zero_sum"
    assert list(game.spec.seats) == [str(a) for a in game.env.possible_agents]


@pytest.mark.parametrize("name", [*(n for n in NAMES if n not in ("go_v5", "chess_v6")), "chess_v6(max_turns=30)"])
def test_the_conformance_kit_finds_nothing(name):
    """Seeds, used games, turns, legal and illegal texts, secrets, known outcomes, twins, PettingZoo's own tests."""
    report = games.check(f"pettingzoo/{name}", episodes=2 if "chess" in name else 8)
    report.raise_if_failed()
    assert ("holdem" in name) == (report.status("secrets") == report.status("infos") == "pass")
    assert (report.status("outcomes") == "pass") == ("num_players" not in name)
    assert (report.status("exact") == "pass") == (made(name).interface.twin is not None)


@pytest.mark.parametrize("name", NAMES)
def test_refusals_are_short_and_name_the_seat(name):
    game = made(name)
    game.reset(5)
    legal = {seat: game.legal(seat)[0] for seat in game.acting}
    first = game.acting[0]
    for text in ("", "99999", f" {legal[first]}", f"{legal[first]} ", "ч" * 9000, "\n", None):
        with pytest.raises(IllegalAction) as refused:
            game.apply({**legal, first: text})
        assert refused.value.seat == first
        assert len(str(refused.value)) < 400
        assert "\n" not in str(refused.value)
    for seat in game.spec.seats:
        assert game.observe(seat).text.startswith(f"You are {seat}")
        assert len(game.observe(seat).text) < 2500


def test_two_boards_of_different_size_at_once():
    """PettingZoo keeps the size of its go board in module variables."""
    small, large = made("go_v5(board_size=5)"), made("go_v5(board_size=9)")
    alone = [random_match(made(f"go_v5(board_size={n})"), 1) for n in (5, 9)]
    streams = {small: RandomStream(1), large: RandomStream(1)}
    for game in streams:
        game.reset(1)
    while small.acting or large.acting:
        for game, stream in streams.items():
            if game.acting:
                game.apply({game.acting[0]: stream.choice(game.legal(game.acting[0]))})
    assert [small.returns(), large.returns()] == alone
    assert small.observe("black_0").text.count("\n") == 9


def test_chess_moves_are_those_of_python_chess():
    game = made("chess_v6")
    promotions = castles = 0

    def look():
        nonlocal promotions, castles
        if game.acting:
            legal = set(game.legal(game.acting[0]))
            assert legal == {move.uci() for move in game.env.board.legal_moves}
            promotions += any(len(text) == 5 for text in legal)
            castles += any(game.env.board.is_castling(m) for m in game.env.board.legal_moves)

    for seed in range(3):
        random_match(game, seed, look)
    assert promotions > 0
    assert castles > 0


def test_a_match_ends_at_max_turns_with_the_rewards_so_far():
    game = made("connect_four_v3(max_turns=3)")
    assert game.spec.max_turns == 3
    assert random_match(game, 0) == {"player_0": 0.0, "player_1": 0.0}
    assert len(game.played) == 3
    assert "The match is over." in game.observe("player_0").text
    game = made("rps_v2(max_turns=4)")
    game.reset(0)
    for _ in range(2):
        game.apply({"player_0": "paper", "player_1": "rock"})
    assert game.acting == ()
    assert game.returns() == {"player_0": 2.0, "player_1": -2.0}


def test_five_choices_beat_each_other_as_the_rules_say():
    game = made("rps_v2(num_actions=5,max_cycles=1)")
    for one in ("rock", "paper", "scissors", "spock", "lizard"):
        for two in ("rock", "paper", "scissors", "spock", "lizard"):
            game.reset(0)
            game.apply({"player_0": one, "player_1": two})
            sentence = next(s for s in game.spec.rules.lower().split(". ")[2].split(";") if s.strip().startswith(one))
            won = two in sentence.partition("beats")[2]
            assert game.returns()["player_0"] == (0 if one == two else 1 if won else -1)
    assert "Rock beats scissors and lizard" in game.spec.rules
