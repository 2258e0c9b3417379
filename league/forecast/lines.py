"""A forecast as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from league.board.cells import span
from league.forecast.forecast import LIMIT, Forecast, Spread
from league.sprt.by_task import TasksNeeded


def forecast_lines(forecast: Forecast, file: str) -> Iterator[str]:
    """Yields a forecast, one fact a line. `file` is the tournament file, for the commands to type next."""
    yield f"{forecast.name}: {forecast.players:,} players, {forecast.games:,} game{'s' * (forecast.games != 1)}"
    yield f"ends: {', or '.join((*forecast.rules, 'after its rounds'))}"
    if forecast.played:
        yield f"played so far: {forecast.played:,} matches; below is what is still to come"
    yield f"matches: {_spread(forecast.matches, lambda n: f'{round(n):,}')}"
    for name, spread, text in (
        ("tokens written", forecast.tokens, _whole),
        ("tokens read", forecast.prompt_tokens, _whole),
        ("money", forecast.cost, lambda n: f"{n:,.2f}"),
        ("time", forecast.seconds, span),
    ):
        if spread is not None and spread.high > 0:
            yield f"{name}: {_spread(spread, text)}"
    if forecast.paired is not None:
        yield from paired_lines(forecast.paired)
    yield from _doubts(forecast, file)


def paired_lines(of: TasksNeeded) -> Iterator[str]:
    """Yields what the difference of two players task by task takes."""
    d = of.difference
    yield (
        f"{d.player} over {d.other}: {d.difference:+.3f} ± {(d.high - d.low) / 2:.3f} on {d.tasks:,} tasks so far, "
        f"where their scores correlate by {d.correlation:.2f}"
    )
    yield (
        f"to ±{of.reach:g}: about {of.paired:,} tasks if both play the same ones (arena board --paired), "
        f"{of.unpaired:,} of each if not"
    )


def _doubts(forecast: Forecast, file: str) -> Iterator[str]:
    if forecast.leagues > 1:
        basis = f"ratings after {forecast.pilot:,} matches" if forecast.pilot else "the prior: nobody has played yet"
        yield (
            f"Each range holds 8 of 10 of {forecast.leagues} simulated leagues, with skills drawn from {basis}; "
            f"a stop rule ended {forecast.stopped:.0%} of them."
        )
    if forecast.limited:
        yield f"{forecast.limited:.0%} of them were still going on after {LIMIT:,} matches; set rounds or stop.matches."
    if forecast.seconds is None:
        yield f"Tokens, money and time are measured by a pilot: arena plan {file} --pilot 20"
    elif forecast.unmeasured:
        yield f"The pilot was too short for {', '.join(forecast.unmeasured)}: take more matches."


def _whole(n: float) -> str:
    return f"{round(n):,}"


def _spread(spread: Spread, text: Callable[[float], str]) -> str:
    low, median, high = text(spread.low), text(spread.median), text(spread.high)
    return median if low == high else f"{median} ({low} to {high})"
