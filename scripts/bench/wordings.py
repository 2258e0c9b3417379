"""The invariance gap of a model: exact NashConv in a game and in wordings of it that it has never read.

    python scripts/bench/wordings.py [--player "llm(model=smollm2-135m,decode=choice)"] [--game ID] [--wordings 10]
        [--out FILE.json] [--record]

Beside each wording: which move its lists name first, and the NashConv of always taking the move listed first, so that
one sees how much of the gap is the order of a list.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import msgspec
from _bench import cpu_seconds, machine_line, table
from _claims import Claim, record

import games
from arena.evaluation.wordings import InvarianceGap, measure_wordings
from arena.players.player import Player, View


class FirstListed(Player):
    """Plays the move listed first."""

    name = "first-listed"

    async def probabilities(self, view: View) -> dict[str, float]:
        """Returns 1 for the first move."""
        legal = view.legal or ()
        return {text: float(text == legal[0]) for text in legal}


def main() -> None:
    """Measure, print a table and write the JSON."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--player", default="llm(model=smollm2-135m,decode=choice)")
    options.add_argument("--game", default="openspiel/kuhn_poker")
    options.add_argument("--wordings", type=int, default=10)
    options.add_argument("--first", type=int, default=1, help="the seed of the first wording")
    options.add_argument("--out", default=str(Path(__file__).with_suffix(".json")))
    options.add_argument("--record", action="store_true", help="write the claims of docs/claims.md")
    settings = options.parse_args()
    report = measure_wordings(settings.player, settings.game, settings.wordings, first=settings.first)
    position = measure_wordings(FirstListed(), settings.game, settings.wordings, first=settings.first)
    rows = [(settings.game, report.nash_conv, position.nash_conv, first_move(settings.game))]
    for wording, other in zip(report.wordings, position.wordings, strict=True):
        rows.append((wording.game, wording.nash_conv, other.nash_conv, first_move(wording.game)))
    machine = machine_line("torch", "transformers", "open-spiel")
    keys = ("game", "nash_conv", "first_listed", "first_move")
    kept: dict[str, Any] = {"machine": machine, "cpu_seconds": cpu_seconds(), "report": msgspec.to_builtins(report)}
    kept["rows"] = [dict(zip(keys, row, strict=True)) for row in rows]
    Path(settings.out).write_text(json.dumps(kept, indent=1) + "\n")
    print(machine)
    print(table(("game", "NashConv", "always the first listed", "first move of OpenSpiel's list is listed"), rows))
    print(f"mean {report.mean}\ngap {report.gap}\nCPU seconds {kept['cpu_seconds']:.0f}")
    if settings.record:
        record(claims(report), "torch", "transformers", "open-spiel")


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
