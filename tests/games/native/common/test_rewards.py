"""The published rewards on worked examples, to the last digit."""

import pytest

from games.native.common import rewards

NEAR = 1e-15


@pytest.mark.parametrize(("score", "value"), [(1, 0.0), (10, 1.0), (8, 7 / 9), (4, 1 / 3)])
def test_a_judges_score_is_brought_to_one(score, value):
    assert rewards.judged(score) == pytest.approx(value, abs=NEAR)


@pytest.mark.parametrize(
    ("q", "p", "f", "reward"),
    [
        (1.0, 0.5, 1.0, 2.5 / 3),
        (0.7, 0.0, 1.0, 2.7 / 3),
        (0.7, 1.0, 0.5, 1.2 / 3),
        (0.69, 0.0, 1.0, 1.69 / 3),  # below the gate: (q + f) / 3
        (0.0, 0.0, 0.0, 0.0),
        (1.0, None, 1.0, 2 / 3),
    ],
)
def test_mae_proposer(q, p, f, reward):
    assert rewards.mae_proposer(q, p, f) == pytest.approx(reward, abs=NEAR)


def test_mae_without_a_question_pays_nothing():
    assert rewards.mae_proposer(1.0, 0.5, 1.0, has_question=False) == 0.0


def test_mae_solver_and_judge():
    assert rewards.mae_solver(7 / 9, 1.0) == pytest.approx(8 / 9, abs=NEAR)
    assert rewards.mae_solver(1.0, 0.0) == 0.5
    assert rewards.mae_judge(0.5) == 0.5
    assert [rewards.mae_judge(1.0, agreed) for agreed in (0.0, 0.5, 1.0)] == pytest.approx([-0.8, 0.1, 1.0])


@pytest.mark.parametrize(
    ("p", "code", "paper"),
    [(0.0, -0.5, 0.0), (0.125, 0.875, 0.875), (0.5, 0.5, 0.5), (1.0, -0.5, 0.0), (None, -1.0, -1.0)],
)
def test_azr_proposer_in_its_code_and_in_its_paper(p, code, paper):
    assert rewards.azr_proposer(p) == code
    assert rewards.azr_proposer(p, flat=0.0) == paper


@pytest.mark.parametrize(
    ("verdict", "reward"), [("pass", 1.0), ("fail", -0.5), ("timeout", -0.5), ("error", -0.5), ("invalid", -1.0)]
)
def test_azr_solver(verdict, reward):
    assert rewards.azr_solver(verdict) == reward


@pytest.mark.parametrize(
    ("share", "paper", "code"), [(0.5, 1.0, 0.5), (0.3, 0.6, 0.3), (1.0, 0.0, 0.0), (None, -1, -1)]
)
def test_r_zero_challenger(share, paper, code):
    assert rewards.r_zero_challenger(share) == pytest.approx(paper, abs=NEAR)
    assert rewards.r_zero_challenger(share, scale=1.0) == pytest.approx(code, abs=NEAR)
    if share is not None:
        assert rewards.r_zero_challenger(share) == pytest.approx(1 - 2 * abs(share - 0.5), abs=NEAR)


@pytest.mark.parametrize(
    ("right", "f", "reward"), [(True, 1.0, 1.0), (True, 0.0, 0.9), (False, 1.0, 0.1), (False, 0, 0)]
)
def test_r_zero_solver(right, f, reward):
    assert rewards.r_zero_solver(right, f) == pytest.approx(reward, abs=NEAR)
