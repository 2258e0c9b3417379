"""Makes one world with textworld's generator: a game of textworld, and the commands that win it.

It reads no text of a player: all it builds comes from textworld and from `tables`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from games.native.starling import tables
from games.native.starling._house import Built, House
from games.randomness import RandomStream, derive


def make(skill: str, level: int, number: int, attempt: int) -> Built:
    """Returns one of the worlds that the number draws."""
    import textworld

    _prepare()
    options = textworld.GameOptions()
    options.seeds = derive(number, skill, level, attempt) >> 33
    return SKILLS[skill](options, RandomStream(options.seeds["map"]), level)


@cache
def _prepare() -> None:
    """Keeps what textworld reads again for every world, and lets no world be compiled, which takes 3 s."""
    from textworld.generator.data import KnowledgeBase
    from textworld.generator.maker import GameMaker

    KnowledgeBase.load = cache(KnowledgeBase.load)
    GameMaker.set_walkthrough = lambda maker, commands: None


def cook(options: Any, stream: RandomStream, level: int) -> Built:
    """The cooking game of textworld: fetch, cut and cook what the cookbook says, prepare the meal, eat it."""
    from textworld.challenges.tw_cooking import cooking

    skills = {"recipe": level, "take": level, "go": 6 if level == 3 else 1, "open": level > 1, "drop": False}
    one = stream.below(2) == 0  # on level 1 either a stove or a knife is needed
    skills |= {"cook": level > 1 or one, "cut": level > 1 or not one, "recipe_seed": stream.below(1 << 31)}
    game = cooking.make(skills | {"split": None}, options)
    commands: list[str] = []
    for command in game.metadata["walkthrough"]:  # it opens the fridge again, and drops and takes the knife
        again = command in commands and not command.startswith("go ")
        if not again and command not in ("inventory", "drop knife", "take knife"):
            commands.append(command)
    return game, commands


def tidy(options: Any, stream: RandomStream, level: int) -> Built:
    """Things lie in wrong places; each earns a point in its usual place, which common sense knows."""
    house = House(options, stream, level)
    places = {}
    for name in house.names:
        for place, kind in tables.PLACES[name]:
            places[place] = house.put(kind, place, house.rooms[name], "open")
    fitting = [thing for thing, place in tables.BELONGS.items() if place in places]
    points = []
    for thing in stream.shuffled(fitting)[: level + 2]:
        home = places[tables.BELONGS[thing]]
        wrong = [place for place in places.values() if place is not home]
        made = house.put("o", thing, stream.choice([*wrong, *house.rooms.values()]))
        house.take(made)
        house.go(home)
        inside = home.type == "c"
        house.commands.append(f"insert {thing} into {home.name}" if inside else f"put {thing} on {home.name}")
        points.append({house.maker.new_fact("in" if inside else "on", made, home)})
    return house.built(points, "Tidy up: put each thing that lies in a wrong place where it belongs.")


def unlock(options: Any, stream: RandomStream, level: int) -> Built:
    """A prize is locked away; the key lies in a closed container."""
    house = House(options, stream, level)
    anywhere = list(house.rooms.values())
    chest = house.put("c", stream.choice(tables.CHESTS), stream.choice(anywhere), "locked")
    names = stream.shuffled(tables.BOXES)[: level + 1]
    boxes = [house.put("c", name, stream.choice(anywhere), "closed") for name in names]
    for name in stream.shuffled(tables.THINGS)[: level + 1]:
        house.put("o", name, stream.choice([*boxes, *anywhere]))
    key = house.put("k", stream.choice(tables.KEYS), boxes[0])
    prize = house.put("o", stream.choice(tables.PRIZES), chest)
    fact = house.maker.new_fact
    house.maker.add_fact("match", key, chest)
    house.go(boxes[0])
    house.commands.append(f"open {boxes[0].name}")
    house.take(key)
    house.go(chest)
    house.commands += [f"unlock {chest.name} with {key.name}", f"open {chest.name}"]
    house.take(prize)
    held = house.maker.inventory
    points = [{fact("in", key, held)}, {fact("open", chest)}, {fact("in", prize, held)}]
    return house.built(points, f"The {prize.name} is locked away. Find the key, and take the {prize.name}.")


SKILLS: dict[str, Callable[[Any, RandomStream, int], Built]] = {"cook": cook, "tidy": tidy, "unlock": unlock}
