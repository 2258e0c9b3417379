"""The form of a pack: a zip file whose `manifest.json` lists every other entry with its size and SHA-256."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import IO

import msgspec

from games import InputError

FORMAT = 1
MANIFEST = "manifest.json"
LOG = "arena.db"
"""the store"""
PLUGINS, RUNS = "plugins", "runs"
"""folders: the code, and the files of each training"""

BLOCK = 1 << 20
_LARGEST_MANIFEST = 1 << 26
_RATIO = 200
"""the most bytes that a byte of a pack becomes; a log shrinks to a tenth"""
_SLACK = 1 << 26
_NAME = re.compile(rf"{re.escape(LOG)}|{PLUGINS}/[^\\]+\.py|{RUNS}/[^\\]+")

Progress = Callable[[int, int], object]
ShowProgress = Callable[[str, int], AbstractContextManager[Progress]]
"""(name of the work, number of parts) -> callback (parts done, parts in all)"""


def silent(what: str, total: int) -> AbstractContextManager[Progress]:
    """Show nothing."""
    return nullcontext(lambda done, of: None)


class PackedFile(msgspec.Struct, frozen=True):
    """An entry of a pack."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a pack holds."""

    format: int
    arena: str
    """version of the program that wrote it"""
    schema: int
    """version of the tables of its log"""
    run: str
    files: dict[str, PackedFile]

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(file.size for file in self.files.values())


class _Version(msgspec.Struct):
    format: int


def is_name(name: str) -> bool:
    """Returns whether an entry may have this name: a relative path into one of the places of a pack."""
    parts = name.split("/")
    return bool(_NAME.fullmatch(name)) and name.isprintable() and not {"", ".", ".."} & set(parts)


def read_manifest(archive: zipfile.ZipFile, label: str) -> Manifest:
    """Returns the manifest of a pack whose entries have the listed names and sizes. Raises InputError."""
    entries = archive.infolist()
    manifest_entry = next((entry for entry in entries if entry.filename == MANIFEST), None)
    if manifest_entry is None or manifest_entry.file_size > _LARGEST_MANIFEST:
        raise InputError(f"{label} is not a pack; `arena pack RUN -o FILE` writes one")
    try:
        text = archive.read(manifest_entry)
        version = msgspec.json.decode(text, type=_Version).format
        manifest = msgspec.json.decode(text, type=Manifest) if version <= FORMAT else None
    except (msgspec.MsgspecError, RecursionError, OSError, *DAMAGE) as error:
        raise damaged(label, f"its {MANIFEST} cannot be read ({type(error).__name__})") from None
    if manifest is None:
        raise InputError(
            f"{label} has format {version}, this arena reads {FORMAT}; upgrade with pip install -U selfplay-arena"
        )
    assert archive.fp is not None
    for fault in _faults(manifest, entries, archive.fp.seek(0, os.SEEK_END)):
        raise damaged(label, fault)
    return manifest


def _faults(manifest: Manifest, entries: list[zipfile.ZipInfo], size: int) -> Iterator[str]:
    """Yields the differences between the entries and the manifest, and entries that no arena writes.

    `size`: the bytes of the pack, which its entries may share or exceed by what they say.
    """
    names = Counter(entry.filename.casefold() for entry in entries)
    listed = {**manifest.files, MANIFEST: None}
    for entry in entries:
        name, file = entry.filename, listed.pop(entry.filename, None)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if names[name.casefold()] > 1:
            yield f"it holds {name!r} twice"
        if name == MANIFEST:
            continue
        if entry.orig_filename != name or not is_name(name) or kind not in (0, stat.S_IFREG):
            yield f"no pack holds an entry like {entry.orig_filename!r:.200}"
        if file is None or file.size != entry.file_size:
            yield f"{name!r} is not as the manifest says"
    for name in listed:
        yield f"{name!r} is missing"
    if manifest.size > _SLACK + _RATIO * min(size, sum(entry.compress_size for entry in entries)):
        yield f"it would become {manifest.size:,} bytes"


DAMAGE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError)
"""errors of reading an entry"""


def damaged(label: str, fault: str) -> InputError:
    """Returns the error for a pack that is not as it was written."""
    return InputError(f"the pack {label} is damaged: {fault}; get another copy of it")


def copy(source: IO[bytes], target: IO[bytes], size: int, progress: Callable[[int], object]) -> PackedFile:
    """Copy at most `size` bytes. Returns how many there were, and their hash."""
    digest, copied = hashlib.sha256(), 0
    while copied < size and (block := source.read(min(BLOCK, size - copied))):
        digest.update(block)
        target.write(block)
        copied += len(block)
        progress(len(block))
    return PackedFile(copied, digest.hexdigest())


def counted(progress: Progress, total: int) -> Callable[[int], object]:
    """Returns a callback that receives the numbers of newly done parts."""
    done = 0

    def add(n: int) -> None:
        nonlocal done
        done += n
        progress(done, total)

    return add
