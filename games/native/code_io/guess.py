"""Whether a proposed task of code-io can be guessed: few outputs, so that a solver is right without running anything.

Absolute Zero pays a proposer 1 - p for a task that few solve. The last digit of a large power is hard to compute, but
one guess in ten is right, which pays 0.9 for a task that nobody learns from. So success must repeat: at least two
answers are right, more than give any one wrong result. Before, the program is run on arguments near the proposed ones:
it must run on most of them, and the most frequent of its outputs, without the arguments in them, must be rare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.native.code_io.cache import BoundedCache
from games.native.code_io.programs import Unfit, data
from games.native.code_io.tasks import LIMITS, Task
from games.randomness import RandomStream, derive
from games.verifiers import python
from games.verifiers.plain_data import NotPlain, Value, arguments, canonical

MOST = 0.25
PROBES = 24
_AT_ONCE = 6
_SHORT = python.Limits(seconds=0.5, wall=1.5, memory=LIMITS.memory)
"""limits of a run on a neighbour"""
_FEWEST = 8
"""neighbours from which a share is estimated"""


def refuse_guessable(task: Task) -> None:
    """Raises Unfit if the modal answer of a task has a larger share than `MOST`, or an argument is the answer.

    An induction is refused if one output is that of more than half of its cases, or each output is the input.
    """
    if task.kind == "induction":
        common = max(Counter(task.outputs).values()) / len(task.outputs)
        if common > 0.5 or all(_copied(i, o) for i, o in zip(task.inputs, task.outputs, strict=True)):
            raise Unfit("most cases have the same output, or the output is the input")
        return
    if _copied(task.inputs[0], task.outputs[0]):
        raise Unfit("the output is one of the arguments, so that copying solves it")
    outputs, tried = _outputs(task)
    if tried < _FEWEST:
        return
    if 2 * len(outputs) < tried:
        raise Unfit(f"it runs on {len(outputs)} of {tried} similar inputs only; it must on half of them")
    counts = Counter(outputs)
    output = _without(task.outputs[0], arguments(task.inputs[0]))
    hits = counts[output] if task.kind == "abduction" else max(counts.values())
    if hits / len(outputs) > MOST:
        raise Unfit(f"it can be guessed: one answer is right for {hits} of {len(outputs)} similar inputs")


def _outputs(task: Task) -> tuple[tuple[str, ...], int]:
    """The outputs on the neighbours, up to the first that does not end in time, and how many neighbours were tried.

    Cached unless a limit decided, because a timeout may not repeat.
    """
    key = task.program, task.inputs[0]
    known = _SEEN.get(key)
    if known is not None:
        return known
    found, tried, in_time = _measured(*key)
    return _SEEN.put(key, (found, tried)) if in_time else (found, tried)


_SEEN: BoundedCache[tuple[str, str], tuple[tuple[str, ...], int]] = BoundedCache(256)
"""outputs by program and arguments"""


def _measured(program: str, text: str) -> tuple[tuple[str, ...], int, bool]:
    """The outputs, the number of runs, and whether all runs ended in time.

    One run each is enough: the proposed task was found deterministic, and a program that hides its constant answer
    from this estimate can do so without chance.
    """
    found: list[str] = []
    near = neighbours(text, PROBES)
    for start in range(0, len(near), _AT_ONCE):
        inputs = near[start : start + _AT_ONCE]
        runs = python.call(program, inputs, limits=_SHORT)
        found += [_without(run.canonical, args) for run, args in zip(runs, inputs, strict=True) if run.verdict.ok]
        if any(run.verdict.kind == "timeout" for run in runs):
            return tuple(found), start + len(inputs), False
    return tuple(found), len(near), True


def _without(output: str, args: Sequence[Value]) -> str:
    """Returns an output without the arguments in it, which a solver copies; short ones may be there by chance."""
    for text in sorted(map(canonical, args), key=len, reverse=True):
        output = output.replace(text, "") if len(text) > 1 and output != text else output
    return output


def neighbours(text: str, n: int) -> list[list[Value]]:
    """At most `n` different lists of arguments near those in `text`, which are not among them."""
    given = arguments(text)
    stream = RandomStream(derive(0, "code-io-v1", text))
    found: dict[str, list[Value]] = {}
    for _ in range(4 * n):
        args = [_varied(value, stream) for value in given]
        if (key := data(args)) != data(given):
            found.setdefault(key, args)
        if len(found) == n:
            break
    return list(found.values())


def _varied(value: Value, stream: RandomStream) -> Value:
    if isinstance(value, bool):
        return stream.random() < 0.5
    if isinstance(value, int | float):
        moved = value + stream.choice((-1, 1)) * (1 + stream.below(max(20, min(10**6, int(abs(value))))))
        return 1 + abs(moved) if value > 0 >= moved else moved  # many programs are for positive numbers only
    if isinstance(value, str):
        letters = [*value, stream.choice("abcdefghij")]
        return "".join(stream.shuffled(letters)[: max(1, len(letters) - stream.below(2))])
    if isinstance(value, list | tuple):
        items = [_varied(item, stream) for item in value] or [1 + stream.below(20)]
        return type(value)(items[: max(1, len(items) - stream.below(2))])
    return value


def _copied(given: str, output: str) -> bool:
    try:
        return output in map(canonical, arguments(given))
    except NotPlain:
        return False
