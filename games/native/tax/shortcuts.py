"""The shortcuts of tax-v0: planners that do not look at incomes, workers that do not look at wage and rates."""

from __future__ import annotations

import re

from games.native.tax.game import PLANNER, WORKER, TaxGame
from games.native.tax.rules import listed_changes
from games.native.tax.scripted import current, learns, responds, towards
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says


def suite(game: TaxGame) -> ShortcutSuite:
    """The policies of both roles."""
    brackets = game.economy.brackets
    changes = [f"<answer>{option}</answer>" for option in listed_changes(brackets)]

    def planner(name: str, policy: Scripted) -> Shortcut:
        return Shortcut(name, {PLANNER: policy})

    def always(delta: int) -> Scripted:
        return says(f"<answer>{', '.join([str(delta)] * brackets)}</answer>")

    def worker(name: str, policy: Scripted) -> Shortcut:
        return Shortcut(name, {WORKER: policy})

    def to(rate: int) -> Scripted:
        return lambda turn: towards(current(turn), (rate,) * brackets)

    return ShortcutSuite(
        honest={PLANNER: _any_rates, WORKER: _some_hours},
        competent={PLANNER: learns(len(game.workers), game.kind), WORKER: responds(len(game.workers))},
        shortcuts=(
            planner("never changes a rate", always(0)),
            planner("changes at random", says(*changes)),
            planner("always raises", always(20)),
            planner("always lowers", always(-20)),
            planner("goes to 0%", to(0)),
            planner("goes to 50%", to(50)),
            planner("goes to 70%", to(70)),
            planner("goes to 100%", to(100)),
            planner("writes what cannot be read", says("Lower taxes for all.")),
            worker("any hours", lambda turn: f"<answer>{turn.stream.below(101)}</answer>"),
            worker(
                "all or nothing by the rate",
                lambda t: f"<answer>{100 if max(current(t)) < 50 else 0}</answer>",
            ),
            worker("fewer hours at a higher rate", lambda t: f"<answer>{100 - max(current(t))}</answer>"),
            worker("never works", says("<answer>0</answer>")),
            worker("always 50 hours", says("<answer>50</answer>")),
            worker("always 100 hours", says("<answer>100</answer>")),
            worker("writes no number", says("<answer>as much as I can</answer>")),
        ),
    )


def _any_rates(turn: ScriptedTurn) -> str:
    """Moves to rates of 30 to 80 percent, where the best rates often are, without a look at incomes."""
    return towards(current(turn), tuple(10 * (3 + turn.stream.below(6)) for _ in current(turn)))


def _some_hours(turn: ScriptedTurn) -> str:
    """Any hours up to the most listed ones whose income, after tax at the highest rate, pays for the effort."""
    found = re.search(r"Your wage is ([\d.]+)\. Effort: (.*)\.", turn.text)
    if found is None:
        return "<answer>0</answer>"
    kept = float(found[1]) * (1 - max(current(turn)) / 100)
    listed = ((int(hours), int(cost)) for hours, cost in re.findall(r"(\d+) hours (\d+)", found[2]))
    most = max((hours for hours, cost in listed if kept * hours >= cost), default=0)
    return f"<answer>{turn.stream.below(most + 1)}</answer>"
