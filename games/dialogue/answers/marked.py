r"""Finds the marked answers of a message: tags, boxes, JSON values and labels, with the places where they are."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from games.boxes import boxes
from games.dialogue.answers.evidence import EvidenceKind
from games.dialogue.answers.objects import JsonObject, json_text, objects

_FOREIGN = (
    "最终答案|答案|答え|정답|답|antwort|endergebnis|ergebnis|réponse|resultat|résultat|respuesta|resultado|resposta"
    "|risposta|risultato|ответ|antwoord"
)
GENERAL = rf"{_FOREIGN}|answer|action|decision|conclusion|choice"
_ADJECTIVES = r"(?:(?:final|my|overall|the|own|endgültige|la|die|das|le)[ _]+){0,3}"
_MOST = 200
"""the number of marks that are looked at, the last ones; bounds the time for hostile texts"""
_OWNER = re.compile(
    r"(?:(?:'s|s')(?:\s+(?:last|latest|next|current|final|new))?"
    r"|\b(?:their|his|her|its|previous|first|initial|earlier|last|latest|wrong|other|another|reference|example|whose"
    r"|incorrect|worst|bad|losing|weakest|backup|fallback|second(?:[- ]best)?|expected|tempting)"
    r"|\b(?:previous|earlier|last)\s+(?:round|turn|match|game)(?:'s)?[,:]?)\s*$"
)
_CLOSED = re.compile(r"(?:</\w{1,20}>\s{0,9}){1,9}$")


class MarkedAnswer(NamedTuple):
    """A marked answer at text[start:end]. `content` is None if the text ends before the mark does."""

    content: str | None
    start: int
    end: int
    special: bool
    """the mark is named after the kind of answer"""
    evidence: EvidenceKind


def marked(text: str, labels: str) -> list[MarkedAnswer]:
    """The marked answers in the order of their ends; of those that end together the innermost is last."""
    framed = [MarkedAnswer(*box, False, EvidenceKind.BOX) for box in boxes(text)]
    found = [*_tags(text, labels), *framed, *_values(text, labels), *_labelled(text, labels)]
    return sorted(found, key=lambda m: (m.end, m.start))[-_MOST:]


@lru_cache(64)
def _tag_pattern(labels: str) -> re.Pattern[str]:
    return re.compile(
        rf"<\s{{0,4}}(?P<slash>/?)\s{{0,4}}(?P<name>(?:final[_ -]?)?(?:{labels}|{GENERAL}))\s{{0,4}}>", re.IGNORECASE
    )


def _tags(text: str, labels: str) -> list[MarkedAnswer]:
    """The pairs of tags; a tag that is opened and never closed is cut off."""
    opened: dict[str, int] = {}
    starts: dict[str, int] = {}
    out = []
    for tag in _tag_pattern(labels).finditer(text):
        name = tag["name"].lower()
        special = re.fullmatch(rf"(?:final[_ -]?)?(?:{GENERAL})", name) is None
        if not tag["slash"]:
            opened[name], starts[name] = tag.end(), tag.start()
        elif name in opened:
            content = text[opened.pop(name) : tag.start()]
            out.append(MarkedAnswer(content, starts[name], tag.end(), special, EvidenceKind.TAG))
    if opened:
        last = max(starts[name] for name in opened)
        out.append(MarkedAnswer(None, last, len(text), False, EvidenceKind.TAG))
    return out


@lru_cache(64)
def _json_pattern(labels: str) -> re.Pattern[str]:
    return re.compile(
        rf"[{{,]\s{{0,40}}(?P<quote>[\"'])(?P<name>(?:final[_ ])?(?:{labels}|{GENERAL}))(?P=quote)\s{{0,9}}:\s{{0,9}}"
        r"""(?P<value>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|-?[0-9.]+(?:[eE][-+]?[0-9]+)?|true|false"""
        r"""|\[[^\[\]{}]{0,400}\])(?=\s{0,40}(?:\}|,\s{0,40}["']))""",
        re.IGNORECASE,
    )


def _values(text: str, labels: str) -> list[MarkedAnswer]:
    """The fields of JSON objects with a name of the kind; Python's single quotes are read too.

    A field of an object within such an object is none of its answers. An object that never ends is cut off.
    """
    out, pattern = [], _json_pattern(labels)
    spans = objects(text)
    inner = _inner_fields(text, spans, labels)
    if spans and spans[-1].value is None:
        out.append(MarkedAnswer(None, spans[-1].start, len(text), False, EvidenceKind.TAG))
    for pair in pattern.finditer(text):
        if pair.start("quote") in inner:
            continue
        value = pair["value"]
        try:
            content = json_text(value) if value[0] == '"' else value.strip("'")
        except ValueError:
            content = value
        special = re.fullmatch(rf"(?:final[_ ])?(?:{GENERAL})", pair["name"], re.IGNORECASE) is None
        out.append(MarkedAnswer(content, pair.start("quote"), pair.end(), special, EvidenceKind.TAG))
    return out


def _inner_fields(text: str, spans: list[JsonObject], labels: str) -> set[int]:
    """Where the strings of inner objects start, of the objects that have a field of the kind themselves."""
    name = re.compile(rf"(?:final[_ ])?(?:{labels}|{GENERAL})", re.IGNORECASE)
    inner: set[int] = set()
    for span in spans:
        if span.value and any(map(name.fullmatch, span.value)):
            inner |= span.inner_strings(text)
    return inner


@lru_cache(64)
def _label_pattern(labels: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w/<]){_ADJECTIVES}(?P<name>{labels}|{GENERAL})\b(?:[ ]finale?\b)?[ *_`]{{0,6}}"
        r"(?P<sign>[:：=|][ *_`|]{0,8}|->|→|[-–—][ ])?",
        re.IGNORECASE,
    )


def _labelled(text: str, labels: str) -> list[MarkedAnswer]:
    """Answers after a label in the same line, or in the line after a line that is nothing but the label."""
    out = []
    for line in re.finditer(r"[^\n]+", text):
        for label in list(_label_pattern(labels).finditer(line[0]))[-_LABELS:]:
            before, content = line[0][: label.start()], _CLOSED.sub("", line[0][label.end() :])
            if _OWNER.search(before[-40:].rstrip("*_ ").lower()):
                continue
            special = re.fullmatch(GENERAL, label["name"], re.IGNORECASE) is None
            start = line.start() + label.start()
            if content.strip(" *_`:."):
                if label["sign"]:
                    out.append(MarkedAnswer(content, start, line.end(), special, EvidenceKind.LABEL))
            elif not re.search(r"[^\W\d_]", before) and (following := _LINE.match(text, line.end())):
                out.append(MarkedAnswer(following[1], start, following.end(), special, EvidenceKind.LABEL))
    return out


_LABELS = 8
"""the number of labels of a line that are looked at, the last ones"""
_LINE = re.compile(r"(?:[\W_]*\n)([^\w\n]*\w[^\n]*)")
"""the next line with a text"""
