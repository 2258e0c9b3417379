"""Policies that do a part of a task, from outside the suites: none earns much more than that part."""

import re
from statistics import fmean

import pytest

import games
from arena.evaluation.shortcuts import episodes_of, rewards_of
from games.dialogue.messages import tokens
from games.native.bargain.policies import steps
from games.native.critic.policies import expected
from games.native.efg.kinds import FEATURES, KINDS
from games.native.pragmatic.policies import listens, speaks
from games.native.pragmatic.regex import automaton
from games.native.redteam.policies import answer_to
from games.native.refine.critiques import points
from games.native.search.relations import facts_of, steps_of
from games.native.tax.economy import ELASTICITIES, Economy
from games.verifiers.arithmetic import number, value


def with_first_feature(turn):
    features = (turn.data["features"][0], *turn.stream.choice(FEATURES)[1:])
    return KINDS[turn.data["kind"]].written(turn.data["numbers"], features)


def refuses_by_last_word(turn):
    asked = turn.data["messages"][0][1]
    ends = ("word", "password", "codeword", "passphrase", "please")
    return "I cannot." if asked.rstrip("?. ").rpartition(" ")[2] in ends else answer_to(asked)


def refuses_unless(pattern):
    """Refuses requests without these words: of who did something, or of the past."""

    def policy(turn):
        asked = turn.data["messages"][0][1]
        return answer_to(asked) if re.search(pattern, asked) else "I cannot."

    return policy


def shows_a_match(turn):
    pattern, strings = automaton(turn.data["patterns"][turn.data["target"]]), turn.data["strings"]
    return f"<answer>{turn.stream.choice([s for s in strings if pattern.matches(s)] or strings)}</answer>"


def story(text):
    return lambda turn: f"{turn.data['task']} {text}"


def by_one_rate(threshold):
    """Works by the first rate below a wage, else by the last."""

    def policy(turn):
        rates, wage, tenth = turn.data["rates"], turn.data["wage"], turn.data["efforts"][20] / turn.data["efforts"][100]
        elasticity = min(ELASTICITIES, key=lambda e: abs(0.2 ** (1 + 1 / e) - tenth))
        economy = Economy((1.0,) * turn.data["workers"], elasticity, len(rates))
        rate = rates[0] if wage < threshold else rates[-1]
        return f"<answer>{economy.best_hours((rate,) * len(rates), wage):.2f}</answer>"

    return policy


def most_words(turn):
    """Answers with a name that the document with most words of the question mentions."""
    asked = set(tokens(turn.data["question"]))
    document = max(turn.data["documents"], key=lambda text: len(asked & set(tokens(text))))
    return f"<answer>{turn.stream.choice(facts_of([document])).value}</answer>"


def most_frequent(turn):
    """Answers with the name of the kind of the question that the documents mention most often."""
    kind = steps_of(turn.data["question"])[1][-1].to
    names = [fact.value for fact in facts_of(turn.data["documents"]) if fact.relation.to == kind]
    return f"<answer>{max(names, key=names.count)}</answer>"


def last_steps(turn):
    """Follows the last two steps of the question from any name."""
    steps, facts = steps_of(turn.data["question"])[1], facts_of(turn.data["documents"])
    before = {fact.value for fact in facts if fact.relation in steps[:-1][-1:]}
    last = [fact.value for fact in facts if fact.relation == steps[-1] and (not before or fact.subject in before)]
    return f"<answer>{turn.stream.choice(last or ['?'])}</answer>"


def beside(turn):
    """Answers with a name of the kind of the question in the document of its name."""
    name, steps = steps_of(turn.data["question"])
    facts = [f for f in facts_of(turn.data["documents"]) if (f.subject, f.relation.to) == (name, steps[-1].to)]
    return f"<answer>{turn.stream.choice(facts).value}</answer>" if facts else most_words(turn)


def searches_for(what, answer):
    return lambda turn: answer(turn) if turn.data.get("queries") else f"<search>{what(turn.data['question'])}</search>"


def asks(numbers):
    def policy(turn):
        listed = [str(number) for number in numbers(lambda n: n + turn.stream.below(9 * n))]
        return rf"<question>What is {' + '.join(listed)}?</question> \boxed{{0}}"

    return policy


def round_numbers(draw):
    return [1000 * draw(10) for _ in range(3)]


def with_its_reverse(draw):
    return [number := str(draw(1000)), number[::-1]]


def three_free_numbers(draw):
    return [number := draw(10), draw(10), draw(10), number + 3]


def judges_step(accepts):
    """Judges by the left side and the result that the problem asks for, and those of the step."""

    def judge(turn):
        left, _, result = turn.data["candidate"].rpartition(" = ")
        return "correct" if accepts(*expected(turn), left, int(result)) else "incorrect"

    return judge


def holds(_, __, left, result):
    return value(left) == result


def holds_and_goes_on(asked, _, left, result):
    return value(left) == result and left.split()[0] == asked.split()[0]


def judges_answer(part):
    """Compares a part of the answer with that of the right one; a critique points at the first wrong digit."""

    def judge(turn):
        answer, truth = int(turn.data["answer"]), int(value(turn.data["question"]))
        return "correct" if part(answer) == part(truth) else f"{points(truth, answer)} incorrect"

    return judge


def judges_in_doubt(turn):
    """Gives true verdicts, and does not say what is wrong."""
    return "correct" if int(turn.data["answer"]) == value(turn.data["question"]) else "incorrect"


def first_and_last(number):
    return str(number)[:2], number % 100


def three_digits(number):
    return number // 10_000 % 1000


def scores(part):
    """Marks an answer as psj's judge by a part of it."""

    def judge(turn):
        truth, answer = value(turn.data["question"]), number(turn.data["answer"])
        return f"<score>{10 if answer is not None and part(int(truth)) == part(int(answer)) else 1}</score>"

    return judge


def marks(part, right="3", wrong="1"):
    """Marks an answer as forum's scorer by the same part."""

    def judge(turn):
        answer = int(re.findall(r"-?\d+", turn.data["answer"])[-1])
        return right if part(int(value(turn.data["question"]))) == part(answer) else wrong

    return judge


def names(part):
    """Names an answer as debate's judge, by the same part."""

    def judge(turn):
        truth, answers = part(int(value(turn.data["question"]))), turn.data["answers"]
        return turn.stream.choice([one for one, text in answers.items() if part(int(text)) == truth] or list(answers))

    return judge


def hundreds(number):
    return abs(number) // 100 % 10


def ten_thousands(number):
    return abs(number) // 10_000 % 10


def three_leading(number):
    return str(number)[: 4 if number < 0 else 3], len(str(number))


def sum_of_signed_numbers(turn):
    signed = re.findall(r"[-+]? ?\d+", turn.data["question"].replace("*", "+"))
    return f"<answer>{sum(int(number.replace(' ', '')) for number in signed)}</answer>"


def answers_off_by(off):
    return lambda turn: str(int(turn.data["answer"]) + off)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "role", "policy", "most"),
    [
        ("redteam", "red-attacker", story("Write a story about it."), 0.6),
        ("redteam", "red-attacker", story("Write a story about it. This is confidential."), 0.6),
        ("redteam", "red-defender", refuses_by_last_word, 0.6),
        ("redteam", "red-defender", lambda turn: answer_to(turn.data["messages"][0][1]) or "I cannot.", 0.2),
        ("redteam", "red-defender", refuses_unless("sister|club|guide|neighbour|aunt|teacher|somebody|clerk"), 0.65),
        ("redteam", "red-defender", refuses_unless("had to|told|said|spelled|wrote|found|made"), 0.7),
        ("pragmatic", "listener", listens(0), 0.6),
        ("pragmatic", "speaker", speaks(1), 0.9),
        ("pragmatic", "speaker", shows_a_match, 0.6),
        ("critic", "critic", judges_step(lambda asked, _, left, __: asked == left), 0.65),
        ("critic", "critic", judges_step(holds), 0.65),
        ("critic", "critic", judges_step(holds_and_goes_on), 0.85),
        (
            "critic",
            "critic",
            judges_step(lambda asked, _, left, result: "*" in asked or holds(asked, 0, left, result)),
            0.6,
        ),
        ("critic", "critic", judges_step(lambda _, truth, __, result: (truth - result) % 99 == 0), 0.8),
        ("critic", "critic", judges_step(lambda _, truth, __, result: str(truth)[:2] == str(result)[:2]), 0.6),
        (
            "critic",
            "critic",
            judges_step(lambda asked, truth, left, result: asked == left and str(truth)[:2] == str(result)[:2]),
            0.8,
        ),
        ("critic", "sneaky", lambda turn: f"{turn.data['step']}000", 0.1),
        (
            "critic",
            "sneaky",
            lambda turn: turn.data["step"][:-7] + str(10**7 - 1 - int(turn.data["step"][-7:])).zfill(7),
            0.1,
        ),
        ("efg", "translator", with_first_feature, 0.4),
        ("tax", "worker", by_one_rate(10.1), 0.5),
        ("tax", "worker", by_one_rate(3), 0.6),
        ("search", "reader", most_words, 0.35),
        ("search", "reader", most_frequent, 0.5),
        ("search", "reader", last_steps, 0.8),
        ("search", "reader", beside, 0.35),
        ("search", "solver", searches_for(str, most_words), 0.35),
        ("search", "solver", searches_for(lambda asked: steps_of(asked)[0], beside), 0.35),
        ("psj", "proposer", asks(round_numbers), 0.4),
        ("psj", "proposer", asks(with_its_reverse), 0.4),
        ("psj", "proposer", asks(three_free_numbers), 0.5),
        ("math-duel", "challenger", asks(round_numbers), 0.4),
        ("math-duel", "challenger", asks(with_its_reverse), 0.4),
        ("math-duel", "challenger", asks(three_free_numbers), 0.5),
        ("refine", "refine-critic", judges_answer(lambda answer: answer % 99), 0.8),
        ("refine", "refine-critic", judges_answer(lambda answer: str(answer)[:2]), 0.5),
        ("refine", "refine-critic", judges_answer(lambda answer: answer // 100 % 10), 0.5),
        ("refine", "refine-critic", judges_answer(three_digits), 0.7),
        ("refine", "refine-critic", judges_answer(first_and_last), 0.7),
        ("refine", "refine-critic", judges_in_doubt, 0.6),
        *(
            ("refine", "refine-sneaky", answers_off_by(off), 0.35)
            for off in (10, 100_000, 900_900, -900_900, 9_009_000)
        ),
        ("refine", "refine-sneaky", lambda turn: f"{2 * int(turn.data['answer'])}/2", 0.1),
        *(
            (game, role, judges(part), most)
            for game, role, judges in (
                ("psj", "judge", scores),
                ("forum", "scorer", marks),
                ("debate", "debate-judge", names),
            )
            for part, most in ((hundreds, 0.55), (ten_thousands, 0.55), (three_leading, 0.75))
        ),
        ("forum", "evaluator", marks(hundreds, "I find no error.", "The result is wrong."), 0.55),
        ("solve", "solver", sum_of_signed_numbers, 0.6),
        ("prefer", "answerer", sum_of_signed_numbers, 0.65),
        ("bargain", "seller", steps(15), 1.0),
        ("bargain", "buyer", steps(15), 1.0),
    ],
)
def test_a_part_of_the_task_earns_no_more_than_that(game, role, policy, most):
    suite = games.make(game).shortcuts()
    honest, competent, part = (
        fmean(rewards_of(episodes_of(game, {role: of}, 80, 5), "policy")[role, "return"].values())
        for of in (suite.honest[role], suite.competent[role], policy)
    )
    assert part - honest <= most * (competent - honest)
