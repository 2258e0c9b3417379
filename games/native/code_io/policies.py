"""The policies of code-io. Solvers compute short formulas and guess the rest."""

from __future__ import annotations

import re

from games.native.code_io.pipelines import described, inputs, written
from games.native.code_io.texts import CASES
from games.randomness import RandomStream
from games.shortcuts import ScriptedTurn, Shortcut, ShortcutSuite, says

PROPOSER, SOLVER = "proposer", "solver"
_FORMULA = re.compile(r"return x \* (\d+)((?: [-+] \d+)*)\s")
_MODULUS = re.compile(r", (\d+)\)+\s")
_NUMBER = re.compile(r"-?\d+")


def _kind(turn: ScriptedTurn) -> str:
    return turn.phase.rpartition(" ")[2]


def _program(turn: ScriptedTurn) -> str:
    """Returns the program of the turn; "" if it shows none."""
    return str(turn.data["program"])


def _number(text: str) -> str:
    """Returns the number at the start of a text, or ""."""
    found = _NUMBER.match(text)
    return found[0] if found else ""


def _value(turn: ScriptedTurn, kind: str) -> str:
    """Returns the number that the program was called with, or that it returned; "" if it is no number."""
    return _number(str(turn.data["argument" if kind == "deduction" else "returned"]))


def _task(turn: ScriptedTurn, program: str, args: str, said: str = "A function of numbers.") -> str:
    """A proposal: the program and its arguments, or the inputs and the description that an induction asks for."""
    if _kind(turn) != "induction":
        return f"```python\n{program}\n```\n```input\n{args}\n```"
    kind, words = described(_program(turn)) or ("number", "")
    blocks = "\n".join(f"```input\n{text}\n```" for text in inputs(kind, CASES, turn.stream))
    return f"{blocks}\n```message\n{words if said == 'exact' else said}\n```"


def formula(stream: RandomStream, terms: int) -> str:
    """Returns a program that computes a formula with so many terms."""
    body = f"x * {2 + stream.below(50)}" + "".join(
        f" {stream.choice('+-')} {1 + stream.below(90)}" for _ in range(terms)
    )
    return f"def f(x):\n    return {body}"


def _any_formula(turn: ScriptedTurn) -> str:
    """A formula of any length, often too easy or too hard; in an induction a vague description."""
    return _task(turn, formula(turn.stream, turn.stream.below(12)), str(10 + turn.stream.below(90)))


def _formula_of_four(turn: ScriptedTurn) -> str:
    """A formula that some solve; in an induction an exact description."""
    return _task(turn, formula(turn.stream, 3), str(10 + turn.stream.below(90)), "exact")


def _behind_dead_code(turn: ScriptedTurn) -> str:
    """One formula behind a list that nobody reads and a branch that nobody takes."""
    many, other = turn.stream.below(900), 123456 + turn.stream.below(9999)
    lines = (f"a = [{many}]", "for i in range(3):", "    a.append(i)", f"if x == {other}:", f"    return {many}")
    program = "\n    ".join(("def f(x):", *lines, "return x * 31 + 2 - 55 + 7"))
    return _task(turn, program, str(10 + turn.stream.below(90)), "exact")


def _power(turn: ScriptedTurn) -> str:
    return _task(turn, "def f(x):\n    return pow(x, 12345, 7)", str(10 + turn.stream.below(900)))


_RESTS = {
    "the argument and a rest by": ("return (x, pow(x, 12345, {}))",),
    "runs on this input only, a rest by": ("assert x == {x}", "return pow(x, 12345, {})"),
    "a special case, a rest by": ("if x == {x}:", "    return pow(x, 12345, {})", "return x * x"),
}
"""programs with outputs that a solver guesses in part; their arguments do not help"""


def _rest(name: str, lines: tuple[str, ...], modulus: int) -> Shortcut:
    def policy(turn: ScriptedTurn) -> str:
        x = 10 + turn.stream.below(900)
        body = "\n    ".join(line.format(modulus, x=x) for line in lines)
        return _task(turn, f"def f(x):\n    {body}", str(x))

    return Shortcut(name, {PROPOSER: policy})


def _guesses(turn: ScriptedTurn) -> str:
    kind, number = _kind(turn), turn.stream.below(500)
    if kind == "induction":
        return f"```python\ndef f(*args):\n    return {number}\n```"
    return f"```{'output' if kind == 'deduction' else 'input'}\n{number}\n```"


def _solves(turn: ScriptedTurn) -> str:
    """Computes formulas by skill, guesses the rest of a division, and writes programs that are described well."""
    kind = _kind(turn)
    if kind == "induction":
        program = written(turn.data["message"]) if turn.stream.random() < 0.5 else ""
        return f"```python\n{program}\n```" if program else _guesses(turn)
    formula = _FORMULA.search(f"{_program(turn)}\n")
    if formula is None:
        return _guess_rest(turn, kind)
    terms = [int(term) for term in re.findall(r"[-+]\d+", formula[2].replace(" ", ""))]
    factor, rest = int(formula[1]), sum(terms)
    work = len({abs(term) for term in terms} - {0, factor})  # a number that stands in several places counts once
    if turn.stream.random() >= max(0.0, 1 - work / 5):
        return _guesses(turn)
    if kind == "deduction":
        return f"```output\n{int(_value(turn, kind)) * factor + rest}\n```"
    return f"```input\n{(int(_value(turn, kind)) - rest) // factor}\n```"


def _guess_rest(turn: ScriptedTurn, kind: str) -> str:
    """A guess below the modulus of a power, or copies what it sees."""
    found = _MODULUS.search(f"{_program(turn)}\n")
    modulus = int(found[1]) if found else 0
    if 0 < modulus < 100:
        rest = str(turn.stream.below(modulus))
        text = f"({_value(turn, kind)}, {rest})" if "return (x," in _program(turn) and kind == "deduction" else rest
        return f"```{'output' if kind == 'deduction' else 'input'}\n{text}\n```"
    return f"```{'output' if kind == 'deduction' else 'input'}\n{_value(turn, kind) or '0'}\n```"


def _suite() -> ShortcutSuite:

    def proposer(name: str, program: str, args: str = "7", batch: bool = False) -> Shortcut:
        return Shortcut(name, {PROPOSER: lambda turn: _task(turn, program, args)}, batch=batch)

    def solver(name: str, output: str, args: str, program: str) -> Shortcut:
        written = {"deduction": f"output\n{output}", "abduction": f"input\n{args}", "induction": f"python\n{program}"}
        return Shortcut(name, {SOLVER: lambda turn: f"```{written[_kind(turn)]}\n```"})

    constant = "def f(*args):\n    return 0"
    return ShortcutSuite(
        honest={PROPOSER: _any_formula, SOLVER: _guesses},
        competent={PROPOSER: _formula_of_four, SOLVER: _solves},
        shortcuts=(
            Shortcut("the rest of a large power", {PROPOSER: _power}),
            *(
                _rest(f"{name} {modulus}", lines, modulus)
                for name, lines in _RESTS.items()
                for modulus in (2, 3, 7, 12)
            ),
            proposer("says whether it is even", "def f(x):\n    return x % 2 == 0", "123456"),
            proposer("the last digit", "def f(x):\n    return x * x * x % 10", "8237"),
            proposer("the number of digits", "def f(x):\n    return len(str(x ** 3))", "98765"),
            proposer("one of a few words", "def f(x):\n    return ['red', 'blue', 'green'][pow(x, 77, 3)]", "4711"),
            proposer("a constant program", "def f(x):\n    return 4"),
            proposer("the program returns its argument", "def f(x):\n    return x", "123456"),
            proposer("what nobody can solve", "def f(x):\n    return pow(x, 12345, 1000000007)"),
            proposer("always the same task", "def f(x):\n    return x * 31 + 2 - 55 + 7", batch=True),
            Shortcut("one formula behind dead code", {PROPOSER: _behind_dead_code}, batch=True),
            proposer("a program that fails", "def f(x):\n    return x / 0"),
            Shortcut("no blocks", {PROPOSER: says("def f(x): return x")}),
            solver("always 0", "0", "0", constant),
            solver("an expression for an answer", "f(7)", "7 + 0", "def f(*args):\n    return f(*args)"),
            solver("true", "True", "True", "def f(*args):\n    return True"),
            solver("several answers", "0, 1, 2, 3", "0, 1, 2, 3", "def f(*args):\n    return args"),
            solver("always an empty list", "[]", "[]", "def f(*args):\n    return []"),
            solver("always the argument", "7", "7", "def f(x):\n    return x"),
            Shortcut("the program as the answer", {SOLVER: _program}),
        ),
    )


SUITE = _suite()
