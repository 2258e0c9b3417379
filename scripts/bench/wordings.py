"""The invariance gap of a model: exact NashConv in a game and in wordings of it that it has never read.

    python scripts/bench/wordings.py [--player ID]... [--db URL] [--game ID]... [--wordings 10] [--out FILE.json]
        [--record] [--name FILE]

With `--db`, players may be snapshots of its trainings, such as NAME@STEP: the gap before and after a training.
Beside each wording: NashConv of always taking the move listed first, of uniform play, and whether the first list of the
game starts with OpenSpiel's first move, so that one sees how much of the gap is the order of a list.
"""

from __future__ import annotations

import argparse
import itertools
import json
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from _bench import cpu_seconds, machine_line, table
from _claims import Claim, record

import games
from arena import players
from arena.evaluation.wordings import InvarianceGap, measure_wordings
from arena.players.player import Player, View
from league.runs import stored_players

PLAYER = "llm(model=smollm2-135m,decode=choice)"


class FirstListed(Player):
    """Plays the move listed first."""

    name = "first-listed"

    async def probabilities(self, view: View) -> dict[str, float]:
        """Returns 1 for the first move."""
        legal = view.legal or ()
        return {text: float(text == legal[0]) for text in legal}


GAMES = ("openspiel/kuhn_poker", "openspiel/kuhn_poker(players=3)", "openspiel/tiny_hanabi")


def main() -> None:
    """Measure, print a table of each game and write the JSON."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--player", action="append", help=f"may be repeated; default: {PLAYER}")
    options.add_argument("--db", help="the store of players that are snapshots")
    options.add_argument("--game", action="append", help=f"may be repeated; default: {', '.join(GAMES)}")
    options.add_argument("--wordings", type=int, default=10)
    options.add_argument("--first", type=int, default=1, help="the seed of the first wording")
    options.add_argument("--out", default=str(Path(__file__).with_suffix(".json")))
    options.add_argument("--record", action="store_true", help="write the claims of docs/claims.md")
    options.add_argument("--name", default="", help="of the file of claims")
    settings = options.parse_args()
    machine = machine_line("torch", "transformers", "open-spiel")
    print(machine)
    reports = []
    measured: list[dict[str, Any]] = []
    make = partial(stored_players.make, db=settings.db) if settings.db else players.make
    for player, game in itertools.product(settings.player or [PLAYER], settings.game or GAMES):
        report = measure_wordings(player, game, settings.wordings, first=settings.first, make=make)
        reports.append(report)
        measured.append({"report": msgspec.to_builtins(report), "rows": rows(report, settings.first)})
        print(f"\n{table(tuple(measured[-1]['rows'][0]), [tuple(row.values()) for row in measured[-1]['rows']])}")
        print(f"mean {report.mean}\ngap {report.gap}")
    kept = {"machine": machine, "cpu_seconds": round(cpu_seconds()), "games": measured}
    Path(settings.out).write_text(json.dumps(kept, indent=1) + "\n")
    print(f"CPU seconds {kept['cpu_seconds']}")
    if settings.record:
        record(
            [claim for report in reports for claim in claims(report)],
            "torch",
            "transformers",
            "open-spiel",
            name=settings.name,
        )


def rows(report: InvarianceGap, first: int) -> list[dict[str, Any]]:
    """Returns NashConv of each wording beside that of always taking the move listed first."""
    position = measure_wordings(FirstListed(), report.game, len(report.wordings), first=first)
    uniform = measure_wordings("random", report.game, 3).nash_conv
    pairs = [
        (report.game, report.nash_conv, position.nash_conv),
        *((w.game, w.nash_conv, p.nash_conv) for w, p in zip(report.wordings, position.wordings, strict=True)),
    ]
    return [
        {"game": id, "nash_conv": value, "first_listed": listed, "uniform": uniform, "first_move": first_move(id)}
        for id, value, listed in pairs
    ]


def first_move(id: str) -> str:
    """Returns whether the first move of OpenSpiel's list is the first of the game's list too."""
    game = games.make(id)
    game.reset(0)
    state: Any = game.openspiel_state()
    first = game.from_openspiel(state.action_to_string(state.legal_actions()[0]))
    return "first" if (game.legal(game.acting[0]) or ("",))[0] == first else "later"


def claims(report: InvarianceGap) -> list[Claim]:
    """Returns the lines of the page of claims."""
    n = len(report.wordings)
    what = f"{report.player} in {report.game}"
    return [
        Claim(f"NashConv of {what}", f"{report.nash_conv:.3f}", "exact"),
        Claim(
            f"NashConv of {what} in made-up words, mean",
            f"{report.mean.value:.3f}",
            f"{report.mean.low:.3f} to {report.mean.high:.3f} (95%), {n} wordings",
        ),
        Claim(
            f"invariance gap of {what}: NashConv of two wordings differs by",
            f"{report.gap.value:.3f}",
            f"{report.gap.low:.3f} to {report.gap.high:.3f} (95%), {n} wordings",
        ),
    ]


if __name__ == "__main__":
    main()
