"""A house of rooms in a row, built with textworld's GameMaker, and the commands of a walk through it."""

from __future__ import annotations

from typing import Any, TypeAlias

from games.native.starling import tables
from games.randomness import RandomStream

Built: TypeAlias = tuple[Any, list[str]]
"""a game of textworld and the commands that win it; none: textworld finds them"""
_WAYS = (("east", "west"), ("north", "south"), ("east", "west"))


class House:
    """Rooms drawn from the tables, and `commands`, which `take` and `go` extend as the world is built."""

    def __init__(self, options: Any, stream: RandomStream, rooms: int) -> None:
        import textworld

        self.maker = textworld.GameMaker(options)
        self.names = stream.shuffled(list(tables.PLACES))[:rooms]
        self.rooms = {name: self.maker.new_room(name) for name in self.names}
        row = list(self.rooms.values())
        for one, other, (way, back) in zip(row, row[1:], _WAYS, strict=False):
            self.maker.connect(getattr(one, way), getattr(other, back))
        start = stream.below(rooms)
        self.maker.set_player(row[start])
        self.commands: list[str] = []
        self._at = start
        self._where: dict[str, Any] = {}

    def put(self, kind: str, name: str, where: Any, state: str = "") -> Any:
        """A new thing of textworld's kind in a room, a container or on a supporter; `state` is of a container."""
        made = self.maker.new(type=kind, name=name)
        if kind == "c" and state:
            made.add_property(state)
        where.add(made)
        self._where[name] = where
        return made

    def go(self, to: Any) -> None:
        """Walk to the room of a thing."""
        room = self._where[to.name]
        while room.name not in self.rooms:
            room = self._where[room.name]
        wanted = self.names.index(room.name)
        while self._at != wanted:
            ahead = wanted > self._at
            way, back = _WAYS[self._at if ahead else self._at - 1]
            self.commands.append(f"go {way if ahead else back}")
            self._at += 1 if ahead else -1

    def take(self, thing: Any) -> None:
        """Walk to a thing and take it."""
        self.go(thing)
        where = self._where[thing.name]
        self.commands.append(f"take {thing.name}" + ("" if where.name in self.rooms else f" from {where.name}"))

    def built(self, points: list[set[Any]], goal: str) -> Built:
        """The game, which pays one point for each set of facts, once."""
        from textworld.generator.game import Event, Quest

        self.maker.quests = [Quest(win_events=[Event(conditions=facts)], reward=1) for facts in points]
        game = self.maker.build()
        game.objective = goal
        return game, self.commands
