"""What every benchmark prints: the machine, the commit and a table; and how CPU time is measured."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path


def machine_line(*packages: str) -> str:
    """The machine, its load, the commit and the versions of some packages, in one line."""
    parts = [f"{_processor()}, {os.cpu_count()} cores", f"Python {platform.python_version()}"]
    parts += [f"{name} {metadata.version(name)}" for name in packages]
    if hasattr(os, "getloadavg"):
        parts.append(f"load {os.getloadavg()[0]:.2f}")
    return f"{'; '.join(parts)}; commit {_commit()}"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table, numbers on the right; floats with three significant digits."""
    cells = [[_cell(c) for c in row] for row in rows]
    widths = [max(len(r[i]) for r in [list(head), *cells]) for i in range(len(head))]
    right = [all(isinstance(row[i], (int, float)) for row in rows) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        filled = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)]
        return f"| {' | '.join(filled)} |"

    rule = [("-" * (w - 1) + ":") if r else "-" * w for w, r in zip(widths, right, strict=True)]
    return "\n".join([line(head), f"| {' | '.join(rule)} |", *map(line, cells)])


def cpu_seconds() -> float:
    """CPU seconds of this process so far, over all its threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def tree_cpu_seconds() -> float:
    """Like `cpu_seconds`, plus all living child processes, such as engines and workers (Linux)."""
    spent, parent = dict[int, float](), dict[int, int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue  # it ended in the meantime
        fields = text.rpartition(")")[2].split()
        parent[int(stat.parent.name)] = int(fields[1])
        spent[int(stat.parent.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    below = {os.getpid()}
    while more := {pid for pid, above in parent.items() if above in below} - below:
        below |= more
    return sum(spent[pid] for pid in below if pid in spent)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _commit() -> str:
    """Returns the last commit that others have too, because a rebase renames the later ones; `+changes` after it."""
    here = Path(__file__).parent

    def git(*words: str) -> str:
        try:
            return subprocess.run(["git", *words], capture_output=True, text=True, cwd=here, check=False).stdout.strip()
        except OSError:  # no git
            return ""

    head = git("rev-parse", "HEAD")
    shared = git("merge-base", "HEAD", "@{upstream}") or head
    changes = "+changes" if shared != head or git("status", "--porcelain") else ""
    return (git("rev-parse", "--short", shared) if shared else "unknown") + changes
