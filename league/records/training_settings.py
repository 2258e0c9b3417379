"""The settings of a training that its stored run is read by: of the policies, and of the evaluation."""

from __future__ import annotations

from typing import Literal

import msgspec


class PolicySettings(msgspec.Struct, frozen=True):
    """The model of a policy, and how its prompts are written."""

    model: str = ""
    decode: Literal["choice", "free"] = "choice"
    answer: Literal["boxed", "json", "line", "bare"] | None = None
    memory: bool = False
    demonstrations: int | None = None
    show_legal: bool = True
    show_rules: bool = True


class StoredPolicy(msgspec.Struct, frozen=True):
    """A policy and the ids of its roles."""

    policy: PolicySettings = PolicySettings()
    roles: dict[str, str] = {}


class TrainingTable(StoredPolicy, frozen=True):
    """What cannot change when a training goes on; its own policy, or several."""

    policies: tuple[StoredPolicy, ...] = ()


class EvaluationTable(msgspec.Struct, frozen=True):
    """The task sources that the policy is evaluated on."""

    suite: tuple[str, ...] = ()


class FileTable(msgspec.Struct, frozen=True):
    """What may change when a training goes on."""

    evaluation: EvaluationTable = EvaluationTable()


class TrainingSettings(msgspec.Struct, frozen=True):
    """Both parts of a stored training; the defaults for a tournament."""

    training: TrainingTable = TrainingTable()
    file: FileTable = FileTable()

    @property
    def policy(self) -> PolicySettings:
        """The policy of the file, which is the only one without `[[policies]]`."""
        return self.training.policy

    @property
    def policies(self) -> tuple[StoredPolicy, ...]:
        """The policy of the file, then those of `[[policies]]`."""
        return (self.training, *self.training.policies)

    @property
    def suite(self) -> tuple[str, ...]:
        """The task sources that the policy is evaluated on."""
        return self.file.evaluation.suite
