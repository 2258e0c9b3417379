"""Answers in the styles of Qwen3, Llama, Gemma, DeepSeek and of plain chat models, labelled as a person reads them.

Every template was written by hand after answers of these families. A template has {v}, the value as it is written, and
{reason}, a reasoning that also names other values. `answers` combines them with thinking and remarks, by a seed.
"""

from games.randomness import RandomStream
from tests import golden

# The styles that a person reads without any doubt. {reason} comes before the answer.
QWEN3 = (
    "{reason}\n\n**Final Answer:** \\boxed{{{v}}}",
    "{reason}\n\n### Final Answer\n\n$$\n\\boxed{{\\text{{{v}}}}}\n$$",
    "{reason}\n\n---\n\n### ✅ Final Answer:\n\n**{v}**",
    "{reason}\n\nThus, the answer is:\n\n\\boxed{{{v}}}",
    "{reason}\n\n**Answer:** {v}",
    "{reason}\n\n<answer>{v}</answer>",
    "{reason}\n\n<answer>\n{v}\n</answer>",
    "\\boxed{{{v}}}",
)
LLAMA = (
    "## Step 1: Read\n{reason}\n\n## Step 2: Decide\nI can decide.\n\nThe final answer is: $\\boxed{{{v}}}$",
    "{reason}\n\nThe final answer is: $\\boxed{{\\text{{{v}}}}}$",
    "{reason}\n\nTherefore, my answer is \\(\\boxed{{{v}}}\\).",
    "{reason}\n\nFinal answer: {v}",
    "{reason}\n\nAnswer: {v}.",
    "{reason}\n\n{v}",
    "Let me work through this.\n\n1. First I read the task.\n2. {reason}\n\nFinal Answer: {v}",
    "{reason} I hope this is right.\n\n**Final Answer**\n\n{v}",
)
GEMMA = (
    "Okay, let's look at this carefully.\n\n*   **Check:** {reason}\n*   **Answer:** {v}",
    "Here's a breakdown:\n\n* {reason}\n\n**Final Answer:** **{v}**",
    "{reason}\n\n**{v}**",
    "{reason}\n\n**Final Answer: {v}**",
    "**{v}**\n\n**Explanation:** I went through it twice.",
    "```\n{v}\n```",
    "{reason}\n\nFinal Answer: The final answer is $\\boxed{{{v}}}$",
    "{reason}\n\n**My final answer:** {v}",
)
DEEPSEEK = (
    "**Analysis**\n\n{reason}\n\n---\n\n**Final Answer: {v}**",
    "{reason}\n\n**Conclusion:** {v}",
    "### Analysis\n\n{reason}\n\n### Conclusion\n\n**{v}**",
    "{reason}\n\n**Final answer:**\n$\\boxed{{\\mathbf{{{v}}}}}$",
    "{reason}\n\n**Decision:** **{v}**\n\n*I checked it twice.*",
    "{reason}\n\n**Answer:** \\boxed{{{v}}}\n\nThis follows from the check above.",
    "{reason}\n\n- **Final answer:** {v}",
)
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
REMARKS = (
    "",
    "",
    "",
    "\n\nLet me know if you need anything else.",
    "\n\n*(Checked twice.)*",
    "\n\n---",
    "\n\nI am confident.",
)

KINDS = golden.table(__file__, "answer_corpus_kinds")
_PLAIN = ("step", "offer", "formula")
"""kinds for which quotation marks, tables and sentences around the whole message are not usual"""
# A number or an expression alone is an answer only if it is marked.
_UNMARKED = (
    "{reason}\n\n{v}",
    "{v}",
    "**{v}**\n\n**Explanation",
    "```\n{v}",
    "'{v}'",
    '"{v}"',
    "`{v}`",
    "*{v}*",
    "“{v}”",
)


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
