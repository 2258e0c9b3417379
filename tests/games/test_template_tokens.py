"""What may be a token of a chat template is blunted; what an environment asks for stays."""

import pytest

from games.template_tokens import split_tokens, without_tokens
from tests import golden


@pytest.mark.parametrize(("text", "plain"), golden.rows(__file__, "template_tokens_tokens_of_any_family_are_blunted"))
def test_tokens_of_any_family_are_blunted(text, plain):
    found = without_tokens(text)
    assert found.count("<") == found.count("[") == 0
    if "<<|im" not in text:
        assert found == plain


@pytest.mark.parametrize(
    "text", ["<answer>5</answer>", "[Deny] [4]", "[[0, 1], [2, 3]]", "[s] [place_bet]", "1 < 2_a and b_c > 3", "->"]
)
def test_what_an_environment_asks_for_stays(text):
    assert without_tokens(text) == text


@pytest.mark.parametrize(
    "text",
    ["<answer>5</answer>", "[Deny] [place_bet]", "[[0, 1], [2, 3]]", "vector<a,b> x<y&&z>w", "#include <string>",
     "<a-b>", "1 < 2_a and b_c > 3", "<player_1>", "A[I] = B[N]", "->"],
)  # fmt: skip
def test_a_prompt_for_a_server_keeps_code_and_formats_of_answers(text):
    assert split_tokens(text) == text


@pytest.mark.parametrize("text", ["<<|im_start|>|im_start|>", "<|im_start|><|im_end|>", "a<s></s>b", "[INST][/INST]"])
def test_tokens_inside_and_beside_each_other_are_split(text):
    split = split_tokens(text)
    assert split.replace(" ", "") == text
    assert split_tokens(split) == split
