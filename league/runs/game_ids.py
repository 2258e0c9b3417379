"""Finds the games of a run whose stored ids are written differently from those of a file or of a command line.

A run keeps the ids of its start, because its plan, seeds and results contain them. An edit of a plugin that changes a
default changes the canonical id of the same game.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

import msgspec

from games.naming import Name, parse_name
from games.registry import canonical_id
from league.records.run_spec import RunSpec
from league.store import Run, Store
from league.trust import of_game


def stored_run(store: Store, name: str) -> Run | None:
    """Returns the run of this name, or None."""
    return next((run for run in store.runs() if run.name == name), None)


def kept_ids(run: Run | None, ids: Iterable[str]) -> dict[str, str]:
    """Returns canonical id -> the stored run's id of the same game. Games that have the same id in both are omitted.

    A stored id that would do more than play, such as import a module, is not made unless the run's file names the same
    game.
    """
    old = list(run.spec.games) if run is not None else []
    kept: dict[str, str] = {}
    for id in ids:
        if id in old:
            continue
        candidates = (o for o in old if _may_make(o, id))
        if same := next((o for o in candidates if canonical_id(o) == id), None):
            kept[id] = same
    return kept


def with_stored_ids(run: Run | None, spec: RunSpec) -> RunSpec:
    """Returns the settings of a tournament, with the ids that the stored run has for the same games."""
    if run is None:
        return spec
    kept, written = kept_ids(run, spec.games), run.spec.written_games
    if len(written) != len(spec.written_games):
        written = spec.written_games
    return msgspec.structs.replace(
        spec,
        games={kept.get(id, id): info for id, info in spec.games.items()},
        notes={kept.get(id, id): notes for id, notes in spec.notes.items()},
        plays={player: tuple(kept.get(id, id) for id in ids) for player, ids in spec.plays.items()},
        written_games=tuple(
            old if old != new and _may_make(old, new) and canonical_id(old) == canonical_id(new) else new
            for old, new in zip(written, spec.written_games, strict=True)
        ),
    )


def id_in_run(stored: Collection[str], id: str) -> str:
    """Returns the stored id of a typed one: `toolbox(handover=true)` is `toolbox-v1(handover=True)`.

    An id without parameters also stands for the only variant of its game. Returns any other id as it is.
    """
    if id in stored:
        return id
    typed = parse_name(id)
    same = [o for o in stored if typed in _spellings(o)] or [o for o in stored if o == canonical_id(id)]
    if not same and not typed.params:
        same = [o for o in stored if typed.base in {name.base for name in _spellings(o)}]
    return same[0] if len(same) == 1 else id


def _spellings(stored: str) -> tuple[Name, Name]:
    """Returns the name of a stored game, with its version and without it."""
    name = parse_name(stored)
    return name, Name(re.sub(r"-v\d+$", "", name.base), name.params)


def _may_make(stored: str, id: str) -> bool:
    """Returns whether making the stored game does nothing that making the file's game would not do."""
    return not of_game(stored) or parse_name(stored).base == parse_name(id).base
