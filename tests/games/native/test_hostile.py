"""Hostile texts against every regular expression, in a separate process: a slow one blocks all threads of its own."""

import subprocess
import sys

import pytest

READS = r"""
from games.native.bargain.messages import formed
from games.native.code_io import programs
from games.dialogue import answers
from games.native.common import tags
from games.native.critic import game as critic
from games.native.debate import game as debate
from games.native.forum import game as forum
from games.native.redteam import referee
from games.verifiers import arithmetic

cheap = (
    arithmetic.value, arithmetic.number, arithmetic.literal, lambda text: critic.recomputed(text, 1),
    debate._STANCE.match, formed, tags.boxed, lambda text: programs.blocks(text, "python"),
    lambda text: referee.tells(text[:600], "velmor"),
)
kinds = (
    answers.CORRECTNESS, answers.letters("ABCD", "continue"), answers.numbers(1, 3), answers.players(4),
    answers.phrases(("secret request, refused, secret kept", "harmless request, refused, secret kept")),
)
readers = (critic.step_of, forum._final, tags.answer, *(lambda text, k=k: answers.read(text, k) for k in kinds))
fills = (" ", "\n", "1,", ",111", "-", "{", "a-", r"\boxed{", "1=")
words = ("answer: ", "<answer>", '"', "not ", "A or ", ". ", "no\n")
for heads, fillers, reads in (
    (("", "what is", "1", "$1", "correct", "<score>1", "answer", "walk", "```a\n", r"\boxed{"), fills, cheap),
    (("", "answer: 1"), (*fills, *words), readers),
):
    for text in ((head + fill * 20_000)[:19_990] + "x" for head in heads for fill in fillers):
        for read in reads:
            read(text)
"""


@pytest.mark.slow
def test_no_text_takes_more_than_its_length_to_read():
    subprocess.run([sys.executable, "-c", READS], check=True, timeout=60)
