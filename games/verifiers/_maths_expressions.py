"""Sums, products, powers, functions: the part of the parser in `_maths_read` that builds SymPy expressions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy
from sympy import Integer, Rational, Symbol

from games.verifiers._maths_parts import Answer, Group, Scalar, decimal, expr, finite, power, times
from games.verifiers._maths_tokens import Token, Unread
from games.verifiers._maths_units import unit
from games.verifiers._maths_words import GREEK

OPEN = {"(": (")", "]"), "[": ("]", ")"), "{set": ("set}",)}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(sympy, name)
    for name in ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "exp", "sqrt")
} | {
    "arcsin": sympy.asin, "arccos": sympy.acos, "arctan": sympy.atan, "ln": sympy.log,
    "log": lambda x: sympy.log(x) / sympy.log(Symbol("base of log", positive=True)), "lg": lambda x: sympy.log(x, 10),
}  # fmt: skip
_INVERSE = {sympy.sin: sympy.asin, sympy.cos: sympy.acos, sympy.tan: sympy.atan}
_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "oo": sympy.oo, "inf": sympy.oo, "infinity": sympy.oo}
_UNKNOWN = frozenset("fghFGH")  # before a bracket, the name of a function


class Expressions:
    """One pass over the tokens. With `measured`, a word after a number is a unit if it can be one."""

    def __init__(self, tokens: list[Token], measured: bool) -> None:
        self.tokens, self.measured, self.at, self.sign = tokens, measured, 0, 0
        self.split = any(t.kind == "pm" for t in tokens)
        if sum(t.kind == "pm" for t in tokens) > 1:
            raise Unread("it contains more than one ±")

    def peek(self, ahead: int = 0) -> Token:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else Token("end", "", False)

    def next(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def took(self, *kinds: str) -> str:
        return self.next().kind if self.peek().kind in kinds else ""

    def need(self, *kinds: str) -> None:
        if not self.took(*kinds):
            raise Unread(f"{kinds[0]!r} is missing")

    def items(self) -> list[Answer]:
        """Parse items separated by commas."""
        raise NotImplementedError

    def bracket(self) -> Answer:
        """Parse an expression in brackets."""
        raise NotImplementedError

    def sum(self) -> Answer:
        minus = self.took("+", "-", "pm")
        first = self.product()
        total: Any = first
        if minus == "-" or (minus == "pm" and self.sign < 0):
            total = Scalar(-expr(first), *decimal(first))
        while kind := self.took("+", "-", "pm"):
            term = expr(self.product())
            total = Scalar(expr(total) + (term if kind == "+" or (kind == "pm" and self.sign > 0) else -term))
        return total if not isinstance(total, Scalar) else finite(total)

    def product(self) -> Answer:
        total = self.factor()
        if not isinstance(total, Scalar):
            return total
        while True:
            kind = self.took("*", "/")
            if kind:
                sign = -1 if self.took("-") else 1
                factor = self.factor()
                value = expr(factor) * sign
                if kind == "/" and value == 0:
                    raise Unread("it divides by zero")
                total = times(total, factor, value) if kind == "*" else Scalar(expr(total) / value)
            elif self.implicit():
                total = Scalar(expr(total) * expr(self.factor()))
            else:
                return total

    def implicit(self) -> bool:
        """Returns whether a factor follows without an operator."""
        token = self.peek()
        if token.kind == "number":
            raise Unread("it contains two adjacent numbers, or a number after a letter")
        if token.kind == "word":
            return token.text not in ("or", "and") and not (self.measured and unit(token.text))
        if token.kind == "text":
            return not (self.measured or token.text.strip() in ("or", "and"))
        if token.kind == "command":
            return not token.text.startswith(("end", "rfloor", "rceil"))
        return token.kind in ("(", "[", "{", "sqrt")

    def factor(self) -> Answer:
        value = self.atom()
        while True:
            token = self.peek()
            if token.kind == "!":
                n = expr(value)
                if n.is_Integer and not 0 <= n <= 1000:
                    raise Unread("a factorial of a number that is negative or too large")
                if self.peek(1).kind == "!":
                    raise Unread("a double factorial")
                value = Scalar(sympy.factorial(n))
            elif token.kind == "%":
                value = Scalar(expr(value) / 100)
            elif token.kind == "°":
                if self.measured and self.peek(1).text.strip() in ("C", "F"):
                    return value
                value = Scalar(expr(value) * sympy.pi / 180)
            elif token.kind == "^":
                self.at += 1
                value = Scalar(power(expr(value), self.exponent()))
                continue
            else:
                return value
            self.at += 1

    def exponent(self) -> Any:
        if self.peek().kind == "{":
            return expr(self.argument())
        minus = self.took("-", "+") == "-"
        value = self.atom(letters=1)
        if self.peek().kind == "^":
            self.at += 1
            value = Scalar(power(expr(value), self.exponent()))
        if self.peek().kind == "!":
            raise Unread("a factorial in an exponent needs brackets")
        return -expr(value) if minus else expr(value)

    def argument(self, *, single: bool = False) -> Answer:
        """Parse an argument in braces; without braces, one token (of a number one digit, if LaTeX reads only one)."""
        if self.peek().kind == "{":
            self.at += 1
            value = self.sum()
            self.need("}")
            return value
        token = self.peek()
        if single and token.kind == "number" and len(token.text) > 1:
            if len(token.text) > 2 or not token.text.isdigit():
                raise Unread("an argument needs braces")
            self.tokens[self.at : self.at + 1] = [Token("number", digit, False) for digit in token.text]
        return self.atom(letters=1)

    def atom(self, letters: int = 0) -> Answer:
        token = self.peek()
        if token.kind == "number":
            return self.number(mixed=not letters)
        if token.kind in OPEN:
            return self.bracket()
        self.at += 1
        if token.kind == "{":
            items = self.items()
            self.need("}")
            return items[0] if len(items) == 1 else Group("{setset}", tuple(items))
        if token.kind == "|":
            inner = self.sum()
            self.need("|")
            return Scalar(sympy.Abs(expr(inner)))
        if token.kind == "sqrt":
            return Scalar(sympy.sqrt(expr(self.argument())))
        if token.kind == "oo":
            return Scalar(sympy.oo)
        if token.kind == "emptyset":
            return Group("{setset}", ())
        if token.kind == "word":
            return self.word(token.text, letters)
        if token.kind == "text":
            return self.text(token.text.strip())
        if token.kind == "command":
            return self.command(token.text)
        raise Unread(f"{token.text or 'the end'!r} has no place there")

    def number(self, *, mixed: bool) -> Answer:
        text = self.next().text
        mantissa, _, power = text.lower().partition("e")
        if len(mantissa) > 1 and mantissa.isdigit() and mantissa[0] == "0":
            raise Unread(f"{mantissa!r} is not a number")
        if abs(int(power or 0)) > 5000:
            raise Unread("a number is too large")
        if self.took("_"):  # 204_5, in base 5
            return Scalar(Symbol(f"{text} _ {self.index()}"))
        value = Fraction(mantissa) * Fraction(10) ** int(power or 0)
        whole = Rational(value.numerator, value.denominator)
        if text.isdigit():
            return Scalar(self.mixed(whole) if mixed else whole)
        after = [self.peek(i) for i in range(3)]
        if not after[0].spaced and [t.kind for t in after] == ["(", "number", ")"]:
            raise Unread("a decimal before a number in brackets, which can be a repeating one")
        places = len(mantissa.partition(".")[2]) - int(power or 0)
        return Scalar(whole, len(mantissa.replace(".", "").lstrip("0")), Rational(10) ** -places)

    def mixed(self, whole: Any) -> Any:
        """Returns the number that 1 1/2 and 1\\frac{1}{2} begin; `whole` for any other."""
        here, after = self.at, [self.peek(i) for i in range(3)]
        if [t.kind for t in after] == ["number", "/", "number"] and after[0].spaced:
            parts = [Integer(t.text) if t.text.isdigit() else Integer(0) for t in (after[0], after[2])]
            self.at += 3
        elif after[0].kind == "command" and after[0].text in ("frac", "dfrac", "tfrac"):
            self.at += 1
            parts = [expr(self.argument(single=True)), expr(self.argument(single=True))]
        else:
            return whole
        if all(p.is_Integer for p in parts) and 0 < parts[0] < parts[1]:
            if self.peek().kind in ("^", "!"):
                raise Unread("a power or factorial of a mixed number needs brackets")
            return whole + parts[0] / parts[1]
        if all(p.is_Integer for p in parts):
            raise Unread("a number before a fraction that is no proper one")
        self.at = here
        return whole

    def word(self, word: str, letters: int) -> Answer:
        """Returns adjacent letters: a function, a constant, or a product of at most two."""
        if word in ("coth", "sech", "csch"):
            raise Unread(f"it holds the word {word!r}")
        for name in sorted(_FUNCTIONS, key=len, reverse=True):
            if word.startswith(name) and len(word) <= len(name) + 1:
                if word != name:
                    self.at -= 1
                    self.tokens[self.at] = Token("word", word[len(name) :], False)
                return self.function(name)
        if word in _CONSTANTS and self.peek().kind not in ("_", "'"):
            return Scalar(_CONSTANTS[word])
        if len(word) > 2 or (word.lower() in ("or", "no", "is", "if", "in", "to", "of", "so", "an", "as", "at", "by")):
            raise Unread(f"it holds the word {word!r}")
        if word[0] in _UNKNOWN and len(word) == 1:
            return self.unknown(word)
        if len(word) > 1:
            self.at -= 1
            self.tokens[self.at] = Token("word", word[1:], False)
        return Scalar(_CONSTANTS.get(word[0]) or Symbol(word[0])) if len(word) > 1 else Scalar(self.marked(word))

    def unknown(self, word: str) -> Answer:
        """Returns a function name before a bracket, or a letter."""
        name = str(self.marked(word))
        if self.peek().kind != "(":
            return Scalar(Symbol(name))
        inner = self.bracket()
        items = inner.items if isinstance(inner, Group) else (inner,)
        return Scalar(sympy.Function(name)(*map(expr, items)))

    def marked(self, name: str) -> Any:
        """Returns a letter with its primes and its subscript."""
        while True:
            if self.took("'"):
                name += "'"
            elif self.peek().kind == "^" and self.peek(1).kind == "'":
                self.at += 1
            elif self.peek().kind == "^" and [self.peek(i).kind for i in (1, 2, 3)] == ["{", "'", "}"]:
                self.at += 4
                name += "'"
            elif self.peek().kind == "_":
                self.at += 1
                name += "_" + self.index()
            else:
                return Symbol(name)

    def index(self) -> str:
        depth, words = 0, []
        while True:
            token = self.next()
            if token.kind not in ("{", "}", "word", "number", "text", ",", "+", "-", "command") or token.kind == "end":
                raise Unread("an index that is no name")
            depth += {"{": 1, "}": -1}.get(token.kind, 0)
            if token.kind not in ("{", "}"):
                words.append(token.text.strip())
            if depth == 0:
                return " ".join(words)

    def text(self, text: str) -> Answer:
        """Returns words in \\text{}: a choice or a letter, a function."""
        if text in _FUNCTIONS:
            return self.function(text)
        letter = text.strip("()")
        if len(letter) == 1 and letter.isalpha() and text in (letter, f"({letter})"):
            return Scalar(_CONSTANTS.get(letter) or self.marked(letter))
        raise Unread(f"it holds the words {text!r}")

    def command(self, name: str) -> Answer:
        if name in _FUNCTIONS and name != "sqrt":
            return self.function(name)
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            return Scalar(self.fraction())
        if name == "sqrt":
            return self.root()
        if name == "pi":
            return Scalar(sympy.pi)
        if name in ("binom", "dbinom", "tbinom"):
            n, k = (expr(self.argument(single=True)) for _ in range(2))
            if (n.is_Integer and abs(n) > 2000) or (k.is_Integer and abs(k) > 2000):
                raise Unread("a number is too large")
            return Scalar(sympy.binomial(n, k))
        if name in ("lfloor", "lceil"):
            inner = expr(self.sum())
            if self.next().text != f"r{name[1:]}":
                raise Unread("a bracket does not end")
            return Scalar(sympy.floor(inner) if name == "lfloor" else sympy.ceiling(inner))
        if name in ("hat", "vec", "bar", "overline", "tilde", "dot", "mathbb"):
            return Scalar(self.marked(f"{name} {self.index()}"))
        if name in GREEK:
            return Scalar(self.marked(name))
        if name.startswith("begin{"):
            return self.matrix(name[6:-1])
        raise Unread(f"it holds \\{name}")

    def fraction(self) -> Any:
        """Read the two arguments of a fraction and return its value. Raises Unread for a derivative such as dy/dx."""
        top_begins = self.peek(self.peek().kind == "{").text[:1]
        top = expr(self.argument(single=True))
        if top_begins == "d" == self.peek(self.peek().kind == "{").text[:1]:
            raise Unread("a derivative")
        bottom = expr(self.argument(single=True))
        if bottom == 0:
            raise Unread("it divides by zero")
        return top / bottom

    def root(self) -> Answer:
        degree: Any = Integer(2)
        if self.took("["):
            degree = expr(self.sum())
            self.need("]")
        inside = expr(self.argument(single=True))
        if self.peek().kind == "number":
            raise Unread("a root needs braces")
        if degree == 0:
            raise Unread("a root of degree zero")
        if degree.is_Integer and degree % 2 and inside.is_negative:  # the real root, not the principal value
            return Scalar(-power(-inside, 1 / degree))
        return Scalar(power(inside, 1 / degree))

    def function(self, name: str) -> Answer:
        """Returns a function with its subscript, its power and its argument."""
        base = None
        raised: Any = None
        if self.took("_"):
            base = expr(self.argument())
        if self.took("^"):
            raised = self.exponent()
        made = _FUNCTIONS[name]
        if name == "log" and self.peek().kind == "number" and self.peek(1).kind == "(":
            raise Unread("a logarithm without a base")
        if base is not None:
            if name != "log" or base in (0, 1):
                raise Unread(f"{name} has no index")
            made = lambda x: sympy.log(x) / sympy.log(base)  # noqa: E731
        if raised == -1:
            if made not in _INVERSE:
                raise Unread(f"{name} to the power of -1")
            made, raised = _INVERSE[made], None
        if self.peek().kind in ("(", "{"):
            inner = self.bracket() if self.peek().kind == "(" else self.argument()
        elif name == "sqrt":
            inner = self.factor()
            if self.implicit():
                raise Unread("a root needs brackets")
        else:
            inner = self.applied()
        value = made(expr(inner))
        return Scalar(value if raised is None else power(value, raised))

    def applied(self) -> Answer:
        """Returns the argument of a function without brackets: the factors up to an operator or another function."""
        total = expr(self.factor())
        while self.implicit():
            token = self.peek()
            if token.kind == "(" or token.text in _FUNCTIONS or token.kind == "[":
                break
            total *= expr(self.factor())
        return Scalar(total)

    def matrix(self, kind: str) -> Answer:
        if kind not in ("pmatrix", "bmatrix", "matrix", "Bmatrix"):
            raise Unread(f"it holds a {kind}")
        rows: list[tuple[Answer, ...]] = []
        row = [self.sum()]
        while True:
            if self.took("&"):
                row.append(self.sum())
                continue
            rows.append(tuple(row))
            if self.took("row") and not self.peek().text.startswith("end"):
                row = [self.sum()]
            elif self.next().text == f"end{{{kind}}}":
                break
            else:
                raise Unread("a matrix does not end")
        if len({len(r) for r in rows}) > 1:
            raise Unread("a matrix whose rows differ in length")
        return Group("matrix", tuple(rows))
