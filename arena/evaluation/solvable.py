"""Games whose best responses can be computed: trees of turns, and games in which all seats choose once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

import games
from arena.evaluation.exact import response_actions
from arena.evaluation.one_shot import OneShot, deviations, one_shot, read_mixture
from arena.players.player import Player, View
from arena.players.policy_table import read_table, tabulate
from arena.records import Episode
from games import Seat, TextGame
from games.openspiel.tree import key_of, menu

Shares = Mapping[str, Mapping[str, float]]
"""key of a decision -> legal text -> probability"""


class Solvable(ABC):
    """The decisions of a game, each under a key of what its seat knows, and the best responses to a policy."""

    menus: Mapping[str, tuple[str, ...]]
    """key -> legal texts"""

    @abstractmethod
    async def read(self, player: Player) -> Shares | None:
        """Returns the policy that a player names, or None if it names none."""

    @abstractmethod
    def key(self, view: View) -> str:
        """Returns the key of the decision that a player faces."""

    @abstractmethod
    def choices(self, episode: Episode, player: str) -> Iterator[tuple[str, str]]:
        """Yields key and text of every choice of a player in a match."""

    @abstractmethod
    def responses(self, shares: Shares) -> dict[Seat, dict[str, str]]:
        """Returns the best response of each seat to a policy in all others; keys that it cannot reach may lack."""


def solvable(game: TextGame) -> Solvable:
    """Returns the decisions of a game. Raises InputError if its best responses cannot be computed."""
    form = one_shot(game)
    return _Tree(game) if form is None else _OneShot(form)


class _Tree(Solvable):
    def __init__(self, game: TextGame) -> None:
        self._tabulated = tabulate(game)
        self._board = games.make(game.spec.id)
        self._texts: dict[str, dict[int, str]] = {}
        for decision in self._tabulated.decisions:
            game.place(decision.state)
            self._texts[decision.key] = menu(game, decision.state)
        self.menus = {key: tuple(texts.values()) for key, texts in self._texts.items()}

    async def read(self, player: Player) -> Shares | None:
        table = await read_table(player, self._tabulated)
        if table is None:
            return None
        return {key: {self._texts[key][action]: p for action, p in row.items()} for key, row in table.items()}

    def key(self, view: View) -> str:
        return key_of(view.game.openspiel_state())

    def choices(self, episode: Episode, player: str) -> Iterator[tuple[str, str]]:
        self._board.reset(episode.seed)
        for turn in episode.turns:
            if turn.player == player:
                yield key_of(self._board.openspiel_state()), turn.action
            self._board.apply({turn.seat: turn.action})

    def responses(self, shares: Shares) -> dict[Seat, dict[str, str]]:
        table = {
            key: {action: shares[key][text] for action, text in texts.items()} for key, texts in self._texts.items()
        }
        by_seat = response_actions(self._board, table)
        return {
            seat: {key: self._texts[key][action] for key, action in actions.items()}
            for seat, actions in by_seat.items()
        }


class _OneShot(Solvable):
    def __init__(self, form: OneShot) -> None:
        self._form = form
        self.menus = form.choices

    async def read(self, player: Player) -> Shares | None:
        return await read_mixture(player, self._form)

    def key(self, view: View) -> str:
        return view.seat

    def choices(self, episode: Episode, player: str) -> Iterator[tuple[str, str]]:
        return ((turn.seat, turn.action) for turn in episode.turns if turn.player == player)

    def responses(self, shares: Shares) -> dict[Seat, dict[str, str]]:
        paid = deviations(self._form, shares)
        return {seat: {seat: max(of, key=lambda choice: of[choice])} for seat, of in paid.items()}
