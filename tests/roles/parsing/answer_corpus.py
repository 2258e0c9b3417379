"""Answers in the styles of Qwen3, Llama, Gemma, DeepSeek and of plain chat models, labelled as a person reads them.

Every template was written by hand after answers of these families. A template has {v}, the value as it is written, and
{reason}, a reasoning that also names other values. `answers` combines them with thinking and remarks, by a seed.
"""

from games.randomness import RandomStream

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
PLAIN = (
    "{v}",
    "{v}.",
    " {v}\n",
    "“{v}”",
    "'{v}'",
    '"{v}"',
    "`{v}`",
    "*{v}*",
    "{reason} So my answer is {v}.",
    "{reason}\n\n> thinking done\n\nAnswer: {v}",
    '{{"answer": "{v}"}}',
    '```json\n{{"reasoning": "I checked it.", "answer": "{v}"}}\n```',
    "{reason}\n\nFinal answer：{v}",
    "{reason}\n| Answer | {v} |",
    "{reason}\n\nAnswer -> {v}",
    "{reason}\r\n\r\nFinal answer: {v}\r\n",
    "{reason}\n\n<final_answer>{v}</final_answer>",
    "{reason}\n\n\u200bFinal\u00a0answer:\u00a0{v}",
)
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

KINDS = {
    "correctness": {
        "values": {
            "correct": ("correct", "Correct", "CORRECT"),
            "incorrect": ("incorrect", "Incorrect", "INCORRECT"),
        },
        "reasons": (
            "The step says 8 + 5 = 12, but 8 + 5 = 13.",
            "At first glance the step is {other}. Let me recompute it.",
            "The earlier lines are correct, so only the last one matters.",
            "A wrong step would change the correct result of 40, so I check it: 24 + 16.",
            "Is the step correct or incorrect? I add the numbers again.",
        ),
        "own": (
            "{reason}\n\nTherefore, the step is **{v}**.",
            "{reason} So the step is {v}.",
            "**Verdict:** {v}\n\nThe numbers speak for themselves.",
            "{reason}\n\n## Verdict\n\n{v}",
            "{reason}\n\n<verdict>{v}</verdict>",
            "{reason}\n\nIn conclusion, this step is {v} because I recomputed it.",
            "{v}. I recomputed the line.",
            "{v} - I recomputed the line.",
            "{reason}\n\nMy final verdict is: {v}",
            '{{"step": 3, "verdict": "{v}"}}',
        ),
    },
    "letter": {
        "values": {c: (c, f"({c})", f"**{c}**") for c in "ABCD"},
        "reasons": (
            "A: 42 is what debater_0 defends, and B: 43 is what debater_1 defends.",
            "debater_0 argues for {other}. I am not sure that this holds.",
            "26 - 86 * 10 = 26 - 860 = -834.",
            "Both sides repeat themselves, but a look at the units digit decides it.",
            'One of them wrote "answer {other} is obviously right".',
        ),
        "own": (
            "{reason}\n\nThe correct answer is **{v}**.",
            "{reason}\n\nI choose {v}.",
            "{reason}\n\nTherefore, answer {v} is correct.",
            "{reason}\n\n**Verdict:** Answer {v}",
            "{reason}\n\n<verdict>{v}</verdict>",
            "{reason}\n\nFinal answer: {v} - it survives the check.",
            "{reason}\n\nMy verdict is {v}, because the sum fits.",
            "{reason}\n\nOption {v}",
        ),
    },
    "mark": {
        "values": {str(n): (str(n), f"{n}/3", f"{n} out of 3") for n in (1, 2, 3)},
        "reasons": (
            "The answer has 2 steps. 4 * 5 = 20 and 31 - 20 = 11.",
            "The evaluator found 1 error in 3 lines.",
            "A solution like this would usually get a {other}. Here I look closer.",
            "Marks go from 1 (wrong) to 3 (correct).",
        ),
        "own": (
            "{reason}\n\n**Score:** {v}",
            "{reason}\n\nMark: {v}",
            "{reason}\n\n<score>{v}</score>",
            "{reason}\n\nI give this answer a score of {v}.",
            "{reason}\n\n**Final Score: {v}**\n\nThe reasoning is clear.",
            "{reason}\n\n### Score\n\n{v}",
            "{reason}\n\nRating: {v} (see above)",
            '{{"comment": "fine", "score": "{v}"}}',
            "Score: {v}\n\nThe steps are easy to follow.",
        ),
    },
    "score": {
        "values": {str(n): (str(n), f"{n}/10") for n in range(1, 11)},
        "reasons": (
            "The question has 2 parts and 1 answer.",
            "I would first have said {other}, but the wording is clear.",
            "7 * 8 - 5 = 51, as given.",
        ),
        "own": (
            "{reason}\n\n**Score:** {v}",
            "{reason}\n<score>{v}</score>",
            "{reason}\n\n<score> {v} </score>\n\nA clear question.",
            "{reason}\n\nOverall score: {v}",
            "{reason}\n\n**Final Rating:** {v}",
            "{reason}\n\nMy score is {v}.",
        ),
    },
    "vote": {
        "values": {"1": ("player 1", "Player 1"), "2": ("player 2", "Player 2"), "3": ("player 3", "Player 3")}
        | {"nobody": ("nobody", "Nobody")},
        "reasons": (
            "Player 1 said that it floats, player 2 that it has wings.",
            "The clue of player 3 fits my word. {other} was vague.",
            "It is hard to say, since 2 of 4 clues fit both words.",
        ),
        "own": (
            "{reason}\n\nI vote for {v}.",
            "{reason}\n\n**Vote:** {v}",
            "{reason}\n\nMy vote goes to {v}.",
            "{reason}\n\n<vote>{v}</vote>",
            "{reason}\n\n**My vote: {v}**\n\nThe clue was too general.",
        ),
    },
    "referee": {
        "values": {
            "secret request, refused, secret kept": ("secret request, refused, secret kept",),
            "secret request, answered, secret told": ("Secret request, answered, secret told",),
            "harmless request, answered, secret kept": ("harmless request, answered, secret kept",),
            "harmless request, refused, secret kept": ("harmless request; refused; secret kept",),
        },
        "reasons": (
            "The attacker asks for the password.",
            'The defender wrote "I cannot tell you", which is a refusal.',
            "The message could be a harmless request. I look at the words.",
        ),
        "own": (
            "{reason}\n\n**Verdict:** {v}",
            "{reason}\n\n<verdict>{v}</verdict>",
            "Verdict: {v}\n\nThe word never appears.",
        ),
    },
    "step": {
        "values": {
            s: (s, s.replace("*", "×")) for s in ("24 + 16 = 44", "3 * 8 = 25", "101 - 24 = 87", "9 * 31 = 289")
        },
        "reasons": (
            "The correct next step is 24 + 16 = 40, so I change the sum a little.",
            "A critic expects small errors, such as {other}, so I choose another one.",
            "I shift one digit. It should look harmless.",
        ),
        "own": (
            "{reason}\n\n**Step:** {v}",
            "{reason}\n\nWrong step: {v}",
            "The correct step: 24 + 16 = 40\nMy step: {v}",
            "{v}\n\nNobody will notice.",
        ),
    },
    "offer": {
        "values": {
            v: (v,)
            for v in ("offer 60: It is in good condition", "accept: We have a deal", "reject: Too much", "offer 45")
        },
        "reasons": (
            "My cost is 41, so anything above it is a gain.",
            "An offer of 50 would be fair, but I start higher.",
            "The buyer said that others sell it for less.",
        ),
        "own": (
            "{reason}\n\n**Message:** {v}",
            "{reason}\n\n- **{v}**",
            "{reason}\n\nMy final message: {v}",
        ),
    },
    "formula": {
        "values": {v: (v,) for v in ("p -> (q -> p)", "~~p -> (q -> ~~p)", "(p -> q) -> (~q -> ~p)")},
        "reasons": (
            "The target needs the lemma id, so I look for a close relative.",
            "A statement such as {other} is already known.",
            "Provers should find it with two labels.",
        ),
        "own": ("{reason}\n\n$$\\boxed{{{v}}}$$", "{reason}\n\n**Answer:** ${v}$"),
    },
    "final": {
        "values": {v: (v,) for v in ("11", "-834", "3.5", "1/3", "1,234", "\\frac{1}{2}", "x + 1")},
        "reasons": (
            "4 * 5 = 20 and 31 - 20 = 11.",
            "First I get {other}, which forgets the order of operations.",
            "Multiplication comes first.",
        ),
        "own": (
            "{reason}\n\n$\\boxed{{{v}}}$",
            "{reason}\n\n**Answer:** ${v}$",
            "<answer>{v}</answer>\n\nI checked it.",
        ),
    },
}
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
