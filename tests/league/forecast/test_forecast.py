"""`arena plan`: what a tournament takes until it ends."""

import msgspec
import numpy as np
import pytest

from games import InputError
from league import run_tournament
from league.config.tournament import PlayerConfig, parse_tournament
from league.forecast import forecast
from league.forecast.lines import forecast_lines
from league.forecast.pilot import MeanUses, play_pilot, prices
from league.forecast.simulation import SkillPrior
from league.records.matches import Result, SeatResult
from league.store import Store
from league.tournament.lineup import assemble, tournament_spec
from tests.league.specs import KUHN, spec

PLAYERS = [{"name": "random", "player": "random"}, {"name": "mcts", "player": "mcts(simulations=5)"}]


def config(folder, **more):
    settings = {"name": "cup", "db": f"sqlite:///{folder}/x.db", "games": ["openspiel/kuhn_poker"], "seed": 1}
    return parse_tournament(settings | {"players": PLAYERS, "rounds": 4} | more)


def test_without_chance_the_count_is_exact_and_nothing_is_written(tmp_path):
    out = forecast(config(tmp_path))
    assert (out.leagues, out.matches.low, out.matches.high, out.seconds) == (1, 8, 8, None)
    assert not (tmp_path / "x.db").exists()
    assert "matches: 8" in list(forecast_lines(out, "cup.toml"))


@pytest.mark.slow
def test_a_rule_that_reads_standings_is_simulated_and_the_seed_decides(tmp_path):
    settings = config(tmp_path, rounds="forever", stop={"sprt": {"player": "mcts", "against": "random"}})
    out = forecast(settings, leagues=5)
    assert (out.leagues, out.stopped, out.rules) == (5, 1.0, ("sprt of mcts against random",))
    assert 0 < out.matches.low < out.matches.high
    assert out == forecast(settings, leagues=5)


def test_a_pilot_measures_time_in_a_scratch_store(tmp_path):
    out = forecast(config(tmp_path, rounds=100), pilot=12)
    assert (out.pilot, out.unmeasured, out.matches.median) == (12, (), 200)
    assert out.seconds is not None
    assert 0 < out.seconds.median < 60
    assert not (tmp_path / "x.db").exists()


def test_a_run_that_was_started_needs_only_the_rest(tmp_path):
    run_tournament(config(tmp_path), board="off")
    out = forecast(config(tmp_path, rounds=10))
    assert (out.played, out.matches.median) == (8, 12)


def test_a_pilot_of_a_run_that_was_started_adds_to_its_matches(tmp_path):
    """The matches of both have index 0, and each index counts once."""
    run_tournament(config(tmp_path), board="off")
    out = forecast(config(tmp_path, rounds=10), pilot=4)
    assert (out.played, out.pilot, out.matches.median) == (8, 12, 12)


def test_the_time_of_a_pilot_is_that_of_its_matches(tmp_path, monkeypatch):
    """It is not that of loading models before them and computing tables after them."""

    def timed(*args, **options):
        result = run_tournament(*args, **options)
        assert result.seconds > 0
        return msgspec.structs.replace(result, seconds=1e-4)

    monkeypatch.setattr("league.forecast.pilot.run_tournament", timed)
    settings = config(tmp_path)
    pilot = play_pilot(settings, "", tournament_spec(settings, assemble(settings), {}), 4, trust=False)
    assert pilot.in_flight == sum(result.seconds for result in pilot.results) / 1e-4


def test_what_never_ends_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"plays until it is stopped .* add \[stop\]"):
        forecast(config(tmp_path, rounds="forever"))


def test_simulated_leagues_play_the_tasks_of_the_run(tmp_path, monkeypatch):
    settings = {"games": ["openspiel/tic_tac_toe"], "openings": 1, "pairing": "swiss"}
    run_tournament(config(tmp_path, **settings), board="off")
    pools = []
    monkeypatch.setattr("league.forecast.simulation.GameTasks.draw", lambda self, rng: pools.append(self) or 1)
    forecast(config(tmp_path, rounds=6, stop={"ranked": 0.99}, **settings), leagues=1)
    with Store.open(f"sqlite:///{tmp_path}/x.db", read_only=True) as store:
        posed = {result.task for result in store.results_in_plan_order(store.run())}
    assert posed
    assert posed <= set(pools[0].tasks)


def test_tokens_cost_what_the_ids_of_players_say():
    seats = (SeatResult("a", "", "gpt", 1.0, tokens=30, prompt_tokens=400), SeatResult("b", "", "random", 0.0))
    usage = MeanUses(
        [Result(i, 0, "", "", "g", 0, "finished", "", seats, seconds) for i, seconds in enumerate((1.0, 3.0))]
    )
    assert usage("g", "gpt") == (30.0, 400.0, 2.0)
    assert usage("other", "gpt") == usage("g", "gpt")
    assert (usage("g", "new"), usage.seconds("g", ["gpt", "new"]), usage.seconds("g", ["gpt"])) == (None, None, 2.0)
    id = "openai(model=m, base_url='http://x', price_in=0.5, price_out=2)"
    players = [PlayerConfig(name="gpt", player=id), PlayerConfig(name="random", player="random")]
    assert prices(players) == {"gpt": (0.5, 2.0)}


def test_players_that_met_take_as_long_as_they_took():
    """Two quick players were as slow as their matches against a slow third one."""

    def result(index, names, seconds):
        seats = tuple(SeatResult(seat, "", name, 0.0) for seat, name in zip("xy", names, strict=True))
        return Result(index, 0, "", "", "g", 0, "finished", "", seats, seconds)

    usage = MeanUses([result(0, "ab", 1.0), result(1, "ba", 3.0), result(2, "ac", 90.0)])
    assert (usage.seconds("g", "ba"), usage.seconds("g", "ca"), usage.seconds("g", "bc")) == (2.0, 90.0, 90.0)


def test_skills_are_drawn_together_as_the_board_draws_them():
    """Audit: draws of one player after the other forgot what their matches say of both."""
    run, rng = spec(("a", "b", "c")), np.random.default_rng(0)
    log = []
    for index in range(300):  # a against b is close; c, that loses, is what tells the level of both
        first, second = (("a", "b"), ("b", "a"), ("a", "c"), ("c", "b"))[index % 4]
        score = -1.0 if first == "c" or (second != "c" and index % 8 < 4) else 1.0
        seats = SeatResult("player_0", "", first, score), SeatResult("player_1", "", second, -score)
        log.append(Result(index, 0, f"q{index}", f"m{index}", KUHN, index, "finished", "", seats, 0.0))
    belief = SkillPrior(run, log)
    skills = np.array([list(belief.draw(rng).values()) for _ in range(300)])
    posterior = belief.posterior
    assert posterior is not None
    assert set(skills[:, 2]) <= set(posterior.skills[posterior.players.index("c")])
    assert (skills[:, 0] - skills[:, 1]).std() < 0.7 * np.hypot(skills[:, 0].std(), skills[:, 1].std())


def test_a_comparison_by_task_is_planned_from_the_matches_so_far(tmp_path):
    third = [{"name": "other", "player": "mcts(simulations=2)"}]
    settings = {"games": ["openspiel/tic_tac_toe"], "players": PLAYERS + third, "openings": 1}
    run_tournament(config(tmp_path, rounds=30, **settings), board="off")
    out = forecast(config(tmp_path, rounds=40, **settings), paired=("mcts", "other"), reach=0.1)
    assert out.paired.difference.tasks >= 3
    lines = list(forecast_lines(out, "cup.toml"))
    assert lines[0].endswith(" game" if out.games == 1 else " games")
    assert any(line.startswith("mcts over other: ") for line in lines)
    assert f"to ±0.1: about {out.paired.paired:,} tasks if both play the same ones" in "\n".join(lines)
