"""Parsing of actions: a table of answers, one rule per block."""

import pytest

from roles import ParseError, Role
from roles.parsing.actions import parse

KUHN = ("Pass", "Bet")
TTT = ("x(0,0)", "x(1,1)", "x(2,2)")
DIGITS = ("0", "3", "4", "8", "10")

READ = [
    # one per form
    (r"\boxed{Bet}", KUHN, "Bet"),
    ('{"action": "Bet"}', KUHN, "Bet"),
    ("I hold the king.\nAction: Bet", KUHN, "Bet"),
    ("Bet", KUHN, "Bet"),
    ("I hold the king.\nBet", KUHN, "Bet"),
    # of equally strong answers the last one counts, and the strongest form before others
    (r"\boxed{Pass} no, wait: \boxed{Bet}", KUHN, "Bet"),
    (r'First \boxed{Pass}, then {"action": "Bet"}', KUHN, "Bet"),
    ('{"action": "Pass"}\n{"action": "Bet"}', KUHN, "Bet"),
    ("Answer: Pass\nHm, no.\nAnswer: Bet", KUHN, "Bet"),
    ("I considered [0] and [8] but I choose\n[4]", DIGITS, "4"),
    ("<answer>Bet</answer>\n\nCheck: 1 + 1 = 2", KUHN, "Bet"),
    ("\\boxed{Bet}\nAnswer: I bet because I hold the king", KUHN, "Bet"),
    (r"Final answer: Bet, not \boxed{Pass} as I said", KUHN, "Bet"),
    # remarks after an answer that state no other action
    ("Action: Bet because I hold the king", KUHN, "Bet"),
    ("Final Answer: Bet\n\nGood luck, this should be fun.", KUHN, "Bet"),
    ("\\boxed{Bet}\n\nPass is worse with a king.", KUHN, "Bet"),
    ("\\boxed{4}\n\nCheck: 1 + 2 = 3", DIGITS, "4"),
    ("**Bet**\n\nThe king is the best card.", KUHN, "Bet"),
    # sentences that say nothing but the action
    ("The best action is Bet", KUHN, "Bet"),
    ("I hold the king. So I play x(1,1).", TTT, "x(1,1)"),
    # nested forms: what is inside is unwrapped
    (r'{"action": "\\boxed{Bet}"}', KUHN, "Bet"),
    (r'\boxed{{"action": "Bet"}}', KUHN, "Bet"),
    (r"\boxed{\boxed{Bet}}", KUHN, "Bet"),
    (r"Action: \boxed{Bet}.", KUHN, "Bet"),
    (r'{"thought": "\\boxed{Pass} is bad", "action": "Bet"}', KUHN, "Bet"),
    (r'{"action": "Bet", "thought": "\\boxed{Pass} is bad"}', KUHN, "Bet"),
    ('{"action": "Bet", "rejected": {"action": "Pass"}}', KUHN, "Bet"),
    # braces
    (r"\boxed{\frac{1}{2}}", (r"\frac{1}{2}", "1"), r"\frac{1}{2}"),
    (r"The set {Pass, Bet} has \boxed{Bet}", KUHN, "Bet"),
    (r"a stray } and { then \boxed{Bet} }", KUHN, "Bet"),
    (r"\boxed {Bet}", KUHN, "Bet"),
    (r"\\boxed{Bet}", KUHN, "Bet"),
    ("\\boxed{\n  Bet\n}", KUHN, "Bet"),
    (r"\boxed{Pass and \boxed{Bet}", KUHN, "Bet"),
    # JSON as models write it
    ('{"thought": "a {brace} and a \\"quote\\"", "action": "Bet"}', KUHN, "Bet"),
    ('{"thought": "two\nlines", "action": "Bet"}', KUHN, "Bet"),
    ('{"action": 3}', DIGITS, "3"),
    ('{"action": ["Bet"]}', KUHN, "Bet"),
    ('{"move": "Bet", "why": "I hold the king and so on"}', KUHN, "Bet"),
    ('{"action": 1e400}', ("1e400", "1"), "1e400"),
    ("ｘ（１，１）", TTT, "x(1,1)"),
    ('I think {"card": "K"} so {"action": "Bet"}', KUHN, "Bet"),
    ('{"foo} then {"action": "Bet"}', KUHN, "Bet"),
    ('{"action": "\\u0042et"}', KUHN, "Bet"),
    # labels
    ("Final Answer: Bet", KUHN, "Bet"),
    ("**Action:** Bet", KUHN, "Bet"),
    ("**Final answer: Bet**", KUHN, "Bet"),
    ("### Answer: `Bet`", KUHN, "Bet"),
    ("- Move: x(1,1)", TTT, "x(1,1)"),
    ("ACTION： Bet", KUHN, "Bet"),
    ("Action:\n```\nBet\n```\n", KUHN, "Bet"),
    (r"\boxed{Action: Bet}", KUHN, "Bet"),
    # text around an answer
    ("Bet.", KUHN, "Bet"),
    ("3.", DIGITS, "3"),
    ("[4]", DIGITS, "4"),
    ("(10)", DIGITS, "10"),
    ("`x(1,1)`", TTT, "x(1,1)"),
    ("“Bet”", KUHN, "Bet"),
    ("**Bet**", KUHN, "Bet"),
    ("$\\boxed{\\text{Bet}}$.", KUHN, "Bet"),
    (r"\boxed{\textbf{\text{Bet}}}", KUHN, "Bet"),
    (r"\boxed{\mathrm{bet}}", KUHN, "Bet"),
    (r"\boxed{\( 3 \)}", DIGITS, "3"),
    (r"\boxed{all\_in}", ("all_in", "fold"), "all_in"),
    (r"\boxed{wren\ 3}", ("wren 3", "fold"), "wren 3"),
    (r"\boxed{\text{wren~3}}", ("wren 3", "fold"), "wren 3"),
    (r"\boxed{1\,000}", ("1000", "1"), "1000"),
    (r"\boxed{'Bet'}", KUHN, "Bet"),
    # letters and spaces
    ("BET", KUHN, "Bet"),
    ("offer   5\tbooks", ("offer 5 books", "accept"), "offer 5 books"),
    ("STRASSE", ("straße", "weg"), "straße"),
    ("a", ("a", "A"), "a"),
    ("`A`", ("a", "A"), "A"),
    # compatibility forms, only without a closer match
    ("Ｂｅｔ", KUHN, "Bet"),
    ("Ａ", ("a", "A"), "A"),
    ("４", DIGITS, "4"),
    ("−3", ("3", "-3"), "-3"),
    ("e2–e4", ("e2-e4", "d2-d4"), "e2-e4"),
    # an exact action is never unwrapped
    ('"Bet"', ('"Bet"', "Bet"), '"Bet"'),
    ("[4]", ("[4]", "4"), "[4]"),
    ("3.", ("3.", "3"), "3."),
    (r"\boxed{[4]}", ("[4]", "4"), "[4]"),
    # private reasoning is not the answer
    (r"<think>\boxed{Pass}</think>\boxed{Bet}", KUHN, "Bet"),
    (r"<think>\boxed{Pass}</think>Bet", KUHN, "Bet"),
    (r"\boxed{Bet}<think>or \boxed{Pass}?</think>", KUHN, "Bet"),
    (r"\boxed{Bet} <think>or \boxed{Pass}?", KUHN, "Bet"),
    ("so \\boxed{Pass}?</think>\n\nBet", KUHN, "Bet"),
    ("<THINKING>Pass</THINKING><think>Pass</think> Bet", KUHN, "Bet"),
    ("<think>I could write <think> Pass</think>Bet", KUHN, "Bet"),
    ("[THINK]\\boxed{Pass}[/THINK]\\boxed{Bet}", KUHN, "Bet"),
    ("◁think▷Pass◁/think▷Bet", KUHN, "Bet"),
    ("<|channel|>analysis<|message|>\\boxed{Pass}<|end|><|start|>assistant<|channel|>final<|message|>Bet", KUHN, "Bet"),
    ("analysisI should \\boxed{Pass}.assistantfinal\\boxed{Bet}", KUHN, "Bet"),
    ("<|channel>thought\n\\boxed{Pass}<channel|>Bet", KUHN, "Bet"),
    # only the model's own turn
    ("\\boxed{Bet}<|im_end|>\n<|im_start|>user\nPlay \\boxed{Pass}", KUHN, "Bet"),
    ("Bet</s>Pass", KUHN, "Bet"),
    ("<|im_end|>Bet<|eot_id|>", KUHN, "Bet"),
]


@pytest.mark.parametrize(("text", "legal", "action"), READ, ids=range(len(READ)))
def test_answers_that_are_read(text, legal, action):
    assert parse(text, legal) == action
    assert Role("first").parse(text, legal) == action


REFUSED = [
    ("", KUHN, "empty"),
    (" \n\t ", KUHN, "empty"),
    ("<think>Bet</think>", KUHN, "empty"),
    ("<think>Bet</think>\n\n", KUHN, "empty"),
    ("<|im_end|>", KUHN, "empty"),
    ("<think>I will Bet", KUHN, "truncated"),
    ("<think>a</think> <think>\\boxed{Bet}", KUHN, "truncated"),
    ("<think>a</analysis> Bet", KUHN, "truncated"),
    ("<|channel|>analysis<|message|>Bet", KUHN, "truncated"),
    ("analysisWe should Bet", KUHN, "truncated"),
    (r"\boxed{Bet", KUHN, "truncated"),
    (r"\boxed{Pass} wait \boxed{Be", KUHN, "truncated"),
    ('{"action": "Be', KUHN, "truncated"),
    ('{"action": "Bet"', KUHN, "truncated"),
    (r'{"thought": "not \\boxed{Pass} because', KUHN, "truncated"),
    ('{"action": "Pass", "instead of": [{"action": "Bet"}', KUHN, "truncated"),
    # the last answer counts even if an earlier one is legal
    (r"\boxed{Bet} or rather \boxed{Raise}", KUHN, "illegal"),
    (r"\boxed{Raise}", KUHN, "illegal"),
    ("Raise", KUHN, "illegal"),
    ('{"action": {"move": "Bet"}}', KUHN, "illegal"),
    ("②", DIGITS, "illegal"),
    ("²", DIGITS, "illegal"),
    ("𝟐", DIGITS, "illegal"),
    ("𝐁𝐞𝐭", KUHN, "illegal"),
    ("Ⓑⓔⓣ", KUHN, "illegal"),
    ("Bеt", KUHN, "illegal"),  # a Cyrillic letter
    (r"\boxed{Bet, Pass}", KUHN, "unparsable"),
    (r"\boxed{abc}", KUHN, "illegal"),
    ("x3", TTT, "illegal"),
    ("Bet", (), "illegal"),
    # another action after the answer that is not marked as strongly
    (r'First {"action": "Pass"}, then \boxed{Bet}', KUHN, "unparsable"),
    ("I considered \\boxed{Pass}.\nFinal answer: Bet", KUHN, "unparsable"),
    ("\\boxed{Bet}\n\nI could also Pass.", KUHN, "unparsable"),
    ("\\boxed{Bet}\nPass", KUHN, "unparsable"),
    ("<answer>Bet</answer> Scratch that, pass.", KUHN, "unparsable"),
    ("Action: x(1,1)\n\nRather (2,2).", TTT, "unparsable"),
    ("\\boxed{4}\n\nMake that 8.", DIGITS, "unparsable"),
    ("Action: Bet\n\nNot Bet.", KUHN, "unparsable"),
    ('{"action": "Pass", "action": "Bet"}', KUHN, "unparsable"),
    ("- Pass\n- Bet", KUHN, "illegal"),
    ("My options:\nPass\nBet", KUHN, "illegal"),
    # ambiguous answers
    ("bet", ("Bet", "BET"), "illegal"),
    ("ａ b", ("A B", "a B"), "illegal"),
    ("Bxc3", ("bxc3", "Nf3"), "illegal"),
    # no guess from prose
    ("I think I will Bet because I hold the king.", KUHN, "unparsable"),
    ("Should I Bet or should I Pass here?", KUHN, "unparsable"),
    (r"\boxed{}", KUHN, "unparsable"),
    ('{"action": null}', KUHN, "illegal"),
    ("Action:", KUHN, "unparsable"),
    ("```", KUHN, "unparsable"),
]


@pytest.mark.parametrize(("text", "legal", "category"), REFUSED, ids=range(len(REFUSED)))
def test_answers_that_are_refused(text, legal, category):
    with pytest.raises(ParseError) as error:
        parse(text, legal)
    assert error.value.category == category
    assert "\n" not in str(error.value)


def test_the_reason_tells_what_was_seen_and_a_few_legal_actions():
    with pytest.raises(ParseError, match=r"^'Raise' is not a legal action; legal now: Pass, Bet$"):
        parse(r"\boxed{Raise}", KUHN)
    with pytest.raises(ParseError, match=r"legal now: 0, 1, 2, 3, 4, 5, 6, 7 and 1,192 more$"):
        parse("x" * 5000, tuple(map(str, range(1200))))
    with pytest.raises(ParseError, match="'bet' could mean 'Bet' or 'BET'; write one of them exactly"):
        parse("bet", ("Bet", "BET"))


FREE = [
    (r"\boxed{I offer $5.}", "I offer $5."),
    ('{"action": "[offer 5]\\nTake it."}', "[offer 5]\nTake it."),
    ("Let me think.\nAction: I offer 5 (five).", "I offer 5 (five)."),
    ("Let me think.\nI offer 5", "I offer 5"),
    (r"\boxed{\text{I offer 5}}", "I offer 5"),
    (r"\boxed{\text{a} and \text{b}}", r"\text{a} and \text{b}"),
    ("`offer 5`", "offer 5"),
    ("`a` and `b`", "`a` and `b`"),
    ('"I offer 5"', '"I offer 5"'),
    ("<think>my limit is 7</think>I offer 5<|im_end|>", "I offer 5"),
    (r'{"action": "<think>my limit is 7</think>I offer 5"}', "I offer 5"),
    (r'{"action": "\u003cthink\u003emy limit is 7\u003c/think\u003eI offer 5\ud800"}', "I offer 5"),
    (r"\boxed{ok<|tool|><<SYS>>x<y</s >}", "ok‹|tool|›‹‹SYS››x<y</s >"),
]


@pytest.mark.parametrize(("text", "action"), FREE, ids=range(len(FREE)))
def test_free_text_is_the_cleaned_answer(text, action):
    assert parse(text, None) == action


def test_a_bare_free_answer_may_have_several_lines():
    assert parse("I offer 5.\nTake it.", None, answer="bare") == "I offer 5.\nTake it."
    assert parse("I offer 5.\nTake it.", None) == "Take it."
    assert parse("Well.\n\\boxed{5}", None, answer="bare") == "5"


@pytest.mark.parametrize("text", ["\\boxed{}", '{"action": "  "}', '{"action": "<think>limit 7</think>"}'])
def test_free_text_of_nothing_is_refused(text):
    with pytest.raises(ParseError):
        parse(text, None)


def _outcome(text, legal):
    try:
        return parse(text, legal)
    except ParseError as error:
        return error.category


HUGE = ["{", '{"a":', "\\boxed{", "<think>", "</think>", '{"action":', "\\", "`", "<|channel|>", "[INST]", "<|im_end|>"]


@pytest.mark.parametrize("piece", [*HUGE, "a\u200b", "Action: ", '{"a":1}', "\\text{", "*", "< ", "\n", "(", "\u3002"])
@pytest.mark.timeout(30)
def test_a_long_hostile_text_is_answered(piece):
    """A quadratic scan of any of these texts would exceed the timeout of this test."""
    text = piece * (250_000 // len(piece))
    for legal in (KUHN, None):
        assert _outcome(text, legal)
