"""starling-v0: a player solves a generated text adventure that exercises skills, one command at a time.

After STARLING (Basavatia et al. 2024, arXiv 2406.05872): worlds are generated to train skills, compiled with Inform 7,
and pay points for the steps towards their goal. There GPT-3 fills the slots of a world; here tables and the generator
of textworld (Cote et al. 2018, arXiv 1806.11532) do, by a number that the seed draws. The engine counts the points.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, Literal

from annotated_types import Interval

from games.dialogue.messages import LONGEST
from games.errors import IllegalAction
from games.game import GameSpec, KnownOutcome, Observation, Seat, TextGame
from games.naming import Value
from games.native.common.stages import game_id
from games.native.starling import rules
from games.native.starling.worlds import Scene, World, require, scene, world
from games.quoting import byte_length, quote
from games.randomness import RandomStream, derive
from games.shortcut_modules import suite_beside
from games.tasks.source import SPLITS, Split

if TYPE_CHECKING:
    from games.shortcuts import ShortcutSuite

ID = "starling-v0"
SEAT = "player"
Skill = Literal["any", "cook", "tidy", "unlock"]


class StarlingGame(TextGame):
    """A text adventure for one player. The reward is the share of the world's points. Needs the extra `textworld`.

    skill: cook (fetch, cut and cook what a recipe says), tidy (put things where they belong), unlock (find the key), or
    any of them, drawn by the seed.
    level: 1 to 3, the number of rooms and things.
    moves: commands of one match.
    worlds: how many worlds of each skill there are; each is compiled once, in about 3 s of processor time.
    split: worlds of train, dev and test differ.
    menu: the possible commands are listed; otherwise the player writes one, and an impossible one does nothing.
    shown: the last commands that the player sees with their results; the recipe stays visible.
    """

    blocking = True

    def __init__(
        self,
        skill: Skill = "any",
        level: Annotated[int, Interval(ge=1, le=3)] = 1,
        moves: Annotated[int, Interval(ge=20, le=100)] = 30,
        worlds: Annotated[int, Interval(ge=1, le=1000)] = 8,
        split: Split = "train",
        menu: bool = True,
        shown: Annotated[int, Interval(ge=0, le=100)] = 4,
    ) -> None:
        params: dict[str, Value] = {"skill": skill, "level": level, "moves": moves, "worlds": worlds, "split": split}
        id = game_id(ID, StarlingGame, params | {"menu": menu, "shown": shown})
        require()
        self.skill, self.level, self.moves, self.count = skill, level, moves, worlds
        self.split, self.menu, self.shown = split, menu, shown
        self.spec = GameSpec(
            id=id,
            seats={SEAT: "adventurer"},
            payoff="general_sum",
            rules=rules.rules(moves, menu),
            max_turns=moves,
            returns_range=(0.0, 1.0),
            rated=False,
            demonstrations={} if menu else rules.DEMONSTRATIONS,
        )
        self._kind, self._number = "", 0
        self._world: World | None = None
        self._scene: Scene | None = None
        self._sent: list[str] = []
        """what the engine has carried out"""
        self._steps: list[tuple[str, str]] = []
        """what the player wrote and what happened"""
        self._impossible: list[str] = []

    def reset(self, seed: int) -> None:
        """Draw skill and world; make the world if it is not in the cache."""
        stream = RandomStream(derive(seed, ID))
        self._kind = stream.choice(rules.SKILLS) if self.skill == "any" else self.skill
        self._number = SPLITS.index(self.split) * 1000 + stream.below(self.count)
        self._world = world(self._kind, self.level, self._number)
        self._sent, self._steps, self._impossible = [], [], []
        self._scene = scene(self._world.story, ())

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The player, until the world is won or lost or no command is left."""
        going = self._scene is not None and self._scene.commands and len(self._steps) < self.moves
        return (SEAT,) if going else ()

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """With a menu, the commands that have an effect now; else None, which allows any text."""
        if seat not in self.acting or self._scene is None:
            return ()
        return self._scene.commands if self.menu else None

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """The possible commands, and without a menu also a text that is not a command."""
        if seat not in self.acting or self._scene is None:
            return ()
        return self._scene.commands if self.menu else (*self._scene.commands, "sing a song")

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Carry out one command; only commands that the engine has listed reach it."""
        if not self.acting or set(actions) != {SEAT}:
            raise IllegalAction(f"expected a command of {', '.join(self.acting) or 'nobody: the match is over'}")
        assert self._scene is not None
        assert self._world is not None
        text = actions[SEAT]
        if not isinstance(text, str) or byte_length(text) > LONGEST:
            raise IllegalAction(f"write a text of at most {LONGEST:,} bytes", SEAT)
        possible = self._scene.commands
        if self.menu and text not in possible:
            raise IllegalAction(f"choose one of {', '.join(possible[:8])}{', ...' * (len(possible) > 8)}", SEAT)
        said = text if self.menu else rules.command(text, possible)
        if said is None:
            self._impossible.append("not a possible command")
            self._steps.append((quote(" ".join(text.split())[-60:])[1:-1], rules.NOT_POSSIBLE))
            return
        self._scene = scene(self._world.story, (*self._sent, said))
        self._sent.append(said)
        self._steps.append((said, self._scene.happened))

    def returns(self) -> Mapping[Seat, float]:
        """The share of the points of this world that the player has."""
        return {SEAT: 0.0 if self._scene is None else self._scene.score / self._scene.points}

    def facts(self) -> Mapping[str, Any]:
        """The world, its engine, the points, whether it is won, and the commands that were carried out."""
        if self._scene is None:
            return {}
        return {
            "world": f"{self._kind}/{self.level}/{self._number}",
            "engine": f"textworld {version('textworld')}",
            "score": self._scene.score,
            "points": self._scene.points,
            "won": self._scene.won,
            "lost": self._scene.lost,
            "commands": list(self._sent),
            "right": {SEAT: self._scene.won},
            "unread": {SEAT: list(self._impossible)},
        }

    def phase(self, seat: Seat) -> str:
        """The skill of the world; over."""
        return self._kind if self.acting else "over"

    def observe(self, seat: Seat) -> Observation:
        """Goal, score, what was read, the last commands with their results, the room, what is carried."""
        if self._scene is None:
            return Observation("The match has not begun.", "over")
        left = self.moves - len(self._steps)
        return Observation(rules.described(self._scene, self._steps, left, self.shown), self.phase(seat))

    def shortcuts(self) -> ShortcutSuite | None:
        """The suite of the module `shortcuts`."""
        return suite_beside(self)

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """The walkthrough of the world of seed 0, which wins, and no useful command at all, with a menu."""
        if not self.menu:
            return ()
        game = StarlingGame(self.skill, self.level, self.moves, self.count, self.split)
        game.reset(0)
        assert game._world is not None
        won = tuple({SEAT: command} for command in game._world.walkthrough)
        idle = ({SEAT: "look"},) * self.moves
        return KnownOutcome(0, won, {SEAT: 1.0}), KnownOutcome(0, idle, {SEAT: 0.0})
