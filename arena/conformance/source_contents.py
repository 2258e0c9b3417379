"""Checks of task sources: the id holds all parameters, made-up wrong answers are wrong, there are enough questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, get_args, get_origin

from games.conformance.report import Check, Finding
from games.errors import ArenaError, InputError
from games.naming import Name, Value, parse_name
from games.parameters import signature_of
from games.randomness import RandomStream
from games.tasks import SPLITS, SourceTask, TaskKind, TaskSource, make
from games.tasks.registry import SOURCES

ENOUGH = 30
"""different questions of a kind in a split"""
_GLANCE, _REPEATS, _LOOKED = 60, 3, 2000
"""tasks that are made of a kind at first; repeated ones that mean few questions; tasks made to count those"""
_WRONG = 3
"""wrong answers that games ask for"""


def ids_without_parameters(id: str) -> Iterator[Finding | Check]:
    """`source.id` makes the same source again, also with other values of its parameters.

    Games keep this id: with a parameter missing, workers and resumed runs would pose other tasks.
    """
    sources = list(_varied(id))
    for asked, source in sources:
        try:
            again = make(source.id)
        except InputError as error:
            yield Finding("parameters", f"its id {source.id!r} cannot be made: {error}")
            return
        if _sample(again) != _sample(source):
            hint = f"pass the id with all parameters, such as {asked!r}, to super().__init__"
            yield Finding("parameters", f"{asked} has the id {source.id!r}, which makes other tasks; {hint}")
    yield Check("parameters", len(sources), "sources")


def _varied(id: str) -> Iterator[tuple[str, TaskSource]]:
    """Yields the source of `id`, and one for another value of each parameter that can vary, with its id."""
    name = parse_name(id)
    yield id, make(id)
    for parameter in signature_of(SOURCES.entries()[name.base].load()).parameters.values():
        now = name.params.get(parameter.name, parameter.default)
        for value in _others(parameter.name, parameter.annotation, now):
            other = str(Name(name.base, {**name.params, parameter.name: value}))
            try:
                yield other, make(other)
            except ArenaError:
                continue
            break


def _others(name: str, annotation: object, now: object) -> Sequence[Value]:
    """Returns values to try instead of `now`, the most different ones first."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    allowed = SPLITS if name == "split" else get_args(annotation) if get_origin(annotation) is Literal else ()
    if allowed:
        return [value for value in allowed if value != now]
    if isinstance(now, bool):
        return [not now]
    if isinstance(now, int):
        return [2 * now, now // 2, now + 1, now - 1]
    return [now / 2, 2 * now] if isinstance(now, float) else []


def _sample(source: TaskSource) -> object:
    """Returns what tells sources apart: split, kinds and some tasks."""
    return source.split, source.kinds, [source.made(kind, n) for kind in source.kinds[:3] for n in range(20)]


def wrong_answers_that_pass(source: TaskSource, tasks: Sequence[SourceTask]) -> Iterator[Finding | Check]:
    """No answer that `wrong` makes up passes the verifier, and they differ."""
    if type(source).wrong is TaskSource.wrong:
        yield Check("wrong", skipped="it offers no wrong")
        return
    count = 0
    for seed, task in enumerate(tasks):
        texts = source.wrong_texts(task, RandomStream(seed), _WRONG)
        count += len(texts)
        if right := [text for text in texts if source.verdict(task, text).ok]:
            problem = f"{task.question[:60]!r}: the wrong answer {right[0][:40]!r} passes"
            yield Finding("wrong", f"{problem}; leave it out, or games show a right answer as a wrong one")
        elif len(set(texts)) < len(texts):
            yield Finding("wrong", f"{task.question[:60]!r}: wrong gave {list(texts)!r:.80}; give each answer once")
    lacks = f"wrong gave no answer to any of {len(tasks)} tasks, so debate cannot use it"
    yield Check("wrong", count, "answers", lacks=lacks)


def kinds_with_few_questions(source: TaskSource, kinds: Sequence[TaskKind]) -> Iterator[Finding | Check]:
    """Each kind has about 30 different questions in each split."""
    for kind in kinds:
        if counts := _few(source, kind):
            sizes = ", ".join(f"{counts[split]} in {split}" for split in SPLITS)
            hint = f"a suite and its games need about {ENOUGH} different ones in each"
            yield Finding("enough", f"{kind}: of its questions {sizes}; {hint}", "note")
    yield Check("enough", len(kinds), "kinds")


def _few(source: TaskSource, kind: TaskKind) -> Counter[str]:
    """Returns the number of different questions in each split; empty if there are enough in all."""
    glance = {source.made(kind, number)[0] for number in range(_GLANCE)}
    if len(glance) >= _GLANCE - _REPEATS:
        return Counter()
    questions, counts = set[str](), Counter[str]()
    for number in range(_LOOKED):
        task = source.numbered(kind, number)
        if task.question not in questions:
            questions.add(task.question)
            counts[source.split_of(task)] += 1
            if all(counts[split] >= ENOUGH for split in SPLITS):
                return Counter()
    return counts
