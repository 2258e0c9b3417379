"""pragmatic: automata against `re` on trusted patterns, the Rational Speech Acts model, rewards, private codes."""

import re
import time
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games.native.pragmatic import pragmatic
from games.native.pragmatic.policies import listens, speaks
from games.native.pragmatic.problems import drawn, renamed
from games.native.pragmatic.regex import PatternError, automaton, equal
from games.native.pragmatic.rsa import SpeechActs, understood
from games.randomness import RandomStream
from games.shortcuts import ScriptedTurn, suite_of
from tests import golden
from tests.games.native.matches import starter

started = starter(pragmatic)

WORDS = ["".join(word) for n in range(5) for word in product("012", repeat=n)]


def say(game, text):
    game.apply({game.acting[0]: text})
    return game


def strings(game, seat="speaker"):
    return game.data(seat)["strings"]


def letter(game, pattern):
    """The letter by which the listener knows a pattern of the problem, or by which it knows the target."""
    return "ABCDEFGHIJKL"[game.data("listener")["patterns"].index(pattern)]


def target(game):
    return letter(game, game.facts()["target_as_heard"])


patterns = st.recursive(
    st.sampled_from(["0", "1", "2", "."]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from("*+?")).map(lambda two: f"({two[0]}){two[1]}"),
    ),
    max_leaves=6,
).filter(lambda pattern: len(pattern) <= 30)


@settings(max_examples=60, deadline=None)
@given(patterns)
def test_matching_agrees_with_re(pattern):
    known = re.compile(pattern.replace(".", "[012]"))
    found = automaton(pattern)
    assert all(found.matches(word) == bool(known.fullmatch(word)) for word in WORDS)


@settings(max_examples=60, deadline=None)
@given(patterns, patterns)
def test_equal_patterns_match_the_same_strings(one, other):
    same = all(automaton(one).matches(word) == automaton(other).matches(word) for word in WORDS)
    if equal(one, other):
        assert same
    assert equal(f"({one}|{other})", f"({other}|{one}|{one})")


@pytest.mark.parametrize(("one", "other", "same"), golden.rows(__file__, "pragmatic_equality_of_languages"))
def test_equality_of_languages(one, other, same):
    assert equal(one, other) is same


@pytest.mark.parametrize("text", ["(", "0)", "*", "a", "(" * 20, "0" * 41, "[0]", "0{3}", "\\d", "|*"])
def test_what_is_no_pattern_is_refused(text):
    with pytest.raises(PatternError):
        automaton(text)


def test_a_pattern_that_backtracks_for_ever_in_re_is_bounded_here():
    began = time.process_time()
    assert not automaton("(0*)*(0|00)+1").matches("0" * 2000)
    many = ".*0" + "." * 14  # its deterministic automaton has 2^15 states
    with pytest.raises(PatternError, match="too many states"):
        equal(many, f"({many}|{many})")
    assert time.process_time() - began < 20


@given(st.text(alphabet="012.()|*+?x", max_size=45))
def test_any_text_is_a_pattern_or_refused(text):
    try:
        found = automaton(text)
    except PatternError:
        return
    assert found.pattern == text


def test_the_worked_example_of_rsa():
    """M = [[1, 1], [0, 1]] with alpha 1: S1 = [1, 1/3], [0, 2/3]; L1 = [3/4, 1/4], [0, 1]."""
    acts = SpeechActs(((True, True), (False, True)), negative=False)
    assert acts.listener(0, ((0, True),)) == (0.5, 0.5)
    assert acts.listener(0, ((1, True),)) == (0.0, 1.0)
    assert acts.speaker(1, (), 0) == (1.0, 0.0)
    assert acts.speaker(1, (), 1) == pytest.approx((1 / 3, 2 / 3))
    assert acts.listener(1, ((0, True),)) == pytest.approx((0.75, 0.25))
    assert acts.listener(1, ((1, True),)) == pytest.approx((0.0, 1.0))


def test_higher_levels_and_several_examples_are_distributions():
    problem = drawn(RandomStream(4), 4, 6)
    table = tuple(tuple(automaton(p).matches(s) for p in problem.patterns) for s in problem.strings)
    acts = SpeechActs(table)
    used = ((0, table[0][1]), (3, table[3][1]))
    for level in range(3):
        assert sum(acts.listener(level, used)) == pytest.approx(1.0)
        assert acts.listener(level, used)[1] > 0
    assert sum(acts.speaker(2, used, 1)) == pytest.approx(1.0)
    assert acts.speaker(2, used, 1)[0] == 0.0


def test_the_held_out_listener_names_what_the_examples_mean():
    """The worked example: L1 = [3/4, 1/4] after the string that both match, so it never names the second pattern."""
    acts = SpeechActs(((True, True), (False, True)), negative=False)
    assert [understood(acts, ((0, True),), (), target) for target in (0, 1)] == [1.0, 0.0]
    assert understood(acts, ((0, True),), (0,), 1) == 1.0
    assert understood(acts, (), (), 0) == 0.5


def paid(speaker, listener, matches=50):
    """What both earn on average, of policies of the suite."""
    game, total = pragmatic(), 0.0
    for seed in range(matches):
        game.reset(seed)
        stream = RandomStream(seed)
        while game.acting:
            (seat,) = game.acting
            turn = ScriptedTurn(seat, seat, "", game.phase(seat), stream, data=game.data(seat))
            game.apply({seat: (speaker if seat == "speaker" else listener)(turn)})
        total += game.returns()["speaker"]
    return total / matches


def test_pragmatics_pays_and_a_code_does_not():
    best, literal = paid(speaks(1), listens(1)), paid(speaks(1), listens(0))
    assert best > literal + 0.15
    assert literal > paid(speaks(0), listens(0)) + 0.15
    codes = [s.plays for s in suite_of(pragmatic()).shortcuts if s.name.startswith("a code")]
    assert len(codes) == 6
    assert max(paid(code["speaker"], code["listener"], 30) for code in codes) < best / 3


def table(game, seat):
    """How many of its strings each pattern matches, as a seat reads them."""
    data = game.data(seat)
    return sorted(sum(automaton(p).matches(s) for s in data["strings"]) for p in data["patterns"])


def test_the_seats_read_the_same_problem_in_other_words():
    for seed in range(10):
        game = started(seed)
        assert table(game, "speaker") == table(game, "listener")
        assert set(game.data("speaker")["patterns"]) == set(game.facts()["patterns"])
    assert renamed("0*(1|2).", "120") == "1*(2|0)."


def test_rewards_fall_by_the_cost_of_each_example():
    game = started(3, turns=2, cost=0.25)
    first, second = strings(game)[:2]
    say(say(game, f"I choose <answer>{first}</answer>"), "no idea")
    assert game.returns() == {"speaker": 0.0, "listener": 0.0}
    say(say(game, f"<answer>{second}</answer>"), f"So it is <answer>{target(game)}</answer>.")
    assert game.acting == ()
    share = game.facts()["understood"]
    assert share in (0.0, 0.5, 1.0)
    assert game.returns() == {"speaker": 0.75 * share, "listener": 0.75 * share}
    assert game.facts()["solved"]


def test_a_pattern_of_the_same_language_names_the_target():
    game = started(3)
    heard = game.facts()["target_as_heard"]
    say(say(game, game.examples("speaker")[0]), f"<answer>({heard}|{heard})</answer>")
    assert game.facts()["solved"]


@pytest.mark.parametrize("text", ["", "<answer>333</answer>", "hello", "<answer></answer>"])
def test_an_example_that_is_none_costs_a_turn(text):
    game = say(started(turns=2), text)
    assert "Example 1: none" in game.observe("listener").text
    assert game.facts()["unread"]["speaker"]
    assert game.acting == ("listener",)


def test_an_example_counts_once():
    game = started(turns=2)
    string = strings(game)[0]
    for text in (f"<answer>{string}</answer>", "?", f"<answer>{string}</answer>"):
        say(game, text)
    assert "Example 2: none" in game.observe("listener").text


def test_the_listener_reads_strings_of_the_same_meaning_each_once():
    other = 0
    for seed in range(30):
        patterns, words, heard = drawn(RandomStream(seed), 6, 10)
        assert len(set(heard)) == len(heard) == len(words)
        for one, two in zip(words, heard, strict=True):
            assert [automaton(p).matches(one) for p in patterns] == [automaton(p).matches(two) for p in patterns]
            other += one != two
    assert other > 100  # of 300


def test_an_example_is_told_to_each_seat_in_its_own_string():
    game = started(3)
    first = strings(game)[0]
    game.apply({"speaker": f"<answer>{first}</answer>"})
    told = {
        seat: re.search(r"Example 1: .* (\d+)$", game.observe(seat).text, re.MULTILINE)[1] for seat in game.spec.seats
    }
    ((at, _),) = game.data("listener")["used"]
    assert told == {"speaker": first, "listener": strings(game, "listener")[at]}


def test_its_outcome_says_whether_both_were_right():
    game = started(3)
    say(say(game, f"<answer>{strings(game)[0]}</answer>"), f"<answer>{target(game)}</answer>")
    assert {seat: outcome.right for seat, outcome in game.outcomes().items()} == {"speaker": 1.0, "listener": 1.0}


def test_a_closed_game_lists_strings_and_letters():
    game = started(closed=True, candidates=3, strings=4, problems=2)
    assert games.make(game.spec.id).spec.id == game.spec.id
    assert len(game.legal("speaker")) == 4
    say(game, game.legal("speaker")[0])
    assert game.legal("listener") == ("A", "B", "C")
    assert len({started(seed, problems=2).facts()["patterns"][0] for seed in range(20)}) == 2
