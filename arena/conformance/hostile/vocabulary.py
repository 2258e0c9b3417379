"""The words of a reader: texts, formats and regular expressions in the modules that read an answer.

A name that a program reserves for itself (`_part_9_`), a tag or a keyword is too rare for a grammar. The source has it.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType

from arena.conformance.hostile.patterns import matching
from games.randomness import RandomStream

_LONGEST, _MODULES, _TRIES = 40, 60, 12
_PLACES = ("0", "9", "x", "")
"""what stands for a value in a format"""
_NAMES = ("x", "f", "g", "math", "self", "__class__", "print", "é", "_")
_COMMON = ("answer", "action", "wins", "True", "none", "yes", "the", "player_0", "System", "GAME", "zq7forged")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words by kind: the kinds are drawn alike, so the many texts do not hide the few formats."""

    texts: tuple[str, ...]
    formats: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]

    def word(self, stream: RandomStream) -> str:
        """Returns a text, a filled format, a text for a pattern, or a common word."""
        kinds: tuple[tuple[str | re.Pattern[str], ...], ...] = (_COMMON, self.texts, self.formats, self.patterns)
        kind = stream.choice([kind for kind in kinds if kind])
        item = kind[min(stream.below(len(kind)), stream.below(len(kind)))]  # the reader's own modules come first
        return item if isinstance(item, str) else matching(item, stream)

    def name(self, stream: RandomStream) -> str:
        """Returns a word that is an identifier."""
        for _ in range(_TRIES):
            if (word := self.word(stream)).isidentifier():
                return word
        return stream.choice(_NAMES)


def vocabulary(*readers: object) -> Vocabulary:
    """Returns the words of the modules that define these objects, and of the modules that those use."""
    texts: dict[str, None] = {}
    formats: dict[str, None] = {}
    patterns: dict[re.Pattern[str], None] = {}
    for module in _modules(readers):
        for value in vars(module).values():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                patterns[value] = None
        for node in ast.walk(_tree(module)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) <= _LONGEST:
                texts[node.value] = None
            elif isinstance(node, ast.JoinedStr):
                formats |= dict.fromkeys(_filled(node))
    return Vocabulary(tuple(texts), tuple(formats), tuple(patterns))


def _filled(node: ast.JoinedStr) -> Iterator[str]:
    for place in _PLACES:
        parts = (str(part.value) if isinstance(part, ast.Constant) else place for part in node.values)
        if len(text := "".join(parts)) <= _LONGEST and not re.search(r"\s", text):  # with spaces it is for people
            yield text


def _tree(module: ModuleType) -> ast.AST:
    try:
        return ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):  # a module without a source
        return ast.Module([], [])


def _modules(readers: Sequence[object]) -> list[ModuleType]:
    """Returns the modules of the readers' classes, then those of the same packages that they use."""
    names = [base.__module__ for reader in readers for base in type(reader).__mro__[:-1]]
    packages = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
    modules: dict[str, ModuleType] = {}
    for name in names:  # grows while it is read
        module = sys.modules.get(name)
        if module is None or name in modules or name.partition(".")[0] not in packages:
            continue
        if len(modules) == _MODULES:
            break
        modules[name] = module
        for value in vars(module).values():
            names.append(value.__name__ if isinstance(value, ModuleType) else str(getattr(value, "__module__", "")))
    return list(modules.values())
