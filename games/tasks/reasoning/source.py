"""Tasks of reasoning-gym (Stojanovski et al. 2025, arXiv 2505.24760): about 100 generated families, as a task source.

The library runs in a worker process with limits on time and memory, without a network, in the sandbox of
`games.verifiers` if bubblewrap can run. No text of a model is ever executed: see `games.tasks.reasoning.families`.
"""

from __future__ import annotations

import calendar
import importlib.util
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from games.errors import InfrastructureError, InputError, MissingPackage, UnknownName
from games.naming import Name
from games.parameters import canonical
from games.quoting import byte_length
from games.sanitize import clean
from games.tasks.expressions import expression_key
from games.tasks.reasoning.answer_equality import same_answer
from games.tasks.reasoning.checks import check
from games.tasks.reasoning.families import CHECKED, EXCLUDED, EXPRESSIONS, FORMS, ORDERLESS, SCORED, SMALL, WORDINGS
from games.tasks.source import SourceTask, Split, TaskKind, TaskSource
from games.verifiers.verdict import PASS, Verdict
from games.verifiers.workers import Message, Program, SandboxedWorkers, library

MAKE_SECONDS, SCORE_SECONDS = 60.0, 5.0
_NUMBERS = re.compile(r"[-+*/^=.\d]+")
_TOKENS = re.compile(r"-?\d+(?:\.\d+)?|\w+")
_MONTHS = {name: str(number) for number, name in enumerate(calendar.month_name) if name}
_DATES = re.compile(rf"{'|'.join(_MONTHS)}|[1-9][0-9]*")
_LONGEST = 4000
"""bytes of an answer, at most"""


class ReasoningGym(TaskSource):
    """Families of reasoning-gym. Raises InputError, or MissingPackage without the library.

    families: names joined by `+`, or all. difficulty: `small` (for small models, where there is such a configuration),
    a level of the family's curriculum from 0, or `default`; several joined by `+`. Families that lack a difficulty are
    left out of `all`, and an error if they are named. split: see `games.tasks.source`.
    """

    name = "reasoning-gym"
    blocking = True
    compared = 15  # a task takes milliseconds

    def __init__(self, families: str = "all", difficulty: int | str = 0, split: Split = "train") -> None:
        if importlib.util.find_spec("reasoning_gym") is None:
            raise MissingPackage("the task source reasoning-gym", "reasoning-gym", "'selfplay-arena[tasks]'")
        names = families.replace(" ", "").split("+")
        levels = str(difficulty).replace(" ", "").split("+")
        kinds = _kinds(names, levels)
        params = {"families": "+".join(sorted(set(names))), "difficulty": _plain(levels), "split": split}
        super().__init__(str(Name(self.name, canonical(ReasoningGym, params))), kinds, split)

    def make(self, kind: TaskKind, number: int) -> tuple[str, str]:
        """Returns the item of this number."""
        question, answer, _ = item(kind, number)
        return question, answer

    def canonical(self, task: SourceTask) -> str:
        """Returns the part of a problem that is the same in all its wordings and orders, and the family."""
        return f"{_same_part(task.kind, task.question)}\n{task.kind.family}"

    def grade(self, task: SourceTask, answer: str) -> Verdict:
        """Pass, fail, invalid or timeout. Raises InfrastructureError if the worker cannot start."""
        answer = answer.strip()
        if not answer or byte_length(answer) > _LONGEST:
            return Verdict("invalid", "it is empty" if not answer else f"it is longer than {_LONGEST} bytes")
        family, number = task.kind.family, int(task.id.split("/")[-2], 16)
        if family in CHECKED:
            return check(family, json.loads(item(task.kind, number)[2]), answer)
        if family not in SCORED:
            return PASS if same_answer(answer, task.answer) else Verdict("fail", "it is another answer")
        if family in FORMS and not re.fullmatch(FORMS[family], answer):
            return Verdict("invalid", "it does not have the form of an answer")
        reply = _ask(task.kind, number, SCORE_SECONDS, answer=answer)
        if reply is None:
            return Verdict("timeout", f"it was not graded within {SCORE_SECONDS:g} s")
        if "problem" in reply or "error" in reply:
            return Verdict("invalid", "it does not have the form of an answer")
        return PASS if reply["score"] >= 1.0 - 1e-9 else Verdict("fail", "it is not a right answer")


def _same_part(kind: TaskKind, question: str) -> str:
    if kind.family in EXPRESSIONS:
        return expression_key(question) or " ".join(question.split())
    if kind.family == "calendar_arithmetic":
        return " ".join(sorted(_MONTHS.get(text, text) for text in _DATES.findall(question)))
    if kind.family in ORDERLESS:
        tokens = sorted(_TOKENS.findall(question))
        return " ".join(text for text in tokens if kind.family not in WORDINGS or text[-1].isdigit())
    return " ".join(_NUMBERS.findall(question) if kind.family in WORDINGS else question.split())


def families() -> dict[str, int]:
    """Returns the usable families and the number of levels of their curricula (0: none), sorted by name."""
    return {name: levels for name, levels in sorted(_all_families().items()) if name not in EXCLUDED}


def _kinds(names: Iterable[str], levels: Iterable[str]) -> list[TaskKind]:
    catalog = families()
    every = "all" in names
    kinds = []
    for level in dict.fromkeys(levels):
        if level not in ("small", "default") and not level.isdecimal():
            raise InputError(f"reasoning-gym: difficulty is {level!r}; write small, default or a level such as 0")
        for family in catalog if every else sorted(set(names)):
            if family in EXCLUDED:
                raise InputError(f"reasoning-gym: the family {family!r} is left out: {EXCLUDED[family]}")
            if family not in catalog:
                raise UnknownName("family of reasoning-gym", family, catalog)
            if _has(family, level, catalog[family]):
                kinds.append(TaskKind(family, level))
            elif not every:
                raise InputError(f"reasoning-gym: {family} has no difficulty {level!r}; {_choices(family)}")
    return kinds


def _has(family: str, level: str, curriculum: int) -> bool:
    if level == "small":
        return family in SMALL
    if level == "default":
        return True
    return int(level) < curriculum and (family, level) not in _BROKEN_LEVELS


_BROKEN_LEVELS = {("knight_swap", "0")}
"""levels whose configuration the library itself refuses"""


def _choices(family: str) -> str:
    count = families()[family]
    small = "small, " if family in SMALL else ""
    return f"write {small}default" + (f" or a level from 0 to {count - 1}" if count else "")


def _plain(levels: list[str]) -> int | str:
    text = "+".join(dict.fromkeys(levels))
    return int(text) if text.isdecimal() else text


@lru_cache(4096)
def item(kind: TaskKind, number: int) -> tuple[str, str, str]:
    """Returns question, reference answer and the metadata (JSON) that a check of ours needs."""
    reply = _ask(kind, number, MAKE_SECONDS, facts=kind.family in CHECKED)
    if reply is None or "question" not in reply:
        why = f"ran longer than {MAKE_SECONDS:g} s" if reply is None else str(reply.get("error", ""))[:200]
        raise InfrastructureError(f"reasoning-gym could not make a task of {kind}: {why}")
    return clean(reply["question"]).strip(), clean(reply["answer"]).strip(), json.dumps(reply.get("facts"))


def _ask(kind: TaskKind, number: int, seconds: float, **more: Any) -> Message | None:
    config: Any = {"small": SMALL.get(kind.family), "default": {}}.get(kind.difficulty, kind.difficulty)
    if isinstance(config, str):
        config = int(config)
    return _workers().ask({"family": kind.family, "config": config, "number": number, **more}, seconds)


@lru_cache(1)
def _all_families() -> dict[str, int]:
    reply = _workers().ask({"list": True}, MAKE_SECONDS)
    if reply is None or "families" not in reply:
        raise InfrastructureError("reasoning-gym could not list its families")
    return dict(reply["families"])


@lru_cache(1)
def _workers() -> SandboxedWorkers:
    return SandboxedWorkers(_program)


def _program() -> Program:
    made = library("games.tasks.reasoning._child", "reasoning_gym")
    return replace(made, environment=(*made.environment, ("PYTHONHASHSEED", "0")), bare=True)
