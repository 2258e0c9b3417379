"""Texts made to freeze whoever reads them by patterns. In a process of its own: a pattern holds all threads of one."""

import subprocess
import sys

READS = r"""
from games.dialogue import code_text, critic, debate, forum, referees, spy, sums, tags
from games.dialogue.bargain_messages import formed
from games.dialogue.critic import recomputed

readers = (
    sums.value, sums.number, sums.literal, lambda text: recomputed(text, 1), critic.judged, forum.mark, forum._final,
    debate._STANCE.match, debate._VERDICT.fullmatch, spy._VOTE.fullmatch, formed, tags.boxed, tags.score,
    lambda text: code_text.blocks(text, "python"), lambda text: referees.tells(text[:600], "velmor"),
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
