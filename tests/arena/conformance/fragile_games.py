"""Games that some text breaks, each in another way, and one with the readers that once made matches of code-io void."""

import ast
import re
from collections.abc import Mapping
from typing import Any

from games import GameSpec, IllegalAction, Observation, TextGame

_FENCE = re.compile(r"```[ \t]{0,4}(\w{1,20})[ \t]*\n(.*?)```", re.DOTALL)
_NAME = re.compile(r"\b_arena_string_(\d+)_\b")


class Fragile(TextGame):
    """Two seats write one text each. A subclass reads it."""

    spec = GameSpec("fragile-v0", {"a": "writer", "b": "writer"}, "zero_sum", "Write.", 2, returns_range=(-1, 1))
    listed: tuple[str, ...] | None = None
    samples: tuple[str, ...] = ("Answer: 12", "I say 7, or 8.")

    def reset(self, seed: int) -> None:
        self.texts: list[str] = []
        self.value = 0.0

    @property
    def acting(self) -> tuple[str, ...]:
        return ("ab"[len(self.texts)],) if len(self.texts) < 2 else ()

    def observe(self, seat: str) -> Observation:
        return Observation(f"{len(self.texts)} texts were written.")

    def legal(self, seat: str) -> tuple[str, ...] | None:
        return self.listed if seat in self.acting else ()

    def examples(self, seat: str) -> tuple[str, ...]:
        return (self.listed or self.samples) if seat in self.acting else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        if tuple(actions) != self.acting:
            raise IllegalAction("it is not your turn")
        ((seat, text),) = actions.items()
        self.read(seat, text)
        self.texts.append(text)

    def read(self, seat: str, text: str) -> None:
        pass

    def returns(self) -> Mapping[str, float]:
        return {"a": self.value, "b": -self.value}


class Raises(Fragile):
    def read(self, seat: str, text: str) -> None:
        if text.strip().isdigit():
            int(text)


class ChangesState(Fragile):
    def read(self, seat: str, text: str) -> None:
        if "(" in text:
            self.texts.append(text)
            raise IllegalAction("no brackets")


class RefusesSilently(Fragile):
    def read(self, seat: str, text: str) -> None:
        if "(" in text:
            raise IllegalAction("")


class CannotBeObserved(Fragile):
    def observe(self, seat: str) -> Observation:
        return Observation(f"{sum(len(text.encode('latin-1')) for text in self.texts)} bytes were written.")


class PaysNothingFinite(Fragile):
    def read(self, seat: str, text: str) -> None:
        try:
            self.value = sorted((-1.0, float(text), 1.0))[1]
        except ValueError:
            self.value = 0.0


class ReadsLate(Fragile):
    def read(self, seat: str, text: str) -> None:
        for earlier in self.texts:
            if "[" in earlier:
                ast.literal_eval(earlier[earlier.index("[") :])


class Backtracking(Fragile):
    def read(self, seat: str, text: str) -> None:
        re.search(r"(\w|\d)+!$", text)


class Endless(Fragile):
    def read(self, seat: str, text: str) -> None:
        while ")" in text:
            pass


class ShowsRaw(Fragile):
    def observe(self, seat: str) -> Observation:
        return Observation("\n".join(["Write.", *self.texts]))


class MakesVoid(Fragile):
    def read(self, seat: str, text: str) -> None:
        from games.errors import InfrastructureError

        if "#" in text:
            raise InfrastructureError("the worker died")


class Listed(Fragile):
    listed = ("yes", "no")


class Unfit(ValueError):
    """What the old reader of code-io raised."""


class OldCode(Fragile):
    """The proposals and answers of an abduction, read as code-io did."""

    samples = (
        "```python\ndef f(x):\n    return x * x + 1\n```\n```input\n7\n```",
        "```python\ndef f(words):\n    return ' '.join(reversed(words.split()))\n```\n```input\n'one two three'\n```",
        "I do not know.",
    )

    def read(self, seat: str, text: str) -> None:
        blocks = {name.lower(): body.strip() for name, body in _FENCE.findall(text)}
        try:
            if seat == "a":
                program(blocks.get("python", ""))
            else:
                arguments(blocks.get("input", ""))
        except Unfit:
            return


def program(text: str) -> str:
    """Returns a program as Python writes it. A copy of the old reader."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Unfit from None
    if not any(isinstance(n, ast.FunctionDef) and n.name == "f" for n in tree.body):
        raise Unfit
    if any(isinstance(n, ast.Name) and _NAME.fullmatch(n.id) for n in ast.walk(tree)):
        raise Unfit
    strings = Strings()
    try:
        plain = ast.unparse(ast.fix_missing_locations(strings.visit(tree)))
        plain = _NAME.sub(lambda name: repr(strings.found[int(name[1])]), plain)
        ast.parse(plain)
    except (SyntaxError, RecursionError, ValueError):
        raise Unfit from None
    return plain


class Strings(ast.NodeTransformer):
    """Replaces every string by a name."""

    def __init__(self) -> None:
        self.found: list[str | bytes] = []

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str | bytes):
            return node
        self.found.append(node.value)
        return ast.copy_location(ast.Name(f"_arena_string_{len(self.found) - 1}_", ast.Load()), node)


def arguments(text: str) -> list[Any]:
    """Returns the arguments of a call. A copy of the old reader."""
    if not text:
        return []
    closed = f"({text.strip()},)" if not text.strip().endswith(",") else f"({text.strip()})"
    try:
        value = ast.literal_eval(closed)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise Unfit from None
    return list(value)
