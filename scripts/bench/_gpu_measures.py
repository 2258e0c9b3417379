"""How the parts of gpu_check measure time and memory."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]


def timed(run: Callable[[], object]) -> float:
    """Seconds, with all work on the device done that was queued inside, and none from before."""
    import torch

    wait = torch.cuda.synchronize if torch.cuda.is_available() else lambda: None
    wait()
    start = time.perf_counter()
    run()
    wait()
    return time.perf_counter() - start


def memory(reset: bool = False) -> float:
    """The peak in GB. `reset`: of what follows."""
    import torch

    if torch.cuda.is_available():
        if reset:
            torch.cuda.reset_peakmemory_stats()
        return torch.cuda.maxmemory_allocated() / 1e9
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
