"""The error after which the processes of a learner have to be started again."""

from __future__ import annotations

from typing import ClassVar

from games.errors import InfrastructureError


class GroupFailure(InfrastructureError):
    """A process of the learner ended or did not answer. The group has to be started again from a checkpoint."""

    occurred: ClassVar[bool] = False
    """whether one was raised in this process: it cannot continue then"""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        GroupFailure.occurred = True
