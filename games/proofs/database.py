"""A Metamath database: declarations, scopes, and each assertion in a form ready to be applied.

Follows the specification in Megill and Wheeler, Metamath (2019), chapter 4. Every symbol is one character, so an
expression is a `str` and an assertion's expressions are format strings over the values of its variables. Every
violation raises `BadDatabase`; nothing relies on `assert`, which `python -O` removes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from games.errors import InputError

_LABEL = re.compile(r"[A-Za-z0-9._-]+")
_PRINTABLE = re.compile(r"[!-~ \t\r\n\f]*")
_FIRST = 0x100  # symbols are characters above the braces, which format strings use
_SURROGATES = 0xD800
MOST_SYMBOLS = 1_000_000
"""symbols of a database, at most; set.mm has 5,000. There are few more characters."""
MOST_PAIRS = 250_000
"""pairs of variables that are declared disjoint in a block, at most; a short `$d` of many variables has many pairs"""


class BadDatabase(InputError):
    """A text that is not a Metamath database; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A `$f` (`variable` is its symbol) or a `$e` (`variable` is "")."""

    label: str
    expression: str
    variable: str
    scope: int
    position: int


@dataclass(frozen=True, slots=True)
class Assertion:
    """A `$a` or a `$p`, ready to be applied.

    Of its n mandatory hypotheses, m are floating. `floating` holds the m indices and typecodes, `essential` the indices
    and format strings over the m values of the others, `conclusion` is a format string, and `distinct` are pairs of
    the m whose values must share no variable. `allowed` are the pairs of symbols declared disjoint at the assertion, in
    both orders, and `scope` the blocks that contain it.
    """

    label: str
    expression: str
    hypotheses: tuple[Hypothesis, ...]
    floating: tuple[tuple[int, str], ...]
    essential: tuple[tuple[int, str], ...]
    conclusion: str
    distinct: tuple[tuple[int, int], ...]
    allowed: frozenset[tuple[str, str]]
    scope: frozenset[int]
    position: int
    proof: tuple[str, ...] | None


@dataclass(slots=True)
class _Block:
    """A block, opened by `${` and closed by its `$}`."""

    number: int
    variables: list[str] = field(default_factory=list)
    essential: int = 0
    pairs: frozenset[tuple[str, str]] = frozenset()


class Database:
    """A parsed database; `assertions` and `hypotheses` are mappings by label, in order.

    `text` is the complete database. `$[ file $]` is refused, since a database written by a model must not read files.
    """

    def __init__(self, text: str) -> None:
        self.assertions: dict[str, Assertion] = {}
        self.hypotheses: dict[str, Hypothesis] = {}
        self.variables: set[str] = set()
        self._symbols: dict[str, str] = {}  # token -> character
        self._tokens: list[str] = []
        self._constants: set[str] = set()
        self._active: set[str] = set()  # variables in scope
        self._floats: dict[str, Hypothesis] = {}  # variable -> its hypothesis in scope
        self._essential: list[Hypothesis] = []
        self._blocks = [_Block(0)]
        self._opened = 0
        self._position = 0
        self._read(text)

    def encode(self, tokens: Sequence[str]) -> str:
        """Encode an expression of symbols in scope. Raises BadDatabase."""
        if not tokens:
            raise BadDatabase("an expression is empty")
        out = []
        for token in tokens:
            symbol = self._symbols.get(token)
            if symbol is None or (symbol not in self._constants and symbol not in self._active):
                raise BadDatabase(f"the symbol {token[:40]!r} is not declared here")
            out.append(symbol)
        if out[0] not in self._constants:
            raise BadDatabase(f"an expression must begin with a constant, not with {tokens[0]!r}")
        for symbol in out:
            if symbol in self.variables and symbol not in self._floats:
                raise BadDatabase(f"the variable {self.decode(symbol)!r} has no type here")
        return "".join(out)

    def decode(self, expression: str) -> str:
        """Returns the symbols of an expression, separated by spaces."""
        return " ".join(self._tokens[_index(c)] for c in expression)

    def theorem(self, label: str, tokens: Sequence[str], proof: Sequence[str] | None = None) -> Assertion:
        """Returns an assertion as if it were at the end of the database, without adding it. Raises BadDatabase."""
        made = self._assertion(label, self.encode(tokens), None if proof is None else tuple(proof))
        return replace(made, position=self._position + 1)

    def append(self, theorem: Assertion) -> None:
        """Adds a theorem whose proof was checked; copies of this database do not get it."""
        self.assertions = {**self.assertions, theorem.label: theorem}
        self._position = theorem.position

    def _read(self, text: str) -> None:
        if not _PRINTABLE.fullmatch(text):
            raise BadDatabase("a database may contain printable ASCII and white space only")
        tokens = _tokens(text)
        label = ""
        for token in tokens:
            if token[0] != "$":
                if label:
                    raise BadDatabase(f"{label[:40]!r} and {token[:40]!r}: a label stands before its statement alone")
                label = self._new_label(token)
                continue
            self._position += 1
            takes_label = token in ("$f", "$e", "$a", "$p")
            if takes_label != bool(label):
                raise BadDatabase(f"{token} {'without a label' if takes_label else 'takes no label'} {label}".strip())
            self._statement(token, label, tokens)
            label = ""
        if label or len(self._blocks) > 1:
            raise BadDatabase("the database ends within a statement or a block")

    def _new_label(self, token: str) -> str:
        if not _LABEL.fullmatch(token):
            raise BadDatabase(f"{token[:40]!r} is no label")
        if token in self.assertions or token in self.hypotheses or token in self._symbols:
            raise BadDatabase(f"the label {token!r} is taken")
        return token

    def _statement(self, keyword: str, label: str, tokens: Iterator[str]) -> None:
        if keyword == "${":
            self._opened += 1
            self._blocks.append(_Block(self._opened, [], len(self._essential), self._blocks[-1].pairs))
        elif keyword == "$}":
            self._close()
        elif keyword in ("$c", "$v", "$d", "$f", "$e", "$a"):
            body = _until(tokens, "$.", keyword)
            {"$c": self._constant, "$v": self._variable, "$d": self._disjoint}.get(keyword, lambda _: None)(body)
            if keyword in ("$f", "$e"):
                self._hypothesis(label, body, floating=keyword == "$f")
            elif keyword == "$a":
                self.assertions[label] = self._assertion(label, self.encode(body), None)
        elif keyword == "$p":
            expression = self.encode(_until(tokens, "$=", keyword))
            self.assertions[label] = self._assertion(label, expression, tuple(_until(tokens, "$.", keyword)))
        else:
            raise BadDatabase(f"{keyword[:40]!r} begins no statement" + (", files are not read" * (keyword == "$[")))

    def _close(self) -> None:
        if len(self._blocks) == 1:
            raise BadDatabase("$} closes no block")
        block = self._blocks.pop()
        for symbol in block.variables:
            self._active.discard(symbol)
            self._floats.pop(symbol, None)
        for symbol in [s for s, f in self._floats.items() if f.scope == block.number]:
            del self._floats[symbol]
        del self._essential[block.essential :]

    def _constant(self, body: list[str]) -> None:
        if len(self._blocks) > 1:
            raise BadDatabase("$c stands in a block")
        for token in self._declared(body, "$c"):
            if token in self._symbols:
                raise BadDatabase(f"the symbol {token!r} is declared twice")
            self._constants.add(self._symbol(token))

    def _variable(self, body: list[str]) -> None:
        for token in self._declared(body, "$v"):
            symbol = self._symbol(token)
            if symbol in self._constants or symbol in self._active:
                raise BadDatabase(f"the symbol {token!r} is declared twice")
            self.variables.add(symbol)
            self._active.add(symbol)
            self._blocks[-1].variables.append(symbol)

    def _declared(self, body: list[str], keyword: str) -> list[str]:
        for token in body:
            if token in self.assertions or token in self.hypotheses:
                raise BadDatabase(f"the symbol {token!r} is a label already")
        if not body or len(set(body)) < len(body):
            raise BadDatabase(f"{keyword} declares {'a symbol twice' if body else 'nothing'}")
        return body

    def _symbol(self, token: str) -> str:
        if token not in self._symbols:
            if len(self._tokens) == MOST_SYMBOLS:
                raise BadDatabase(f"it has more than {MOST_SYMBOLS:,} symbols")
            n = len(self._tokens) + _FIRST
            self._symbols[token] = chr(n if n < _SURROGATES else n + 0x800)
            self._tokens.append(token)
        return self._symbols[token]

    def _disjoint(self, body: list[str]) -> None:
        symbols = [self._symbols.get(token, "") for token in body]
        if len(body) < 2 or not set(symbols) <= self._active or len(set(symbols)) < len(symbols):
            raise BadDatabase("$d needs two or more different variables")
        block = self._blocks[-1]
        if len(body) * (len(body) - 1) + len(block.pairs) > 2 * MOST_PAIRS:
            raise BadDatabase(f"$d declares more than {MOST_PAIRS:,} pairs of variables")
        block.pairs |= {(a, b) for a in symbols for b in symbols if a != b}

    def _hypothesis(self, label: str, body: list[str], floating: bool) -> None:
        block = self._blocks[-1]
        variable = ""
        if floating:
            if len(body) != 2 or self._symbols.get(body[0]) not in self._constants:
                raise BadDatabase(f"{label}: $f takes a constant and a variable")
            variable = self._symbols.get(body[1], "")
            if variable not in self._active or variable in self._floats:
                raise BadDatabase(f"{label}: {body[1]!r} is no variable here, or has a type already")
            expression = self._symbols[body[0]] + variable
        else:
            expression = self.encode(body)
        made = Hypothesis(label, expression, variable, block.number, self._position)
        self.hypotheses[label] = made
        if floating:
            self._floats[variable] = made
        else:
            self._essential.append(made)

    def _assertion(self, label: str, expression: str, proof: tuple[str, ...] | None) -> Assertion:
        used = set(expression).union(*(h.expression for h in self._essential)) & self.variables
        hypotheses = sorted([*(self._floats[v] for v in used), *self._essential], key=lambda h: h.position)
        floats = [h for h in hypotheses if h.variable]
        values = {ord(h.variable): f"{{{i}}}" for i, h in enumerate(floats)}
        pairs = self._blocks[-1].pairs
        return Assertion(
            label,
            expression,
            tuple(hypotheses),
            tuple((i, h.expression[0]) for i, h in enumerate(hypotheses) if h.variable),
            tuple((i, h.expression.translate(values)) for i, h in enumerate(hypotheses) if not h.variable),
            expression.translate(values),
            _distinct(floats, pairs),
            pairs,
            frozenset(block.number for block in self._blocks),
            self._position,
            proof,
        )


def _distinct(floats: Sequence[Hypothesis], pairs: frozenset[tuple[str, str]]) -> tuple[tuple[int, int], ...]:
    """Returns the indices (i, j), i < j, of floating hypotheses with disjoint variables, ordered by j and i."""
    if len(floats) ** 2 <= len(pairs):
        apart = (
            (i, j) for j, b in enumerate(floats) for i, a in enumerate(floats[:j]) if (a.variable, b.variable) in pairs
        )
        return tuple(apart)
    place = {h.variable: i for i, h in enumerate(floats)}
    indices = [(place[b], place[a]) for a, b in pairs if a in place and b in place]
    return tuple((i, j) for j, i in sorted(indices) if i < j)


def _index(symbol: str) -> int:
    n = ord(symbol)
    return n - _FIRST if n < _SURROGATES else n - 0x800 - _FIRST


def _tokens(text: str) -> Iterator[str]:
    """Yields the tokens of a text without its comments, in time linear in its length."""
    at = 0
    while (opens := text.find("$(", at)) >= 0:
        yield from _words(text[at:opens])
        closes = text.find("$)", opens + 2)
        if closes < 0:
            raise BadDatabase("a comment does not end")
        if "$(" in text[opens + 2 : closes]:
            raise BadDatabase("a comment holds another one")
        around = text[max(0, opens - 1) : opens], text[opens + 2], text[closes - 1], text[closes + 2 : closes + 3]
        if not all(c.isspace() or not c for c in around):
            raise BadDatabase("$( and $) stand alone, between white space")
        at = closes + 2
    yield from _words(text[at:])


def _words(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield from line.split()


def _until(tokens: Iterator[str], end: str, keyword: str) -> list[str]:
    body: list[str] = []
    for token in tokens:
        if token == end:
            return body
        if "$" in token:
            break
        body.append(token)
    raise BadDatabase(f"a {keyword} statement does not end with {end}")
