"""Random openings: the rotations of a pairing share one; its recorded turns have no player."""

import msgspec
import pytest

import games
from arena.evaluation.anchors import seat_score
from arena.learner.samples import _attempts
from arena.match import Decision, MatchPlan, check_opening, decode, encode, play
from arena.match.replay import contradiction
from arena.players.player import Player
from games import InputError
from league.records.matches import PlannedMatch, summarize, task_of, transcript_of


class First(Player):
    """Plays the first legal action and stores its first observation."""

    trainable = True

    def __init__(self, name):
        self.name, self.seen = name, []

    def act(self, view):
        self.seen.append(view.turn)
        return Decision(view.legal[0])


def played(id, opening, seed=5, order=("a", "b"), match="m"):
    game = games.make(id)
    seats = dict(zip(game.spec.seats, order, strict=True))
    players = {seat: First(name) for seat, name in seats.items()}
    return play(game, MatchPlan(match, game.spec.id, seed, seats, opening=opening), players), players


@pytest.mark.parametrize(
    "id", ["openspiel/tic_tac_toe", "openspiel/connect_four", "pettingzoo/tictactoe_v3", "openspiel/hex(board_size=4)"]
)
def test_an_opening_is_the_same_for_both_seatings_and_differs_by_seed(id):
    one, _ = played(id, 3)
    other, _ = played(id, 3, order=("b", "a"))
    opening = [t.action for t in one.turns[:3]]
    assert [t.action for t in other.turns[:3]] == opening
    assert [t.opening for t in one.turns] == [True] * 3 + [False] * (len(one.turns) - 3)
    assert len({tuple(t.action for t in played(id, 3, seed=s)[0].turns[:3]) for s in range(20)}) > 5
    assert played(id, 3)[0].turns[:3] == one.turns[:3]
    assert one.status == "finished"


def test_no_opening_moves_are_counted_or_learned_from():
    episode, players = played("openspiel/tic_tac_toe", 4)
    assert decode(encode(episode)) == episode
    own = sum(not t.opening for t in episode.turns)
    result = summarize(PlannedMatch(0, 0, "p", MatchPlan("m", episode.game, 5, episode.seats, opening=4)), episode)
    assert sum(seat.turns for seat in result.seats) == own == len(episode.turns) - 4
    assert min(turn for p in players.values() for turn in p.seen) == 4
    assert len(list(_attempts(episode))) == own
    seats = {"player_0": "player", "player_1": "anchor"}
    score = seat_score("anchor", games.make(episode.game).spec, "player_0", [_with_seats(episode, seats)])
    assert score.matches == 1


def test_a_replay_knows_the_opening_that_the_seed_draws():
    episode, _ = played("openspiel/tic_tac_toe", 2)
    game = games.make(episode.game)
    assert contradiction(game, episode) == ""
    moved = (msgspec.structs.replace(episode.turns[0], action=episode.turns[2].action), *episode.turns[1:])
    assert "opening" in contradiction(game, msgspec.structs.replace(episode, turns=moved))
    assert contradiction(game, msgspec.structs.replace(episode, opening=0)) != ""


def _with_seats(episode, seats):
    return msgspec.structs.replace(episode, seats=seats)


@pytest.mark.parametrize("moves", [5, 6, 7, 8, 9, 30])
def test_an_opening_never_ends_the_game(moves):
    for seed in range(30):
        episode, _ = played("openspiel/tic_tac_toe", moves, seed=seed)
        assert episode.status == "finished"
        assert not episode.turns[-1].opening


def test_seats_that_act_at_once_move_together():
    episode, _ = played("openspiel/oshi_zumo(coins=6,size=2)", 2)
    assert [t.opening for t in episode.turns[:6]] == [True] * 4 + [False] * 2
    assert [t.seat for t in episode.turns[:4]] == ["player_0", "player_1"] * 2


@pytest.mark.parametrize(
    ("id", "moves", "words"),
    [
        ("debate", 2, "takes free text at move 1"),
        ("openspiel/tic_tac_toe", 9, "over by then; write at most 8"),
        ("openspiel/matrix_rps", 1, "leave openings out"),
    ],
)
def test_what_cannot_be_opened_is_refused_in_a_line(id, moves, words):
    with pytest.raises(InputError, match=words) as told:
        check_opening(games.make(id), moves)
    assert "\n" not in str(told.value)


def test_the_hash_is_of_everything_played_but_not_of_the_seed():
    first, _ = played("openspiel/tic_tac_toe", 0)
    again, _ = played("openspiel/tic_tac_toe", 0, seed=6, match="n")
    turned, _ = played("openspiel/tic_tac_toe", 0, order=("b", "a"))
    opened, _ = played("openspiel/tic_tac_toe", 1)
    assert transcript_of(first) == transcript_of(again) > 0
    assert len({transcript_of(e) for e in (first, turned, opened)}) == 3
    assert transcript_of(msgspec.structs.replace(first, status="void")) == 0
    assert transcript_of(msgspec.structs.replace(first, status="truncated")) != transcript_of(first)


def test_matches_share_a_task_if_their_openings_or_the_tasks_in_their_facts_are_equal():
    first, _ = played("openspiel/tic_tac_toe", 0)
    opened, _ = played("openspiel/tic_tac_toe", 1)
    turned, _ = played("openspiel/tic_tac_toe", 1, order=("b", "a"))
    posed = [msgspec.structs.replace(first, facts={"task": task}) for task in ("sum-1", "sum-1", "sum-2", 7)]
    assert task_of(first) == task_of(posed[3]) == 0
    assert task_of(opened) == task_of(turned) > 0
    assert task_of(posed[0]) == task_of(posed[1]) > 0
    assert len({task_of(e) for e in (opened, posed[0], posed[2])}) == 3
