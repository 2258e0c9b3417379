"""Calls into the Hugging Face libraries: local files only, no output to the terminal, downloads with quick errors."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from arena.inference.errors import error_line
from games import InputError

LOCAL = {"local_files_only": True, "trust_remote_code": False}
"""options for loading from a folder: download nothing and run no code from the folder"""
FILES = ["*.safetensors", "*.json", "*.model", "*.txt", "*.jinja"]


@contextmanager
def quiet() -> Iterator[None]:
    """Inside the block transformers shows no progress bars and sends its messages to `logging`."""
    from transformers.utils import logging as hf

    bars, level = hf.is_progress_bar_enabled(), hf.get_verbosity()
    hf.disable_default_handler()
    hf.enable_propagation()
    hf.disable_progress_bar()
    hf.set_verbosity_error()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        hf.set_verbosity(level)
        if bars:
            hf.enable_progress_bar()


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
