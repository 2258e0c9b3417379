"""The parser of a role alone, with listed actions or for free text."""

from __future__ import annotations

from typing import get_args

from arena.conformance.hostile.defect import Defect, blamed
from roles.conformance import LEGAL
from roles.prompts import written
from roles.role import Role
from roles.types import Answer, ParseError


class RoleReader:
    """Reads texts as `Role.parse` does; `legal` as there."""

    def __init__(self, role: Role, legal: tuple[str, ...] | None) -> None:
        self.role, self.legal = role, legal
        self.where = f"{role.name}, {'free text' if legal is None else f'legal are {legal}'}"
        actions = legal or LEGAL
        self.bases = tuple(written(action, form) for form in get_args(Answer) for action in actions)

    def attempt(self, text: str, follow: bool) -> None:
        """Reads a text. Raises Defect for any result but an action or a ParseError."""
        try:
            with blamed("parse"):
                action = self.role.parse(text, self.legal)
        except ParseError as error:
            if not str(error).strip():
                raise Defect("parse refuses it without a reason") from error
            return
        if not isinstance(action, str):
            raise Defect(f"parse returns {action!r:.60}")
        if self.legal is not None and action not in self.legal:
            raise Defect("parse returns what is not legal")
