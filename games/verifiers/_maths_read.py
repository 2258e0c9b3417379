"""A strict parser of mathematical answers into SymPy structures, without `eval`.

Decimals become exact fractions and letters keep their case. Anything it does not understand raises `Unread`; nothing
is skipped.
"""

from __future__ import annotations

from sympy import Rational

from games.verifiers._maths_expressions import OPEN, Expressions
from games.verifiers._maths_parts import Answer, Group, Relation, Scalar, joined, relation
from games.verifiers._maths_tokens import Unread, apart, plain, tokens
from games.verifiers._maths_units import CELSIUS, FAHRENHEIT, ONE, Unit, unit

_RELATIONS = ("=", "<", ">", "<=", ">=", "!=")


def readings(text: str) -> list[Answer]:
    """Returns all possible readings of a text: 1,000 is a number and a list. Raises Unread if there is none."""
    answers: list[Answer] = []
    why = ""
    for version in dict.fromkeys(plain(form, thousands) for form in (text, apart(text)) for thousands in (True, False)):
        for measured in (True, False):
            try:
                answer = _Reader(tokens(version), measured).all()
            except Unread as error:
                why = why or str(error)
            except (RecursionError, ZeroDivisionError, OverflowError):
                why = why or "it is nested too deep or too large"
            else:
                if answer not in answers:
                    answers.append(answer)
    if not answers:
        raise Unread(why)
    return answers


class _Reader(Expressions):
    """Parses lists, relations, brackets and units around expressions."""

    def all(self) -> Answer:
        if self.split:
            both = [self._signed(sign) for sign in (1, -1)]
            return Group("list", tuple(both))
        return self._signed(1)

    def _signed(self, sign: int) -> Answer:
        self.at, self.sign = 0, sign
        items = self.items()
        self.need("end")
        return items[0] if len(items) == 1 else Group("list", tuple(items))

    def items(self) -> list[Answer]:
        items, links = [self.clause()], set[str]()
        while link := self._link():
            links.update(link)
            items.append(self.clause())
        if {",", ";"} <= links:
            raise Unread("both commas and semicolons separate its parts")
        return joined(items, links)

    def _link(self) -> tuple[str, ...]:
        """Returns the separator after this clause: a comma or semicolon, `or`, `and`, or both; () at the end."""
        mark = self.took(",", ";")
        token = self.peek()
        word = token.text.strip() if token.kind in ("text", "word") and self.at > 0 else ""
        if word not in ("or", "and"):
            return (mark,) if mark else ()
        self.at += 1
        return (mark, word) if mark else (word,)

    def clause(self) -> Answer:
        parts, kinds = [self.union()], []
        while kind := self.took(*_RELATIONS):
            kinds.append(kind)
            parts.append(self.union())
        if not kinds:
            return parts[0]
        if any(not isinstance(part, Scalar) for part in parts):
            if kinds != ["="]:
                raise Unread("a relation between other things than expressions")
            return Relation("is", parts[0], parts[1])
        made = tuple(relation(k, a, b) for k, a, b in zip(kinds, parts, parts[1:], strict=False))
        if len(made) == 1:
            return made[0]
        return Group("list" if {*kinds} == {"="} else "all", made)

    def union(self) -> Answer:
        parts = [self.quantity()]
        if self.took("in"):
            parts = [Relation("in", parts[0], self.union())]
        while self.took("cup"):
            parts.append(self.quantity())
        return parts[0] if len(parts) == 1 else Group("cup", tuple(parts))

    def bracket(self) -> Answer:
        opened = self.next().kind
        if closed := self.took(*OPEN[opened]):
            return Group(opened + closed, ())
        items = self.items()
        closed = self.took(*OPEN[opened])
        if not closed:
            raise Unread("a bracket does not end")
        if len(items) == 1 and opened + closed == "()":
            return items[0]
        return Group(opened + closed, tuple(items))

    def quantity(self) -> Answer:
        dollars = bool(self.took("USD"))
        value = self.sum()
        if not isinstance(value, Scalar):
            return value
        if dollars:
            return Scalar(value.expr, value.digits, value.last, unit("USD"))
        if not self.measured or value.expr.free_symbols:
            return value
        measured = self.units()
        if measured is None:
            return value
        if measured.powers in ({}, {"rad": 1}):  # percent, radians
            return Scalar(value.expr * Rational(measured.factor.numerator, measured.factor.denominator))
        return Scalar(value.expr, value.digits, value.last, measured)

    def units(self) -> Unit | None:
        """Parse the rest of a clause as a product of units; None if nothing is left."""
        product, power = None, 1
        while True:
            token = self.peek()
            factor: Unit | None = None
            if token.kind == "text":
                inner = _Reader(tokens(token.text), True)
                inner.at = 0
                factor = inner.units() if inner.peek().kind != "end" else None
                if factor is None or inner.peek().kind != "end" or not self._ends(token.text):
                    return product
                self.at += 1
            elif token.kind == "word" and token.text not in ("or", "and"):
                factor = unit(token.text)
                if factor is None:
                    raise Unread(f"{token.text!r} is no unit")
                self.at += 1
            elif token.kind == "°" and self.peek(1).text.strip() in ("C", "F"):
                factor = CELSIUS if self.peek(1).text.strip() == "C" else FAHRENHEIT
                self.at += 2
            else:
                return product
            if self.took("^"):
                factor = factor.to(self.power())
            product = (product or ONE).times(factor.to(power))
            power = 1
            if self.peek().kind == "*":
                self.at += 1
            elif self.peek().kind == "/":
                self.at += 1
                power = -1

    @staticmethod
    def _ends(text: str) -> bool:
        return text.strip() not in ("or", "and")

    def power(self) -> int:
        braced, minus = bool(self.took("{")), bool(self.took("-"))
        token = self.next()
        if token.kind != "number" or not token.text.isdigit() or len(token.text) > 2:
            raise Unread("the power of a unit is not a small integer")
        if braced:
            self.need("}")
        return -int(token.text) if minus else int(token.text)
