"""An OpenSpiel game as a TextGame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.errors import IllegalAction, InputError
from games.game import KnownOutcome, Observation, Seat, TextGame
from games.naming import Value
from games.openspiel import parameters
from games.openspiel.engine import Engine, engine
from games.openspiel.journal import Journal
from games.openspiel.looking import Look
from games.openspiel.outcomes import KNOWN
from games.openspiel.positions import CHANCE, TERMINAL, Position
from games.openspiel.render import journal_text, phase_of, raw_text, rendered, secrets_of
from games.randomness import Stream

# Chance must not share a stream with players, who may start theirs from the match's seed itself.
_CHANCE_SALT = 0x6C62272E07BB0142

# Its generator serves every position of a loaded game, so a search would change the match it is part of.
_NOT_SEARCHABLE = frozenset({"stones_and_gems"})


def create(name: str, params: Mapping[str, Value]) -> OpenSpielGame:
    """The game `openspiel/name(params)`; raises UnknownName or InputError."""
    given = parameters.checked(name, params)
    try:
        shared = engine(name, given)
        game = JournaledGame(shared) if shared.source == "log" else OpenSpielGame(shared)
        if given:  # our own texts may not be made for them
            for seat in game.spec.seats:
                game.observe(seat)
        if not game.acting:
            raise InputError(f"{game.spec.id} cannot be played: it is over before anybody acts")
    except InputError:
        raise
    except Exception as error:
        if not given:
            raise
        reason = parameters.tidy(f"{type(error).__name__}: {error}")
        raise InputError(f"{parameters.canonical(name, given)} cannot be played: {reason}") from error
    return game


class OpenSpielGame(TextGame):
    """One game of OpenSpiel, played match after match; `reset` starts it."""

    __slots__ = ("_engine", "_position", "_seed", "_stream", "acting", "spec")
    acting: tuple[Seat, ...]

    def __init__(self, shared: Engine) -> None:
        self._engine = shared
        self.spec = shared.spec
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a new match; every draw of chance comes from `seed`."""
        self._seed = seed
        self._stream: Stream | None = None
        position = self._engine.start(seed)
        if position.turn == CHANCE:
            position = self._settled(position)
        self._position = position
        self.acting = position.acting

    def legal(self, seat: Seat) -> tuple[str, ...]:
        """The engine's own action texts, white space tidied."""
        menu = self._position.menus.get(seat)
        return menu.texts if menu is not None else ()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play one action for each acting seat; case and outer spaces do not matter where one action fits."""
        position = self._position
        if len(actions) != len(position.acting):
            raise self._misplaced(actions)
        seat = position.seat
        if seat is None:
            after = self._joint(position, actions)
        else:
            text = actions.get(seat)
            if text is None:
                raise self._misplaced(actions)
            children = position.children
            step = children.get(text) if children is not None else None
            if step is None:
                menu = position.menus[seat]
                text = menu.find(text)
                step = self._engine.after(position, text, menu.numbers[text])
            after = step
        if after.turn == CHANCE:
            after = self._settled(after)
        self._position = after
        self.acting = after.acting

    def _joint(self, position: Position, actions: Mapping[Seat, str]) -> Position:
        """All acting seats at once; a player without legal actions plays 0, as the engine wants."""
        chosen, numbers = [], [0] * self._engine.players
        for seat, menu in position.menus.items():
            text = actions.get(seat)
            if text is None:
                raise self._misplaced(actions)
            try:
                text = menu.find(text)
            except IllegalAction as error:
                raise IllegalAction(str(error), seat) from None
            chosen.append(text)
            numbers[self._engine.number[seat]] = menu.numbers[text]
        return self._engine.after(position, tuple(chosen), numbers)

    def _misplaced(self, actions: Mapping[Seat, str]) -> IllegalAction:
        acting = ", ".join(self.acting) or "nobody: the match is over"
        return IllegalAction(f"actions came from {', '.join(actions) or 'nobody'}, but to act now is {acting}")

    def _settled(self, position: Position) -> Position:
        """The position after chance has been drawn until somebody acts or the match is over."""
        stream = self._stream
        if stream is None:
            stream = self._stream = Stream(self._seed ^ _CHANCE_SALT)
        after = self._engine.after
        while position.turn == CHANCE:
            outcomes, weights = position.outcomes, position.weights
            i = (stream.bits() * len(outcomes)) >> 64 if weights is None else stream.weighted(weights)
            number = outcomes[i]
            children = position.children
            step = children.get(number) if children is not None else None
            position = step if step is not None else after(position, number, number)
        return position

    def observe(self, seat: Seat) -> Observation:
        """What OpenSpiel lets this player know, made readable."""
        position = self._position
        seen = position.seen.get(seat)
        if seen is None:
            shared = self._engine
            player = shared.number[seat]
            look = Look(player, position.turn, shared.players, shared.defaults)
            text = rendered(shared.name, self._raw(position, player), look)
            seen = position.seen[seat] = Observation(text, self.phase(seat))
        return seen

    def _raw(self, position: Position, player: int) -> str:
        """The engine's own words to one player."""
        return raw_text(self._engine.source, position.state, player)

    def phase(self, seat: Seat) -> str:
        """The kind of turn, without rendering the observation."""
        position = self._position
        return phase_of(self._engine.name, position.menus.get(seat))

    def returns(self) -> Mapping[Seat, float]:
        """OpenSpiel's returns so far; final once nobody is acting."""
        position = self._position
        if position.turn != TERMINAL:
            return dict(zip(self._engine.seats, position.state.returns(), strict=True))
        known = position.returns
        if known is None:
            known = position.returns = dict(zip(self._engine.seats, position.state.returns(), strict=True))
        return known.copy()

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The lines of the observation that tell private cards, dice or ships, where no other seat has the same."""
        me = self._engine.number[seat]
        texts = [self.observe(s).text for s in self._engine.seats]
        return secrets_of(self._engine.name, texts, me)

    def spectate(self) -> str:
        """The engine's own picture of the whole position."""
        return str(self._position.state)

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Hand-written matches of the commonest games."""
        return KNOWN.get(self.spec.id, ())

    def openspiel_state(self) -> Any | None:
        """A copy of the position as a `pyspiel.State`."""
        return None if self._engine.name in _NOT_SEARCHABLE else self._position.state.clone()

    def place(self, state: Any) -> None:
        """Go on from a copy of a `pyspiel.State` of this game: what exact evaluation visits, one state after another.

        Raises InputError where the seats' observations do not follow from the state alone.
        """
        self._position = self._engine.at(state)
        self.acting = self._position.acting

    def from_openspiel(self, text: str) -> str:
        """The legal text for one of OpenSpiel's `action_to_string`."""
        return " ".join(text.split())


class JournaledGame(OpenSpielGame):
    """A game whose engine shows only the present: the adapter keeps what each seat saw and did, and nothing else."""

    __slots__ = ("_journals",)

    def reset(self, seed: int) -> None:
        """Start a new match with empty journals."""
        self._journals = [Journal() for _ in self._engine.seats]
        super().reset(seed)
        self._note()

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """As in every game; what was played is written down for the seat that played it only."""
        menus = self._position.menus
        super().apply(actions)
        for seat, text in actions.items():
            self._journals[self._engine.number[seat]].did(menus[seat].find(text))
        self._note()

    def place(self, state: Any) -> None:
        """Not possible: what the seats have seen before is not in the state."""
        raise InputError(f"{self.spec.id} cannot be entered at a state: its seats remember what they saw before")

    def _note(self) -> None:
        state, name = self._position.state, self._engine.name
        for player, journal in enumerate(self._journals):
            journal.saw(journal_text(name, raw_text("obs", state, player)))

    def _raw(self, position: Position, player: int) -> str:
        return self._journals[player].text()
