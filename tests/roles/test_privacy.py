"""Private reasoning stays with its seat: all formats of reasoning, and forged marks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.quoting import quote
from games.reasoning import spoken
from roles import ParseError, Role
from roles.privacy import own_words, visible
from tests import golden

SECRET = "LIMIT7"
BLOCKS = golden.rows(__file__, "privacy_blocks")
# Either everything before the words is hidden, or only the words are final.
BEFORE = [
    "{}</think>",
    "{}[/THINK]",
    "a<think>b</think>{}</think>",
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
    "{}<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>",
    "<|channel|>commentary to=functions.x<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>",
    "analysis{}.assistantfinal",
    "analysisSo {}.assistantcommentary{}assistantfinal",
]
NEVER_ENDED = ["<think>{}", "<think>a</reasoning>{}", "[THINK]{}", "◁think▷{}", "<|channel|>analysis<|message|>{}"]


@pytest.mark.parametrize("form", ["{}", r"\boxed{{{}}}", '{{"action": "{}"}}', "Action: {}"])
@pytest.mark.parametrize("block", [*BLOCKS, *BEFORE])
def test_hidden_reasoning_reaches_nobody(block, form):
    text = block.replace("{}", f"my {SECRET}") + form.format("I pay 5")
    assert Role("buyer").parse(text, None) == "I pay 5"
    assert SECRET not in visible(text)
    assert SECRET not in quote(text)


@pytest.mark.parametrize("block", BLOCKS[:-1])
def test_hidden_reasoning_inside_the_action_reaches_nobody(block):
    text = r"\boxed{I pay " + block.replace("{}", f"my {SECRET}") + "5}"
    assert Role("buyer").parse(text, None).split() == ["I", "pay", "5"]


@pytest.mark.parametrize("start", NEVER_ENDED)
def test_reasoning_that_never_ends_hides_the_rest(start):
    text = start.replace("{}", f"my {SECRET}")
    assert spoken(text).cut
    assert SECRET not in visible(text)
    with pytest.raises(ParseError) as error:
        Role("buyer").parse(text, None)
    assert error.value.category == "truncated"


def test_what_was_said_around_reasoning_stays():
    assert spoken("I pay 5 <think>7</think>at most") == ("I pay 5  at most", False)
    plain = "a <3 think> b (think) analysis of 4 < 5 > 3"
    assert spoken(plain) == (plain, False)
    assert spoken("analysis: I pay 5") == ("analysis: I pay 5", False)


@pytest.mark.parametrize(
    ("said", "seen"), golden.rows(__file__, "privacy_template_tokens_cannot_be_forged_and_other_text_survives")
)
def test_template_tokens_cannot_be_forged_and_other_text_survives(said, seen):
    assert visible(said) == seen


@settings(deadline=None)
@given(st.text(max_size=30), st.text(max_size=30))
def test_a_turn_ends_at_its_end_token(said, after):
    words = own_words(f"I said: {said}<|im_end|>{after}").text
    assert words == own_words(f"I said: {said}").text


@settings(deadline=None)
@given(st.lists(st.sampled_from([*BLOCKS, "hello", "<", "[", "</think>"]), max_size=8))
def test_no_order_of_blocks_shows_what_they_hide(blocks):
    text = "".join(block.replace("{}", SECRET) for block in blocks)
    assert SECRET not in spoken(text.replace("\u200b", "")).text
    assert SECRET not in visible(text)
    assert SECRET not in quote(text)


NAMES = [
    "antThinking", "thought_process", "thought process", "cot", "reason", "Reasoning", "inner-thoughts", "analysis",
    "internal_monologue", "chain-of-thought", "ChainOfThought", "scratch_pad", "deliberation", "contemplator",
    "reflections", "step_by_step_reasoning", "rationale", "hidden_reasoning", "planning", "thinking_process", "private",
    "reasoning steps", "brainstorming", "think_fast", "thought_1", "rethinking", "ultrathink", "思考", "Réflexion",
    "размышления",
]  # fmt: skip
STYLES = [
    "<{0}>{{}}</{0}>", "<{0} mode='x' n=3>{{}}</{0} >", "[{0}]{{}}[/{0}]", "<|{0}|>{{}}<|/{0}|>",
    "<|begin_of_{0}|>{{}}<|end_of_{0}|>", "<|{0}_start|>{{}}<|{0}_end|>", "<|START_{0}|>{{}}<|END_{0}|>",
    "＜{0}＞{{}}＜/{0}＞", "【{0}】{{}}【/{0}】", "《{0}》{{}}《/{0}》", "◁{0}▷{{}}◁/{0}▷",
    "<start_of_{0}>{{}}<end_of_{0}>", "<{0}_start>{{}}<{0}_end>", "<｜begin▁of▁{0}｜>{{}}<｜end▁of▁{0}｜>",
    "<{0}><{0}>{{}}</{0}>{{}}</{0}>", "<{0}>{{}}<{0}/>", "```{0}\n{{}}\n```",
]  # fmt: skip
SAID = golden.rows(__file__, "privacy_said")


@pytest.mark.parametrize("style", STYLES)
def test_marks_are_known_by_their_words(style):
    blocks = [style.format(name) for name in NAMES]
    for cased in (form for block in blocks for form in (block, block.upper(), block.title())):
        text = cased.replace("{}", f"my {SECRET} ") + "I pay 5"
        assert spoken(text).text.strip() == "I pay 5", text
        assert SECRET not in visible(text) + quote(text)


@pytest.mark.parametrize("style", STYLES)
def test_marks_that_never_end_hide_the_rest(style):
    for name in NAMES:
        text = f"I pay 5 {style.format(name).partition('{}')[0]} my {SECRET}"
        assert spoken(text).cut, text
        assert SECRET not in visible(text) + quote(text), text


@pytest.mark.parametrize("block", SAID)
def test_sentences_that_mark_reasoning(block):
    text = block.replace("{}", f"my {SECRET}") + "I pay 5"
    for ending in ("", "\n[END FINAL RESPONSE]\n my LIMIT7", "<|end_of_solution|>"):
        if ending and "begin" not in block.lower():
            continue
        assert spoken(text + ending).text.strip() == "I pay 5"
        assert SECRET not in visible(text + ending) + quote(text + ending)


@pytest.mark.parametrize("label", ["Thought:", "**Thinking:**", "My thoughts:", "### Inner monologue:"])
@pytest.mark.parametrize("answer", ["Final Answer: ", "**Message:** ", "Action: "])
def test_a_labelled_thought_is_hidden_where_a_labelled_answer_follows(label, answer):
    text = f"{label} my {SECRET}\nof all\n\n{answer}I pay 5"
    assert spoken(text) == (f"{answer}I pay 5", False)
    assert SECRET not in visible(text)
    if "Message" not in answer:
        assert Role("buyer").parse(text, ("I pay 5", "I pay 6")) == "I pay 5"


@pytest.mark.parametrize("start", ["Here is my thought process: {}", "Here are my reasoning steps:\n{}"])
def test_a_thought_process_without_a_response_says_nothing(start):
    assert spoken(start.replace("{}", SECRET)) == ("", True)


@pytest.mark.parametrize("said", golden.rows(__file__, "privacy_harmless_words_survive"))
def test_harmless_words_survive(said):
    assert spoken(said) == (said, False)


def test_the_scan_is_linear_in_hostile_text():
    import time

    def took(n):
        best = 9.9
        for _ in range(3):
            start = time.process_time()
            for piece in (
                "<think",
                "[ ",
                "here is my ",
                "<|begin_of_",
                "```",
                "<!--",
                "[begin final ",
                "my_my_my_",
                "<  ",
            ):
                spoken(piece * n)
            best = min(best, time.process_time() - start)
        return best

    took(10)
    assert took(8000) < 40 * took(1000) + 0.5
