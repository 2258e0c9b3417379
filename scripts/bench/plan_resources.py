"""The resource plan of the flagship file on 8 GPUs of 80 GB, and of its settings in one process and engine on one H200.

    python scripts/bench/plan_resources.py [--record]        # loads no model

Nothing here is measured on a GPU: rates and workspaces are assumptions of `league.training.resources`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from _claims import Claim, record

from league.config.training import TrainingConfig, load_training
from league.training.resolve import resolve
from league.training.resources.fitting import fitted
from league.training.resources.planner import shapes_of
from league.training.resources.resource_plan import Cards, resource_lines

FILE = Path(__file__).parents[1] / "examples" / "spiral_qwen3_4b.toml"
H200 = Cards(1, 141_000_000_000)


def main() -> None:
    """Print the plans."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--record", action="store_true", help="write the claims of docs/claims.md")
    chosen = options.parse_args()
    spiral = load_training(FILE)
    settings = spiral.model_dump(mode="json", by_alias=True, exclude_unset=True)
    shared = {"learner": {"processes": 1}, "policy": settings["policy"] | {"vllm": {}}}
    alone = TrainingConfig.model_validate(settings | shared)
    low = settings["policy"] | {"vllm": {"memory": 0.2}}
    lora = settings["policy"] | {"lora": 32, "vllm": {"adapters": "reload"}}
    cases = {
        "8 GPUs of 80 GB, as the file is": (spiral, Cards(8, 80_000_000_000)),
        "one H200, processes = 1": (alone, H200),
        "one H200, processes = 1, vllm.memory = 0.2": (alone.model_validate(_with(alone, low)), H200),
        "one H200, processes = 1, lora = 32": (alone.model_validate(_with(alone, lora)), H200),
    }
    claims = []
    for name, (config, cards) in cases.items():
        plan = resolve(config)
        shapes = shapes_of(plan)
        assert shapes is not None
        _, resources, changes = fitted(plan, shapes, cards)
        print(name, *resource_lines(resources, changes), "", sep="\n")
        peaks = ", ".join(f"{peak / 1e9:.1f}" for peak in dict.fromkeys(resources.peaks().values()))
        fits = "does not fit" if resources.problems else "fits"
        words = f"plan of {FILE.name} on {name}: {fits}; GB in use at the peak, first GPU and others"
        claims.append(Claim(words, peaks, "planned, not measured"))
    if chosen.record:
        record(claims)


def _with(config: TrainingConfig, policy: dict[str, object]) -> dict[str, object]:
    return config.model_dump(mode="json", by_alias=True, exclude_unset=True) | {"policy": policy}


if __name__ == "__main__":
    main()
