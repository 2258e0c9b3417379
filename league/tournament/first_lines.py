"""What a tournament says before its first match: of its players, seed and games, and players the file does not list."""

from __future__ import annotations

from collections.abc import Iterator

from arena.players.prompt_room import prompt_warnings
from league.store import Run
from league.tournament.lineup import Lineup
from league.tournament.roster_file import RosterWishes

GUESSABLE = 1 << 48
"""smaller seeds can be found by trying all of them"""


def about(lineup: Lineup, run: Run) -> Iterator[str]:
    """What the players say about themselves; warnings about a guessable seed, prompts that may be too long for a player
    and teams without strangers."""
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
