"""gen-v1: a generated game of two players in made-up words, small enough for exact measures.

The seed draws stages of chance and choice, who sees which, and points for pairs of outcomes. OpenSpiel loads the tree,
so players can be solved and measured exactly; seats read the game in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

from annotated_types import Interval

from games.errors import IllegalAction
from games.exact.generated_tree import load, worth_playing
from games.exact.stages import Balance, Path, Plan, Stage, drawn
from games.game import GameSpec, Observation, Seat, TextGame
from games.naming import Name
from games.one_action import only_action
from games.parameters import canonical, check_parameters
from games.randomness import RandomStream, derive

ID = "gen-v1"
_SEATS = ("player_0", "player_1")


def gen(
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1)] = 1,
    size: Annotated[int, Interval(ge=2, le=6)] = 3,
    payoff: Balance = "zero_sum",
) -> TextGame:
    """Returns a generated game.

    `seed`: draws the game. `size`: the number of choices, of both players together. `payoff`: zero_sum or general_sum.
    """
    params = {"seed": seed, "size": size, "payoff": payoff}
    check_parameters(ID, gen, params)
    return GeneratedGame(str(Name(ID, canonical(gen, params))), *_made(seed, size, payoff))


@lru_cache(256)
def _made(seed: int, size: int, payoff: Balance) -> tuple[Plan, Any]:
    """Returns the first drawn game in which both players lose something by playing at random."""
    stream = RandomStream(derive(seed, "gen", size, payoff))
    while True:
        plan = drawn(stream, size, payoff)
        tree = load(plan)
        if worth_playing(tree):
            return plan, tree


class GeneratedGame(TextGame):
    """A game of stages; make it with `gen`."""

    _path: Path

    def __init__(self, id: str, plan: Plan, tree: Any) -> None:
        self._plan, self._tree = plan, tree
        general = tree.get_type().utility.name == "GENERAL_SUM"
        self.spec = GameSpec(
            id,
            dict(zip(_SEATS, ("first", "second"), strict=True)),
            "general_sum" if general else "zero_sum",
            rules(plan, general),
            max_turns=len(plan.stages),
            returns_range=(float(tree.min_utility()), float(tree.max_utility())),
            chance=True,
        )
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a match; chance is drawn from `seed`."""
        self._stream = RandomStream(derive(seed, "gen"))
        self._state, self._path = self._tree.new_initial_state(), ()
        self._draw()

    def _draw(self) -> None:
        while self._state.is_chance_node():
            events, weights = zip(*self._state.chance_outcomes(), strict=True)
            self._step(self._state, events[self._stream.weighted(weights)])

    def _step(self, state: Any, action: int) -> None:
        self._path = (*self._path, str(state.action_to_string(action)))
        state.apply_action(action)

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The player of the stage."""
        return () if self._state.is_terminal() else (_SEATS[self._state.current_player()],)

    def observe(self, seat: Seat) -> Observation:
        """What the player saw of each stage, and whose turn it is."""
        player = _SEATS.index(seat)
        lines = [
            _line(i, stage, outcome, player)
            for i, (stage, outcome) in enumerate(
                zip(self._plan.stages, self._plan.view(player, self._path), strict=False), 1
            )
        ]
        if not self.acting:
            status = f"The game is over. Your points: {self.returns()[seat]:g}."
        else:
            turn = "your turn" if self.acting == (seat,) else f"the turn of {self.acting[0]}"
            status = f"Stage {len(self._path) + 1} of {len(self._plan.stages)}: it is {turn}."
        return Observation("\n".join([*lines, status]))

    def legal(self, seat: Seat) -> tuple[str, ...]:
        """The outcomes of the stage."""
        return self._plan.stages[len(self._path)].outcomes if seat in self.acting else ()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play the choice of the acting player."""
        text = only_action(self.acting, actions)
        numbers = {self._state.action_to_string(number): number for number in self._state.legal_actions()}
        choice = " ".join(text.casefold().split())
        if choice not in numbers:
            raise IllegalAction(
                f"{text[:60]!r} is not a legal action now; legal: {' | '.join(self.legal(self.acting[0]))}"
            )
        self._step(self._state, numbers[choice])
        self._draw()

    def returns(self) -> Mapping[Seat, float]:
        """The points at the end, 0 before."""
        points = self._plan.pays(self._path) if self._state.is_terminal() else (0, 0)
        return dict(zip(_SEATS, map(float, points), strict=True))

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The outcomes that only this seat saw."""
        me = _SEATS.index(seat)
        past = list(zip(self._plan.stages, self._path, strict=False))
        hidden = [_line(i, stage, outcome, me) for i, (stage, outcome) in enumerate(past, 1) if stage.readers == {me}]
        return () if self._state.is_terminal() else tuple(hidden)

    def spectate(self) -> str:
        """All outcomes."""
        return f"{' '.join(self._path)}\n{dict(self.returns())}"

    def openspiel_state(self) -> Any:
        """Returns a copy of the position."""
        return self._state.clone()

    def place(self, state: Any) -> None:
        """Continue from a copy of a state."""
        self._state, self._path = self._tree.new_initial_state(), ()
        for action in state.history():
            self._step(self._state, action)


def _line(number: int, stage: Stage, outcome: str | None, reader: int) -> str:
    if outcome is None:
        return f"Stage {number}: hidden from you."
    if stage.player is None:
        return f"Stage {number}: chance drew {outcome}."
    who = "you" if stage.player == reader else _SEATS[stage.player]
    return f"Stage {number}: {who} chose {outcome}."


def rules(plan: Plan, general: bool) -> str:
    """Returns the rules of a game in words."""
    lines = [f"A game for two players in {len(plan.stages)} stages."]
    for number, stage in enumerate(plan.stages, 1):
        ends = f" {stage.ends} ends the game at once." if stage.ends else ""
        lines.append(f"Stage {number}: {_event(stage)} {_readers(stage)}{ends}")
    lines.append("Points, if both of the outcomes named have happened; all lines that hold are added:")
    for points in plan.points:
        named = " and ".join(sorted(points.outcomes))
        a, b = points.pays
        gains = f"player_0 {a:+d}, player_1 {b:+d}" if general else f"player_{int(a < 0)} takes {abs(a)} from the other"
        lines.append(f"- {named}: {gains}")
    return "\n".join([*lines, "Your return is your points. An action is one of the words of the stage."])


def _event(stage: Stage) -> str:
    if stage.player is None:
        return (
            f"chance draws {' or '.join(f'{o} (probability {p})' for o, p in zip(stage[1], stage.odds, strict=True))}."
        )
    *others, last = stage.outcomes
    return f"player_{stage.player} chooses {', '.join(others)} or {last}."


def _readers(stage: Stage) -> str:
    return "Both players see it." if len(stage.readers) > 1 else f"Only player_{min(stage.readers)} sees it."
