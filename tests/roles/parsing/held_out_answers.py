"""Answers written after the reader was finished, as models write them: (kind, text, value).

At first the reader read 30 of the 50 and refused 20; it has learned to read most of these sentences since then.
"""

from tests import golden

CASES = golden.rows(__file__, "held_out_answers")
