"""Makes task sources from ids such as `arithmetic(digits=1)` or `reasoning-gym(families=gcd+lcm, difficulty=small)`."""

from __future__ import annotations

from games.errors import InputError
from games.naming import Name, parse_name
from games.plugins import Registry
from games.tasks.source import Split, TaskSource

SOURCES = Registry(
    "task source",
    "arena.tasks",
    TaskSource,  # type: ignore[type-abstract]
    {
        "arithmetic": "games.tasks.arithmetic:ArithmeticSource",
        "facts": "games.tasks.facts:FactsSource",
        "formulas": "games.tasks.formulas:FormulaSource",
        "letters": "games.tasks.letters:LettersSource",
        "programs": "games.tasks.programs:ProgramSource",
        "reasoning-gym": "games.tasks.reasoning:ReasoningGym",
        "vocabulary": "games.tasks.vocabulary:VocabularySource",
    },
)

ids = SOURCES.ids
make = SOURCES.make
register = SOURCES.register


def training(id: str) -> TaskSource:
    """Returns the source that `id` names, with the split `train`: for examples that may be shown to anybody."""
    return with_split(id, "train")


def suite(id: str) -> TaskSource:
    """Returns the source that `id` names, for measuring: with the split `test` unless the id says `dev`.

    Raises InputError for the split `train`: what a policy may have learned from does not measure it.
    """
    if parse_name(id).params.get("split") == "train":
        raise InputError(f"{id} holds training tasks; a suite takes split=test (the default) or split=dev")
    return make(id) if "split" in parse_name(id).params else with_split(id, "test")


def with_split(id: str, split: Split) -> TaskSource:
    """Returns the source that `id` names, with another split."""
    name = parse_name(id)
    return make(str(Name(name.base, {**name.params, "split": split})))
