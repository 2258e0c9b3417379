r"""Reads the answer of one seat from the seat's own message: its verdict, vote, mark, score or final answer.

A language model explains itself before and after it answers. The answer is the last explicit one:

1. Private reasoning (`games.reasoning`) is not part of the message. Reasoning that never ends leaves no answer.
2. Explicit are a tag (<answer>, or one named after the kind: <score>), a box (\boxed{}), a JSON value and a label
   (`Final answer: X`, `## Verdict` with X in the next line), and the last sentence, if it says nothing else (`X`, `So
   the step is X.`). Of these the one that ends last counts. Without any, a message may start with its answer.
3. An answer in a quotation, in a line of a transcript (`[seat] ...`) or attributed to somebody else is not the seat's.
4. An answer is refused, with a reason, if it is negated, hedged between two values, a question, cut off, or followed by
   a different answer or by doubts; and if the kind's own form (<score>) and a general one (a box) differ.

`read` chooses among the values of an `AnswerKind`; `final` reads an answer of any form, such as a number. Games read a
message with these functions only, so that all of them understand the same forms. Their time is linear.
"""

from games.native.common.answers.finals import final
from games.native.common.answers.kinds import CORRECTNESS, NOBODY, AnswerKind, letters, numbers, phrases, players
from games.native.common.answers.message import Reading, lines
from games.native.common.answers.reading import read

__all__ = [
    "CORRECTNESS",
    "NOBODY",
    "AnswerKind",
    "Reading",
    "final",
    "letters",
    "lines",
    "numbers",
    "phrases",
    "players",
    "read",
]
