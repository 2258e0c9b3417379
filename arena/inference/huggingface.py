"""Calls into the Hugging Face libraries: local files only, no output to the terminal, downloads with quick errors."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from arena.inference.errors import error_line
from arena.inference.weights import damaged_file, listed
from games import InputError
from games.errors import ArenaError

log = logging.getLogger(__name__)

LOCAL = {"local_files_only": True, "trust_remote_code": False}
"""options for loading from a folder: download nothing and run no code from the folder"""
FILES = ["*.safetensors", "*.json", "*.model", "*.txt", "*.jinja"]
_LIBRARIES = ("transformers", "peft", "accelerate")
_ALARM = re.compile(
    r"newly initialized|not initialized from|not used when initializing|missing adapter keys|size mismatch"
    r"|will NOT tie|seem corrupted|regex pattern.{0,80}incorrect tokenization"
)
"""what a library warns of if a model is not what its files say"""
_ROW = re.compile(r"^(\S+) +\| (?:\x1b\S*?m)?(?:CONVERSION|MISMATCH)", re.MULTILINE)
"""a row of transformers' report on a load; its errors refer to "the above report" """


class _Collector(logging.Handler):
    """Keeps the messages of a library's loggers."""

    def __init__(self, notices: list[str]) -> None:
        super().__init__(logging.WARNING)
        self.notices = notices

    def emit(self, record: logging.LogRecord) -> None:
        self.notices.append(record.getMessage())


@contextmanager
def quiet() -> Iterator[list[str]]:
    """Inside the block the libraries write nothing to the terminal. Yields a list that their warnings are added to.

    Afterwards `logging` has all of them, at the level of information.
    """
    from transformers.utils import logging as hf

    notices: list[str] = []
    collector, loggers = _Collector(notices), {logging.getLogger(name): True for name in _LIBRARIES}
    bars, level = hf.is_progress_bar_enabled(), hf.get_verbosity()
    hf.disable_default_handler()
    hf.disable_progress_bar()
    hf.set_verbosity_warning()
    for logger in loggers:
        loggers[logger] = logger.propagate
        logger.addHandler(collector)
        logger.propagate = False
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                yield notices
            finally:
                notices += [str(warning.message) for warning in caught]
    finally:
        for logger, propagates in loggers.items():
            logger.removeHandler(collector)
            logger.propagate = propagates
        hf.set_verbosity(level)
        if bars:
            hf.enable_progress_bar()
        for notice in notices:
            log.info("%s", " ".join(notice.split())[:500])


@contextmanager
def loading(folder: Path, what: str = "model") -> Iterator[None]:
    """Inside the block a library reads a folder; what it raises becomes an InputError that names the folder.

    Raises InputError also for a warning that says that the model is not what its files say.
    """
    notices: list[str] = []
    try:
        with quiet() as notices:
            yield
    except (ArenaError, MemoryError):
        raise
    except Exception as error:  # whatever a library raises while it reads a folder, the folder caused
        raise InputError(f"cannot load the {what} in {str(folder)!r}: {_why(folder, error, notices)}") from error
    if alarm := next((notice for notice in notices if _ALARM.search(notice)), ""):
        raise InputError(f"the {what} in {str(folder)!r} is not what its files say: {' '.join(alarm.split())[:300]}")


def _why(folder: Path, error: Exception, notices: list[str]) -> str:
    """Returns why a folder cannot be read, in one line."""
    if "trust_remote_code" in str(error):
        return "it requires its own code, which is never run; use a model whose architecture is part of transformers"
    if fault := damaged_file(folder):
        return fault
    if "above report" in str(error) and (rows := _ROW.findall("\n".join(notices))):
        return f"these tensors do not fit its layers: {listed(rows)}"
    if "backend tokenizer" in str(error):
        return "it has no tokenizer.json that can be read; copy the files of the tokenizer too"
    return error_line(error)


def download(name: str, allowed: str) -> Path:
    """Returns the folder of a model from the hub, or from an earlier download.

    Raises InputError that lists the `allowed` names if there is no such model.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    offline = not _hub_answers()
    try:
        with _no_bars():
            path = snapshot_download(name, allow_patterns=FILES, local_files_only=offline)
    except (HFValidationError, HfHubHTTPError) as error:
        if "@" in name:
            allowed += f"; a snapshot is a player by its name alone: {name}, without llm(...)"
        raise InputError(f"no model {name!r} on the Hugging Face hub; use {allowed} ({error_line(error)})") from error
    except OSError as error:
        why = (
            "it was not downloaded before and the Hugging Face hub cannot be reached" if offline else error_line(error)
        )
        raise InputError(f"no model {name!r}: {why}; use {allowed}") from error
    return Path(path)


def _hub_answers() -> bool:
    """Returns False if the hub cannot be reached; without this test the library retries for 50 seconds."""
    import socket
    from urllib.request import getproxies

    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return False
    if getproxies().keys() & {"http", "https", "all"}:
        return True
    url = urlsplit(constants.ENDPOINT)
    try:
        with socket.create_connection((url.hostname or "", url.port or 443), timeout=5):
            return True
    except OSError:
        return False


@contextmanager
def _no_bars() -> Iterator[None]:
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    before = are_progress_bars_disabled()
    disable_progress_bars()
    try:
        yield
    finally:
        if not before:
            enable_progress_bars()
