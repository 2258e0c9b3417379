"""Covariates: an effect that is there is recovered and taken out of the ratings, one that is not is not found."""

import msgspec
import numpy as np
import pytest
from scipy.stats import norm, spearmanr

from games import InputError, UnknownName
from league.config.tournament import RatingConfig
from league.ratings import GameInfo
from league.ratings.control import COVARIATES, AnswerStyle, controlled, marks_of
from league.records.matches import Result, SeatResult

GAME = {"debate": GameInfo("zero_sum", ("pro", "con"))}
BETA, PLAYERS = 25.0 / 6.0, 8


def league(seed, length=0.0, first=0.0, pairings=400):
    """Skills in beta, and results: the judge likes twice the tokens, and the first seat, by so many beta. The weaker a
    player, the more it writes."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(size=PLAYERS)
    wordy = 8.0 - skill + 0.5 * rng.normal(size=PLAYERS)
    log = []
    for pairing in range(pairings):
        two = rng.choice(PLAYERS, 2, replace=False)
        for both in (two, two[::-1]):
            tokens = np.rint(2.0 ** (wordy[both] + rng.normal(size=2))).astype(int) + 1
            gap = skill[both[0]] - skill[both[1]] + length * np.log2(tokens[0] / tokens[1]) + first
            won = 1.0 if gap / 2**0.5 + rng.normal() > 0.0 else -1.0
            seats = tuple(
                SeatResult(seat, seat, f"p{player}", score, turns=1, tokens=int(some))
                for seat, player, score, some in zip(("pro", "con"), both, (won, -won), tokens, strict=True)
            )
            ended = ("debate", pairing, "finished", "", seats, 0.1)
            log.append(Result(len(log), 0, f"q{pairing}", f"m{len(log)}", *ended))
    return skill, log


def tables(seed, names, **bias):
    """The skills, and what the control says."""
    skill, log = league(seed, **bias)
    return skill, controlled(log, GAME, "debate", names, RatingConfig())


def orders(skill, table):
    """Rank correlation with the true skills of the ratings with and without control."""
    true = [skill[int(row.player[1:])] for row in table.rows]
    return [spearmanr(true, [getattr(row, name) for row in table.rows])[0] for name in ("rating", "without")]


def test_a_judge_that_likes_length_is_seen_through():
    runs = [tables(seed, ["length"], length=0.4) for seed in range(6)]
    effects = [table.effects[0] for _, table in runs]
    truth = 0.4 * BETA
    assert sum(e.low <= truth <= e.high for e in effects) >= 5
    assert abs(np.mean([e.points for e in effects]) - truth) < 0.15 * truth
    assert all(e.low > 0.0 for e in effects)
    held, without = np.mean([orders(skill, table) for skill, table in runs], axis=0)
    assert held > 0.9
    assert held - without > 0.05
    covered = [
        row.low <= 25.0 + BETA * (skill - skill.mean())[int(row.player[1:])] <= row.high
        for skill, table in runs
        for row in table.rows
    ]
    assert np.mean(covered) > 0.88


def test_where_length_does_not_matter_the_interval_holds_zero():
    runs = [tables(seed, ["length"])[1] for seed in range(100, 108)]
    assert sum(e.low <= 0.0 <= e.high for table in runs for e in table.effects) >= 7
    moves = [abs(row.rating - row.without) for table in runs for row in table.rows]
    assert np.mean(moves) < 0.3 * BETA


def test_first_move_and_length_are_told_apart_in_one_fit():
    runs = [tables(seed, ["length", "first"], length=0.3, first=0.5)[1] for seed in range(200, 205)]
    for place, truth in enumerate((0.3 * BETA, 0.5 * BETA)):
        effects = [table.effects[place] for table in runs]
        assert sum(e.low <= truth <= e.high for e in effects) >= 4
        assert all(e.low > 0.0 for e in effects)
    width = norm.ppf(0.975) * 2**0.5 * BETA * 1.6 / 800**0.5
    assert all(table.effects[1].high - table.effects[1].points < width for table in runs)


def test_without_a_covariate_the_ratings_are_those_of_the_board():
    from league.ratings.engine import RatingEngine
    from league.records.leaderboard import MatchCounts

    _, log = league(1, pairings=60)
    engine = RatingEngine(GAME, RatingConfig(), [f"p{k}" for k in range(PLAYERS)])
    engine.add(log)
    board = {row.player: row.rating for row in engine.final("r", MatchCounts()).standings}
    table = controlled(log, GAME, "debate", ["length"], RatingConfig())
    assert {row.player: row.without for row in table.rows} == pytest.approx(board, abs=1e-3)


def test_what_cannot_be_controlled_is_said():
    _, log = league(1, pairings=5)
    with pytest.raises(UnknownName, match="category"):
        controlled(log, GAME, "debate", ["category"], RatingConfig())
    deal = {"debate": GameInfo("general_sum", ("pro", "con"))}
    with pytest.raises(InputError, match="not rated match by match between two players"):
        controlled(log, deal, "debate", ["length"], RatingConfig())
    with pytest.raises(InputError, match="no match of debate"):
        controlled([], GAME, "debate", ["length"], RatingConfig())


def test_a_judge_that_likes_lists_is_told_from_one_that_likes_length():
    """The marks are drawn as the tokens that the judge likes; all answers are equally long."""
    held = 0
    for seed in range(300, 304):
        _, log = league(seed, length=0.4)
        marks = {one.match: {seat.seat: seat.tokens - 1 for seat in one.seats} for one in log}
        plain = [
            msgspec.structs.replace(one, seats=tuple(msgspec.structs.replace(s, tokens=9) for s in one.seats))
            for one in log
        ]
        [form] = controlled(plain, GAME, "debate", ["format"], RatingConfig(), marks).effects
        assert form.low > 0.0
        with pytest.raises(InputError, match="length is the same for both sides of every match of debate"):
            controlled(plain, GAME, "debate", ["format", "length"], RatingConfig(), marks)
        held += form.low <= 0.4 * BETA <= form.high
    assert held >= 3


def test_signs_of_format_are_counted():
    assert marks_of("- one\n- two\n\n## Head\n1. **bold** and **more**\n```\ncode\n```") == 7
    assert marks_of("I bid 3 - 2 * 4, #1 of **") == 0


def test_covariates_count_doublings_and_an_answer_that_is_not_counted_has_no_length():
    length, form = COVARIATES["length"].of, COVARIATES["format"].of
    assert length(AnswerStyle(8, 0), AnswerStyle(2, 0)) == -length(AnswerStyle(2, 0), AnswerStyle(8, 0)) == 2.0
    assert length(AnswerStyle(1, 0), AnswerStyle(4, 0)) == -2.0
    assert length(AnswerStyle(8, 0), AnswerStyle(0, 0)) == length(AnswerStyle(0, 0), AnswerStyle(8, 0)) == 0.0
    assert form(AnswerStyle(1, 7), AnswerStyle(1, 0)) == -form(AnswerStyle(1, 0), AnswerStyle(1, 7)) == 3.0
