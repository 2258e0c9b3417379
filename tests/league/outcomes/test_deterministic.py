"""Which matches are determined by their seats, task and opening: those of players that declare it."""

import pytest

import games
from arena import Decision, IllegalPolicy, MatchPlan, Player, players
from arena.match import play
from league.records.game_info import GameInfo
from league.records.matches import PlannedMatch, cell_of, summarize
from tests.league.outcomes.units import rows_of

GAME = "openspiel/tic_tac_toe"


class Turns(Player):
    """Plays the first legal action, or after `late` matches the last: a fault that its declaration rules out."""

    deterministic = True

    def __init__(self, name, late=99, action=None):
        self.name, self.late, self.action, self.matches = name, late, action, set()

    def act(self, view):
        self.matches.add(view.match)
        return Decision(self.action or view.legal[0 if len(self.matches) <= self.late else -1])


def played(players, number, notes=None):
    game = games.make(GAME)
    seats = {seat: player.name for seat, player in zip(game.spec.seats, players, strict=True)}
    plan = MatchPlan(f"m{number}", game.spec.id, number, seats, notes=notes or {})
    return play(game, plan, dict(zip(game.spec.seats, players, strict=True)), IllegalPolicy(retries=0, then="random"))


def summary(players, number):
    return summarize(PlannedMatch(number, 0, f"p{number}", MatchPlan("m", GAME, number, {})), played(players, number))


def counted(pair, number=6):
    """How many of these matches are evidence."""
    games_ = {GAME: GameInfo("zero_sum", tuple(games.make(GAME).spec.seats), chance=False)}
    return len(rows_of(games_, [summary(pair, i) for i in range(number)]).evidence().index)


def test_deterministic_players_are_evidence_once_even_if_one_of_them_fails_to_be():
    assert counted([Turns("a"), Turns("b")]) == 1
    assert counted([Turns("a"), Turns("b", late=3)]) == 1


def test_without_the_declaration_a_second_transcript_makes_all_count():
    undeclared = Turns("b", late=3)
    undeclared.deterministic = False
    assert counted([Turns("a"), undeclared]) == 6
    assert counted([Turns("a"), players.make("random")]) == 6


def test_the_hash_of_a_determined_match_is_that_of_its_cell():
    first, second = (summary([Turns("a"), Turns("b", late)], 0) for late in (0, 99))
    assert first.transcript == second.transcript != 0
    other = summary([Turns("a"), Turns("c")], 0)
    assert cell_of(other.transcript) != cell_of(first.transcript)


def test_notes_and_substituted_actions_are_no_part_of_a_cell():
    assert played([Turns("a"), Turns("b")], 1).deterministic
    assert not played([Turns("a"), Turns("b")], 1, {"x": ("be brave",)}).deterministic
    assert not played([Turns("a"), Turns("b", action="nowhere")], 1).deterministic


@pytest.mark.parametrize(
    ("id", "declares"),
    [
        ("behaviour-tree(tree='play(\"x(1,1)\")')", True),
        ("behaviour-tree(tree='selector(play(\"x(1,1)\"), random())')", False),
        ("behaviour-tree(writer=random)", False),
        ("by-role(x=random, o=random)", False),
        ("random", False),
        ("solver", False),
    ],
)
def test_what_players_declare(id, declares):
    assert players.make(id).deterministic is declares


def test_a_tree_without_random_nodes_plays_the_first_legal_action_where_it_plays_nothing():
    tree, board = players.make("behaviour-tree(tree='play(\"nowhere\")')"), games.make(GAME)
    tree.name = "t"
    plan = MatchPlan("m", board.spec.id, 3, dict.fromkeys(board.spec.seats, "t"))
    episode = play(board, plan, dict.fromkeys(board.spec.seats, tree))
    assert episode.deterministic
    board.reset(3)
    for turn in episode.turns:
        assert turn.action == board.legal(turn.seat)[0]
        board.apply({turn.seat: turn.action})
