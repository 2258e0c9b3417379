"""veil: another wording of the same game."""

import re

import pytest

import games
from arena.evaluation import measure
from games import InputError, RandomStream
from games.exact.plain import FUNCTION
from games.exact.tokens import words
from games.exact.veil import _lexicon
from games.openspiel.catalog import PLAYABLE

REFUSED = {
    "antichess", "chess", "crazyhouse", "dark_chess", "go", "kriegspiel", "python_hangman", "rbc", "shogi", "skat",
    "solitaire",
}  # fmt: skip
FEW = ("kuhn_poker(players=3)", "leduc_poker", "liars_dice", "tic_tac_toe", "connect_four", "hanabi", "matrix_pd")
SLOW = {"bridge", "bridge_uncontested_bidding"}
"""deals of which OpenSpiel draws for seconds"""


def both(of, words_seed):
    """Yields the same position of a game and of its disguise, in random matches."""
    plain, veiled = games.make(of), games.make(f"veil(of={of},words={words_seed})")
    write = _lexicon(plain.spec.id, words_seed).write
    for seed in range(3):
        plain.reset(seed)
        veiled.reset(seed)
        stream = RandomStream(seed)
        for _ in range(40):
            yield plain, veiled
            if not plain.acting:
                break
            moves = {seat: stream.choice(plain.legal(seat)) for seat in plain.acting}
            plain.apply(moves)
            veiled.apply({seat: write(text) for seat, text in moves.items()})
        assert veiled.returns() == plain.returns()


def check_bijection(of, words_seed=5):
    read = _lexicon(games.make(of).spec.id, words_seed).read
    moves, disguised = set(), set()
    for plain, veiled in both(of, words_seed):
        assert plain.acting == veiled.acting
        for seat in plain.spec.seats:
            assert read(veiled.observe(seat).text) == plain.observe(seat).text
            assert sorted(map(read, veiled.legal(seat))) == sorted(plain.legal(seat))
            moves |= {word.lower() for text in plain.legal(seat) for word in words([text])}
            disguised |= {word.lower() for word in words([veiled.observe(seat).text, *veiled.legal(seat)])}
    disguised |= {word.lower() for word in words([veiled.spec.rules, *veiled.spec.seats.values()])}
    names = {word for word in moves - FUNCTION if len(word) > 2}  # two letters can be two other cards
    assert not names & disguised


@pytest.mark.parametrize("name", FEW)
def test_a_disguise_is_read_back_and_names_no_move(name):
    check_bijection(f"openspiel/{name}")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(PLAYABLE) - SLOW))
def test_every_game_is_disguised_or_refused_in_one_line(name):
    if name in REFUSED:
        with pytest.raises(InputError, match=f"^veil-v1 cannot disguise openspiel/{name}: [^\n]+$"):
            games.make(f"veil(of=openspiel/{name})")
    else:
        check_bijection(f"openspiel/{name}")


@pytest.mark.parametrize("of", ["openspiel/kuhn_poker", "openspiel/tiny_hanabi"])
def test_a_policy_that_does_not_read_has_the_same_nash_conv_in_every_wording(of):
    plain = measure("random", of, matches=0).exact
    for seed in range(3):
        assert measure("random", f"veil(of={of},words={seed})", matches=0).exact == plain


def test_the_solver_has_the_same_nash_conv_in_every_wording():
    plain = measure("solver", "openspiel/kuhn_poker", matches=0).exact
    assert measure("solver", "veil(words=2)", matches=0).exact == plain


def test_words_rules_and_moves_follow_the_seed():
    rules = [games.make(f"veil(words={seed})").spec.rules for seed in range(6)]
    assert len(set(rules)) == 6
    assert games.make("veil(words=3)").spec.rules == rules[3]
    assert not re.search("king|queen|jack|bet|pass|poker|kuhn|pot|chip|card|fold", " ".join(rules), re.IGNORECASE)
    orders = set()
    for seed in range(6):
        game = games.make(f"veil(words={seed})")
        read = _lexicon("openspiel/kuhn_poker", seed).read
        orders.add(tuple(map(read, game.legal("player_0"))))
    assert orders == {("Pass", "Bet"), ("Bet", "Pass")}


def test_golden_wording():
    game = games.make("veil(words=3)")
    assert game.observe("player_0").text == "Your zipet: Bogiz. Actions so far: none. Direr: 2. It is your turn."
    assert games.make("veil(of=openspiel/leduc_poker(players=3,suit_isomorphism=True),words=3)").spec.id == (
        "veil-v1(of=openspiel/leduc_poker(players=3,suit_isomorphism=True),words=3)"
    )


def test_roles_are_renamed_and_moves_of_the_game_itself_refused():
    game = games.make("veil(of=openspiel/sheriff)")
    assert not {"smuggler", "sheriff"} & set(game.spec.seats.values())
    with pytest.raises(games.IllegalAction, match="not a legal action"):
        game.apply({"player_0": "PlaceIllegalItems(num=0)"})
    with pytest.raises(games.IllegalAction, match="expected actions of player_0"):
        game.apply({})


@pytest.mark.parametrize(
    ("id", "reason"),
    [
        ("veil(of=taboo)", "'taboo' is no game of OpenSpiel; write for example"),
        ("veil(of=openspiel/kuhn_pokr)", "kuhn_poker"),
        ("veil(words=-1)", "words must be a whole number"),
    ],
)
def test_wrong_parameters(id, reason):
    with pytest.raises(InputError, match=reason):
        games.make(id)


def test_the_conformance_kit_finds_nothing():
    games.check("veil(of=openspiel/leduc_poker,words=2)", episodes=20).raise_if_failed()
