"""Records of the learner cannot be changed, so that what two parts of a step share stays equal."""

import pkgutil
from dataclasses import is_dataclass
from importlib import import_module

import arena.learner

MUTABLE = {"Batch", "FlexTree", "NamedPhases", "Rows", "TokenDistribution", "Tree", "_RowBuilder"}
"""built up, or filled as they are used"""


def test_records_are_frozen_and_have_the_fields_of_their_class_only():
    records = {
        value
        for module in pkgutil.walk_packages(arena.learner.__path__, "arena.learner.")
        for value in vars(import_module(module.name)).values()
        if isinstance(value, type) and is_dataclass(value) and value.__module__.startswith("arena.learner")
    }
    assert len(records) >= 20
    assert {r.__name__ for r in records if not r.__dataclass_params__.frozen} == MUTABLE  # type: ignore[attr-defined]
    assert {r.__name__ for r in records if "__slots__" not in vars(r)} == set()
