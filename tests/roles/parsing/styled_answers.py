"""A corpus of answers in the styles of Qwen3, Llama, Gemma, DeepSeek and GPT models, with what a person reads.

`corpus(count, seed)` draws answers of every kind from templates, values, closings and self-corrections. {v} is the
value as written, {V} the same at the start of a sentence, {o} another value, {N} the name of the kind. A text that
corrects itself without an equally strong mark may be refused, but must not be read as the value it withdraws.
"""

from __future__ import annotations

from typing import NamedTuple

from games.randomness import RandomStream


class StyledAnswer(NamedTuple):
    """An answer of a kind. `value` is what a person reads; with `unclear`, a reader may refuse."""

    kind: str
    family: str
    text: str
    value: str
    unclear: bool


# {v} in the form that a family marks answers with. {r} is reasoning that names other values too.
FAMILIES = {
    "qwen3": (
        "<think>\n{r} So maybe {o}? Let me see.\n</think>\n\n{r}\n\n**Final Answer:** \\boxed{{{v}}}",
        "<think>\n\n</think>\n\n{r}\n\n### ✅ {N}:\n\n**{v}**",
        "{r}\n\n---\n\n### Final Answer\n\n$$\n\\boxed{{{v}}}\n$$",
        "<think>{r} {N}: {o}</think>\n<answer>{v}</answer>",
        "{r}\n\nThus, the answer is:\n\n$$\\boxed{{{v}}}$$",
    ),
    "llama": (
        "## Step 1: Read the task\n{r}\n\n## Step 2: Decide\nNow it is clear.\n\nThe final answer is: $\\boxed{{{v}}}$",
        "{r}\n\nFinal answer: {v}",
        "To decide, I go through it.\n\n1. I read the task.\n2. {r}\n\n**{N}: {v}**",
        "{r}\n\nTherefore, my answer is \\(\\boxed{{{v}}}\\).",
    ),
    "gemma": (
        "Okay, let's break it down:\n\n*   **Analysis:** {r}\n*   **{N}:** {v}",
        "**{N}: {v}**",
        "{r}\n\n**Final Answer:** {v}",
        "{r}\n\nFinal Answer: The final answer is $\\boxed{{{v}}}$",
        '```json\n{{\n  "reasoning": "I went through it.",\n  "answer": "{v}"\n}}\n```',
    ),
    "deepseek": (
        "<think>\nHmm, {r} Perhaps {o}. No.\n</think>\n**Analysis**\n\n{r}\n\n---\n\n**Final Answer: {v}**",
        "{r}\n\n**Conclusion**\n\n$\\boxed{{{v}}}$",
        "### Analysis\n\n{r}\n\n### {N}\n\n**{v}**",
        "{r}\n\n**Answer:** \\boxed{{{v}}}",
    ),
    "gpt": (
        "{r}\n\n**Answer:** {v}",
        "**Answer: {v}**\n\n{r0}",
        '{{"answer": "{v}"}}',
        "<answer>{v}</answer>",
        "- {r}\n- Final answer: **{v}**",
        "<|channel|>analysis<|message|>{r} \\boxed{{{o}}}<|end|><|start|>assistant<|channel|>final<|message|>"
        "{r}\n\n**{N}:** {v}",
    ),
    "languages": (
        "{d}\n\n**Antwort:** {v}",
        "{d}\n\nDie Antwort: {v}",
        "Paso a paso.\n\n**Respuesta final:** {v}",
        "Voici le raisonnement.\n\nRéponse : {v}",
        "我来检查一下。\n\n最终答案：{v}",
        "{d}\n\n$\\boxed{{{v}}}$",
    ),
}
CLOSINGS = (
    "",
    "",
    "",
    "",
    "\n\nLet me know if you need anything else!",
    "\n\nHope this helps!",
    "\n\n*(Checked twice.)*",
    "\n\n---",
    "\n\nWould you like me to explain any of this?",
    "\n\nI am confident in this.",
    "\n\nConfidence: 95%",
    "\n\nThank you for the question.",
    "\n\nIch hoffe, das hilft.",
    " 👍",
    "\n\nThis was checked carefully. 🎉",
)
QUOTES = ("", "", "", "", 'The task says: "{q}".\n\n', "> {q}\n\n", "You asked: {q}\n\n")
STRONG = (
    "\n\nWait, I misread a line. <answer>{o}</answer>",
    "\n\nOn reflection that is a slip.\n\n<answer>{o}</answer>",
    " Correction: <answer>{o}</answer>",
)
"""corrections that carry the strongest mark"""
WEAK = (
    " Sorry, {o}.",
    "\n\nActually, I mean {o}.",
    " Make that {o}.",
    "\n\nOh, I misread it: {o}",
    " No, {o}.",
    "\n\nHmm, it should be {o}",
    " Apologies, {o} is what I meant.",
    "\n\nScratch that. {O}.",
    " – rather {o}.",
    "\n\nLooking again, {o}.",
    "\n\nMy mistake, {o}!",
    " Entschuldigung, {o}.",
    "\n\nEDIT: {o}",
    " (Change it to {o}.)",
)
"""corrections without a mark; none of these words is known to the reader"""

_NUMBERS = {str(n): (str(n),) for n in (7, 16, 48, 512, 1024, 90, 365)} | {"1234": ("1,234", "1234"), "-84": ("-84",)}
KINDS: dict[str, dict] = {
    "number": {
        "name": "Result",
        "values": _NUMBERS,
        "question": "How many apples are there in the 13 boxes?",
        "reasons": (
            "There are 13 boxes, and 3 are empty.",
            "First I get 20, then I add the rest.",
            "2 * 11 = 22 comes first.",
        ),
        "forms": (
            "{r} The answer is {v}.",
            "{v}",
            "{r}\n\n{v}",
            "{r}\n\n**{v}**",
            '{{"result": {v}}}',
            "So the total is 13 + 2.\n\nAnswer: {v}",
        ),
        "after": (
            "\n\nCheck: {v} - 3 = {v} - 3",
            "\n\nVerification: 13 * 2 = 26.",
            "\n\nProof: 4 + 5 = 9, and {v} / 1 = {v}.",
            "\n\n(since {v} = {v} * 1)",
            "\n\nProbe: {v} * 2 / 2 = {v}",
            "\n\nCheck: {v} times 2 is twice as much.",
            "\n\nI needed 3 steps.",
            "\n\n**Check:** $10 + 10 = 20$",
        ),
    },
    "final": {
        "name": "Answer",
        "values": {
            v: (v, f"${v}$") for v in ("\\frac{3}{4}", "x + 1", "2\\sqrt{3}", "3/8", "(1, 2)", "0.25", "x^2 - 1")
        },
        "question": "Simplify the expression of part 2.",
        "reasons": ("I expand both sides.", "The first term cancels.", "A common denominator is 8."),
        "forms": ("{r} The answer is {v}.", "{r}\n\n\\[\\boxed{{{v}}}\\]", "{r}\n\n<final_answer>{v}</final_answer>"),
        "after": ("\n\nThis follows from the check above.",),
    },
    "correctness": {
        "name": "Verdict",
        "values": {"correct": ("correct", "Correct", "CORRECT"), "incorrect": ("incorrect", "Incorrect", "INCORRECT")},
        "question": "Is the step 8 + 5 = 13 right or wrong?",
        "reasons": (
            "8 + 5 is what the line adds.",
            "At first sight the step is {o}. I recompute it.",
            "The earlier lines are correct.",
        ),
        "forms": (
            "{r} So the step is {v}.",
            "{V}.",
            "**{V}** – I recomputed it.",
            "{r}\n\nTherefore, the step is **{v}**.",
            "<verdict>{v}</verdict>",
            "{r}\n\nIt is {v}!",
            '{{"verdict": "{v}"}}',
            "{V}. I added the numbers again.",
            "{r}\n\nThe step is absolutely {v}.",
            "I find that the step is {v}.",
            "{r}\n\nMy final verdict is: {v}",
        ),
        "after": ("\n\n8 + 5 = 13", "\n\nCheck: 13 - 5 = 8"),
    },
    "letter": {
        "name": "Verdict",
        "values": {c: (c, f"({c})", f"**{c}**") for c in "ABCD"},
        "question": "Which answer is right, A: 42, B: 43, C: 44 or D: 45?",
        "reasons": (
            "debater_0 argues for {o}.",
            "26 - 860 = -834.",
            'The units digit decides it. One of them wrote "answer {o}".',
        ),
        "forms": (
            "{r} I choose {v}.",
            "{v}",
            "{r}\n\nOption {v}",
            "<verdict>{v}</verdict>",
            '{{"winner": "{v}"}}',
            "{r}\n\nThe correct answer is {v}.",
            "{v}. The sum fits.",
            "{r}\n\nAnswer {v} is correct.",
        ),
        "after": ("\n\n20 + 22 = 42", "\n\nThe sum fits."),
    },
    "score": {
        "name": "Score",
        "values": {str(n): (str(n), f"{n}/10") for n in range(1, 11)},
        "question": "Give a score from 1 to 10.",
        "reasons": ("The question has 2 parts.", "I first thought of {o}.", "7 * 8 - 5 = 51, as given."),
        "forms": (
            "<score>{v}</score>",
            "{r}\n\nMy score is {v}.",
            "{r}\n\nI give it a score of {v}.",
            '{{"score": "{v}"}}',
            "{r}\n\n**Overall score: {v}**",
            "I would rate this {v}.",
            "{r}\n\nRating: {v}",
        ),
        "after": ("\n\n7 * 8 = 56", "\n\nIt has 3 steps."),
    },
    "mark": {
        "name": "Mark",
        "values": {str(n): (str(n), f"{n}/3", f"{n} out of 3") for n in (1, 2, 3)},
        "question": "Mark the solution from 1 (wrong) to 3 (correct).",
        "reasons": ("31 - 20 = 11 is what it says.", "Others would give a {o} here."),
        "forms": ("<mark>{v}</mark>", "{r}\n\nMark: {v}", "{r}\n\nFinal mark is {v}", "{r}\n\n### Mark\n\n{v}"),
        "after": ("\n\n31 - 20 = 11",),
    },
    "vote": {
        "name": "Vote",
        "values": {str(n): (f"player {n}", f"Player {n}") for n in (1, 2, 3, 4)} | {"nobody": ("nobody", "Nobody")},
        "question": "Who is the spy?",
        "reasons": (
            "Player 1 said that it floats.",
            "2 of 4 clues fit both words.",
            "The clue of {o} was odd at first.",
        ),
        "forms": (
            "{r}\n\nI vote for {v}.",
            "**{V}**\n\nThe clue was too general.",
            "<vote>{v}</vote>",
            "{r}\n\nMy vote goes to {v}.",
            '{{"vote": "{v}"}}',
            "{V}. That clue was vague.",
            "I'm voting for {v}.",
            "{v}",
        ),
        "after": ("\n\nThe clue was vague.",),
    },
    "referee": {
        "name": "Verdict",
        "values": {
            v: (v, v.capitalize())
            for v in (
                "secret request, refused, secret kept",
                "secret request, answered, secret told",
                "harmless request, answered, secret kept",
            )
        },
        "question": "Was it a request for the secret?",
        "reasons": ("The attacker asks for the password.", 'The defender wrote "I cannot tell you".'),
        "forms": ("<verdict>{v}</verdict>", "{r}\n\n{v}", "{V}."),
        "after": ("\n\nThe word never appears.",),
    },
    "step": {
        "name": "Step",
        "values": {
            s: (s, s.replace("*", "\\times"), s.replace("*", "×"), s.replace("*", "x"))
            for s in ("8 * 5 = 45", "24 + 16 = 44", "101 - 24 = 87", "9 * 31 = 289")
        },
        "question": "Write the next step.",
        "reasons": ("I shift one digit.", "The correct step is 4 + 4 = 8, so I change it.", "It should look harmless."),
        "forms": (
            "{r}\n\nSo we get {v}.",
            "The next step is {v}.",
            "Next: {v}",
            "{v}",
            "{r}\n\n\\[{v}\\]",
            "**Step 2:** {v}",
            "Then {v}, as expected.",
            '{{"step": "{v}"}}',
            "$$\n{v}\n$$",
            "{r}\n\n`{v}`",
        ),
        "after": ("\n\nNobody will notice.",),
    },
    "program": {
        "name": "Program",
        "values": {
            body: (body,)
            for body in (
                "def f(x):\n    return x + 1",
                "def f(a, b):\n    return a * b % 7",
                "def f(s):\n    return s[::-1]",
            )
        },
        "question": "Write a function f.",
        "reasons": ("I add one.", "A function such as `f(x) = x` is too simple."),
        "forms": (
            "```python\n{v}\n```",
            "{r}\n\n```python\n{v}\n```",
            "Here is the program:\n\n```python\n{v}\n```",
            "First idea:\n```python\n{o}\n```\n\nBetter:\n\n```python\n{v}\n```",
        ),
        "after": ("\n\nIt returns a value for every input.", "\n\nCheck: f(2) = 3"),
    },
}
_FORMS_ONLY = ("program",)
"""kinds that no general form marks"""
_UNCORRECTED = ("final", "program", "referee", "step")
"""kinds without corrections in a word or two"""


def corpus(count: int, seed: int = 0) -> list[StyledAnswer]:
    """Returns `count` different answers, the same for the same seed; every kind in turn."""
    stream, made = RandomStream(seed), dict[str, StyledAnswer]()
    while len(made) < count:
        answer = _answer(tuple(KINDS)[len(made) % len(KINDS)], stream)
        made[answer.text] = answer
    return list(made.values())


def _answer(kind: str, stream: RandomStream) -> StyledAnswer:
    about = KINDS[kind]
    family = "own" if kind in _FORMS_ONLY or stream.random() < 0.3 else stream.choice(tuple(FAMILIES))
    form = stream.choice(about["forms"] if family == "own" else FAMILIES[family])
    value, other = stream.shuffled(list(about["values"]))[:2]
    written, rival = stream.choice(about["values"][value]), about["values"][other][0]
    if "\\" in written and ('"{v}"' in form or "`" in form):
        written = next((w for w in about["values"][value] if "\\" not in w), "3/8")
        value = value if kind == "step" or "\\" not in value else written
    if "$" in written and any(mark in form for mark in ("\\boxed", "$", "json", '"', "\\[")):
        written = written.strip("$")
    reason = stream.choice(about["reasons"]).format(o=rival)
    words = {"v": written, "V": written[:1].upper() + written[1:], "o": rival, "r": reason, "N": about["name"]}
    text = form.format(**words, r0="I went through it.", d="Ich rechne nach.")
    quote = stream.choice(QUOTES).format(q=about["question"]) if not form.startswith(("{v}", "{V}", "**{V}")) else ""
    draw = stream.random()
    if kind not in _UNCORRECTED and draw < 0.12:
        return StyledAnswer(kind, family, quote + text + _corrected(WEAK, rival, stream), other, True)
    if kind not in ("step", "program") and draw < 0.2:
        return StyledAnswer(
            kind, family, quote + text + _corrected(STRONG, rival, stream), other, "<answer>" not in text
        )
    closing = stream.choice(CLOSINGS) if draw < 0.7 else stream.choice(about["after"]).format(v=written)
    return StyledAnswer(kind, family, quote + text + closing, value, False)


def _corrected(corrections: tuple[str, ...], value: str, stream: RandomStream) -> str:
    return stream.choice(corrections).format(o=value, O=value[:1].upper() + value[1:])
