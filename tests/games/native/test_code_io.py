"""code-io: three kinds of tasks, hidden information, published rewards, and the bugs of the published templates."""

import json
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

import games
import roles
from games import InputError, RandomStream
from games.native.code_io import lists, tasks
from games.native.code_io.examples import SEEDS
from games.native.code_io.guess import neighbours, refuse_guessable
from games.native.code_io.policies import SOLVER, SUITE
from games.native.code_io.programs import Unfit
from games.native.code_io.reduced import reduced
from games.native.code_io.tasks import Task
from games.shortcuts import ScriptedTurn
from games.verifiers import python
from roles.rewards import monitors
from tests import golden
from tests.games.native import matches
from tests.games.native.matches import episode_of, play

pytestmark = pytest.mark.skipif(python.unavailable() is not None, reason=str(python.unavailable()))

DOUBLE = "```python\ndef f(x):\n    return x * 2\n```\n```input\n21\n```"
CASES = (11, 12, 13, 14, 15, 26, 23, 34, 39, 40)
SQUARE = "\n".join(f"```input\n{n}\n```" for n in CASES) + "\n```message\nSubtract two and square.\n```"
"""Seed 119 gives the proposer of an induction f(x) = (x - 2) ** 2."""


def started(kind="deduction", solvers=2, seed=0, task="", size=0):
    return matches.started(f"code-io(kind={kind},solvers={solvers},size={size})", seed, task)


def block(kind, text):
    return f"```{kind}\n{text}\n```"


def test_examples_are_shown_to_the_proposer_alone():
    game = started()
    assert game.observe("proposer").text.count("Example:") == 2
    assert "python" not in game.observe("solver_0").text


def test_abduction_takes_any_input_that_leads_there_and_shows_none():
    program = "def f(x):\n    return x % 100"
    game = play(started("abduction", 3), f"{block('python', program)}\n{block('input', 737)}")
    assert "f returned: 37" in game.observe("solver_0").text
    assert "737" not in game.observe("solver_0").text
    assert game.secrets("proposer") == ("f(737)",)
    play(game, [block("input", 137), block("input", 8), block("input", "10 + 27")])
    assert [v["kind"] for v in game.facts()["verdicts"].values()] == ["pass", "fail", "invalid"]


def test_induction_hides_half_of_the_cases():
    game = play(started("induction", 2, seed=119), SQUARE)
    text = game.observe("solver_0").text
    assert 'What f does: "Subtract two and square."' in text
    assert "f(11) is 81" in text
    assert "f(12) is 100" in text
    assert "23" not in text
    assert "441" not in text
    assert "x * x" not in text
    learned = f"def f(n):\n    return { {n: (n - 2) ** 2 for n in CASES[:5]} }[n]"
    play(game, [block("python", "def f(n):\n    return (n - 2) ** 2"), block("python", learned)])
    assert [v["kind"] for v in game.facts()["verdicts"].values()] == ["pass", "fail"]


def test_the_hidden_half_changes_nothing_that_a_solver_sees():
    """Twin tasks: different hidden inputs, the same observation."""
    other = SQUARE.replace("23", "77").replace("34", "-5")
    one, two = (play(started("induction", 2, seed=119), said) for said in (SQUARE, other))
    assert one.observe("solver_0") == two.observe("solver_0")
    assert one.facts()["outputs"] != two.facts()["outputs"]


@pytest.mark.parametrize(("said", "why"), golden.rows(__file__, "code_io_invalid_tasks_cost_one_and_never_the_match"))
def test_invalid_tasks_cost_one_and_never_the_match(said, why):
    game = play(started(), said)
    assert game.acting == ()
    assert game.returns() == {"proposer": -1.0, "solver_0": 0.0, "solver_1": 0.0}
    facts = game.facts()
    assert facts["verdict"] == "invalid"
    assert why in facts["reason"]
    assert set(facts["idle"]) == {"solver_0", "solver_1"}


def test_induction_needs_its_different_inputs_and_a_message():
    few = SQUARE.replace(block("input", 34), "")
    twice = SQUARE.replace("34", "23")
    silent = SQUARE.partition("```message")[0]
    for said in (few, twice, silent):
        game = play(started("induction", 2, seed=119), said)
        assert game.returns()["proposer"] == -1.0


def test_hole_1_template_injection_is_no_plain_data():
    task = tasks.made(Task("abduction", "def f(x):\n    return x * 2", ("21",)))
    found = tasks.verdicts(task, {"a": "0) or True or (0", "b": "21) == 42 or (1", "c": "21"})
    assert [v.kind for v in found.values()] == ["invalid", "invalid", "pass"]


def test_hole_2_an_object_that_equals_everything_is_no_output():
    sly = (
        "class A:\n    def __eq__(self, other):\n        return True\n    def __repr__(self):\n        return '7'\n\n"
        "def f(x):\n    return A()"
    )
    with pytest.raises(Unfit):
        tasks.made(Task("deduction", sly, ("1",)))
    number = "class A(int):\n    def __eq__(self, other):\n        return True\n\ndef f(x):\n    return A(7)"
    try:
        task = tasks.made(Task("deduction", number, ("1",)))
    except Unfit:
        return
    assert [v.kind for v in tasks.verdicts(task, {"a": "8", "b": "7"}).values()] == ["fail", "pass"]


def test_hole_2_a_solver_cannot_return_one_either():
    task = tasks.made(Task("induction", "def f(x):\n    return x + 1", ("1", "2"), "Add one."))
    sly = "class A:\n    def __eq__(self, other):\n        return True\n\ndef f(x):\n    return A()"
    assert not tasks.verdicts(task, {"a": sly})["a"].ok


def test_hole_3_a_counter_is_not_deterministic_and_nothing_is_evaluated_here():
    counter = "n = [0]\n\ndef f(x):\n    n[0] += 1\n    return n[0]"
    assert tasks.made(Task("deduction", counter, ("1",))).shown == ("1",)  # each call has its own process
    task = tasks.made(Task("deduction", "def f(x):\n    return [x]", ("1",)))
    assert tasks.verdicts(task, {"a": "[__import__('os').getpid()]"})["a"].kind == "invalid"


MODULE = "import collections\nm = collections._sys.modules\nget = lambda name: m.get(name) or __import__(name)\n"
TELLS = golden.table(__file__, "code_io_tells")


@pytest.mark.parametrize("tell", TELLS)
def test_a_proposer_gains_nothing_by_telling_calls_apart(tell):
    """Four right answers are judged alike, or the task is invalid and costs its proposer 1."""
    before, sign = TELLS[tell]
    program = f"{before}\ndef f(x):\n    if x == 7: return 21\n    return x % 100 * 3 if {sign} else x"
    game = play(started("abduction", 4), f"{block('python', program)}\n{block('input', 7)}")
    if game.acting:
        play(game, [block("input", n) for n in (107, 207, 307, 407)])
    kinds = {v["kind"] for v in game.facts()["verdicts"].values()}
    assert len(kinds) <= 1, game.facts()
    assert game.returns()["proposer"] < 0
    if not kinds:
        assert game.facts()["verdict"] == "invalid"
        assert game.facts()["task"] == ""


def test_equal_answers_are_judged_alike():
    task = tasks.made(Task("abduction", "def f(x):\n    return x % 10", ("7",)))
    found = tasks.verdicts(task, {"a": "7", "b": " 7 ", "c": "0x7", "d": "17", "e": "1_7"})
    assert {v.kind for v in found.values()} == {"pass"}


def test_a_task_found_out_while_it_is_judged_is_invalid():
    program = f"{MODULE}def f(x):\n    return 21 if x == 7 else get('posix').urandom(8)[0]"
    game = play(started("abduction", 2), f"{block('python', program)}\n{block('input', 7)}")
    play(game, [block("input", 8), block("input", 9)])
    assert game.returns() == {"proposer": -1.0, "solver_0": 0.0, "solver_1": 0.0}
    assert "not deterministic" in game.facts()["reason"]
    assert game.acting == ()
    assert "the task is not valid" in game.observe("solver_0").text


def test_one_and_true_and_one_point_nought_differ():
    task = tasks.made(Task("deduction", "def f(x):\n    return x", ("1",)))
    kinds = [v.kind for v in tasks.verdicts(task, {"a": "1", "b": "True", "c": "1.0", "d": "'1'"}).values()]
    assert kinds == ["pass", "fail", "fail", "fail"]


def test_a_task_goes_to_a_pool_and_comes_back():
    facts = play(started(), DOUBLE, block("output", 42)).facts()
    game = started(task=facts["task"])
    assert game.acting == ("solver_0", "solver_1")
    play(game, block("output", 42))
    assert game.facts()["task"] == facts["task"]
    assert game.facts()["idle"] == ["proposer"]
    assert game.returns() == {"proposer": 0.0, "solver_0": 1.0, "solver_1": 1.0}
    with pytest.raises(InputError, match="not a task of code-io"):
        game.load_task("What is 1 + 1?")


def test_facts_are_json_whatever_was_written():
    game = play(started(), DOUBLE, [block("output", "\ud800"), "\ud800"])
    assert json.loads(json.dumps(game.facts()).encode()) == game.facts()


def test_the_papers_difficulty_is_one_role_away():
    """If all or none are right, the code pays -0.5 and equation 4 of the paper 0."""
    facts = play(started(), DOUBLE, block("output", 42)).facts()
    seats = {"proposer": "proposer", "solver_0": "solver", "solver_1": "solver"}
    episode = SimpleNamespace(game="code-io-v1", roles=seats, facts=facts, returns=facts["rewards"])
    assert roles.make("proposer").credit(episode, "proposer") == -0.5
    assert roles.make("proposer(difficulty=zero_at_zero, duplicates=0)").credit_batch([episode]) == [{"proposer": 0.0}]


@pytest.mark.parametrize(("right", "winner"), [(0, -1.0), (1, 1.0), (2, -1.0)])
def test_a_threshold_makes_it_a_match(right, winner):
    game = games.make("code-io(kind=deduction,solvers=2,threshold=0.5)")
    game.reset(0)
    play(game, DOUBLE, [block("output", 42 if i < right else 41) for i in range(2)])
    assert game.returns()["proposer"] == winner


@pytest.mark.parametrize(
    "id",
    [
        "code-io(kind=deduction,solvers=4)",
        "code-io(kind=abduction,solvers=2)",
        pytest.param("code-io(kind=induction,solvers=2)", marks=pytest.mark.slow),
        pytest.param("code-io(kind=deduction,solvers=2,threshold=0.5)", marks=pytest.mark.slow),
    ],
)
def test_conformance(id):
    report = games.check(id, episodes=8, max_seconds=60)
    assert report.ok, str(report)


@pytest.mark.parametrize(
    ("params", "words"), [("kind=seduction", "kind must be mixed"), ("solvers=0", "solvers must be")]
)
def test_wrong_parameters(params, words):
    with pytest.raises(InputError, match=words):
        games.make(f"code-io({params})")


def test_the_outcome_of_each_seat():
    game = play(started(solvers=3), DOUBLE, [block("output", 42), block("output", 41), "42"])
    found = game.outcomes()
    assert (found["proposer"].right, found["proposer"].solved) == (1.0, pytest.approx(1 / 3))
    assert monitors.truths(episode_of(game)) == {"proposer": 1.0, "solver_0": 1.0, "solver_1": 0.0, "solver_2": 0.0}
    assert monitors.violations(episode_of(game)) == {"solver_2"}
    assert monitors.truths(episode_of(play(started(), "no task"))) == {"proposer": 0.0}


def test_an_induction_is_about_a_program_of_the_pool_with_new_inputs():
    """The buffer of Absolute Zero: earlier programs are described again, with inputs that their tasks did not have."""
    game = games.make("code-io-v1(kind=induction,solvers=1)")
    earlier = Task("deduction", "def f(x):\n    return x * 3 + 1", ("5",))
    for used, verdict in (("5", "invalid"), ("6", "pass")):
        game.load_task(game.with_references([earlier.text()]))
        game.reset(0)
        assert "return x * 3 + 1" in game.observe("proposer").text
        assert "used before: 5" in game.observe("proposer").text
        inputs = "\n".join(f"```input\n{n}\n```" for n in (*range(10, 19), used))
        game.apply({"proposer": f"{inputs}\n```message\nThree times plus one.\n```"})
        assert game.facts()["verdict"] == verdict
        assert game.facts()["parents"] == [earlier.text()]
    assert game.observe("solver_0").text.count("x * 3") == 0
    game.apply({"solver_0": "```python\ndef f(x):\n    return 1 + 3 * x\n```"})
    assert game.facts()["solve_rate"] == 1.0
    game.load_task("")
    game.reset(0)
    assert "parents" not in game.facts()


@pytest.mark.parametrize(
    "text", ['{"references": 3}', '{"references": ["no task"]}', '{"references": [', '{"references": [3]}']
)
def test_a_text_that_refers_to_no_tasks_is_refused(text):
    with pytest.raises(InputError, match="code-io"):
        started().load_task(text)


def test_a_closed_game_offers_programs_and_their_outputs():
    game = started(solvers=2, size=2)
    offered = game.legal("proposer")
    assert len(offered) == 8
    assert set(offered) <= set(lists.proposals(2))
    game.load_task(made("x * 2", 1))
    game.reset(0)
    game.apply({"solver_0": "```output\n2\n```", "solver_1": game.legal("solver_1")[0]})
    assert game.facts()["solve_rate"] == 0.5
    assert game.spec.id.endswith("(kind=deduction,solvers=2,size=2)")
    assert games.make(game.spec.id).spec == game.spec


@pytest.mark.parametrize(("program", "right"), [("x - 2", "-2"), ("x * 2", "4"), ("max(x, 1)", "1")])
def test_the_outputs_of_a_closed_game_hold_the_answers(program, right):
    argument = {"x - 2": 0, "x * 2": 2, "max(x, 1)": 0}[program]
    game = started(solvers=1, size=2, task=made(program, argument))
    assert f"```output\n{right}\n```" in game.legal("solver_0")
    game.apply({"solver_0": f"```output\n{right}\n```"})
    assert game.facts()["solve_rate"] == 1.0


def test_a_closed_game_takes_tasks_of_its_list_only_and_deductions_only():
    with pytest.raises(InputError, match="not in the list"):
        started(size=2).load_task(made("x * 7", 1))
    with pytest.raises(InputError, match="kind=deduction"):
        started("abduction", size=2)


def made(expression, argument):
    return Task("deduction", f"def f(x):\n    return {expression}", (str(argument),)).text()


def task(body, *inputs, kind="deduction"):
    return tasks.made(Task(kind, f"def f(x):\n    return {body}", inputs))


@pytest.mark.parametrize(
    ("body", "given", "kind", "why"),
    [
        ("pow(x, 12345, 7)", "321", "deduction", "it can be guessed"),
        ("pow(x, 12345, 2)", "321", "abduction", "it can be guessed"),
        ("4", "321", "deduction", "it can be guessed"),
        ("x", "321", "deduction", "copying solves it"),
        ("len(x) > 2", "'hello'", "deduction", "it can be guessed"),
    ],
)
def test_a_task_that_can_be_guessed_is_refused(body, given, kind, why):
    found = task(body, given, kind=kind)
    with pytest.raises(Unfit, match=why):
        refuse_guessable(found)


def test_an_induction_of_one_answer_is_refused():
    with pytest.raises(Unfit, match="most cases"):
        refuse_guessable(task("x > 3", *map(str, range(8, 16)), kind="induction"))


@pytest.mark.parametrize(
    ("body", "given"), [("x * 31 + 7", "12"), ("x[::-1]", "'abcdefgh'"), ("[i * 2 for i in x]", "[3, 1, 4]")]
)
def test_a_task_with_many_answers_is_not(body, given):
    refuse_guessable(task(body, given))
    refuse_guessable(task(body, given, kind="abduction"))


def test_dead_code_makes_no_other_task():
    """Unused lists and loops, a branch that no near input takes, a term that is 0, the inside of a loop that ends."""
    idle = (
        "    a = []\n    for i in range(3):\n        a.append(i)\n    if x == 123456:\n        return 3\n    return {}",
        "    y = len(str(x)) * 0\n    return {} + y",
        "    return {} if x > -10 ** 9 else 5",
        "    while True:\n        for y in [x]:\n            y += 1\n        return {}",
    )
    formula = "x * 31 + 2 - 55 + 7"
    forms = set()
    for body in ("    return {}", *idle):
        written = block("python", "def f(x):\n" + body.format(formula))
        game = play(started(), f"{written}\n{block('input', 47)}")
        forms.add(game.facts()["canonical"].replace("|1 while True: |2", "|1"))
    assert len(forms) == 1
    endless = "def f(x):\n    while x % 7:\n        x = x + 1\n    return x"
    assert reduced(endless, "47") == endless


def test_most_examples_that_a_proposer_is_shown_would_be_accepted():
    refused = []
    for code, args, said in SEEDS:
        try:
            refuse_guessable(tasks.made(Task("deduction", code, (args,))))
        except Unfit:
            refused.append(said)
    assert len(refused) <= 3, refused


def test_neighbours_are_different_and_repeat():
    found = neighbours("[3, 1], 'ab', 5", 24)
    assert len(found) == len({repr(args) for args in found}) == 24
    assert found == neighbours("[3, 1], 'ab', 5", 24)
    assert [[3, 1], "ab", 5] not in found


def test_the_game_refuses_it():
    game = play(started(), "```python\ndef f(x):\n    return pow(x, 12345, 7)\n```\n```input\n321\n```")
    assert game.facts()["verdict"] == "invalid"
    assert "can be guessed" in game.facts()["reason"]


@pytest.mark.parametrize(
    ("program", "refused"),
    [
        ("def f(x):\n    return (x, pow(x, 12345, 3))", "it can be guessed"),
        ("def f(x):\n    return f'{x} {pow(x, 12345, 3)}'", "it can be guessed"),
        ("def f(x):\n    assert x == 471\n    return pow(x, 12345, 5)", "it runs on 0 of 24 similar inputs only"),
        ("def f(x):\n    return (x, x * 31 + 5)", ""),
    ],
)
def test_a_task_that_can_be_guessed_in_part_is_refused(program, refused):
    task = tasks.made(tasks.Task("deduction", program, ("471",)))
    with pytest.raises(Unfit, match=refused) if refused else nullcontext():
        refuse_guessable(task)


def test_the_scripted_solver_counts_a_number_that_stands_in_several_places_once():
    def solved(body):
        data = {"program": f"def f(x):\n    return {body}", "argument": "21"}
        turns = (ScriptedTurn("solver_0", SOLVER, "", "solve deduction", RandomStream(n), data=data) for n in range(50))
        return sum(SUITE.competent[SOLVER](turn) == "```output\n441\n```" for turn in turns)

    assert solved("x * 21 + 0 - 0 + 0") == solved("x * 21 + 21 - 21 + 21 - 21") == 50
    assert 10 < solved("x * 21 + 13 - 17 + 4") < 30
