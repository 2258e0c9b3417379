"""The resource plan of the flagship file on 8 GPUs of 80 GB, and of its settings in one process on one H200.

    python scripts/bench/plan_resources.py        # writes plan_resources.json beside this file; loads no model

Nothing here is measured on a GPU: rates and workspaces are assumptions of `league.training.resources`.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from _bench import machine_line

from league.config.training import TrainingConfig, load_training
from league.training.resolve import resolve
from league.training.resources.lines import resource_lines
from league.training.resources.planner import fitted, shapes_of
from league.training.resources.resource_plan import Cards

HERE = Path(__file__).parent
FILE = HERE.parent / "examples" / "spiral_qwen3_4b.toml"
H200 = Cards(1, 141_000_000_000)


def main() -> None:
    """Print the plans, and write JSON."""
    spiral = load_training(FILE)
    settings = spiral.model_dump(mode="json", by_alias=True, exclude_unset=True)
    alone = TrainingConfig.model_validate(settings | {"learner": {"processes": 1}})
    low = settings["policy"] | {"vllm": {"memory": 0.2}}
    lora = settings["policy"] | {"lora": 32, "vllm": {"adapters": "reload"}}
    cases = {
        "8 x 80 GB, as the file is": (spiral, Cards(8, 80_000_000_000)),
        "one H200, processes = 1": (alone, H200),
        "one H200, processes = 1, vllm.memory = 0.2": (alone.model_validate(_with(alone, low)), H200),
        "one H200, processes = 1, lora = 32": (alone.model_validate(_with(alone, lora)), H200),
    }
    out = {"machine": machine_line(), "file": FILE.name, "plans": {}}
    for name, (config, cards) in cases.items():
        plan = resolve(config)
        shapes = shapes_of(plan)
        assert shapes is not None
        _, resources, changes = fitted(plan, shapes, cards)
        print(name, *resource_lines(resources, changes), "", sep="\n")
        problems = {"changes": changes, "peaks": resources.peaks(), "problems": resources.problems}
        out["plans"][name] = problems | dataclasses.asdict(resources)
    (HERE / "plan_resources.json").write_text(json.dumps(out, indent=1) + "\n")


def _with(config: TrainingConfig, policy: dict[str, object]) -> dict[str, object]:
    return config.model_dump(mode="json", by_alias=True, exclude_unset=True) | {"policy": policy}


if __name__ == "__main__":
    main()
