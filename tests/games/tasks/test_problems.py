"""Problems of the task sources."""

import itertools
import re

import pytest

import games
from games import InputError, tasks
from games.tasks.expressions import expression_key
from games.tasks.facts.source import FACTS
from games.tasks.problems import problem_form
from games.tasks.programs.source import ProgramSource
from games.tasks.tables import plain, rows
from games.tasks.vocabulary.source import CATEGORIES, COMMON, VocabularySource, entries
from tests import golden

SAME = golden.rows(__file__, "problems_same")
OTHER = golden.rows(__file__, "problems_other")


@pytest.mark.parametrize("pair", SAME, ids=lambda pair: pair[0][0])
def test_the_same_problem(pair):
    one, other = pair
    assert problem_form(*one) == problem_form(*other)


@pytest.mark.parametrize("pair", OTHER, ids=lambda pair: pair[0][0])
def test_another_problem(pair):
    one, other = pair
    assert problem_form(*one) != problem_form(*other)


def test_a_hostile_question_has_a_form():
    assert problem_form("(" * 20_000 + "1+" * 20_000, "")
    assert problem_form("a b c d e " * 5_000, "")


def run(code, argument):
    """Only for the programs of this project, whose steps are fixed."""
    scope = {}
    exec(code, scope)
    return scope["f"](eval(argument))


@pytest.mark.parametrize("split", tasks.SPLITS)
def test_answers_are_what_python_returns(split):
    source = ProgramSource(steps=5, split=split)
    for kind in source.kinds:
        for seed in range(12):
            task = source.draw(seed, kind)
            code, _, call = task.question.partition("\nWhat does f(")
            assert repr(run(code, call.removesuffix(") return?"))) == task.answer
            assert source.grade(task, f" {task.answer} ").ok
            assert source.load(task.id) == task


@pytest.mark.slow
def test_thousands_of_programs():
    source = ProgramSource()
    made = {source.draw(seed).question.partition("\nWhat")[0] for seed in range(3000)}
    assert len(made) > 1000


def test_programs_with_arguments():
    source = ProgramSource()
    for seed in range(40):
        program = source.program(seed, 11)
        assert len(set(program.inputs)) == 11
        assert program.words
        for argument in program.inputs:
            run(program.code, argument)


def test_answers_are_parsed_and_never_evaluated():
    source = ProgramSource("text")
    kind = tasks.TaskKind("text", "1")
    task = tasks.SourceTask("programs#text/1/0/0", kind, "", "'tac'")
    assert source.grade(task, '"tac"').ok
    assert source.grade(task, "'cat'").kind == "fail"
    for text in ("tac", "", "'cat'[::-1]", "__import__('os')", "9**9**9"):
        assert source.grade(task, text).kind == "invalid"


def test_code_io_describes_generated_programs():
    pytest.importorskip("games.native.code_io")
    game = games.make("code-io(kind=induction, solvers=1, tasks=programs(steps=2))")
    shown = set()
    for seed in range(40):
        game.reset(seed)
        shown.add(game.observe("proposer").text)
    assert len(shown) > 30
    game.reset(1)
    game.apply({"proposer": game.examples("proposer")[0]})
    assert game.acting == ("solver_0",)
    game.apply({"solver_0": game.examples("solver_0")[0]})
    assert game.facts()["solve_rate"] == 1.0
    with pytest.raises(InputError, match="has no programs"):
        games.make("code-io(tasks=arithmetic)")


@pytest.mark.parametrize("name", ["facts", "vocabulary"])
def test_every_kind_has_tasks_in_every_split(name):
    for split in tasks.SPLITS:
        source = tasks.make(f"{name}(split={split})")
        for kind in source.kinds:
            task = source.draw(1, kind)
            assert source.grade(task, f" {task.answer.upper()}. ").ok
            assert source.load(task.id) == task
            assert source.grade(task, "").kind == "invalid"
            assert source.grade(task, "xyzzy").kind == "fail"


def test_known_facts():
    source = tasks.make("facts(family=capital)")
    (kind,) = source.kinds
    france = next(n for n, row in enumerate(rows("games.tasks.facts", "countries.tsv")) if row[0] == "France")
    assert source.make(kind, france) == ("What is the capital of France?", "Paris")
    elements = {row[1]: (row[0], row[2]) for row in rows("games.tasks.facts", "elements.tsv")}
    assert len(elements) == 118
    assert elements["Au"] == ("79", "Gold")


def test_a_country_belongs_to_one_split_whatever_is_asked():
    found = {}
    for split in tasks.SPLITS:
        source = tasks.make(f"facts(split={split})")
        for seed in range(300):
            task = source.draw(seed)
            row = FACTS[task.kind.family]
            table = rows("games.tasks.facts", row.table)
            subject = next(r for r in table if row.wording.format(r[row.asked]) == task.question)
            found.setdefault((row.table, subject[2 if row.table == "elements.tsv" else 0]), set()).add(split)
    assert len(found) > 200
    assert all(len(splits) == 1 for splits in found.values())


def test_the_vocabulary_is_large_and_well_formed():
    found = entries()
    assert len(found) > 2500
    assert sum(bool(entry.near) for entry in found.values()) > 2000
    for entry in found.values():
        assert entry.word.isalpha()
        assert entry.word.islower()
        assert entry.category in CATEGORIES
        assert len(entry.hints) >= 3
        assert entry.word not in entry.hints
        assert entry.word not in entry.definition.lower()
        assert all(word in found for word in entry.near)
    assert COMMON > 1


def test_pairs_are_different_words_of_one_split():
    source = VocabularySource()
    pairs = [source.pair(seed) for seed in range(300)]
    assert len({(a.word, b.word) for a, b in pairs}) > 200
    for a, b in pairs:
        assert a.word != b.word
        assert tasks.split_of(f"{a.definition}?") == tasks.split_of(f"{b.definition}?") == "train"
    assert source.pair(5) == VocabularySource().pair(5)


def test_a_synonym_is_right_if_it_fits_the_question():
    entry = next(e for e in entries().values() if any(len(s) == len(e.word) and s[0] == e.word[0] for s in e.synonyms))
    fits = next(s for s in entry.synonyms if len(s) == len(entry.word) and s[0] == entry.word[0])
    source = VocabularySource()
    task = tasks.SourceTask("x", tasks.TaskKind(entry.category, entry.frequency), "", entry.word)
    assert source.grade(task, fits).ok
    assert source.grade(task, "xyzzy").kind == "fail"


def test_words_are_compared_plainly():
    assert plain(" The  Hague. ") == plain("the hague")
    assert plain("Bogotá") == plain("bogota")
    with pytest.raises(InputError, match="category must be"):
        tasks.make("vocabulary(category=verbs)")


SAME_EXPRESSIONS = (
    ("What is 4 + 3?", "3+4", "(3) - -4", "Calculate 4 + 3.", "Solve: 3 + 4 ="),
    ("2 * (3 + 4)", "(4+3)*2", "2 × (4 + 3)"),
    ("5 - 2 + 1", "1 + 5 - 2", "5 - (2 - 1)"),
    ("8 / 4 / 2", "8/2/4"),
    ("-(2 - 5)", "5 - 2"),
)


@pytest.mark.parametrize("texts", SAME_EXPRESSIONS, ids=lambda texts: texts[0])
def test_orders_and_wordings_of_one_expression_have_one_form(texts):
    assert len({expression_key(text) for text in texts}) == 1


def test_different_problems_have_different_forms():
    forms = [expression_key(texts[0]) for texts in SAME_EXPRESSIONS[:-1]]
    others = [expression_key(text) for text in ("4 - 3", "3 - 4", "4 * 3", "4 / 3", "2 * 3 + 4", "5 * -3")]
    assert None not in (*forms, *others)
    assert len({*forms, *others}) == len(forms) + len(others)


def test_a_text_without_an_expression_has_none():
    assert expression_key("Which word has 5 letters?") is None
    assert expression_key("(" * 9999 + "1") is None


def asked(source, question):
    return tasks.SourceTask("", source.kinds[0], question, "")


@pytest.mark.parametrize("terms", [2, 3])
def test_a_sum_in_another_order_stands_in_the_same_split(terms):
    source = tasks.make(f"arithmetic(operation=add, terms={terms}, digits=1)")
    for seed in range(40):
        numbers = source.draw(seed).question.removeprefix("What is ").removesuffix("?").split(" + ")
        for order in itertools.permutations(numbers):
            assert source.split_of(asked(source, f"What is {' + '.join(order)}?")) == "train"


def test_families_of_reasoning_gym_share_the_splits_of_expressions():
    pytest.importorskip("reasoning_gym")
    source = tasks.make("reasoning-gym(families=basic_arithmetic+chain_sum+products, difficulty=small)")
    by_form = {}
    for split in tasks.SPLITS:
        for seed in range(40):
            task = tasks.with_split(source.id, split).draw(seed)
            assert by_form.setdefault(expression_key(task.question), split) == split, task.question


ORDERS = {
    "gcd": "Find the GCD of these numbers: {}. Give only the GCD as your final answer.",
    "lcm": "Find the Least Common Multiple (LCM) of these numbers: {}",
    "countdown": "Using all the numbers {}, create an expression that equals 123.",
    "number_sorting": "Sort these numbers in ascending order: {}",
    "word_sorting": "Now, sort these words in descending order: {}",
    "leg_counting": "Now, how many legs are there in total if you have {}?",
}


@pytest.mark.parametrize("family", ORDERS)
def test_the_order_of_the_operands_does_not_change_the_split(family):
    pytest.importorskip("reasoning_gym")
    source, question = tasks.make(f"reasoning-gym(families={family})"), ORDERS[family]
    texts = ["12 ants", "-7 crabs", "3.5 owls"] if family == "leg_counting" else ["12", "-7", "3.5"]
    keys = {
        source.canonical(asked(source, question.format(", ".join(order)))) for order in itertools.permutations(texts)
    }
    assert len(keys) == 1
    assert source.canonical(asked(source, question.format("12, -7, 3.6"))) not in keys
    assert source.canonical(asked(source, question.format("12, 7, 3.5"))) not in keys


def test_a_gcd_that_the_source_draws_stands_in_the_split_of_its_reverse():
    pytest.importorskip("reasoning_gym")
    source = tasks.make("reasoning-gym(families=gcd, difficulty=small)")
    for seed in range(20):
        question = source.draw(seed).question
        first, second = re.findall(r"\d+", question)
        reverse = question.replace(f"{first}, {second}", f"{second}, {first}")
        assert source.split_of(asked(source, reverse)) == "train"
