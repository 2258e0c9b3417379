"""What the user of this machine has allowed, in a file to which one line of JSON is appended for each thing."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from games import plugins

log = logging.getLogger(__name__)

FILE = "trusted.jsonl"


def state_dir() -> Path:
    """Returns $ARENA_STATE, or the user's folder for the state of programs."""
    if folder := os.environ.get("ARENA_STATE"):
        return Path(folder).expanduser()
    import platformdirs

    return Path(platformdirs.user_state_dir("selfplay-arena"))


class TrustFile:
    """What the user allowed for one store, found by the store's id."""

    def __init__(self, store: str) -> None:
        self._store = store
        self.capabilities: set[str] = set()
        self._plugins: dict[str, list[dict[str, str]]] = {}
        """plugin file -> each set of files, with their hashes, that was allowed to run for it"""
        for line in _lines() if store else ():
            if line.get("store") == store:
                self._take(line)

    def _take(self, line: dict[str, Any]) -> None:
        if isinstance(capability := line.get("capability"), str):
            self.capabilities.add(capability)
        elif isinstance(plugin := line.get("plugin"), str) and isinstance(line.get("files"), dict):
            self._plugins.setdefault(plugin, []).append(line["files"])

    @property
    def plugins(self) -> list[Path]:
        """The plugin files that were loaded for this store and have not changed since."""
        return [Path(plugin) for plugin in self._plugins if self.ran(Path(plugin))]

    def knows(self, plugin: Path) -> bool:
        """Returns whether a plugin file was loaded for this store, in its present or an older version."""
        return str(plugin) in self._plugins

    def ran(self, plugin: Path) -> bool:
        """Returns whether a plugin file was loaded for this store, and neither it nor its imports have changed."""
        return any(
            files and all(_hash(Path(file)) == digest for file, digest in files.items())
            for files in self._plugins.get(str(plugin), ())
        )

    def add(self, capabilities: Iterable[str] = (), plugins: Iterable[Path] = ()) -> None:
        """Store what is allowed. If the file cannot be written, a warning is logged."""
        lines: list[dict[str, Any]] = []
        new = dict.fromkeys(key for key in capabilities if key not in self.capabilities)
        lines += [{"store": self._store, "capability": key} for key in new]
        for plugin in dict.fromkeys(plugins):
            if not self.ran(plugin):
                lines.append({"store": self._store, "plugin": str(plugin), "files": _files(plugin)})
        if not lines or not self._store:
            return
        for line in lines:
            self._take(line)
        text = "".join(json.dumps(line) + "\n" for line in lines)
        try:
            folder = state_dir()
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(folder / FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(handle, "a", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            log.warning("what this run may use is not remembered: cannot write %s: %s", folder / FILE, error.strerror)


def _lines() -> Iterator[dict[str, Any]]:
    try:
        text = (state_dir() / FILE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):  # cut off by a full disk
            continue
        if isinstance(entry, dict):
            yield entry


def _files(plugin: Path) -> dict[str, str]:
    """Returns a plugin file and the files beside it that it imports, with their hashes."""
    return {str(file): _hash(file) for file in plugins.files_of(plugin)}


def _hash(file: Path) -> str:
    """Returns the hash of a file's content, or "" if it cannot be read."""
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""
