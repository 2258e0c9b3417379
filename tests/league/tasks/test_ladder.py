"""Which kinds of task a ladder draws: known solve rates, forgetting, its state, and games without one."""

from collections import Counter

import pytest
from msgspec.structs import replace

import arena
import games
from arena.match import Episode
from games import InputError, RandomStream
from league.tasks.ladder import Ladder

SOURCE = "letters(families=code1+code2, letters=2, length=4)"
GAME = games.make(f"psj(solvers=8, votes=0, listed=true, tasks={SOURCE})")
KINDS = [str(kind) for kind in GAME.task_source.kinds]


def episode(kind, rate, **facts):
    answers = {f"solver_{i}": "a" for i in range(8)}
    known = {"verdict": "pass", "kind": kind, "solve_rate": rate, "answers": answers}
    return Episode("m", GAME.spec.id, 0, {}, {}, (), {}, "finished", facts=known | facts)


def drawn(ladder, n=400, seed=0):
    stream = RandomStream(seed)
    return Counter(str(GAME.task_source.load(ladder.task(stream)).kind) for _ in range(n))


def taught(rule="frontier", right="code1/2x2", steps=5):
    """A ladder that saw one kind half solved, those before it solved and those after it not."""
    ladder = Ladder(rule, GAME)
    at = KINDS.index(right)
    for _ in range(steps):
        rates = [1.0 if i < at else 0.5 if i == at else 0.0 for i in range(len(KINDS))]
        ladder.observe([episode(kind, rate) for kind, rate in zip(KINDS, rates, strict=True)])
    return ladder


def test_most_tasks_are_of_the_kind_that_half_of_the_answers_solve():
    counts = drawn(taught(steps=40), 2000)
    assert counts["code1/2x2"] > 1200  # 0.25 of 0.25 + 7 * 0.013, but for the spread of the posteriors
    assert max(n for kind, n in counts.items() if kind != "code1/2x2") < 200
    assert set(drawn(Ladder("frontier", GAME))) == set(KINDS)  # nothing is known yet


def test_the_control_draws_all_kinds_evenly_whatever_the_answers_say():
    counts = drawn(taught("uniform"), 1600)
    assert set(counts) == set(KINDS)
    assert all(140 <= n <= 260 for n in counts.values())


def test_a_kind_that_nobody_answers_any_more_is_tried_again():
    ladder = taught()
    for _ in range(60):
        ladder.observe([episode("code1/2x1", 1.0)])
    later = drawn(ladder)
    assert later["code1/2x1"] < 20
    assert min(later[kind] for kind in KINDS if kind != "code1/2x1") > 30


def test_the_oracle_draws_in_proportion_to_the_variance_of_an_answer():
    ladder = Ladder("oracle", GAME)
    ladder.load_state_dict(
        {"rates": dict.fromkeys(KINDS, 0.0) | {"code1/2x1": 0.5, "code2/2x1": 0.1, "code2/2x2": 1.0}}
    )
    counts = drawn(ladder, 2000)
    assert set(counts) == {"code1/2x1", "code2/2x1"}
    assert counts["code1/2x1"] / 2000 == pytest.approx(0.25 / 0.34, abs=0.04)
    ladder.load_state_dict({"rates": dict.fromkeys(KINDS, 1.0)})
    assert set(drawn(ladder)) == set(KINDS)  # nothing is left to learn


def test_metrics_name_rates_and_shares_by_kind():
    ladder = Ladder("frontier", GAME)
    metrics = ladder.observe([episode("code1/2x1", 1.0), episode("code1/2x2", 0.0), episode("code1/2x3", None)])
    assert metrics[f"ladder_rate/code1 2x1/{GAME.spec.id}"] == pytest.approx(9 / 10)
    assert metrics[f"ladder_share/code1 2x2/{GAME.spec.id}"] == 0.5
    assert metrics[f"ladder_share/code1 2x3/{GAME.spec.id}"] == 0.0


def test_it_continues_from_its_state():
    again = Ladder("frontier", GAME)
    again.load_state_dict(taught().state_dict())
    assert drawn(again) == drawn(taught())


@pytest.mark.parametrize(
    ("id", "last"), [("debate", "judge"), ("critic", "critic"), ("refine", "refiner"), ("prefer", "answerer")]
)
def test_games_without_a_solve_rate_count_what_the_role_that_acts_last_has_right(id, last):
    game = f"{id}(tasks=arithmetic(operation=add))"
    played = arena.play(game, ["random"], seed=1)
    shares = {seat: o.get("right") for seat, o in played.facts["outcomes"].items() if last in played.roles[seat]}
    right = [share for share in shares.values() if share is not None]
    assert right
    metrics = Ladder("frontier", games.make(game)).observe([played])
    rate = next(value for name, value in metrics.items() if name.startswith("ladder_rate/add 2x2"))
    assert rate == pytest.approx((1 + sum(right)) / (2 + len(right)))


def test_a_ladder_of_programs_gives_code_io_its_deductions():
    game = games.make("code-io(tasks=programs(argument=number, steps=2))")
    ladder = Ladder("frontier", game)
    game.load_task(ladder.task(RandomStream(1)))
    game.reset(0)
    assert "solver_0" in game.acting
    text = game.facts()["task"]
    played = replace(episode("deduction", 1.0, pooled=True, task=text), task=game.task_source.draw(0).id)
    kind = str(game.task_source.draw(0).kind)
    assert ladder.observe([played])[f"ladder_share/{kind.replace('/', ' ')}/{game.spec.id}"] == 1.0


@pytest.mark.parametrize("id", ["psj(size=2)", "taboo", "code-io"])
def test_a_game_without_a_source_has_none(id):
    with pytest.raises(InputError, match="has no ladder"):
        Ladder("frontier", games.make(id))
