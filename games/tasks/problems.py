"""The form of a problem: the same text for every order of commutative operands, for all white space and all names.

It finds problems that stand in train and in test in other words, which the splits of a source should have kept apart.
"""

from __future__ import annotations

import re
from itertools import permutations

from games.tasks.expressions import SIGNS, expression_form

_OPERAND = r"[-(\s]*(?:\d+(?:\.\d+)?|(?<![\w'])[A-Za-z](?![\w']))[)\s]*"
_EXPRESSION = re.compile(rf"{_OPERAND}(?:[-+*/^]{_OPERAND})+")
_LETTER = re.compile(r"(?<![\w'\"])(?![aAI]\b)[A-Za-z](?![\w'\"])")
_NAME = re.compile(r"(?<![\w'])[A-Z][a-z]+(?!\w)")
_PRODUCT = re.compile(r"(?<=\d)(?=[a-z](?![\w']))")
_MOST_LETTERS = 4
"""letters whose orders are all tried; more letters are named in the order of the text"""


def problem_form(question: str, answer: str) -> str:
    """Returns the form of a question. Beside a single expression of numbers, its words count through the answer only.

    Capitalised words that occur twice are names, and single letters if one of them occurs twice or in an expression.
    """
    text = _PRODUCT.sub("*", _renamed(" ".join(question.translate(SIGNS).split())))
    forms: list[str] = []
    rest = _EXPRESSION.sub(lambda span: _form(span[0], forms), text)
    if len(forms) == 1 and not re.search(r"\d", rest.replace(forms[0], "")) and not _LETTER.search(text):
        return f"{forms[0]} = {answer}"
    used = _LETTER.findall(text)
    bound = set(_LETTER.findall(" ".join(_EXPRESSION.findall(text))))
    letters = list(dict.fromkeys(used)) if bound or len(set(used)) < len(used) else []
    orders = permutations(letters) if len(letters) <= _MOST_LETTERS else [letters]
    return min(_lettered(text, dict(zip(order, "pqrstuvwxyzbcdefghijklmno", strict=False))) for order in orders)


def _renamed(text: str) -> str:
    """Returns a text with numbered names for the words that it uses as names."""
    words = _NAME.findall(text)
    names = [word for word in dict.fromkeys(words) if words.count(word) > 1 and word.lower() not in text.split()]
    numbered = {name: f"Name{chr(ord('A') + index % 26)}" for index, name in enumerate(names)}
    return _NAME.sub(lambda word: numbered.get(word[0], word[0]), text)


def _lettered(text: str, letters: dict[str, str]) -> str:
    renamed = _LETTER.sub(lambda letter: letters.get(letter[0], letter[0]), text)
    return " ".join(_EXPRESSION.sub(lambda span: _form(span[0], []), renamed).casefold().split())


def _form(text: str, forms: list[str]) -> str:
    """Returns the form of a span, which is added to `forms`; the span itself if it is no expression."""
    form = expression_form(text.strip())
    if form is not None:
        forms.append(form)
    return f" {form} " if form is not None else text
