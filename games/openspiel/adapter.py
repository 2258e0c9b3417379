"""OpenSpiel games as TextGames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.errors import IllegalAction, InputError
from games.game import KnownOutcome, Observation, Seat, TextGame
from games.naming import Value
from games.openspiel import parameters
from games.openspiel.journal import Journal
from games.openspiel.known_outcomes import OUTCOMES
from games.openspiel.positions import TERMINAL, Position
from games.openspiel.render import journal_text, secrets_of
from games.openspiel.renderers_board import board_of_fen
from games.openspiel.shared_game import SharedGame, shared_game
from games.outcome import FixedReturns
from games.randomness import STEP, RandomStream, choose

# Chance must not share a random stream with players that seed theirs with the match's seed.
_CHANCE_SALT = 0x6C62272E07BB0142

# All positions of a loaded game share one generator, so a search would change the match.
_NOT_SEARCHABLE = frozenset({"stones_and_gems"})


def make(name: str, params: Mapping[str, Value]) -> OpenSpielGame:
    """Returns the game `openspiel/name(params)`. Raises UnknownName or InputError."""
    settings = parameters.checked(name, params)
    try:
        shared = shared_game(name, settings)
        game = JournaledGame(shared) if shared.source == "log" else OpenSpielGame(shared)
        if settings:  # a renderer can fail for these parameters
            for seat in game.spec.seats:
                game.observe(seat)
        if not game.acting:
            raise InputError(f"{game.spec.id} cannot be played: it is over before any seat acts")
    except InputError:
        raise
    except Exception as error:
        if not settings:
            raise
        reason = parameters.tidy(f"{type(error).__name__}: {error}")
        raise InputError(f"{parameters.canonical(name, settings)} cannot be played: {reason}") from error
    return game


class OpenSpielGame(TextGame):
    """A game of OpenSpiel."""

    __slots__ = ("_chance", "_position", "_shared", "acting", "one_phase", "spec")
    acting: tuple[Seat, ...]

    def __init__(self, shared: SharedGame) -> None:
        self._shared = shared
        self.spec, self.one_phase = shared.spec, shared.one_phase
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a new match; all chance events are drawn from `seed`."""
        self._chance = seed ^ _CHANCE_SALT  # state at the last draw: an integer is faster than a RandomStream
        shared = self._shared
        position = shared.root or shared.start(seed)
        if position.outcomes:
            if deals := shared.deals:
                position = choose(self._chance, deals)
            else:
                self._chance -= STEP
                position = self._after_chance(position)
        self._position = position
        self.acting = position.acting

    def legal(self, seat: Seat) -> tuple[str, ...]:
        """Returns OpenSpiel's action texts, with single spaces."""
        try:
            return self._position.menus[seat].texts
        except KeyError:
            return ()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play one action for each acting seat; case and extra spaces are ignored if only one action matches."""
        position = self._position
        text = actions.get(position.seat, "") if len(actions) == 1 else ""
        if position.kept and (after := position.children.get(text)) is not None:
            pass
        elif (number := position.numbers.get(text)) is None:
            after = self._new_position(position, actions)
        elif position.kept:
            after = self._shared.after(position, text, number)
        else:
            after = self._shared.advance(position, number)
        if after.outcomes:
            after = self._after_chance(after)
        self._position = after
        self.acting = after.acting

    def _new_position(self, position: Position, actions: Mapping[Seat, str]) -> Position:
        """Returns the position after the actions of several seats, or one in another spelling."""
        if len(actions) != len(position.acting):
            raise self._wrong_seats(actions)
        if not position.seat:
            return self._joint(position, actions)
        text = actions.get(position.seat)
        if text is None:
            raise self._wrong_seats(actions)
        menu = position.menus[position.seat]
        text = menu.find(text)
        return self._shared.after(position, text, menu.numbers[text])

    def _joint(self, position: Position, actions: Mapping[Seat, str]) -> Position:
        """Play all acting seats at once; OpenSpiel expects 0 from a player without legal actions."""
        chosen, numbers = [], [0] * self._shared.players
        for seat, menu in position.menus.items():
            text = actions.get(seat)
            if text is None:
                raise self._wrong_seats(actions)
            try:
                text = menu.find(text)
            except IllegalAction as error:
                raise IllegalAction(str(error), seat) from None
            chosen.append(text)
            numbers[self._shared.number[seat]] = menu.numbers[text]
        return self._shared.after(position, tuple(chosen), numbers)

    def _wrong_seats(self, actions: Mapping[Seat, str]) -> IllegalAction:
        acting = ", ".join(self.acting) or "nobody: the match is over"
        return IllegalAction(f"expected actions of {acting}; got actions of {', '.join(actions) or 'nobody'}")

    def _after_chance(self, position: Position) -> Position:
        """Draw chance events until a seat acts or the match is over.

        One draw serves even events that follow each other, such as the cards of a deal: what an event leaves of its 64
        bits decides the next one, as long as they have 2**32 outcomes at most. So a deal is a choice among all deals,
        which `SharedGame.deals` lists.
        """
        state, bits, spare = self._chance, 0, 0
        while outcomes := position.outcomes:
            if (weights := position.weights) is not None:
                state, spare = state + STEP, 0
                number = outcomes[RandomStream(state).weighted(weights)]
            else:
                if (count := len(outcomes)) > spare:
                    state, spare = state + STEP, 1 << 32
                    bits = RandomStream(state).bits()
                spare //= count
                bits *= count
                number = outcomes[bits >> 64]
                bits &= 0xFFFFFFFFFFFFFFFF
            position = position.children.get(number) or self._shared.after(position, number, number)
        self._chance = state
        return position

    def observe(self, seat: Seat) -> Observation:
        """Returns the information of this player, in readable form."""
        position = self._position
        observations = position.observations
        if seat in observations:
            return observations[seat]
        observation = self._shared.observation(position, seat)
        if observations:
            observations[seat] = observation
        else:  # a new dictionary takes less time than the first key of an empty one
            position.observations = {seat: observation}
        return observation

    def phase(self, seat: Seat) -> str:
        """Returns the kind of turn, without rendering the observation."""
        try:
            return self._position.menus[seat].phase
        except KeyError:
            return "play"

    def returns(self) -> Mapping[Seat, float]:
        """Returns OpenSpiel's returns so far; final when `acting` is empty."""
        position = self._position
        if position.turn != TERMINAL:
            return dict(zip(self._shared.seats, position.state.returns(), strict=True))
        returns = position.returns
        if returns is None:
            returns = position.returns = FixedReturns(self.spec.seats, position.state.returns())
        return returns

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """Returns the lines of the observation with private cards, dice or ships, unless another seat has them too."""
        me = self._shared.number[seat]
        texts = [self.observe(s).text for s in self._shared.seats]
        return secrets_of(self._shared.name, texts, me)

    def spectate(self) -> str:
        """Returns the board; of a game that OpenSpiel writes in a line (`0 1 pp`), what each seat reads."""
        text = str(self._position.state)
        return text if "\n" in text.strip() else board_of_fen(text) or super().spectate()

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Hand-written matches of the most common games."""
        return OUTCOMES.get(self.spec.id, ())

    def openspiel_state(self) -> Any | None:
        """Returns a copy of the position as a `pyspiel.State`."""
        return None if self._shared.name in _NOT_SEARCHABLE else self._position.state.clone()

    def place(self, state: Any) -> None:
        """Continue from a copy of a `pyspiel.State` of this game, as exact evaluation does for each state.

        Raises InputError if the observations depend on more than the state.
        """
        self._position = self._shared.at(state)
        self.acting = self._position.acting

    def from_openspiel(self, text: str) -> str:
        """Returns the legal text for an action text of OpenSpiel."""
        return " ".join(text.split())


class JournaledGame(OpenSpielGame):
    """A game in which OpenSpiel shows only the present: the adapter records what each seat saw and did."""

    __slots__ = ("_journals",)

    def reset(self, seed: int) -> None:
        """Start a new match with empty journals."""
        self._journals = [Journal() for _ in self._shared.seats]
        super().reset(seed)
        self._note()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play the actions; each goes into the journal of its own seat only."""
        menus = self._position.menus
        super().apply(actions)
        for seat, text in actions.items():
            self._journals[self._shared.number[seat]].add_action(menus[seat].find(text))
        self._note()

    def place(self, state: Any) -> None:
        """Raises InputError: the state does not contain what the seats have seen before."""
        raise InputError(f"{self.spec.id} cannot continue from a state: seats also see earlier observations")

    def _note(self) -> None:
        state, shared = self._position.state, self._shared
        for player, journal in enumerate(self._journals):
            journal.add_observation(journal_text(shared.name, shared.raw(state, player)))

    def observe(self, seat: Seat) -> Observation:
        """Returns the journal of this seat, which ends with what it sees now."""
        position, journal = self._position, self._journals[self._shared.number[seat]]
        if seat not in position.observations:
            observation = self._shared.observation(position, seat, journal.text())
            position.observations = {**position.observations, seat: observation}
        return position.observations[seat]
