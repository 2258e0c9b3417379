"""Packs this checkout, and the packages that the learner needs beside torch and transformers, into one file."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("arena", "games", "roles", "league", "scripts/bench")
PACKAGES = ("msgspec", "pydantic", "platformdirs")
"""with what they need, these are all imports of the learner that a machine with torch and transformers may lack"""
LIMIT = 64 << 20


def write(target: Path, python: str) -> str:
    """Write the archive; returns how to use it. Exits if it is too large to be sent in one call."""
    with tempfile.TemporaryDirectory() as wheels, tempfile.TemporaryDirectory() as site:
        pip = [sys.executable, "-m", "pip", "download", "-q", "--only-binary=:all:", "--python-version", python]
        pip += ["--platform=manylinux2014_x86_64", "--platform=manylinux_2_28_x86_64", "-d", wheels, *PACKAGES]
        subprocess.run(pip, check=True)
        for wheel in Path(wheels).glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(site)
        command = ["git", "ls-files", "--", *FOLDERS]
        files = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")
        with tarfile.open(target, "w:gz") as out:
            for name in filter(None, files):
                out.add(ROOT / name, f"arena-check/{name}")
            out.add(site, "arena-check/site")
    size = target.stat().st_size
    if size > LIMIT:
        sys.exit(f"gpu_check: {target} has {size >> 20} MiB, at most {LIMIT >> 20} can be sent")
    return (
        f"{target}: {size / (1 << 20):.1f} MiB. On the machine: tar xzf {target.name} && cd arena-check && "
        "PYTHONPATH=site python scripts/bench/gpu_check.py --json gpu.json"
    )
