"""The Metamath proof checker: a stack, substitution, and the disjoint-variable rule.

No text written by a model may get a false theorem past this module; every failed check raises `BadProof`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.proofs.database import Assertion, Database, Hypothesis

Step = Assertion | Hypothesis
MOST_STEPS = 1_000_000
LONGEST = 1_000_000
"""symbols in an expression, at most; substitution can double its length at each step"""
MOST_SYMBOLS = 5_000_000
"""symbols that all steps of a proof read and write, at most; this bounds time and memory. The largest of the 45,000
proofs of set.mm, nf.mm and ql.mm needs 317,749"""


class BadProof(ValueError):
    """A proof that does not prove its assertion; the message says why. `readable`: whether the text is a proof."""

    def __init__(self, message: str, readable: bool = True) -> None:
        super().__init__(message)
        self.readable = readable


def check(database: Database, theorem: Assertion) -> int:
    """Check the proof of a theorem, in normal or compressed form, and return its number of steps. Raises BadProof."""
    stack: list[str] = []
    saved: list[str] = []
    n = symbols = 0
    for step in steps(database, theorem):
        n += 1
        if n > MOST_STEPS:
            raise BadProof(f"a proof of more than {MOST_STEPS} steps")
        if step is None:
            if not stack:
                raise BadProof("there is nothing to save")
            saved.append(stack[-1])
        elif isinstance(step, int):
            if step >= len(saved):
                raise BadProof("it refers to a step that was not saved")
            stack.append(saved[step])
        elif isinstance(step, Hypothesis):
            stack.append(step.expression)
        else:
            symbols += apply(database, theorem, step, stack)
            if symbols > MOST_SYMBOLS:
                raise BadProof(f"it is too large: more than {MOST_SYMBOLS} symbols in all steps")
    if len(stack) != 1:
        raise BadProof(f"{len(stack)} expressions are left, not one")
    if stack[0] != theorem.expression:
        raise BadProof(f"it proves {_readable(database, stack[0])}, not {_readable(database, theorem.expression)}")
    return n


def steps(database: Database, theorem: Assertion) -> Iterator[Step | int | None]:
    """Returns the steps of a proof, not yet checked: None saves the top of the stack, a number pushes a saved one.

    Raises BadProof.
    """
    if not theorem.proof:
        raise BadProof(f"{theorem.label} has no proof", readable=False)
    compressed = theorem.proof[0] == "("
    return _compressed(database, theorem) if compressed else _normal(database, theorem)


def apply(database: Database, theorem: Assertion, used: Assertion, stack: list[str]) -> int:
    """Replace the hypotheses of `used` on top of the stack by its conclusion. Returns the number of symbols of both
    and of pairs of variables that were compared.

    Raises BadProof.
    """
    n = len(used.hypotheses)
    if n > len(stack):
        raise BadProof(f"{used.label} needs {n} expressions on the stack, {len(stack)} are there")
    operands = stack[len(stack) - n :]
    values = []
    for i, typecode in used.floating:
        if operands[i][0] != typecode:
            want, have = database.decode(typecode), database.decode(operands[i][0])
            raise BadProof(f"{used.label} needs a {want}, not a {have}")
        values.append(operands[i][1:])
    for i, form in used.essential:
        expected = _filled(form, values)
        if expected != operands[i]:
            raise BadProof(
                f"{used.label} needs {_readable(database, expected)}, not {_readable(database, operands[i])}"
            )
    compared = _keep_apart(database, theorem, used, values) if used.distinct else 0
    result = _filled(used.conclusion, values)
    del stack[len(stack) - n :]
    stack.append(result)
    return len(result) + sum(map(len, operands)) + compared


def _filled(form: str, values: Sequence[str]) -> str:
    """Fill a format string with values. Raises BadProof before building one that is too long."""
    if len(form) * max(map(len, values), default=1) > LONGEST:
        length = len(form) + sum(form.count(f"{{{i}}}") * len(value) for i, value in enumerate(values))
        if length > LONGEST:
            raise BadProof(f"it is too large: an expression of more than {LONGEST} symbols")
    return form.format(*values)


def _keep_apart(database: Database, theorem: Assertion, used: Assertion, values: Sequence[str]) -> int:
    """The disjoint-variable rule: values share no variable, and the theorem declares each pair of theirs disjoint.

    Returns the number of pairs that it compared.
    """
    within = [database.variables.intersection(value) for value in values]
    compared = len(used.distinct)
    for i, j in used.distinct:
        compared += len(within[i]) * len(within[j])
        for a in within[i]:
            for b in within[j]:
                if a == b or (a, b) not in theorem.allowed:
                    names = f"{database.decode(a)} and {database.decode(b)}"
                    raise BadProof(f"{used.label} needs {names} to be disjoint, which {theorem.label} does not declare")
    return compared


def _named(database: Database, theorem: Assertion, label: str) -> Step:
    """Returns what a label refers to in the proof of `theorem`: an active hypothesis or an earlier assertion."""
    hypothesis = database.hypotheses.get(label)
    if hypothesis is not None:
        if hypothesis.scope in theorem.scope and hypothesis.position < theorem.position:
            return hypothesis
        raise BadProof(f"the hypothesis {label} is not in scope here")
    assertion = database.assertions.get(label)
    if assertion is None:
        unknown = f"there is no {label[:40]!r}" if label != "?" else "it is not complete"
        raise BadProof(unknown, readable=False)
    if assertion.position >= theorem.position:
        raise BadProof(f"{label} comes after {theorem.label}, or is it")
    return assertion


def _normal(database: Database, theorem: Assertion) -> Iterator[Step | int | None]:
    for label in theorem.proof or ():
        yield _named(database, theorem, label)


def _compressed(database: Database, theorem: Assertion) -> Iterator[Step | int | None]:
    """Yields the steps of `( labels ) LETTERS`: None saves the top of the stack, a number pushes a saved one."""
    proof = theorem.proof or ()
    if ")" not in proof:
        raise BadProof("its list of labels does not end", readable=False)
    close = proof.index(")")
    steps: list[Step] = list(theorem.hypotheses)
    mandatory = {h.label for h in steps}
    for label in proof[1:close]:
        if label in mandatory:
            raise BadProof(f"its list of labels holds {label}, a mandatory hypothesis, which must not be listed")
        steps.append(_named(database, theorem, label))
    number = 0
    may_save = False
    for letter in "".join(proof[close + 1 :]):
        if "A" <= letter <= "T":
            number = 20 * number + ord(letter) - ord("A")
            yield steps[number] if number < len(steps) else number - len(steps)
            number, may_save = 0, True
        elif "U" <= letter <= "Y":
            number = 5 * number + ord(letter) - ord("U") + 1
            may_save = False
            if number > MOST_STEPS:
                raise BadProof("a number of a step is too large", readable=False)
        elif letter == "Z" and may_save:
            yield None
            may_save = False
        else:
            reason = "it is not complete" if letter == "?" else f"{letter!r} is not allowed there"
            raise BadProof(reason, readable=False)
    if number:
        raise BadProof("it ends within a number", readable=False)


def _readable(database: Database, expression: str) -> str:
    text = database.decode(expression[:100])
    return text if len(text) <= 160 and len(expression) <= 100 else text[:157] + "..."
