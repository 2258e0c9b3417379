"""The verdict of a verifier: one of five kinds, with a reason. There is no partial credit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from games.errors import InputError

Kind = Literal["pass", "fail", "invalid", "timeout", "error"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`kind` and a one-line `reason`, for the log and for the player.

    pass: the claim is established. fail: it is refuted, or the program ran and did something else. invalid: the answer
    does not have a form that can be checked. timeout: a time limit was reached first. error: the verifier itself
    failed; games void the match.

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
        raise TypeError("a verdict has five kinds; use .ok or .kind")

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}" if self.reason else self.kind


PASS = Verdict("pass")


class MissingProgram(InputError):
    """A required system program is not installed; the message ends with the command that installs it."""

    def __init__(self, feature: str, program: str, package: str) -> None:
        super().__init__(f"{feature} needs the program {program!r}; type: apt-get install {package}")
        self.program = program
