"""The live policy and its frozen snapshots as players."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from arena import players
from arena.match import Decision
from arena.players import Player
from arena.players.by_role import ByRole, id_of
from arena.players.player import View
from games.errors import RunPaused
from games.randomness import derive
from league.training.matches import FROZEN, LIVE, named


class Live(ByRole):
    """The live policy, or one for each role. `copy` gives it random numbers of its own."""

    def __init__(self, name: str, policies: Mapping[str, Player], *, trainable: bool = False, copy: int = 0) -> None:
        super().__init__(policies)
        self.name, self.trainable, self._copy = name, trainable, copy

    async def act_async(self, view: View) -> Decision:
        """The decision of the role's policy."""
        if self._copy:
            view = replace(view, seat_seed=derive(view.seat_seed, "copy", self._copy))
        return await super().act_async(view)


def live_players(parts: Mapping[str, Player], group: int) -> dict[str, Player]:
    """The live policy under all its names: learning or frozen, and the copies of a group."""
    return {
        name: Live(name, parts, trainable=base == LIVE, copy=copy)
        for base in (LIVE, FROZEN)
        for copy in range(group)
        for name in [named(base, copy)]
    }


class Snapshots:
    """The frozen players, loaded when they are needed: at most `most` stay in memory.

    `describe` gives the player ids of a snapshot: role, or WHOLE -> `llm(model=FOLDER, ...)`.
    """

    def __init__(self, describe: Callable[[str], Mapping[str, str]], most: int) -> None:
        self._describe, self._most = describe, most
        self._loaded: OrderedDict[str, Player] = OrderedDict()
        self._busy: dict[str, int] = {}

    def player(self, name: str) -> Player:
        """A snapshot as a player that costs nothing until it is asked."""
        return _Frozen(name, self)

    def take(self, name: str) -> Player:
        """The loaded snapshot, kept until `give`. Raises RunPaused where it cannot be loaded: that is no fault of its
        play, and a league without it would train on other opponents than were drawn.
        """
        if name not in self._loaded:
            try:
                self._loaded[name] = players.make(id_of(self._describe(name)), name)
            except Exception as error:
                text = " ".join(str(error).split()) or type(error).__name__
                raise RunPaused(
                    f"snapshot {name} cannot be loaded: {text}; mend that and run the same command again"
                ) from error
        self._loaded.move_to_end(name)
        self._busy[name] = self._busy.get(name, 0) + 1
        self._trim()
        return self._loaded[name]

    def give(self, name: str) -> None:
        """One user less."""
        self._busy[name] -= 1

    def close(self) -> None:
        """Free everything."""
        for name in list(self._loaded):
            self._drop(name)

    def _trim(self) -> None:
        for name in list(self._loaded):
            if len(self._loaded) <= self._most:
                return
            if not self._busy.get(name):
                self._drop(name)

    def _drop(self, name: str) -> None:
        self._loaded.pop(name).close()


class _Frozen(Player):
    waits = True

    def __init__(self, name: str, shelf: Snapshots) -> None:
        self.name, self._shelf = name, shelf

    async def act_async(self, view: View) -> Decision:
        inner = self._shelf.take(self.name)
        try:
            return await inner.act_async(view)
        finally:
            self._shelf.give(self.name)

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        inner = self._shelf.take(self.name)
        try:
            return await inner.probabilities(view)
        finally:
            self._shelf.give(self.name)
