"""Describes the parameters of a factory for users: types, bounds, defaults, and what its docstring says of each."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.parameters import in_words, signature_of

_KINDS = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """One parameter that an id takes."""

    name: str
    allowed: str
    """the values it takes, in words; "" if any"""
    default: bool | int | float | str | None = None
    """None if it has none, or none that an id can write"""
    required: bool = False
    about: str = ""


class DocParts(NamedTuple):
    """A docstring: what it says of the whole, and of each parameter."""

    about: str
    parameters: dict[str, str]


def parameters_of(factory: Callable[..., Any], excluded: Collection[str] = ()) -> list[ParameterInfo]:
    """Returns the parameters of a factory without those in `excluded`, which are not written in ids."""
    try:
        parameters = [
            p for p in signature_of(factory).parameters.values() if p.kind in _KINDS and p.name not in excluded
        ]
    except (TypeError, ValueError):  # a builtin without a signature
        return []
    names, about = [p.name for p in parameters], dict[str, str]()
    for source in reversed((factory, *getattr(factory, "__mro__", ()))):
        for doc in (source.__doc__, getattr(source.__init__, "__doc__", None)):
            parts = split_doc(inspect.cleandoc(doc or ""), names)
            # A factory's own text is shown as a whole, that of its base classes is not.
            inherited = {} if source is factory else mentioned(parts.about, names)
            about |= inherited | parts.parameters
    return [_info(p, about.get(p.name, "")) for p in parameters if _writable(p)]


def _writable(parameter: inspect.Parameter) -> bool:
    """Returns whether an id can write a value: not for a parameter that only takes objects."""
    annotation = parameter.annotation
    unknown = annotation in (inspect.Parameter.empty, Any, object) or isinstance(annotation, str)
    return unknown or in_words(annotation) != ""


def _info(parameter: inspect.Parameter, about: str) -> ParameterInfo:
    several = parameter.kind is inspect.Parameter.VAR_KEYWORD
    default = parameter.default
    return ParameterInfo(
        name=f"{parameter.name}..." if several else parameter.name,
        allowed=in_words(parameter.annotation),
        default=default if isinstance(default, bool | int | float | str) else None,
        required=default is inspect.Parameter.empty and not several,
        about=about,
    )


def split_doc(doc: str, names: Iterable[str]) -> DocParts:
    """Take the entries `name: text` out of a docstring, for the names of parameters.

    An entry starts at a line or after a sentence, with or without backticks, and ends at the next entry or empty line.
    It may be about several parameters: `low, high: text`.

    >>> split_doc("A search.\\n\\n`depth`: of the tree. `width`: at\\neach node.", ["depth", "width"])
    DocParts(about='A search.', parameters={'depth': 'of the tree.', 'width': 'at each node.'})
    """
    either = "|".join(map(re.escape, names))
    name = rf"`?(?:{either})`?"
    entry = re.compile(rf"(?:^[ ]*|(?<=\.)\s)({name}(?:,\s{name})*):\s", re.MULTILINE)
    paragraphs: list[str] = []
    parameters: dict[str, str] = {}
    for paragraph in re.split(r"\n\s*\n", doc.strip()):
        starts = list(entry.finditer(paragraph)) if either else []
        before = paragraph[: starts[0].start()] if starts else paragraph
        if before.strip():
            paragraphs.append(" ".join(before.split()))
        for i, start in enumerate(starts):
            end = starts[i + 1].start() if i + 1 < len(starts) else len(paragraph)
            text = " ".join(paragraph[start.end() : end].split())
            parameters |= dict.fromkeys(re.findall(r"\w+", start[1]), text)
    return DocParts("\n\n".join(paragraphs), parameters)


def mentioned(text: str, names: Iterable[str]) -> dict[str, str]:
    """Returns the first sentence of a text that names each parameter in backticks.

    >>> mentioned("It looks ahead. `depth` is how far.", ["depth", "width"])
    {'depth': '`depth` is how far.'}
    """
    sentences = re.split(r"(?<=[.;])\s+(?=[A-Z`])", text)
    first = {name: next((s for s in sentences if f"`{name}`" in s), "") for name in names}
    return {name: sentence for name, sentence in first.items() if sentence}
