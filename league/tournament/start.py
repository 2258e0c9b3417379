"""Starts the stored run of a tournament file, or continues it with the players and games that the file adds."""

from __future__ import annotations

from collections.abc import Iterator

from arena.players.prompt_room import prompt_warnings
from games import InputError
from league.config.tournament import TournamentConfig
from league.records.run_spec import RunSpec
from league.runs.game_ids import stored_run, with_stored_ids
from league.store import Run, Store
from league.store.paths import to_store
from league.store.runs import changes, same_work
from league.tournament.lineup import Lineup
from league.tournament.roster_edit import store_edit
from league.tournament.roster_file import RosterWishes, continued, edit_of, of_new_run, with_stored_roster


def seated_config(config: TournamentConfig, trust: bool) -> tuple[TournamentConfig, RosterWishes]:
    """Returns the settings with the players and games that play now: see `with_stored_roster`."""
    try:
        store = Store.open(config.db, make=False)
    except InputError:  # there is no store yet; opening it later reports any other fault
        return of_new_run(config)
    with store:
        run = stored_run(store, config.name)
        if run is None or run.kind != "tournament":
            return of_new_run(config)
        return with_stored_roster(config, run, store, trust)


def open_run(
    store: Store, config: TournamentConfig, spec: RunSpec, wishes: RosterWishes, draw_seed: bool
) -> tuple[Run, str]:
    """Start or continue a run. Returns it, and a line about players and games that the file changed, or "".

    `draw_seed`: whether a new run without a seed gets a random one. Raises InputError for settings that may not change.
    """
    while True:
        stored = stored_run(store, config.name)
        file = with_stored_ids(stored, spec)
        settings = (file if stored is None else continued(stored.spec, file)).to_json()
        if config.seed is None and (draw_seed or (stored is not None and changes(stored))):
            settings["seed"] = None  # the store draws one for a new run
        settings = to_store(settings, store.place)
        try:
            run = store.start_run(config.name, settings)
        except InputError:
            now = stored_run(store, config.name)
            if stored is None or now is None:
                raise
            if changes(now) != changes(stored):
                continue  # another process changed the players in the meantime
            if not same_work(stored.settings, {**settings, "seed": stored.seed}):
                raise
            run = now  # another process plays it; players can still join it
        if stored is None:
            return run, ""
        edit = edit_of(run.spec, with_stored_ids(run, spec), wishes)
        return store_edit(store, run, edit) if edit else (run, "")


GUESSABLE = 1 << 48
"""smaller seeds can be found by trying all of them"""


def about(lineup: Lineup, run: Run) -> Iterator[str]:
    """Yields what the players say about themselves; warnings about a guessable seed, prompts that may be too long
    for a player and teams without strangers."""
    for name, player in lineup.players.items():
        if player.about:
            yield f"{name}: {player.about}"
    if lineup.outside and 0 <= run.seed < GUESSABLE:
        yield (
            f"seed = {run.seed} is small: the provider of {', '.join(lineup.outside)} can find it by trying all seeds, "
            "and with it the cards of every match; remove seed from the file to draw a large one"
        )
    for id, spec in lineup.games.items():
        entrants = [name for name, plays in lineup.plays.items() if id in plays]
        here = {name: lineup.players[name] for name in entrants if name in lineup.players}  # the rest is with workers
        yield from prompt_warnings(here, [spec])
        wide = any(len(team) > 1 for team in spec.teams)
        if spec.strangers and wide and len(entrants) <= len(spec.teams):
            yield (
                f"{id} has seats for strangers, and only {', '.join(entrants)} play it: each fills its whole team and "
                "could win by a code among its seats; with one player more, matches seat strangers"
            )


def unlisted(run: Run, wishes: RosterWishes) -> Iterator[str]:
    """Yields players that joined or left the run and of which the file says otherwise."""
    for name in wishes.unlisted:
        yield f"{name} joined this run later and plays, although the file does not list it (see `arena retire`)"
    resting = run.spec.retired - set(wishes.retired)
    if listed := sorted(resting & set(wishes.listed)):
        yield f"{', '.join(listed)}: retired from this run; `retired = false` in the file lets a player play again"
