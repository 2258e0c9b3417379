"""A corpus of answers in the styles of Qwen3, Llama, Gemma, DeepSeek and GPT models, with what a person reads.

`corpus(count, seed)` draws answers of every kind from templates, values, closings and self-corrections. {v} is the
value as written, {V} the same at the start of a sentence, {o} another value, {N} the name of the kind. A text that
corrects itself without an equally strong mark may be refused, but must not be read as the value it withdraws.
"""

from typing import NamedTuple

from games.randomness import RandomStream
from tests import golden


class StyledAnswer(NamedTuple):
    """An answer of a kind. `value` is what a person reads; with `unclear`, a reader may refuse."""

    kind: str
    family: str
    text: str
    value: str
    unclear: bool


# {v} in the form that a family marks answers with. {r} is reasoning that names other values too.
FAMILIES = golden.table(__file__, "styled_answers_families")
CLOSINGS = golden.rows(__file__, "styled_answers_closings")
QUOTES = ("", "", "", "", 'The task says: "{q}".\n\n', "> {q}\n\n", "You asked: {q}\n\n")
STRONG = (
    "\n\nWait, I misread a line. <answer>{o}</answer>",
    "\n\nOn reflection that is a slip.\n\n<answer>{o}</answer>",
    " Correction: <answer>{o}</answer>",
)
"""corrections that carry the strongest mark"""
WEAK = golden.rows(__file__, "styled_answers_weak")
"""corrections without a mark; none of these words is known to the reader"""

KINDS: dict[str, dict] = golden.table(__file__, "styled_answers_kinds")
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
