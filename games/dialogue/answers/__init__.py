r"""Reads the answer of one seat from the seat's own message: its verdict, vote, mark, score or final answer.

A language model explains itself before and after it answers. The answer is the last explicit one:

1. Private reasoning (`games.reasoning`) is not part of the message. Reasoning that never ends leaves no answer.
2. Evidence has kinds, strongest first (`EvidenceKind`): a tag (<answer>, or one named after the kind: <score>) or a
   JSON field; a box (\boxed{}); a label (`Final answer: X`, `## Verdict` with X in the next line); a last line or
   sentence that says nothing else, or a first one; an equation. The last piece of the strongest kind counts
   (`strongest`), if the text before it says so: of two different pieces the later counts after a correction ("Wait,
   I misread it:"), boxes after a comma or "and" are the parts of one answer, and else the answer is refused
   (`games.boxes`): a hedge in words or LaTeX, or two answers without a word. Among actions a later line is enough.
3. If another value of the kind follows the answer, the answer is refused. A denied value, a repetition, an equation and
   a value that somebody else states are no other value. No word of doubt decides there.
4. An answer in a quotation, in a line of a transcript (`[seat] ...`) or attributed to somebody else is not the seat's.
5. An answer is refused, with a reason, if it is negated, hedged between two values, a question or cut off; and if the
   kind's own form (<score>) and a general one (a box) differ.

`read` chooses among the values of an `AnswerKind`; `final` reads an answer of any form, such as a number; `choose`
finds one of many options, such as legal actions. Games and roles read a message with these functions only, so that all
of them understand the same forms. Their time is linear.
"""

from games.dialogue.answers.evidence import EvidenceKind, strongest
from games.dialogue.answers.figures import arithmetic
from games.dialogue.answers.finals import final
from games.dialogue.answers.kinds import CORRECTNESS, NOBODY, AnswerKind, letters, numbers, phrases, players
from games.dialogue.answers.marked import MarkedAnswer, marked
from games.dialogue.answers.mentions import mentions
from games.dialogue.answers.message import Reading
from games.dialogue.answers.objects import objects
from games.dialogue.answers.options import Choice, Options, choose, unwrapped
from games.dialogue.answers.reading import read
from games.dialogue.answers.rivals import attributed, denies, rival
from games.dialogue.answers.steps import equation

__all__ = [
    "CORRECTNESS",
    "NOBODY",
    "AnswerKind",
    "Choice",
    "EvidenceKind",
    "MarkedAnswer",
    "Options",
    "Reading",
    "arithmetic",
    "attributed",
    "choose",
    "denies",
    "equation",
    "final",
    "letters",
    "marked",
    "mentions",
    "numbers",
    "objects",
    "phrases",
    "players",
    "read",
    "rival",
    "strongest",
    "unwrapped",
]
