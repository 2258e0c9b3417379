"""The worker process of `games.tasks.reasoning`: it makes the items of reasoning-gym and scores answers.

The process has PYTHONHASHSEED=0, and both global generators are seeded before every item: some families order sets or
draw from the global generators. Items stay in this process, because JSON turns their tuples into lists.
"""

from __future__ import annotations

import json
import random
import sys
from functools import cache, lru_cache
from types import ModuleType
from typing import Any

from games.verifiers.workers import Message, serve

# These draw all their items when they are made, or count them: one data set per item.
SMALL_SETS = frozenset({"acre", "composite", "gsm_symbolic", "list_functions", "word_ladder"})
_SIZE = 2**31
_PLOTS = ("matplotlib", "matplotlib.pyplot", "matplotlib.animation", "matplotlib.collections")
_PLOTS_3D = ("mpl_toolkits", "mpl_toolkits.mplot3d")


@cache
def library() -> Any:
    """Returns the module reasoning_gym.factory.

    cellpylib imports matplotlib to draw pictures, which nothing here does. Matplotlib needs a writable folder, which
    the sandbox lacks, so empty modules stand in for it.
    """
    for name in (*_PLOTS, *_PLOTS_3D):
        sys.modules[name] = ModuleType(name)
    vars(sys.modules[_PLOTS_3D[-1]])["Axes3D"] = None
    from reasoning_gym import factory

    return factory


def answer(message: Message) -> Message:
    """Make an item (`question`, `answer`), score an answer to it (`score`), or list the families (`families`)."""
    if "list" in message:
        return {"families": {name: len_levels(name) for name in library().DATASETS}}
    family, number = message["family"], message["number"]
    config = json.dumps(message["config"], sort_keys=True)
    data, item = _item(family, config, number)
    if "answer" not in message:
        made = {"question": item["question"], "answer": item["answer"]}
        facts = json.loads(json.dumps(item["metadata"], default=str)) if message.get("facts") else None
        return {**made, "facts": facts}
    random.seed(number)
    try:
        return {"score": float(data.score_answer(message["answer"], item))}
    except Exception as error:  # noqa: BLE001  scoring functions raise anything on texts they do not expect
        return {"score": 0.0, "problem": type(error).__name__}


def len_levels(name: str) -> int:
    """Returns the number of levels of a family's curriculum; 0 without one."""
    if name not in library().CURRICULA:
        return 0
    return max((len(a.levels) for a in library().create_curriculum(name).attributes.values()), default=0)


@lru_cache(256)
def _item(family: str, config: str, number: int) -> tuple[Any, Any]:
    import numpy

    random.seed(number)
    numpy.random.seed(number)
    if family in SMALL_SETS:
        data = _data(family, config, number, 1)
        return data, data[0]
    data = _shared(family, config)
    return data, data[number]


@lru_cache(64)
def _shared(family: str, config: str) -> Any:
    return _data(family, config, 0, _SIZE)


def _data(family: str, config: str, seed: int, size: int) -> Any:
    """Returns a data set with a configuration: a level of the family's curriculum, or values for its fields."""
    settings = json.loads(config)
    if not isinstance(settings, int):
        return library().create_dataset(family, seed=seed, size=size, **settings)
    curriculum = library().create_curriculum(family)
    for name, attribute in curriculum.attributes.items():
        curriculum.set_attr_level(name, min(settings, len(attribute.levels) - 1))
    return library().DATASETS[family][0](curriculum.generate_configuration({"seed": seed, "size": size}))


if __name__ == "__main__":
    library()
    serve(answer)
