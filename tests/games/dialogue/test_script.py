"""A script makes a game that keeps the whole contract of `TextGame`."""

import copy
import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

import games
from games import IllegalAction, InputError, SeatOutcome, Table, role_game
from games.dialogue import RoleGame, Script
from games.dialogue.messages import check_message, exceeds
from games.dialogue.refusals import refuses
from tests.games.dialogue.scripts import WORDS, loaded


@pytest.fixture(autouse=True)
def _games():
    with loaded():
        yield


def started(id, seed=1):
    game = games.make(id)
    assert isinstance(game, RoleGame)
    game.reset(seed)
    return game


def state(game):
    """Everything that the interface shows."""
    seats = list(game.spec.seats)
    return (
        game.acting,
        [game.observe(s) for s in seats],
        [game.legal(s) for s in seats],
        [game.examples(s) for s in seats],
        [game.secrets(s) for s in seats],
        game.returns(),
        game.facts(),
        game.spectate(),
    )


@pytest.mark.parametrize("id", ["hint-v0", "hint-v0(closed=true)", "hint-v0(turns=1)", "sums-v0", "bids-v0", "quiz-v0"])
def test_the_conformance_kit_finds_nothing(id):
    games.check(id).raise_if_failed()


def test_a_match_from_the_first_to_the_last_message():
    game = started("hint-v0(turns=2)")
    word = game.data("attacker")["word"]
    assert word in WORDS
    assert game.data("defender") == {"messages": []}
    assert game.secrets("attacker") == (f"The secret word is {word}.",)
    assert game.observe("attacker").text == f"The secret word is {word}.\n2 hints are left."
    assert game.observe("defender").text == "Nothing has been said yet."
    game.apply({"attacker": "[x] a <b>thing</b>"})
    assert (game.acting, game.phase("defender"), game.legal("defender")) == (("defender",), "guess", None)
    assert game.observe("defender").text == '[attacker] "(x) a ‹b›thing‹/b›"\nGuess.'
    game.apply({"defender": f"The {word}!"})
    assert (game.acting, game.returns()) == ((), {"attacker": -1.0, "defender": 1.0})
    assert game.observe("attacker").text.endswith("The match is over: the word was guessed.")
    assert game.facts()["ending"] == "the word was guessed"
    assert f"(only attacker) The secret word is {word}." in game.spectate()


def test_a_script_that_refuses_a_message_leaves_the_match_as_it_was():
    game = started("hint-v0")
    game.apply({"attacker": "It is a thing."})
    game.apply({"defender": "A cat?"})
    before = state(game)
    with pytest.raises(IllegalAction, match="do not write the word") as refusal:
        game.apply({"attacker": f"It is {game.data('attacker')['word']}"})
    assert refusal.value.seat == "attacker"
    assert state(game) == before
    game.apply({"attacker": "It is large."})
    assert game.acting == ("defender",)


def test_a_copy_goes_its_own_way():
    game = started("hint-v0")
    game.apply({"attacker": "It is a thing."})
    twin = copy.deepcopy(game)
    assert state(twin) == state(game)
    before = state(game)
    twin.apply({"defender": "A cat?"})
    assert state(game) == before != state(twin)
    assert copy.deepcopy(games.make("hint-v0")).spec.id == "hint-v0"  # also before its first match


def test_seats_that_act_at_once_get_their_own_prompts_and_options():
    game = started("bids-v0")
    assert game.acting == ("a", "b")
    assert [game.legal(s) for s in "ab"] == [("1", "2"), ("2", "3")]
    assert [game.observe(s).text for s in "ab"] == ["Bid, a.", "Bid, b."]
    for actions, problem in (
        ({"a": "1"}, "expected one message each of a, b"),
        ({"a": "3", "b": "3"}, "choose one of 1, 2"),
        ({"a": 1, "b": "3"}, "a message must be a text"),
    ):
        with pytest.raises(IllegalAction, match=problem):
            game.apply(actions)  # type: ignore[arg-type]
    game.apply({"b": "3", "a": "2"})
    assert game.returns() == {"a": -1.0, "b": 1.0}


def test_outcomes_are_typed_and_name_what_could_not_be_read():
    game = started("sums-v0")
    game.apply({"proposer": "<answer>7</answer>"})
    game.apply({"solver_0": "<answer>14</answer>", "solver_1": "who knows"})
    game.apply({"judge": "<score>9</score>"})
    outcomes = game.outcomes()
    assert outcomes["proposer"] == SeatOutcome(0.0, solved=0.5)
    assert outcomes["solver_0"] == SeatOutcome(1.0, right=1.0)
    assert outcomes["solver_1"].right == 0.0
    assert len(outcomes["solver_1"].unread) == 1
    assert outcomes["judge"].reward == 1.0
    assert game.facts()["outcomes"]["solver_0"]["right"] == 1.0
    stored = {seat: SeatOutcome(**fields) for seat, fields in json.loads(json.dumps(game.facts()["outcomes"])).items()}
    assert {seat: replace(one, unread=tuple(one.unread)) for seat, one in stored.items()} == game.outcomes()


def test_a_seat_that_was_never_asked_is_marked():
    game = started("sums-v0")
    game.apply({"proposer": "nothing"})
    outcomes = game.outcomes()
    assert game.acting == ()
    assert (outcomes["proposer"].broke, outcomes["judge"].asked, outcomes["proposer"].asked) == (True, False, True)
    assert game.facts()["outcomes"]["judge"]["asked"] is False
    assert "asked" not in game.facts()["outcomes"]["proposer"]
    assert not game.blocking  # it has neither tools nor tasks that wait


def test_refusals_and_messages_at_their_limits():
    assert all(map(refuses, ("I can’t do that.", "I CÁNNOT say it", "Sorry!", "No, I will not")))
    assert not any(map(refuses, ("I can do that.", "They cannot", "It is a won tournament")))
    check_message("a", "é" * 50_000, None)
    with pytest.raises(IllegalAction, match="at most 100,000 bytes, not 100,001"):
        check_message("a", "é" * 50_000 + "x", None)
    with pytest.raises(IllegalAction, match=r"choose one of 0, 1, 2, 3, 4, 5, 6, 7, \.\.\.$"):
        check_message("a", "x", tuple("012345678"))
    with pytest.raises(IllegalAction, match=r"choose one of 0, 1, 2, 3, 4, 5, 6, 7$"):
        check_message("a", "x", tuple("01234567"))
    fits, longer = ("x" * 12, "é" * 6), ("x" * 13, "é" * 7)
    assert [exceeds(text, 12) for text in (*fits, *longer)] == [False, False, True, True]


def test_a_closed_game_offers_the_examples():
    game = started("hint-v0(closed=true)")
    assert game.legal("attacker") == game.examples("attacker")
    assert len(game.legal("attacker") or ()) == 2
    assert started("hint-v0").legal("attacker") is None


def test_a_game_over_a_task_source_poses_the_tasks_of_a_pool():
    game = games.make("quiz-v0")
    assert game.pools
    assert game.task_source is not None
    task = game.task_source.draw(99)
    game.load_task(task.id)
    game.reset(1)
    assert task.question in game.observe("solver").text
    game.apply({"solver": task.answer})
    assert game.returns() == {"solver": 1.0}
    with pytest.raises(InputError):
        game.load_task("no task")


@pytest.mark.parametrize(
    ("id", "canonical"),
    [
        ("hint-v0(turns=3)", "hint-v0"),
        ("hint(closed=true,turns=2)", "hint-v0(turns=2,closed=True)"),
        ("sums-v0(solvers=4)", "sums-v0(solvers=4)"),
    ],
)
def test_ids_follow_from_the_signature(id, canonical):
    assert games.make(id).spec.id == canonical


@pytest.mark.parametrize(
    ("id", "problem"),
    [
        ("hint-v0(turns=0)", "turns must be a whole number from 1 to 9"),
        ("hint-v0(rounds=2)", "allowed: turns, closed"),
        ("sums-v0(closed=true)", "allowed: solvers"),
    ],
)
def test_wrong_parameters_are_refused(id, problem):
    with pytest.raises(InputError, match=problem):
        games.make(id)


def _broken(script, **options):
    given: Mapping[str, object] = {"seats": {"a": "a", "b": "b"}, "payoff": "zero_sum", "rules": "-", **options}
    return role_game("broken-v0", **given)(script)()  # type: ignore[arg-type]


def test_mistakes_of_a_script_are_named():
    def missing_seat(t):
        yield t.ask("c")

    def no_ask(t):
        yield "a"  # type: ignore[misc]

    def no_source(t):
        t.task()
        yield t.ask("a")

    def no_default(t: Table, turns: int):
        yield t.ask("a")

    for script, problem in (
        (missing_seat, "no seat 'c'; the seats: a, b"),
        (no_ask, r"yielded 'a'; write `yield t.ask\(...\)`"),
        (no_source, "no task source"),
    ):
        with pytest.raises(InputError, match=problem):
            _broken(script).reset(1)
    with pytest.raises(InputError, match="'turns' has no default"):
        _broken(no_default)
    with pytest.raises(InputError, match=r"call reset\(seed\) first"):
        _broken(missing_seat).observe("a")


@role_game(
    "seal-v0",
    seats={"a": "bidder", "b": "bidder", "c": "auctioneer"},
    payoff="general_sum",
    rules="Two bids, one after the other, then the auctioneer speaks twice.",
)
def seal(t: Table, shown: str = "", revealed: bool = False):
    """Sealed bids. `shown`: what the auctioneer reads of them too early. `revealed`: whether they are opened."""
    bids = {}
    for seat in ("a", "b"):
        bids[seat] = yield t.ask(seat, "Bid.", options=("1", "2", "3"))
        t.tell(seat, f"Your bid is {bids[seat]}.", secret=True)
        if shown:
            t.tell("c", shown.format(bids[seat], ("low", "middle", "high")[int(bids[seat]) - 1]))
    yield t.ask("c", "Speak.", options=("Well.", "So."))
    if revealed:
        t.reveal("a", "b")
        t.tell("all", f"The bids are {bids['a']} and {bids['b']}.")
    yield t.ask("c", "Speak.", options=("Well.", "So."))
    t.end(f"the bids were {bids['a']} and {bids['b']}")


@pytest.mark.parametrize(
    ("shown", "leaks"), [("", False), ("A bid.", False), ("The bid {0}.", True), ("It is {1}.", True)]
)
@pytest.mark.parametrize("revealed", [False, True])
def test_a_hidden_answer_of_a_script_reaches_no_other_seat(shown, revealed, leaks):
    report = games.check(seal(shown=shown, revealed=revealed), episodes=40)
    assert report.status("secrets") == ("FAIL" if leaks else "pass"), str(report)
    assert report.ok is not leaks


def _doubled(number):
    if not number.isdecimal():
        raise InputError(f"{number!r} is no number")
    return 2 * int(number)


def test_tools_pools_limits_and_texts_for_one_seat():
    @role_game(
        "double-v0",
        seats={"a": "asker", "b": "doubler"},
        payoff="general_sum",
        rules="Double the number.",
        pool=lambda task, tools: tools(task),
        references=lambda tasks: "+".join(tasks),
        tools=lambda source: source or _doubled,
    )
    def double(t: Table) -> Script:
        number = t.pooled or (yield t.ask("a", "A number?", waiting={"b": "Wait for it."}, longest=4))
        t.log("Nobody else reads this.")
        t.tell("all", f"It is {t.quote('a', number)}.")
        right = (yield t.ask("b", "Double it.")) == str(t.tools(number))
        t.pay("b", float(right))
        t.end("it is done", {"b": "you are right" if right else "you are wrong"})

    game = started("double-v0")
    assert [game.observe(seat).text for seat in "ab"] == ["A number?", "Wait for it."]
    with pytest.raises(IllegalAction, match="write at most 4 bytes, not 5"):
        game.apply({"a": "12345"})
    game.apply({"a": "21"})
    game.apply({"b": "42"})
    ends = ["The match is over: it is done.", "The match is over: you are right."]
    assert [game.observe(seat).text.split("\n")[-1] for seat in "ab"] == ends
    assert "Nobody else reads this." in game.spectate()
    assert "Nobody" not in game.observe("a").text
    assert game.pools
    assert game.with_references(["1", "2"]) == "1+2"
    with pytest.raises(InputError, match="is no number"):
        game.load_task("seven")
    game.load_task("3")
    game.reset(0)
    assert game.acting == ("b",)
