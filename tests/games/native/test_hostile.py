"""Hostile texts against every regular expression, in a separate process: a slow one blocks all threads of its own."""

import subprocess
import sys

READS = r"""
from games.native.bargain.messages import formed
from games.native.code_io import programs
from games.native.common import tags
from games.verifiers import arithmetic
from games.native.critic import game as critic
from games.native.debate import game as debate
from games.native.forum import game as forum
from games.native.redteam import referee
from games.native.spy import game as spy

readers = (
    arithmetic.value, arithmetic.number, arithmetic.literal, lambda text: critic.recomputed(text, 1), critic.judged,
    forum.mark, forum._final, debate._STANCE.match, debate._VERDICT.fullmatch, spy._VOTE.fullmatch, formed,
    tags.boxed, tags.score,
    lambda text: programs.blocks(text, "python"), lambda text: referee.tells(text[:600], "velmor"),
)
heads = ("", "what is", "1", "$1", "correct", "<score>1", "answer", "walk", "```a\n", r"\boxed{")
fills = (" ", "\n", "1,", ",111", "-", "{", "a-", r"\boxed{", "1=")
for head in heads:
    for fill in fills:
        text = (head + fill * 20_000)[:19_990] + "x"
        for read in readers:
            read(text)
"""


def test_no_text_takes_more_than_its_length_to_read():
    subprocess.run([sys.executable, "-c", READS], check=True, timeout=60)
