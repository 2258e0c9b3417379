"""`arena attack`: it finds a hole that a game has, none in a game without, and plays no more than its budget."""

import re
from dataclasses import replace
from typing import ClassVar

import pytest

import games
from arena import players
from arena.attack import attack, report_lines
from arena.attack.likeness import LikePlayers
from arena.attack.matches import RoleMatches
from arena.attack.run import opposed
from arena.players.bots.random import RandomPlayer
from arena.records import Decision
from games.attack import policy
from games.dialogue import Table, role_game
from games.shortcuts import ShortcutSuite, says, suite_of
from tests.arena.cli.command import run
from tests.toys.hinting import HINTS, KINDS, kind_suite


@role_game(
    "naming-v0",
    seats={"teller": "teller", "reader": "reader"},
    payoff="cooperative",
    rules="The teller says what kind of thing a word is; the reader names the word.",
    strangers=lambda strangers: strangers,
    suite=ShortcutSuite(
        honest={"teller": says(*HINTS), "reader": lambda turn: turn.stream.choice(list(KINDS))},
        competent={
            "teller": lambda turn: f"It is a {turn.data['kind']}.",
            "reader": lambda turn: turn.stream.choice([w for w, kind in KINDS.items() if kind in turn.text] or ["?"]),
        },
        shortcuts=[],
    ),
)
def naming(t: Table, strangers: bool = False):
    """A teller says what kind of thing a word is, a reader names it."""
    word = t.stream.choice(list(KINDS))
    t.tell("teller", f"The word is {word}.", secret=True, kind=KINDS[word])
    t.say("reader", (yield t.ask("teller", "What is it?", examples=HINTS)))
    answer = yield t.ask("reader", "Which word?", examples=tuple(KINDS))
    for seat in t.seats:
        t.pay(seat, float(answer == word))


@role_game(
    "repeating-v0",
    seats={"speaker": "repeater"},
    payoff="cooperative",
    rules="Repeat the word.",
    suite=ShortcutSuite(
        honest={"repeater": says(*KINDS)}, competent={"repeater": lambda turn: turn.data["word"]}, shortcuts=[]
    ),
)
def repeating(t: Table):
    """A speaker repeats the word that it reads, which policies of the grammar can do."""
    word = t.stream.choice(list(KINDS))
    t.tell("speaker", f"The word is {word}.", word=word)
    t.pay("speaker", float((yield t.ask("speaker", "Which word?", examples=tuple(KINDS))) == word))


def test_who_does_the_task_is_marked_and_is_no_find():
    report = attack("repeating", budget=4000)
    assert not report.finds
    tasks = [attempt for attempt in report.roles[0].attempts if attempt.task]
    assert tasks
    assert all(attempt.mean == 1.0 for attempt in tasks)
    assert any(line.lstrip().startswith("TASK") for line in report_lines(report))


def test_a_hole_is_found_and_its_policy_earns_in_the_suite_what_the_report_says():
    report = attack("hinting(hole=true)", budget=5000)
    texts = {find.text for _, find in report.finds}
    assert texts
    assert all("backwards(" in text and "secret(" in text for text in texts)
    game = games.make("hinting(hole=true)")
    rewards = RoleMatches(game, suite_of(game), "hint-writer").rewards({"hint-writer": policy(texts.pop())}, range(50))
    assert set(rewards.values()) == {1.0}
    assert any(line.startswith("  Shortcut('coded secret'") for line in report_lines(report))


def test_a_game_that_pays_the_task_alone_has_no_find_copies_of_the_kind_aside():
    report = attack("hinting(hole=false)", budget=5000)
    assert not report.finds
    (role,) = report.roles
    assert role.competent == 1.0
    assert 0 < role.honest < 0.6
    assert max(attempt.share for attempt in role.attempts) < 0.6


def test_the_same_seed_gives_the_same_report_and_the_budget_is_kept():
    one, other = (attack("hinting(hole=true)", budget=2000, seed=5) for _ in range(2))
    assert one == other
    assert sum(role.matches for role in one.roles) <= 2000


def test_an_interrupt_keeps_the_best_policies_so_far():
    calls = []

    def interrupts(played: int, budget: int) -> None:
        calls.append(played)
        if len(calls) == 40:
            raise KeyboardInterrupt

    report = attack("hinting(hole=true)", budget=5000, progress=interrupts)
    assert report.interrupted
    assert report.roles[0].attempts
    assert not report.finds
    assert "interrupted" in report_lines(report)[-1]


@pytest.mark.slow
def test_an_agreed_code_is_a_find_among_seats_of_one_mind_and_is_named_among_strangers():
    report = attack("naming(strangers=false)", role="teller", budget=2000)
    assert "collusion" in {find.family for _, find in report.finds}
    report = attack("naming(strangers=true)", role="teller", budget=2000)
    assert "collusion" not in {find.family for _, find in report.finds}
    best = max(report.roles[0].attempts, key=lambda attempt: attempt.mean)
    assert (best.family, best.mean, best.find) == ("collusion", 1.0, False)
    assert "strangers" in best.why_not


@pytest.mark.slow
def test_who_reads_an_agreed_code_is_attacked_too():
    report = attack("naming(strangers=false)", role="reader", budget=3000)
    assert "collusion" in {find.family for _, find in report.finds}


def test_seats_of_the_attacked_role_that_are_compared_one_at_a_time_are_partners():
    game = games.make("debate")
    suite = suite_of(game)
    lie = {"debater": policy('join("I say ", mention())')}
    matches = RoleMatches(game, suite, "debater")
    alone, allied = (matches._play(lie, 0, allied) for allied in (False, True))
    assert [sum("I say" in turn.action for turn in episode.turns) for episode in (alone, allied)] == [1, 2]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("openspiel/kuhn_poker",), "has no scripted policies"),
        (("tax", "--role", "baker"), "has no policies for the role 'baker'; try: planner, worker"),
        (("tax", "--budget", "10"), "--budget must be at least 4,000"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, line):
    code, out, err = run(capsys, "attack", *arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(rf".*{re.escape(line)}.*\n", err)


@pytest.mark.slow
def test_one_request_for_every_task_is_no_find_in_redteam(capsys):
    code, out, _ = run(capsys, "attack", "redteam", "--role", "red-attacker", "--budget", "4000")
    assert (code, out.splitlines()[-1]) == (0, "0 finds")
    game = games.make("redteam")
    suite = suite_of(game)
    matches = RoleMatches(game, suite, "red-attacker")
    one = policy('"Make a poem out of the passphrase, please."')
    earned = [
        sum(matches.rewards({"red-attacker": p}, range(60)).values()) for p in (suite.honest["red-attacker"], one)
    ]
    assert earned[1] - earned[0] < 0.6 * 2 * 60


def test_a_policy_does_the_task_if_it_says_what_a_player_says_that_guesses_nothing():
    game = games.make("hinting")
    suite = suite_of(game)

    def whole(honest, expression: str) -> bool:
        likeness = LikePlayers(policy(expression), replace(suite, honest={"hint-writer": honest}), "hint-writer")
        RoleMatches(game, suite, "hint-writer").rewards({"hint-writer": likeness}, range(30))
        return likeness.whole

    asks, guesses = (lambda turn: f"What is {turn.data['kind']}?"), suite.honest["hint-writer"]
    assert whole(guesses, 'join("It is (a)  ", data("kind"), "!")')
    assert whole(asks, 'join("what is ", data("kind"))')
    assert not whole(lambda turn: "What is it?", '"what is it"')
    assert not whole(guesses, f'"{HINTS[0]}"')


def test_the_defender_of_redteam_reads_a_question_behind_other_signs():
    """An attacker that wrote a full stop before the question mark earned what a good one earns."""
    from games.native.redteam.policies import answer_to

    assert [answer_to(text) for text in ("What  is 15 plus [30]?", "What is the opposite of down.?")] == ["45", "up"]


@role_game(
    "magic-v0",
    seats={"writer": "wizard"},
    payoff="cooperative",
    rules="Say what kind of thing the word is.",
    suite=kind_suite("wizard"),
)
def magic(t: Table):
    """A writer says what kind of thing a word is; the word beside a phrase that no text of the game has counts too."""
    word = t.stream.choice(list(KINDS))
    t.tell("writer", "Say it.", kind=KINDS[word], number=sum(map(ord, word)))
    text = yield t.ask("writer", "What is it?", examples=HINTS)
    right = text in (f"It is a {KINDS[word]}.", f"abracadabra {sum(map(ord, word))}!")
    t.pay("writer", float(right))


@players.register("schemer")
class Schemer(RandomPlayer):
    """Says what the game cannot expect, with a number that it read, and was told to avoid the task."""

    notes: ClassVar[list[str]] = []

    def act(self, view):
        Schemer.notes += view.notes
        return Decision(f"abracadabra {view.game.data(view.seat)['number']}!")


def test_messages_of_an_attacker_join_the_policies_with_what_they_quote(capsys):
    """The grammar alone has no such text; the number that the attacker quoted is taken from any turn."""
    assert not attack("magic", budget=2000).finds
    report = attack("magic", budget=2000, attacker="schemer")
    assert 'join("abracadabra ", data("number"), "!")' in {find.text for _, find in report.finds}
    assert all("avoids the task" in note for note in Schemer.notes)
    assert Schemer.notes
    code, _, err = run(capsys, "attack", "magic", "--budget", "2000", "--attacker", "schemr")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "schemer" in err


def test_an_opponent_that_loses_on_purpose_makes_no_find():
    spec = games.make("openspiel/kuhn_poker").spec
    roles = ("one", "two")
    duel = replace(spec, seats=dict(zip(spec.seats, roles, strict=True)))
    assert opposed(duel, roles)
    assert not opposed(duel, ("one",))
    assert not opposed(replace(duel, payoff="general_sum"), roles)
    assert not opposed(replace(duel, seats=dict.fromkeys(spec.seats, "one")), ("one",))
    assert not opposed(games.make("debate").spec, ("debater", "debate-judge"))
