"""`arena board --control`: the ratings of a stored run with covariates held fixed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from league.ratings.control import FORMAT, Controlled, Effect, controlled, marks_of
from league.store import Run, Store


def controlled_of(store: Store, run: Run, game: str | None, names: Sequence[str]) -> Controlled:
    """Returns the ratings of a game of a run, by default its only one. Raises InputError as `controlled` does."""
    chosen = run.spec.game_or_only(game)
    results = store.results(run)
    marks = _marks(store, run, chosen) if FORMAT in names else {}
    return controlled(results, run.spec.games, chosen, names, run.spec.ratings, marks)


def _marks(store: Store, run: Run, game: str) -> dict[str, dict[str, int]]:
    """Returns the signs of format in the answers of each match of a game, seat by seat: results do not hold them."""
    out: dict[str, dict[str, int]] = {}
    for result, episode in store.episodes(run):
        if result.game == game:
            seats = out[result.match] = dict.fromkeys(episode.seats, 0)
            for turn in episode.turns:
                if turn.attempts:
                    seats[turn.seat] += marks_of(turn.attempts[-1].text or turn.action)
    return out


def controlled_lines(of: Controlled) -> Iterator[str]:
    """Yields the lines of a page."""
    yield f"{of.game}, {of.matches:,} matches; rating points, with 95% intervals"
    yield from (f"  {effect.name}: {_signed(effect)} {effect.unit}" for effect in of.effects)
    wide = max([len("player"), *(len(row.player) for row in of.rows)])
    names = " and ".join(effect.name for effect in of.effects)
    yield f"{'#':>4}  {'player':{wide}}  {f'{names} held fixed':>24}  {'without control':>24}  {'moves':>6}"
    for place, row in enumerate(of.rows, 1):
        held = f"{row.rating:.1f} ({row.low:.1f} to {row.high:.1f})"
        without = f"{row.without:.1f} ({row.without_low:.1f} to {row.without_high:.1f})"
        yield f"{place:>4}  {row.player:{wide}}  {held:>24}  {without:>24}  {row.rating - row.without:>+6.1f}"


def _signed(effect: Effect) -> str:
    sure = "" if effect.low > 0.0 or effect.high < 0.0 else "; may be nothing"
    return f"{effect.points:+.2f} ({effect.low:+.2f} to {effect.high:+.2f}{sure})"
