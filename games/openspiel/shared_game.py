"""A loaded OpenSpiel game that all its matches share: tables of texts and the tree of positions."""

from __future__ import annotations

from typing import Any

from games.errors import InfrastructureError
from games.game import GameSpec, Seat
from games.openspiel import parameters, roles
from games.openspiel.catalog import CONTEXTUAL, PLAYABLE
from games.openspiel.parameters import Loadable
from games.openspiel.positions import CHANCE, NO_MENU, SIMULTANEOUS, Menu, Position
from games.openspiel.preflight import try_in_child
from games.openspiel.render import PHASES, Source, phase_of, source_of
from games.openspiel.rules import rules_of

# Positions and menus kept per game; at about 2 kB each they need less than 50 MB.
KEPT_POSITIONS = 20_000
KEPT_MENUS = 4_096
KEPT_DEALS = 256
# Positions of longer games are not kept: their openings are too small a part of a match.
KEPT_LENGTH = 64
# No match needs more turns; OpenSpiel's own limits reach 72,922 (cursor Go).
LONGEST_MATCH = 10_000


class SharedGame:
    """A loaded game and what its matches share. `shared_game` returns the one of an id."""

    def __init__(self, name: str, params: Loadable) -> None:
        self.name, self.params = name, params
        self.game: Any = parameters.load(name, params)
        kind = self.game.get_type()
        self.players = int(self.game.num_players())
        self.seats = tuple(f"player_{i}" for i in range(self.players))
        self.number: dict[Seat, int] = {seat: i for i, seat in enumerate(self.seats)}
        self._solo = tuple((seat,) for seat in self.seats)
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
        self._menus: dict[tuple[int, tuple[int, ...]], Menu] = {}
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
            return self._position(fresh.new_initial_state(), False)
        if self.root is None and self._room:
            self.root = self._position(self.game.new_initial_state(), True)
            self.deals = self._deals(self.root)
        return self.root or self._position(self.game.new_initial_state(), False)

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
        import pyspiel

        state, kept = position.state, False
        try:
            if position.kept:
                child = position.children.get(key)
                if child is not None:
                    return child
                state, kept = state.clone(), self._room > 0
            if type(actions) is list:
                state.apply_actions(actions)
            else:
                state.apply_action(actions)
            after = self._position(state, kept)
        except pyspiel.SpielError as error:
            raise InfrastructureError(f"OpenSpiel failed in {self.spec.id}: {error}") from error
        if kept:
            self._room -= 1
            position.children[key] = after
        return after

    def at(self, state: Any) -> Position:
        """Returns a new position at a copy of a state."""
        return self._position(state.clone(), False)

    def _position(self, state: Any, kept: bool) -> Position:
        turn = state.current_player()
        position = Position(state, turn, kept)
        if turn >= 0:
            seat = position.seat = self.seats[turn]
            position.acting = self._solo[turn]
            position.menus = {seat: self._menu(state, turn)}
        elif turn == CHANCE:
            outcomes = state.chance_outcomes()
            position.outcomes = tuple([action for action, _ in outcomes])
            first = outcomes[0][1]
            if any(p != first for _, p in outcomes):
                position.weights = tuple([p for _, p in outcomes])
        elif turn == SIMULTANEOUS:
            menus = {seat: self._menu(state, i) for i, seat in enumerate(self.seats)}
            position.menus = {seat: menu for seat, menu in menus.items() if menu is not NO_MENU}
            position.acting = tuple(position.menus)
        return position

    def _menu(self, state: Any, player: int) -> Menu:
        numbers = state.legal_actions(player)
        if not numbers:
            return NO_MENU
        if not self._fixed_texts:
            return self._new_menu(numbers, [state.action_to_string(player, a) for a in numbers])
        key = (player, tuple(numbers))
        menu = self._menus.get(key)
        if menu is None:
            texts = self._texts[player]
            for a in numbers:
                if a not in texts:
                    texts[a] = state.action_to_string(player, a)
            if len(self._menus) >= KEPT_MENUS:
                self._menus.clear()
            menu = self._menus[key] = self._new_menu(numbers, [texts[a] for a in numbers])
        return menu

    def _new_menu(self, numbers: list[int], texts: list[str]) -> Menu:
        texts = _unique(texts)
        return Menu(numbers, texts, phase_of(self.name, texts[0]))


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
