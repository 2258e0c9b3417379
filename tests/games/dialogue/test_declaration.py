"""What `role_game` and the table offer besides the plain script: problems, suites, known matches, names, lists."""

import pytest

import games
from arena.match import Episode
from games import GameSpec, InputError, KnownOutcome, Table, plugins, role_game
from games.dialogue import Script
from games.dialogue.listed import drawn
from games.native.taboo import taboo
from games.plugins.entry import BUILTIN, PluginEntry
from games.registry import source_of
from games.shortcuts import ShortcutSuite, says
from roles.rewards import monitors

SUITE = ShortcutSuite(dict.fromkeys(("a", "b"), says("yes")), dict.fromkeys(("a", "b"), says("no")), ())


def _known(game):
    return (KnownOutcome(0, ({"a": game.data("a")["word"]},), {"a": 1.0, "b": -1.0}),)


@role_game(
    "names-v0",
    seats={"a": "a", "b": "b"},
    payoff="zero_sum",
    rules="Say the word.",
    closed=True,
    problem=lambda turns, tasks: "tasks need one turn; leave out turns" if tasks and turns > 1 else "",
    source=lambda tasks: tasks,
    suite=lambda tasks: None if tasks else SUITE,
    known=_known,
)
def names(t: Table, turns: int = 1, tasks: str = "", problems: int = 0) -> Script:
    """A seat says a word that it was told."""
    word = t.task(problems=problems).answer if tasks else t.stream.choice(("harbour", "violin"))
    t.tell("a", f"You are player 7. Your word is {word}.", secret=f"Your word is {word}.", word=word)
    for _ in range(turns):
        text = yield t.ask("a", examples=("harbour", "violin"))
        message = t.say("a", text, name="player 7", limit=20, turns=turns)
        t.outcome("a", right=float(message == word), secret_told=message == word)
    t.win("a" if message == word else "b")


def started(**params):
    game = names(**params)
    game.reset(0)
    return game


def test_a_combination_of_parameters_is_refused_in_one_line():
    with pytest.raises(InputError, match=r"^names-v0: tasks need one turn; leave out turns$"):
        names(tasks="arithmetic", turns=2)  # type: ignore[call-arg]


def test_two_spellings_of_a_task_source_make_one_id():
    ids = {started(tasks=tasks).spec.id for tasks in ("arithmetic(digits=1)", "arithmetic( digits=1 )")}
    assert ids == {"names-v0(tasks=arithmetic(digits=1))"}


def test_a_suite_follows_from_the_parameters_and_a_closed_game_has_none():
    assert started().shortcuts() is SUITE
    assert started(tasks="arithmetic").shortcuts() is None
    assert started(closed=True).shortcuts() is None


def test_known_matches_are_those_of_the_default_game():
    (known,) = started().known_outcomes()
    game = started()
    game.apply(known.moves[0])
    assert game.returns() == known.returns
    assert started(turns=2).known_outcomes() == ()


def test_a_part_of_a_line_is_secret_and_a_message_carries_another_name():
    game = started()
    word = game.data("a")["word"]
    assert game.secrets("a") == (f"Your word is {word}.",)
    game.apply({"a": "[b] x <y> and a long tail"})
    assert game.observe("b").text.startswith('[player 7] "(b) x ‹y')
    assert game.data("b")["messages"] == [("player 7", game.observe("b").text.split('"')[1])]
    assert game.data("b")["turns"] == 1
    assert game.facts()["cut"] == {"a": 1}


def test_problems_limit_the_tasks_of_a_match():
    game, words = started(tasks="arithmetic", problems=3), set()
    for seed in range(60):
        game.reset(seed)
        words.add(game.data("a")["word"])
        assert game.task_source is not None
        assert game.data("a")["word"] == drawn(game.task_source, seed, 3).answer
    assert len(words) == 3


def test_a_plugin_game_has_the_truth_violations_and_leaks_of_a_native_one():
    game = started()
    game.apply({"a": game.data("a")["word"]})
    seats = {"a": "p", "b": "q"}
    episode = Episode(
        "m", game.spec.id, 0, seats, {"a": "a", "b": "b"}, (), game.returns(), "finished", facts=game.facts()
    )
    assert monitors.truths(episode) == {"a": 1.0}
    assert (monitors.violations(episode), monitors.leaks(episode)) == (set(), {"a"})


def test_a_native_game_is_no_plugin_when_its_module_is_imported():
    assert type(games.make("taboo")) is taboo
    entry = source_of("taboo-v2")
    assert isinstance(entry, PluginEntry)
    assert entry.origin == BUILTIN


def _scripts():
    def no_yield(t: Table):
        t.pay("a", 1)

    def single_text(t: Table):
        yield t.ask("a", options="yes")

    def numbers(t: Table):
        yield t.ask("a", options={"a": (1, 2)})

    def tells_number(t: Table):
        t.tell("a", 5)
        yield t.ask("a")

    return (
        (no_yield, "the script has no yield; write `answer = yield t.ask"),
        (single_text, r"t.ask\(options=...\) lists texts, such as .*; it is 'yes'"),
        (numbers, r"t.ask\(options=...\) lists texts, .* it is \(1, 2\)"),
        (tells_number, "t.tell shows a text, not 5"),
    )


@pytest.mark.parametrize(("script", "reason"), _scripts())
def test_a_script_that_gives_the_table_other_types_is_told_so(script, reason):
    with plugins.isolated():
        role_game("wrong-v0", seats={"a": "a"}, payoff="cooperative", rules="r")(script)
        with pytest.raises(InputError, match=reason):
            games.make("wrong-v0").reset(0)


@pytest.mark.parametrize("wrong", [{"seats": ["a"]}, {"rules": 42}, {"max_turns": "9"}])
def test_a_spec_of_other_types_is_refused(wrong):
    (field,) = wrong
    with plugins.isolated():
        declared = {"seats": {"a": "a"}, "rules": "r"} | wrong
        role_game("wrong-v0", payoff="cooperative", **declared)(names.play)
        with pytest.raises(InputError, match=f"game 'wrong-v0' of .*: {field} of its spec is "):
            games.make("wrong-v0(turns=2)")


def test_what_a_declaration_leaves_out_is_what_a_spec_leaves_out():
    made = started().spec
    assert made == GameSpec(
        id="names-v0", seats={"a": "a", "b": "b"}, payoff="zero_sum", rules="Say the word.", max_turns=1000,
        returns_range=(-1.0, 1.0),
    )  # fmt: skip
    assert made.demonstrations == {}
