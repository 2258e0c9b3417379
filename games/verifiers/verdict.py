"""What a verifier says: one of five kinds and why. There is no half point: what was not established did not pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from games.errors import InputError

Kind = Literal["pass", "fail", "invalid", "timeout", "error"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`kind` and a `reason` in one line, for the record and for whoever was judged.

    pass: the claim was established. fail: it was refuted, or the program ran and did something else. invalid: what was
    handed in is not of the form that can be checked. timeout: a limit of time was reached first. error: the verifier
    itself failed, which is nobody's merit or fault: a game voids its match on it.

    >>> Verdict("pass").ok, bool(Verdict("fail", "6 is not 7").ok)
    (True, False)
    """

    kind: Kind
    reason: str = ""

    @property
    def ok(self) -> bool:
        """Whether it passed."""
        return self.kind == "pass"

    def __bool__(self) -> bool:
        raise TypeError("a verdict has five kinds; ask for .ok or .kind")

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}" if self.reason else self.kind


PASS = Verdict("pass")


class MissingProgram(InputError):
    """A feature needs a program of the system that is not there; the message ends with the line to type."""

    def __init__(self, feature: str, program: str, package: str) -> None:
        super().__init__(f"{feature} needs the program {program!r}; type: apt-get install {package}")
        self.program = program
