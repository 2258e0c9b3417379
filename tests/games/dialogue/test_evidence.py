"""Which answer of a message counts: the strongest kind of evidence, and none where another value follows."""

import pytest

from games.dialogue.answers import (
    CORRECTNESS,
    EvidenceKind,
    choose,
    equation,
    final,
    finals,
    letters,
    numbers,
    phrases,
    players,
    read,
    strongest,
)
from games.dialogue.answers.marked import MarkedAnswer
from games.native.critic.game import recomputed, step_of
from games.native.forum.game import _final
from roles.parsing._matching import legal_actions
from tests import golden

FORMS = golden.rows(__file__, "evidence_forms")
CHECKS = golden.rows(__file__, "evidence_checks")
CORRECTIONS = golden.rows(__file__, "evidence_corrections")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("between", ["\n\n", "\n", " "])
def test_an_equation_after_an_answer_does_not_replace_it(form, between):
    assert [final(form + between + check).value for check in CHECKS] == ["512"] * len(CHECKS)


@pytest.mark.parametrize("form", FORMS)
def test_another_number_after_an_answer_is_refused(form):
    assert [c for c in CORRECTIONS if final(f"{form}\n{c}").value is not None] == []


@pytest.mark.parametrize(("text", "value"), golden.rows(__file__, "evidence_weaker_evidence_never_overrides_stronger"))
def test_weaker_evidence_never_overrides_stronger(text, value):
    assert final(text).value == value


@pytest.mark.parametrize(
    "text", golden.rows(__file__, "evidence_another_formula_quantity_or_name_after_an_answer_is_refused")
)
def test_another_formula_quantity_or_name_after_an_answer_is_refused(text):
    assert final(text).value is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("\\boxed{x+1}\n\nCheck: for x = 2 it is 3.", "x+1"),
        ("Answer: 1,024 metres\n\nCheck: 32 * 32 = 1024", "1,024 metres"),
        ("<answer>Paris</answer>\n\nHope this helps!", "Paris"),
        ("Answer: 512.\n1. 16 * 2 = 32\n2. 32 * 16 = 512", "512"),
    ],
)
def test_a_remark_after_a_formula_quantity_or_name_is_no_other_answer(text, value):
    assert final(text).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("11 because 31 - 20 = 11", "11"),
        ("Result: 42\n\nThat is all there is to say about the question, and it took me very long.", "42"),
        ("Solution: first add the numbers\n\nThe answer is 12.", "12"),
        ("If x is 2 the answer is 5.", None),
        ("Answer: 1\n\nIn words: one.", "1"),
        ("Answer: 5. Sorry, one.", None),
    ],
)
def test_a_remark_a_heading_a_condition_and_a_number_in_words(text, value):
    assert final(text).value == value


def test_the_last_of_the_strongest_kind_counts():
    pieces = [MarkedAnswer(str(end), 0, end, False, kind) for end, kind in enumerate((5, 4, 5, 3, 1), start=1)]
    ranked = [mark._replace(evidence=EvidenceKind(mark.evidence)) for mark in pieces]
    chosen = strongest(ranked)
    assert chosen is not None
    assert chosen.content == "3"
    assert strongest([]) is None


AB, SCORE, VOTE, END = letters("AB"), numbers(1, 10), players(4), phrases(("win", "draw"))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (AB, "B. Actually, no, I mean A."),
        (AB, "A: 40%, B: 60%"),
        (AB, "<answer>A</answer> B, I mean."),
        (AB, "Final answer: B. Edit: A."),
        (AB, "\\boxed{B}\n\nThat was rash. I go for A now."),
        (AB, "A, no B"),
        (AB, "<answer>B</answer> I should have said a"),
        (AB, '{"winner": "B"} Change that to A.'),
        (CORRECTNESS, "correct. Sorry, I mean incorrect."),
        (CORRECTNESS, "<answer>correct</answer> Sorry: incorrect."),
        (CORRECTNESS, "Verdict: correct. Make that incorrect."),
        (CORRECTNESS, "<answer>correct</answer> I was wrong."),
        (CORRECTNESS, "The calculation is correct. The operand is incorrect."),
        (CORRECTNESS, "Correct... looking at it once more, the step is not right."),
        (CORRECTNESS, "\\boxed{incorrect} My bad: correct"),
        (CORRECTNESS, "<verdict>correct</verdict> Not correct."),
        (SCORE, "<score>9</score> Sorry, 3."),
        (SCORE, "8/10. Hmm, 7/10."),
        (SCORE, "<score>9</score> make it three."),
        (SCORE, "Score: 9\n\n3"),
        (SCORE, "Score: 9. Lowered to 3."),
        (SCORE, "Score: 7 -> 8"),
        (VOTE, "I vote for player 2, no, for player 4."),
        (VOTE, "Vote: 2. Strike that, 4."),
        (VOTE, "<vote>player 1</vote> ... nobody, actually."),
        (VOTE, "Vote: player 3\n\nPlayer 1 is the better guess."),
        (END, "win. Rather: draw"),
        (CORRECTNESS, '{"is_correct": false}\n<answer>correct</answer>'),
        (CORRECTNESS, "Verdict: incorrect\nVerdict: 13"),
        (AB, "1. B because it is right\n2. A because it is short"),
        (AB, "Answer: A\nAnswer: B"),
    ],
)
def test_a_second_value_refuses_the_answer_whatever_words_announce_it(kind, text):
    assert read(text, kind).value is None


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (AB, "<answer>A</answer> Sorry, <answer>B</answer>", "B"),
        (AB, "Answer: A\nSorry, I misread it.\nAnswer: B", "B"),
        (AB, "B (not A)", "B"),
        (AB, "B. I do not choose A.", "B"),
        (AB, "B\n\nA is wrong because of the sign.", "B"),
        (AB, "B. B!", "B"),
        (CORRECTNESS, "Incorrect. The correct result is 13.", "incorrect"),
        (CORRECTNESS, "Incorrect. It is not correct.", "incorrect"),
        (VOTE, "**Player 3**\n\nPlayer 1's clue was good.", "3"),
        (VOTE, "Player 2\n\nNobody else was vague.", "2"),
        (VOTE, "Player 2.\n\nPlayer 3 said little.", "2"),
        (AB, "B\n\na step of A is wrong", "B"),
        (CORRECTNESS, "Verdict: incorrect\nAnswer: 13", "incorrect"),
        (SCORE, "Score: 8. It has 3 clear steps.", "8"),
        (SCORE, "Score: 8/10\n\n7 * 8 - 5 = 51, as given.", "8"),
        (SCORE, '{"score": 8, "max": 10}', "8"),
    ],
)
def test_what_is_no_second_value(kind, text, value):
    assert read(text, kind).value == value


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (CORRECTNESS, "The step is completely correct!", "correct"),
        (CORRECTNESS, "It is not correct", "incorrect"),
        (CORRECTNESS, '{"is_correct": false}', "incorrect"),
        (CORRECTNESS, "{'is_correct': True}", "correct"),
        (CORRECTNESS, '{"is_wrong": true, "why": "8 + 5 = 13"}', "incorrect"),
        (CORRECTNESS, "Urteil: correct", "correct"),
        (CORRECTNESS, "That's not right.", "incorrect"),
        (CORRECTNESS, "It is partially correct.", None),
        (CORRECTNESS, "The step is not incorrect.", None),
        (AB, '{"winner": "B"}', "B"),
        (AB, "The winner is B.", "B"),
        (CORRECTNESS, "The step is correct.\n\nWould you like me to explain?", "correct"),
        (VOTE, "I abstain", "nobody"),
        (VOTE, "I abstain from voting.", "nobody"),
        (VOTE, "**Player 2**\n\nTheir clue was vague.", "2"),
        (VOTE, "**Player 2.** The clue was far too general.", "2"),
        (VOTE, "I think it's Player 2.", "2"),
    ],
)
def test_ordinary_wordings_are_read(kind, text, value):
    assert read(text, kind).value == value


@pytest.mark.parametrize("text", golden.rows(__file__, "evidence_ordinary_wordings_of_a_step_are_read"))
def test_ordinary_wordings_of_a_step_are_read(text):
    assert step_of(text) == "8 * 5 = 45"
    assert recomputed(step_of(text), 40) == "wrong"


@pytest.mark.parametrize("form", ["<step>8 * 5 = 45</step>\n8 * 6 = 48", "Answer: 8 * 5 = 45\n8 * 6 = 48"])
def test_a_marked_step_is_stronger_than_the_last_line(form):
    assert equation(form).value == "8 * 5 = 45"


@pytest.mark.parametrize("text", ["8 * 5 = 44 or 8 * 5 = 45", "45 = 8 * 5", "8 * 5", "It is wrong.", "x = 45", ""])
def test_what_is_no_step_stays_unread(text):
    assert recomputed(step_of(text), 40) == "invalid"


def test_a_number_in_a_check_is_no_final_answer_of_a_solution():
    assert _final("There are 512 apples.\nCheck: 512 / 32 = 16") is None
    assert _final("Answer: 512\nCheck: 512 / 32 = 16") == 512


def test_endless_statements_are_not_each_read_with_their_line(monkeypatch):
    """16,000 characters of "the answer is" took 8 s in the event loop of all matches."""
    lines = list[str]()
    monkeypatch.setattr(finals, "foreign", lambda text, mark: lines.append(text))
    assert finals.final.__wrapped__("The answer is 5. " * 1000 + "No, the answer is 7.").value == "7"
    assert len(lines) < 100


DISOWNED = golden.rows(__file__, "evidence_a_second_answer_that_is_disowned_is_no_answer")
MARKS = ("\\boxed{%s}", "<answer>%s</answer>", '{"answer": "%s"}', "**%s**", "%s")


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("text", DISOWNED)
def test_a_second_answer_that_is_disowned_is_no_answer(text, mark):
    def message(first, second):
        return text.replace("{A}", mark % first).replace("{B}", mark % second)

    assert final(message("6", "5")).value != "5"
    assert read(message("C", "D"), letters("ABCD")).value != "D"
    assert read(message("incorrect", "correct"), CORRECTNESS).value != "correct"
    assert read(message("correct", "incorrect"), CORRECTNESS).value != "incorrect"
    assert choose(message("Nf3", "e4"), legal_actions(("Nf3", "e4", "d4"))).value != "e4"


@pytest.mark.parametrize(
    "text",
    [
        *("So \\boxed{6}. Wait, I misread it: the sum is \\boxed{5}.", "\\boxed{6}\n\nSorry, it should be \\boxed{5}."),
        *("\\boxed{6}. No, I made a slip, so we get \\boxed{5}.", "\\boxed{6}? No. The correct answer is \\boxed{5}"),
        *(
            "First pass: \\boxed{6}\nSecond pass: \\boxed{5}",
            "\\boxed{6} was my first guess, but actually it is \\boxed{5}",
        ),
    ],
)
def test_a_correction_replaces_an_answer(text):
    assert final(text).value == "5"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "$-\\boxed{6}$",
            "x \\neq \\boxed{6}",
            "$2\\boxed{6}$",
            "$1/\\boxed{6}$",
            "$\\sqrt{\\boxed{6}}$",
            "$\\boxed{6}^2$",
        ),
        *(
            "\\frac{\\boxed{2}}{\\boxed{3}}",
            "\\boxed{2}^{\\boxed{3}}",
            "\\pm\\boxed{6}",
            "$= -\\boxed{6}$",
            "\\boxed{6}\\cdot 10^3",
        ),
    ],
)
def test_a_box_that_is_a_part_of_a_formula_is_no_answer(text):
    assert final(text).value is None


@pytest.mark.parametrize(
    "text",
    ["- \\boxed{6}", "**\\boxed{6}**", "-> \\boxed{6}", "x = \\boxed{6}", "Answer - \\boxed{6}", "\\boxed{6}^\\circ"],
)
def test_a_mark_beside_a_box_is_no_operator(text):
    assert final(text).value == "6"


@pytest.mark.parametrize("text", ["Answer: A or Answer: B", "Answer: A / Answer: B", "Answer: A Answer: B"])
def test_two_labels_in_a_line_are_two_answers(text):
    assert read(text, letters("ABCD")).value is None
