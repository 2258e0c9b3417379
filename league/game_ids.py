"""One game under two ids: how a run goes on whose store knows its games by ids written otherwise.

A run keeps the ids of its start, because its plan, its seeds and its log name them. Releases before the registry wrote
ids (`games.make`) kept what a game called itself, in which a plugin's parameters were often missing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from games.naming import parse_name
from games.registry import canonical_id, declared_id
from league.store import Run, Store
from league.trust import of_game

log = logging.getLogger(__name__)


def stored_run(store: Store, name: str) -> Run | None:
    """The run that would go on, if there is one."""
    return next((run for run in store.runs() if run.name == name), None)


def kept_ids(run: Run | None, ids: Iterable[str]) -> dict[str, str]:
    """The id that a stored run has for each game, by its canonical id; those that it knows by that are left out.

    Nothing is made of a stored id that would do more than play, such as import a module, unless the run's file names
    the same: it is another game, then.
    """
    old = list(run.config.get("rated", ())) if run is not None else []
    kept: dict[str, str] = {}
    for id in ids:
        if id in old:
            continue
        known = (o for o in old if _may_make(o, id))
        if same := next((o for o in known if canonical_id(o) == id), None):
            kept[id] = same
        elif run is not None and (declared := declared_id(id)) in old:
            kept[id] = declared
            log.warning(
                "run %r was started when parameters of %s were ignored and goes on with %s; to play %s, give it "
                "another name",
                run.name, id, declared, id,
            )  # fmt: skip
    return kept


def in_words_of(run: Run | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a tournament with its games named as the stored run names them, if they are the same games."""
    if run is None:
        return dict(settings)
    kept = kept_ids(run, settings["rated"])
    out = dict(settings)
    for key in ("rated", "notes"):
        if key in out:
            out[key] = {kept.get(id, id): value for id, value in out[key].items()}
    if "chanceless" in out:
        out["chanceless"] = [kept.get(id, id) for id in out["chanceless"]]
    out["plays"] = {player: [kept.get(id, id) for id in ids] for player, ids in settings["plays"].items()}
    written = run.config.get("games", ())
    if len(written) == len(out["games"]):
        out["games"] = [
            old if old != new and _may_make(old, new) and canonical_id(old) == canonical_id(new) else new
            for old, new in zip(written, out["games"], strict=True)
        ]
    return out


def _may_make(stored: str, id: str) -> bool:
    """Whether making a stored id does nothing that the id in the file does not."""
    return not of_game(stored) or parse_name(stored).base == parse_name(id).base
