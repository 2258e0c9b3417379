"""Behaviour trees: the language, its limits, and trees that a model writes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from arena import Decision, MatchPlan, Player, View, players
from arena.match import play
from arena.players.behaviour_tree import BadTree, parse_tree
from arena.players.behaviour_tree.parser import TreeNode, tree_in
from arena.players.behaviour_tree.player import tree_text
from arena.players.behaviour_tree.run import TreeTurn
from arena.players.behaviour_tree.writing import trial, write_tree
from arena.players.composite import finished
from games import InputError
from tests import golden

STRONG = 'selector(sequence(sees("king"), play("bet")), sequence(not(sees("jack")), play("bet")), play("pass"))'


class Author(Player):
    """Writes the given texts, one per question."""

    name = "author"

    def __init__(self, *texts: str) -> None:
        self.texts, self.asked = list(texts), list[View]()

    def act(self, view):
        self.asked.append(view)
        return Decision(self.texts[min(len(self.asked), len(self.texts)) - 1])


def turn(text="You hold the King. Pot: 3"):
    game = games.make("openspiel/kuhn_poker")
    view = View(game, "player_0", "player", ("Pass", "Bet"), 3, 0)

    turned = TreeTurn(view)
    turned._text = text.casefold()
    return turned


@pytest.mark.parametrize(("tree", "action"), golden.rows(__file__, "behaviour_tree_nodes_do_what_the_language_says"))
def test_nodes_do_what_the_language_says(tree, action):
    assert turn().action(parse_tree(tree)) == action
    assert parse_tree(tree_text(parse_tree(tree))) == parse_tree(tree)


@pytest.mark.parametrize(("text", "why"), golden.rows(__file__, "behaviour_tree_what_is_no_tree_is_refused"))
def test_what_is_no_tree_is_refused(text, why):
    with pytest.raises(BadTree, match=why):
        parse_tree(text)


@settings(max_examples=60)
@given(st.text(alphabet='selctorqunpay()",.5<= ', max_size=80))
def test_no_text_breaks_the_reader(text):
    try:
        tree = parse_tree(text)
    except BadTree:
        return
    assert isinstance(tree, TreeNode)
    turn().action(tree)


def test_the_last_tree_of_an_answer_counts():
    text = 'First I thought of play("pass"). Better:\n```\nselector(sees("king"), play("bet"))\n```'
    assert tree_in(text).kind == "selector"
    with pytest.raises(BadTree, match="contains no tree"):
        tree_in("I would bet with a king.")


def test_a_given_tree_plays_without_waiting():
    game = games.make("openspiel/kuhn_poker")
    player = players.make(f"behaviour-tree(tree='{STRONG}')")
    assert not player.waits
    plan = MatchPlan("m", game.spec.id, 4, dict.fromkeys(game.spec.seats, player.name))
    episode = play(game, plan, dict.fromkeys(game.spec.seats, player))
    assert episode.status == "finished"
    assert players.make(player.name).name == player.name


def test_a_model_writes_trees_and_the_best_one_plays():
    player = players.make("behaviour-tree(writer=random, candidates=2, matches=200)")
    author = Author("no idea", 'play("Pass")', STRONG)
    player._parts = {"writer": author}  # type: ignore[attr-defined]
    game = games.make("openspiel/kuhn_poker")
    game.reset(1)
    decision = player.act(View(game, "player_0", game.spec.seats["player_0"], game.legal("player_0"), 3, 0))
    assert decision.text == f"by the tree {STRONG}"
    assert "no tree" in author.asked[1].rejected[0].reason  # the second answer to the first question
    assert "Legal actions: Pass, Bet" in author.asked[0].observation.text
    again = player.act(View(game, "player_0", game.spec.seats["player_0"], game.legal("player_0"), 3, 0))
    assert again == decision
    assert len(author.asked) == 3


def test_trials_tell_trees_apart():
    id = "openspiel/kuhn_poker"
    role = games.make(id).spec.seats["player_0"]
    strong, weak = (trial(id, role, parse_tree(t), 1, 300) for t in (STRONG, 'play("Pass")'))
    assert strong > weak
    assert finished(write_tree(Author("nothing"), games.make(id), role, 1))[0] is None


def test_an_id_needs_a_tree_or_a_writer():
    for id in ("behaviour-tree", "behaviour-tree(tree='random()', writer=random)"):
        with pytest.raises(InputError, match="takes a tree or a writer"):
            players.make(id)
    with pytest.raises(InputError, match="the tree cannot be read: there is no node 'exec'"):
        players.make("behaviour-tree(tree='exec(1)')")
