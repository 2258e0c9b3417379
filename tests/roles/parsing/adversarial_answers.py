"""Answers written to mislead a reader: (kind, text, value as a person reads it, None if a person would not decide).

A reader may refuse any of them; what it must not do is read another value.
"""

from tests import golden

CASES = golden.rows(__file__, "adversarial_answers")
