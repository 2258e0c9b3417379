"""A loaded OpenSpiel game that all its matches share: tables of texts and the tree of positions."""

from __future__ import annotations

from typing import Any, TypeAlias

from games.errors import InfrastructureError
from games.game import GameSpec, Observation, Seat
from games.openspiel import parameters, roles
from games.openspiel.catalog import CONTEXTUAL, PLAYABLE
from games.openspiel.parameters import Loadable
from games.openspiel.positions import CHANCE, NO_OBSERVATIONS, SIMULTANEOUS, Menu, Position
from games.openspiel.preflight import try_in_child
from games.openspiel.render import PHASES, RAW, RawText, Source, phase_of, renderer_of, source_of
from games.openspiel.rules import rules_of
from games.openspiel.view_context import Renderer, ViewContext

# Positions and menus kept per game, at about 2 kB each. With 20,000 of them, fresh seeds took no less time in steady
# state and twice as much until they were filled: positions far apart in memory are slow to visit.
KEPT_POSITIONS = 5_000
KEPT_MENUS = 4_096
# Texts kept per game: positions of different histories often read the same. At 600 bytes they need 5 MB.
KEPT_TEXTS = 8_192
KEPT_DEALS = 256
# Positions of longer games are not kept: their openings are too small a part of a match.
KEPT_LENGTH = 64
_View: TypeAlias = tuple[ViewContext, dict[str, Observation], RawText, Renderer]
"""the renderer's context, OpenSpiel's text -> what the seat reads, and the two functions, which a tuple gives faster"""
Asked: TypeAlias = tuple[dict[Seat, Menu], dict[str, int]]
"""what one seat is asked: its menu, by the seat, and the action numbers of the menu's texts"""
# No match needs more turns; OpenSpiel's own limits reach 72,922 (cursor Go).
LONGEST_MATCH = 10_000


class SharedGame:
    """A loaded game and what its matches share. `shared_game` returns the one of an id."""

    def __init__(self, name: str, params: Loadable) -> None:
        import pyspiel

        self.name, self.params = name, params
        self.game: Any = parameters.load(name, params)
        kind = self.game.get_type()
        self.players = int(self.game.num_players())
        self.seats = tuple(f"player_{i}" for i in range(self.players))
        self.number: dict[Seat, int] = {seat: i for i, seat in enumerate(self.seats)}
        self.defaults: dict[str, Any] = {**dict(kind.parameter_specification), **self.game.get_parameters()}
        self.one_phase = name not in PHASES
        self.source: Source = source_of(name, kind)
        self.reseeds = kind.chance_mode.name == "SAMPLED_STOCHASTIC" or name == "add_noise"
        self._room = KEPT_POSITIONS if self._keeps(kind) else 0
        self.root: Position | None = None
        """the first position of every match, once there is one that is kept"""
        self.deals: tuple[Position, ...] = ()
        """the positions after the chance events that begin every match, all equally likely; empty: draw the events"""
        self._fixed_texts = name in PLAYABLE and name not in CONTEXTUAL
        self._texts: list[dict[int, str]] = [{} for _ in self.seats]
        self._menus: list[dict[tuple[int, ...], Asked]] = [{} for _ in self.seats]
        self._solo = [(seat, (seat,), menus) for seat, menus in zip(self.seats, self._menus, strict=True)]
        self._views: dict[Seat, dict[int, _View]] = {s: {} for s in self.seats}
        """seat -> whose turn it is -> how the seat reads"""
        self._text_room = KEPT_TEXTS if self._room and self.one_phase else 0
        self._renderer = renderer_of(name)
        self.raw = RAW[self.source]
        self._error = pyspiel.SpielError
        self.spec = self._spec(kind)

    def _keeps(self, kind: Any) -> bool:
        plain = self.name in PLAYABLE and not self.name.startswith(("python_", "chat_")) and not self.reseeds
        return plain and self.source != "log" and self.game.max_game_length() <= KEPT_LENGTH

    def _spec(self, kind: Any) -> GameSpec:
        simultaneous = kind.dynamics.name == "SIMULTANEOUS"
        names = roles.roles(self.name, self.players, simultaneous)
        low, high = float(self.game.min_utility()), float(self.game.max_utility())
        payoff = roles.payoff(self.game)
        total = float(self.game.utility_sum() or 0.0) if payoff == "constant_sum" else 0.0
        length = int(self.game.max_game_length()) * (self.players if simultaneous else 1)
        return GameSpec(
            id=parameters.canonical(self.name, self.params),
            seats=dict(zip(self.seats, names, strict=True)),
            payoff=payoff,
            rules=rules_of(self.name, self.game),
            max_turns=min(length, LONGEST_MATCH),
            payoff_sum=total,
            returns_range=(low, high) if abs(low) < 1e9 and abs(high) < 1e9 else None,
            chance=self.game.max_chance_outcomes() > 0 or self.reseeds,
        )

    def start(self, seed: int) -> Position:
        """Returns the first position of a match; `seed` matters only if the game has its own random generator."""
        if self.reseeds:
            fresh = parameters.load_again(self.name, parameters.seeded(self.name, self.params, seed))
            return self.advance(Position(fresh.new_initial_state(), False))
        if self.root is None and self._room:
            self.root = self.advance(Position(self.game.new_initial_state(), True))
            self.deals = self._deals(self.root)
        return self.root or self.advance(Position(self.game.new_initial_state(), False))

    def _deals(self, root: Position) -> tuple[Position, ...]:
        level = [root]
        while any(position.outcomes for position in level):
            count = len(level[0].outcomes)
            even = all(len(position.outcomes) == count and position.weights is None for position in level)
            if not even or count * len(level) > min(KEPT_DEALS, self._room):
                return ()
            level = [self.after(position, number, number) for position in level for number in position.outcomes]
        return tuple(level)

    def after(self, position: Position, key: Any, actions: Any) -> Position:
        """Returns the position after an action number, or after a list with one for each player.

        `key` identifies the step among the children of a kept position. A position that is not kept is advanced in
        place and must not be used again. Raises InfrastructureError if OpenSpiel fails.
        """
        if not position.kept:
            return self.advance(position, actions)
        after = position.children.get(key)
        if after is None:
            after = self.advance(Position(position.state.clone(), self._room > 0), actions)
            if after.kept:
                self._room -= 1
                position.children[key] = after
        return after

    def at(self, state: Any) -> Position:
        """Returns a new position at a copy of a state."""
        return self.advance(Position(state.clone(), False))

    def advance(self, position: Position, actions: Any = None) -> Position:
        """Apply actions to a position's own state, if there are any, and set what follows from the state.

        Returns the position. Raises InfrastructureError if OpenSpiel fails.
        """
        state = position.state
        try:
            if type(actions) is list:
                state.apply_actions(actions)
            elif actions is not None:
                state.apply_action(actions)
            turn = position.turn = state.current_player()
            position.observations, position.outcomes = NO_OBSERVATIONS, ()
            if turn < 0:
                self._read_others(position, turn)
                return position
            position.seat, position.acting, menus = self._solo[turn]
            numbers = tuple(state.legal_actions(turn))
            position.menus, position.numbers = menus.get(numbers) or self._menu(state, turn, numbers)
            return position
        except self._error as error:
            raise InfrastructureError(f"OpenSpiel failed in {self.spec.id}: {error}") from error

    def _read_others(self, position: Position, turn: int) -> None:
        """Set what follows from the state of a position in which no seat acts alone."""
        state = position.state
        position.seat, position.acting, position.menus, position.numbers = "", (), {}, {}
        if turn == CHANCE:
            outcomes = state.chance_outcomes()
            position.outcomes = tuple([action for action, _ in outcomes])
            first = outcomes[0][1]
            uneven = any(p != first for _, p in outcomes)
            position.weights = tuple([p for _, p in outcomes]) if uneven else None
        elif turn == SIMULTANEOUS:
            for player, menus in enumerate(self._menus):
                if numbers := tuple(state.legal_actions(player)):
                    position.menus |= (menus.get(numbers) or self._menu(state, player, numbers))[0]
            position.acting = tuple(position.menus)

    def _menu(self, state: Any, player: int, numbers: tuple[int, ...]) -> Asked:
        """Returns what one seat is asked, kept if the texts depend on nothing but the numbers."""
        if not self._fixed_texts:
            return self._new_menu(player, numbers, [state.action_to_string(player, a) for a in numbers])
        texts, menus = self._texts[player], self._menus[player]
        for a in numbers:
            if a not in texts:
                texts[a] = state.action_to_string(player, a)
        if len(menus) >= KEPT_MENUS:
            menus.clear()
        menu = menus[numbers] = self._new_menu(player, numbers, [texts[a] for a in numbers])
        return menu

    def _new_menu(self, player: int, numbers: tuple[int, ...], texts: list[str]) -> Asked:
        texts = _unique(texts)
        menu = Menu(numbers, texts, phase_of(self.name, texts[0]) if texts else "play")
        return {self.seats[player]: menu}, menu.numbers

    def observation(self, position: Position, seat: Seat, journal: str | None = None) -> Observation:
        """Returns what a seat reads: its journal, or else OpenSpiel's own text, in readable form."""
        view, texts, raw_text, render = self._views[seat].get(position.turn) or self._view(seat, position.turn)
        raw = raw_text(position.state, view.player) if journal is None else journal
        observation = texts.get(raw) if texts else None
        if observation is None:
            phase = "play" if self.one_phase or seat not in position.menus else position.menus[seat].phase
            observation = Observation(render(raw, view), phase)
            if self._text_room:
                self._keep_text(texts, raw, observation)
        return observation

    def _view(self, seat: Seat, turn: int) -> _View:
        view = ViewContext(self.number[seat], turn, self.players, self.defaults)
        return self._views[seat].setdefault(turn, (view, {}, self.raw, self._renderer))

    def _keep_text(self, texts: dict[str, Observation], raw: str, observation: Observation) -> None:
        texts[raw] = observation
        self._text_room -= 1
        if not self._text_room:  # a game of so many texts hardly repeats one, and a look-up takes time
            for views in self._views.values():
                for _, each, _, _ in views.values():
                    each.clear()


def _unique(texts: list[str]) -> list[str]:
    """Returns texts with single spaces, unless this makes two of them equal."""
    tidy = [" ".join(text.split()) for text in texts]
    return tidy if len(set(tidy)) == len(tidy) else texts


_MAX_LOADED = 256
_loaded: dict[str, SharedGame] = {}


def shared_game(name: str, params: Loadable) -> SharedGame:
    """Returns the shared game with these checked parameters, loaded on first use. Raises InputError."""
    key = parameters.canonical(name, params)
    game = _loaded.get(key)
    if game is None:
        if len(_loaded) >= _MAX_LOADED:
            _loaded.pop(next(iter(_loaded)))
        if params:
            try_in_child(name, params)
        game = _loaded[key] = SharedGame(name, params)
    return game
