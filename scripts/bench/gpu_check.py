"""What one GPU does with the arena's learner and engines, without a network: the cheapest proof first.

    python scripts/bench/gpu_check.py [--sizes 0.6b 1.7b 4b] [--seconds 600] [--json FILE] [--tiny]
    python scripts/bench/gpu_check.py --archive FILE.tar.gz [--python 3.12]

Models are randomly initialised with the shapes of Qwen3. Every part runs in a process of its own with a limit; a part
that fails or takes too long is a row, and the next one begins. FILE is written again after each part. `--tiny` runs all
parts on a tiny shape, on a CPU too. `--archive` packs this checkout with the packages that a machine with torch and
transformers lacks, for one without a package index.

machine    versions; products in bfloat16 and copies, as ceilings
attention  FlexAttention over a tree against the dense mask, forward and backward, two precisions, with a window
graphs     the graphs that policies, windows and teachers need, and the seconds that they take to compile
parity     loss and gradient of two layers on the GPU against the CPU, in float32 and bfloat16
learner    tokens/s of `Trainer.step` on one sample of 512, 8,192 and 16,384 tokens (the second of two steps), its share
           of the device's peak (MFU), and its memory beside the plan's; all weights, LoRA of rank 16, compiled layers
shards     a divided trainer alone on NCCL: step, checkpoint, whether it resumes bit for bit; with offload
publish    weights to a file in shared memory: pinned copies against pageable ones
generate   tokens/s of transformers (32 prompts) and of vLLM, where it is installed (256): 128 new tokens each
driver     one kernel with a known answer through libcuda; all that runs where torch is not installed

MFU counts 6 flops per weight and token (4 with LoRA, whose frozen weights have no gradient) and causal attention's
6 * layers * width * length; layers that are computed again for memory do not count.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
Row = dict[str, Any]


def main() -> None:
    """Run all parts, print the table, and write JSON after each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", default=["0.6b", "1.7b", "4b"], choices=["0.6b", "1.7b", "4b"])
    parser.add_argument("--seconds", type=float, default=600.0, help="for all parts together")
    parser.add_argument("--json", default="", help="file for the result")
    parser.add_argument("--tiny", action="store_true", help="a tiny shape and short answers, also without a GPU")
    parser.add_argument("--archive", default="", help="write what a machine without a package index needs, and stop")
    parser.add_argument("--python", default="3.12", help="the Python of that machine (3.12)")
    parser.add_argument("--child", nargs=2, default=None, help=argparse.SUPPRESS)
    given = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]
    if given.child:
        from _gpu_parts import PARTS

        for row in PARTS[given.child[0]](given.child[1]):
            print("ROW " + json.dumps(row), flush=True)
        return
    if given.archive:
        from _gpu_archive import write

        print(write(Path(given.archive), given.python))
        return
    _check(given)


def _check(given: argparse.Namespace) -> None:
    from _bench import machine_line, table

    torch = importlib.util.find_spec("torch") is not None
    began, device = time.monotonic(), _device() if torch else "torch is not installed"
    if device == "cpu" and not given.tiny:
        sys.exit("gpu_check: no CUDA device was found; use --tiny to try the script on the CPU")
    line = machine_line(*(("torch", "transformers") if torch else ()))
    result: dict[str, Any] = {"machine": line, "device": device, "tiny": given.tiny}
    rows: list[Row] = []
    for part, size, limit in _plan(given) if torch else [("driver", "", 60.0)]:
        left = given.seconds - (time.monotonic() - began)
        rows += _run(part, size, min(limit, left)) if left > 5 else [{"part": part, "size": size, "error": "no time"}]
        result |= {"rows": rows, "seconds": time.monotonic() - began}
        if given.json:
            Path(given.json).write_text(json.dumps(result, indent=1))
    names = list(dict.fromkeys(name for row in rows for name in row))
    print(f"{result['machine']}\n{device}, {result['seconds']:.0f} s\n")
    print(table(names, [[row.get(name, "") for name in names] for row in rows]))


def _plan(given: argparse.Namespace) -> Iterator[tuple[str, str, float]]:
    """Part, size and seconds; the cheapest proof first."""
    if given.tiny:
        yield from (("everything", "tiny", 240.0),)
        return
    first = given.sizes[0]
    yield from (("machine", first, 60.0), ("attention", first, 90.0), ("parity", first, 60.0), ("graphs", first, 120.0))
    for part in ("full", "lora", "compiled", "shards", "publish"):
        yield part, first, 120.0
    for size in given.sizes[1:]:
        yield from (("full", size, 90.0), ("lora", size, 90.0))
    for size in given.sizes:
        yield from (("generate", size, 40.0), ("vllm", size, 120.0))
    yield "driver", first, 60.0


def _run(part: str, size: str, limit: float) -> list[Row]:
    """The rows that a part prints in a process of its own, and one for its failure."""
    command = [sys.executable, __file__, "--child", part, size]
    failed = ""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(command, stdout=out, stderr=errors, start_new_session=True)
        try:
            code = child.wait(limit)
            errors.seek(0)
            failed = "" if code == 0 else _error(errors.read(), code)
        except subprocess.TimeoutExpired:
            failed = f"stopped after {limit:.0f} s"
        finally:
            with contextlib.suppress(ProcessLookupError):  # vLLM's engine is a child of the child and holds GPU memory
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        out.seek(0)
        rows = [json.loads(line[4:]) for line in out if line.startswith("ROW ")]
    rows = [{"part": part, "size": size, **row} for row in rows]
    return [*rows, {"part": part, "size": size, "error": failed}] if failed else rows


def _error(text: str, code: int) -> str:
    """The line of a traceback that names the error; torch prints advice after it."""
    lines = text.strip().splitlines() or [f"exit code {code}"]
    return next((line for line in reversed(lines) if "Error: " in line), lines[-1])[:160]


def _device() -> str:
    """The name of the device, asked in another process: a context would hold memory of the GPU."""
    ask = "import torch; print(torch.cuda.get_device_name() if torch.cuda.is_available() else 'cpu')"
    return subprocess.run([sys.executable, "-c", ask], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


if __name__ == "__main__":
    main()
