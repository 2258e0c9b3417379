"""veil-v1: a game of OpenSpiel in made-up words, with its moves and rules in another order.

The tree, the chance events and the returns are those of the game itself, so exact measures have the same values for a
policy that does not read: the solver, uniform play. A policy that reads differs by what it draws from the words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any

from annotated_types import Interval

from games.errors import IllegalAction, InputError
from games.exact.lexicon import Lexicon
from games.exact.sample import sample
from games.game import GameSpec, KnownOutcome, Observation, Seat, TextGame
from games.naming import Name, parse_name
from games.openspiel import adapter
from games.openspiel.positions import Menu
from games.parameters import canonical, check_parameters
from games.randomness import RandomStream, derive

ID = "veil-v1"
_PREFIX = "openspiel/"


def veil(of: str = "openspiel/kuhn_poker", words: Annotated[int, Interval(ge=0, le=2**31 - 1)] = 1) -> TextGame:
    """Returns a game of OpenSpiel in made-up words.

    `of`: the id of the game. `words`: the seed of the words and of the order of moves and rules.
    """
    check_parameters(ID, veil, {"of": of, "words": words})
    name = parse_name(of)
    if not name.base.startswith(_PREFIX):
        raise InputError(f"{ID}: {of!r} is no game of OpenSpiel; write for example {ID}(of=openspiel/kuhn_poker)")
    return VeiledGame(adapter.make(name.base.removeprefix(_PREFIX), name.params), words)


@lru_cache(256)
def _lexicon(of: str, words: int) -> Lexicon:
    """Returns the words of a disguise. Raises InputError if no table renames the texts of the game."""
    name = parse_name(of)
    try:
        texts = sample(adapter.make(name.base.removeprefix(_PREFIX), name.params))
        lexicon = Lexicon(texts.texts, texts.rules, texts.actions, derive(words, of))
    except InputError as error:
        raise InputError(f"{ID} cannot disguise {of}: {error}") from None
    for text in texts.texts:
        if lexicon.read(lexicon.write(text)) != text:
            raise InputError(f"{ID} cannot disguise {of}: {text[:60]!r} cannot be read back")
    return lexicon


@lru_cache(4096)
def _menu(lexicon: Lexicon, order: int, legal: tuple[str, ...]) -> Menu:
    """Returns renamed moves in the order of a disguise, in which two moves of a game always keep their places."""
    places = sorted(range(len(legal)), key=lambda place: derive(order, legal[place]))
    return Menu(places, [lexicon.write(legal[place]) for place in places])


class VeiledGame(TextGame):
    """A game whose texts are renamed and whose lists are in another order; `make` it with `veil`."""

    def __init__(self, inner: TextGame, words: int) -> None:
        self._inner = inner
        of = inner.spec.id
        self._lexicon = _lexicon(of, words)
        self._order = derive(words, "order", of)
        self.spec = self._spec(str(Name(ID, canonical(veil, {"of": of, "words": words}))), inner.spec)

    def _spec(self, id: str, spec: GameSpec) -> GameSpec:
        write = self._lexicon.write
        rules = in_other_order(spec.rules, RandomStream(derive(self._order, "rules")))
        return replace(
            spec,
            id=id,
            rules=f"The rules, in no particular order:\n{write(rules)}",
            seats={seat: write(role) for seat, role in spec.seats.items()},
        )

    def reset(self, seed: int) -> None:
        """Start a match of the game with this seed."""
        self._inner.reset(seed)

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats that act in the game."""
        return self._inner.acting

    def observe(self, seat: Seat) -> Observation:
        """Returns the renamed observation."""
        return Observation(self._lexicon.write(self._inner.observe(seat).text), self.phase(seat))

    def phase(self, seat: Seat) -> str:
        """Returns the renamed phase."""
        phase = self._inner.phase(seat)
        return phase if phase == "play" else self._lexicon.write(phase)

    def legal(self, seat: Seat) -> tuple[str, ...]:
        """Returns the renamed moves in the order of this disguise."""
        return self._menu(seat).texts

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Play the moves that these words stand for."""
        if set(actions) != set(self.acting):
            acting = ", ".join(self.acting) or "nobody: the match is over"
            raise IllegalAction(f"expected actions of {acting}; got actions of {', '.join(actions) or 'nobody'}")
        moves = {}
        for seat, text in actions.items():
            menu, legal = self._menu(seat), self._inner.legal(seat) or ()
            try:
                moves[seat] = legal[menu.numbers[menu.find(text)]]
            except IllegalAction as error:
                raise IllegalAction(str(error), seat if len(actions) > 1 else None) from None
        self._inner.apply(moves)

    def _menu(self, seat: Seat) -> Menu:
        """Returns the renamed moves of a seat, each with its place in the game's own list."""
        return _menu(self._lexicon, self._order, self._inner.legal(seat) or ())

    def returns(self) -> Mapping[Seat, float]:
        """Returns the returns of the game."""
        return self._inner.returns()

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """Returns the renamed secrets."""
        return tuple(map(self._lexicon.write, self._inner.secrets(seat)))

    def spectate(self) -> str:
        """Returns the position as the game itself shows it."""
        return self._inner.spectate()

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Returns the game's matches with known outcomes, in the words of the disguise."""
        write = self._lexicon.write
        return tuple(
            match._replace(moves=[{seat: write(text) for seat, text in move.items()} for move in match.moves])
            for match in self._inner.known_outcomes()
        )

    def openspiel_state(self) -> object | None:
        """Returns the position of the game as a `pyspiel.State`."""
        return self._inner.openspiel_state()

    def place(self, state: Any) -> None:
        """Continue from a state of the game."""
        self._inner.place(state)

    def from_openspiel(self, text: str) -> str:
        """Returns the words that stand for an action text of OpenSpiel."""
        return self._lexicon.write(self._inner.from_openspiel(text))


_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
_LEANS = re.compile(
    r"(It|They|Them|Then|Otherwise|Instead|This|That|These|Those|Such|Both|For each|If not|If it|If they|If the"
    r"|If that|Completing|The last card|Call |Fold |Next|The text after)\b"
)
_ACTIONS = re.compile(r"(Actions: )([a-zA-Z]+(?:, [a-zA-Z]+)+)(\.)")


def in_other_order(rules: str, stream: RandomStream) -> str:
    """Returns the sentences of rules as a list in random order; a sentence that leans on the one before it stays there.

    A line that starts with a dash belongs to the sentence before it. The list of actions has another order too.
    """
    blocks: list[str] = []
    for line in rules.strip().split("\n"):
        listed = line.startswith("- ")
        for sentence in [line] if listed else _SENTENCE.split(line):
            if listed or (blocks and _LEANS.match(sentence)):
                blocks[-1] += ("\n  " if listed else " ") + sentence
            else:
                blocks.append(_ACTIONS.sub(lambda actions: _reordered(actions, stream), sentence))
    return "\n".join(f"* {block}" for block in stream.shuffled(blocks))


def _reordered(actions: re.Match[str], stream: RandomStream) -> str:
    return actions[1] + ", ".join(stream.shuffled(actions[2].split(", "))) + actions[3]
