"""Examines packages, programs, devices, folders, plugins and a store, in this order."""

from __future__ import annotations

from collections.abc import Iterator

from league.config.database_url import DatabaseUrl
from league.doctor import machine, packages, places
from league.doctor.diagnosis import Diagnosis


def examine(db: DatabaseUrl | str | None) -> Iterator[Diagnosis]:
    """Yields everything that `arena doctor` prints. Imports torch if it is installed, to see the GPUs.

    `db` is the URL of a store, or None for the default store, which need not exist.
    """
    yield from machine.system()
    yield from packages.core()
    yield from packages.extras()
    yield from machine.devices()
    yield from machine.programs()
    yield from places.installed_plugins()
    yield from places.folders()
    yield places.store(db)
