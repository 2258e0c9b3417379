"""No environment pays more for a forfeit than for play: the id tells the range, or one line says what to write."""

import pytest

import arena
import games
import league
from games import InputError
from games.forfeit import check_forfeits, forfeit_returns
from games.returns_range import wider

COSTLY = "pettingzoo/tests.games.pettingzoo.envs:Costly"
RANGE = "(returns_range=[-120,0])"


def test_a_game_in_which_forfeits_pay_is_refused_with_what_to_write():
    with pytest.raises(
        InputError, match=r"random play pays -\d+ to -\d+ and a forfeit -1, so forfeiting beats"
    ) as error:
        check_forfeits(games.make(COSTLY))
    written = str(error.value).rpartition("; write ")[2]
    game = games.make(written)
    check_forfeits(game)
    assert game.spec.id == written
    low, high = game.spec.returns_range
    assert low <= -100 < -50 <= high
    assert forfeit_returns(game.spec, "left") == {"left": low, "right": 0.0}


@pytest.mark.parametrize("start", ["tournament", "training"])
def test_a_run_of_it_does_not_start(tmp_path, start):
    data = {"name": "r", "db": f"sqlite:///{tmp_path}/r.db", "games": [COSTLY]}
    if start == "tournament":
        run, table = league.run_tournament, {"players": [{"name": name, "player": "random"} for name in "ab"]}
    else:
        policy = {"model": "tiny(layers=1, hidden=16)"}
        run = league.run_training
        table = {"folder": str(tmp_path / "r"), "steps": 1, "matches_per_step": 2, "trackers": [], "policy": policy}
    with pytest.raises(InputError, match=r"write pettingzoo/.*Costly\(returns_range=\["):
        run(data | table, board="off")


def test_a_match_that_pays_less_than_a_forfeit_counts_for_nobody():
    ended = arena.play(COSTLY, ["random", "random"], seed=1)
    assert (ended.status, ended.returns) == ("void", {"left": 0.0, "right": 0.0})
    assert f"and a forfeit -1, so forfeiting beats playing; write {COSTLY}(returns_range=[" in ended.reason
    assert arena.play(COSTLY + RANGE, ["random", "random"], seed=1).status == "finished"


def test_check_prints_what_to_write():
    report = games.check(COSTLY, episodes=4)
    (finding,) = report.of("returns")
    assert f"; write {COSTLY}(returns_range=[" in finding.message
    assert games.check(COSTLY + RANGE, episodes=4).ok


@pytest.mark.parametrize("text", ["5", "[1]", "[3,1]", "[0,0]", "[a,b]", "[-1e999,0]", "true"])
def test_what_is_no_range_is_refused(text):
    with pytest.raises(InputError, match=r"is no range; write .* such as returns_range=\[-120,0\]"):
        games.make(f"{COSTLY}(returns_range={text})")


def test_a_range_has_one_spelling():
    assert games.make(f"{COSTLY}(returns_range=[ -120.0, 0 ])").spec.id == COSTLY + RANGE


@pytest.mark.parametrize(
    ("returns", "span"), [([-7.2, -5.7], (-14.5, 1.5)), ([-111.0], (-250.0, 0.0)), ([-40.0, 12.0], (-95.0, 65.0))]
)
def test_the_advice_leaves_room(returns, span):
    assert wider(returns) == span
