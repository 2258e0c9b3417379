"""Answers in the styles of Qwen3, Llama, Gemma, DeepSeek and of plain chat models, labelled as a person reads them.

Every template was written by hand after answers of these families. A template has {v}, the value as it is written, and
{reason}, a reasoning that also names other values. `answers` combines them with thinking and remarks, by a seed.
"""

from games.randomness import RandomStream
from tests import golden

# The styles that a person reads without any doubt. {reason} comes before the answer.
QWEN3 = golden.rows(__file__, "answer_corpus_qwen3")
LLAMA = golden.rows(__file__, "answer_corpus_llama")
GEMMA = golden.rows(__file__, "answer_corpus_gemma")
DEEPSEEK = golden.rows(__file__, "answer_corpus_deepseek")
PLAIN = golden.rows(__file__, "answer_corpus_plain")
FAMILIES = {"qwen3": QWEN3, "llama": LLAMA, "gemma": GEMMA, "deepseek": DEEPSEEK, "plain": PLAIN}
THINKING = (
    "",
    "",
    "<think>\n{reason} Maybe {other}?\n</think>\n\n",
    "<think>\n\n</think>\n\n",
    "{reason} Final answer: {other}\n</think>\n\n",
    "<think>\\boxed{{{other}}}. Wait, that is wrong.</think>",
)
REMARKS = golden.rows(__file__, "answer_corpus_remarks")

KINDS = golden.table(__file__, "answer_corpus_kinds")
_PLAIN = ("step", "offer", "formula")
"""kinds for which quotation marks, tables and sentences around the whole message are not usual"""
# A number or an expression alone is an answer only if it is marked.
_UNMARKED = golden.rows(__file__, "answer_corpus_unmarked")


def answers(kind, count, seed=0):
    """`count` different answers: (family, text, value)."""
    stream = RandomStream(seed)
    about = KINDS[kind]
    found = {}
    while len(found) < count:
        family = stream.choice((*FAMILIES, "own"))
        style = stream.choice(about["own"] if family == "own" else FAMILIES[family])
        if kind == "final" and (style.startswith(_UNMARKED) or ("{v}" in style and "\n{v}" in style + " ")):
            continue
        value = stream.choice(tuple(about["values"]))
        other = stream.choice([v for v in about["values"] if v != value])
        written = stream.choice(about["values"][value])
        if kind in _PLAIN and ((family == "plain" and style not in PLAIN[:3]) or "|" in style or "JSON" in style):
            continue
        if "\\" in written and ("`" in style or "json" in style or '"' in style or "text{" in style):
            continue
        if kind == "vote" and other.isdecimal():
            other = f"player {other}"
        reason = stream.choice(about["reasons"]).format(other=other)
        remark = (
            stream.choice(REMARKS) if not style.startswith(("{v}", " {v}", "`", "'", '"', "“", "*{v}", "{{")) else ""
        )
        think = stream.choice(THINKING).format(other=other, reason=reason)
        text = think + style.format(v=written, reason=reason) + remark
        found[text] = (family, text, value)
    return list(found.values())
