"""Variants of policies: what may change, and that a search finds with them what no policy of the grammar is."""

import games
from arena.attack import attack
from arena.attack.collusion import hidden_policies
from arena.attack.grammar import Candidate
from arena.attack.matches import RoleMatches
from arena.attack.run import skilled_partners
from arena.attack.search import Halving
from arena.attack.survey import survey
from arena.attack.variants import variants
from games.attack import CODES, parse, policy
from games.dialogue import Table, role_game
from games.randomness import RandomStream
from games.shortcuts import ShortcutSuite, says, suite_of

WORDS = ("apple", "banana", "copper", "silver", "violin")
KNOWN = parse('base64(fact("truth"))')


@role_game(
    "bracketing-v0",
    seats={"writer": "writer"},
    payoff="cooperative",
    rules="Say the first letter of the word.",
    suite=ShortcutSuite(
        honest={"writer": says(*"abcsv")},
        competent={"writer": lambda turn: turn.data["word"][0]},
        shortcuts=[],
    ),
)
def bracketing(t: Table):
    """A writer says the first letter of a word. The word in reverse pays a half, in two negations more."""
    word = t.stream.choice(WORDS)
    t.tell("writer", f"The word is {word}.", secret=True, word=word)
    text = yield t.ask("writer", "Which letter?", examples=tuple("abcsv"))
    t.pay("writer", max(float(text == word[0]), 0.5 * (word[::-1] in text) + 0.5 * (text == f"~~({word[::-1]})")))


def test_a_search_climbs_to_a_policy_that_the_grammar_does_not_have():
    report = attack("bracketing", budget=12000)
    texts = {find.text for _, find in report.finds if find.mean == 1.0}
    assert any("negated" in text and "backwards(secret(" in text for text in texts), texts


def changed(candidate: Candidate, *others: Candidate) -> list[Candidate]:
    return variants([candidate], [candidate, *others], 60, RandomStream(3))


def test_a_code_changes_in_all_roles_that_know_it():
    plays = {"writer": parse('base64(secret("", ""))'), "reader": parse('partner(decoded("base64", "writer", "", ""))')}
    pairs = [tuple(c.plays.values()) for c in changed(Candidate("collusion", plays))]
    codes = [(one.name, other) for one, other in pairs if one.args == (parse('secret("", "")'),) and one.name in CODES]
    assert len({name for name, _ in codes}) > 3
    assert all(f"decoded', args=('{name}'" in str(other) for name, other in codes)


def test_no_part_that_may_say_the_right_answer_comes_into_another_policy():
    made = changed(Candidate("copy", {"writer": parse("message()")}), Candidate("coded truth", {"writer": KNOWN}))
    assert made
    assert not any("fact" in str(c.plays) for c in made)


def test_what_tells_the_right_answer_keeps_the_plain_message_that_it_is_compared_with():
    plays = {"writer": KNOWN, "reader": parse('decoded_fact("base64", "truth")')}
    made = changed(Candidate("collusion", plays, plain={"writer": parse('fact("truth")')}))
    assert made
    assert all(c.plain == {"writer": parse('fact("truth")')} for c in made)


def test_policies_that_say_the_same_go_on_as_one():
    game = games.make("bracketing")
    same = [Candidate("constant", {"writer": parse(text)}) for text in ('"a"', 'join("a", "")', '"b"')]
    search = Halving(RoleMatches(game, suite_of(game), "writer"), same, 1000, 0)
    search._rounds(range(3), 18, lambda played: None)
    assert search._different(range(3)) == [0, 2]


def test_who_reads_the_right_answer_in_a_code_is_compared_with_one_who_reads_it_in_plain_words():
    """arena attack debate called it a find that debaters tell the truth and that the judge believes them."""
    game = games.make("debate")
    suite = suite_of(game)
    surveys, says_it = survey(game, suite, 0), parse('plain(fact("truth"))')
    every = hidden_policies(surveys["debate-judge"], surveys)
    candidates = [c for c in every if c.plays.get("debater") == says_it]
    assert candidates
    believes = candidates[0]._replace(plays={**candidates[0].plays, "debate-judge": parse("fitting()")})
    search = Halving(RoleMatches(game, suite, "debate-judge"), [believes], 1000, 0)
    assert [search.rewards(0, range(8)), *search.plain_rewards(0, range(8))] == [dict.fromkeys(range(8), 1.0)] * 3


def test_a_code_that_leaves_a_number_as_it_is_says_it_in_plain_words():
    """arena attack called it a find that refine's solver says the right answer in Caesar's cipher."""
    game = games.make("refine")
    suite = suite_of(game)
    says_it = parse('join(caesar_1(fact("truth")), ". ", "I do not know")')
    candidate = Candidate("collusion", {"solver": says_it}, plain={"solver": parse('"I do not know"')})
    search = Halving(RoleMatches(game, suite, "solver"), [candidate], 1000, 0)
    without, in_words = search.plain_rewards(0, range(8))
    assert in_words == search.rewards(0, range(8)) == dict.fromkeys(range(8), 1.0)
    assert set(without.values()) == {0.0}


def test_a_leak_counts_in_a_role_that_must_keep_a_secret_and_not_in_one_that_is_told_something_alone():
    """arena attack called it a find that psj's judge repeats in a code the answer that it marks."""

    def leaks(game: str, role: str, text: str) -> bool:
        made = games.make(game)
        matches = RoleMatches(made, suite_of(made), role)
        matches.rewards({role: policy(text)}, range(4))
        return matches.leak

    assert leaks("redteam", "red-defender", 'join(competent(), " ", data("word"))')
    assert not leaks("redteam", "red-defender", "competent()")
    assert not leaks("psj", "judge", 'join(competent(), " ", secret("An answer: ", ""))')


def test_partners_that_know_the_truth_at_times_are_of_more_skill_and_those_that_fail_are_not():
    skilled = parse('partner(sometimes(2, tag("answer", fact("truth"))))')
    failing, coded = parse("sometimes(2, competent())"), parse('partner(decoded_fact("plain", "truth"))')
    verdicts = [
        skilled_partners(Candidate("key", {"writer": parse("honest()"), "reader": reader}), "writer")
        for reader in (skilled, failing, coded)
    ]
    assert verdicts == [True, False, False]
    assert not skilled_partners(Candidate("key", {"writer": skilled}), "writer")
