"""starling-v1: a player solves a generated text adventure that exercises skills, one command at a time.

After STARLING (Basavatia et al. 2024, arXiv 2406.05872) and TextWorld (Cote et al. 2018, arXiv 1806.11532). README.md
says what differs.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated, Literal

from annotated_types import Interval

from games import KnownOutcome
from games.dialogue import Reader, Reading, RoleGame, Script, Table, role_game
from games.native.starling import texts
from games.native.starling.policies import SUITE
from games.native.starling.worlds import Scene, World, require, scene, walkthrough
from games.quoting import quote
from games.tasks.source import SPLITS, Split

SEAT = "player"
_WORLDS = 1_000_000
Skill = Literal["any", "cook", "tidy", "unlock"]


def _problem() -> str:
    require()
    return ""


def _known_outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    """The walkthrough of the world of seed 0, which wins, and no useful command at all."""
    kind, level, number = game.facts()["world"].split("/")
    won = tuple({SEAT: command} for command in walkthrough(World(kind, int(level), int(number))))
    idle = ({SEAT: "look"},) * game.spec.max_turns
    return KnownOutcome(0, won, {SEAT: 1.0}), KnownOutcome(0, idle, {SEAT: 0.0})


@role_game(
    "starling-v1",
    seats={SEAT: "adventurer"},
    payoff="general_sum",
    rules=texts.rules,
    max_turns=lambda moves: moves,
    returns_range=(0.0, 1.0),
    rated=False,
    demonstrations=lambda menu: {} if menu else texts.DEMONSTRATIONS,
    blocking=True,
    problem=_problem,
    suite=SUITE,
    known=_known_outcomes,
)
def starling(
    t: Table,
    skill: Skill = "any",
    level: Annotated[int, Interval(ge=1, le=3)] = 2,
    moves: Annotated[int, Interval(ge=20, le=100)] = 30,
    split: Split = "train",
    menu: bool = True,
    shown: Annotated[int, Interval(ge=0, le=100)] = 4,
) -> Script:
    """A text adventure for one player. The reward is the share of the world's points. Needs the extra `textworld`.

    skill: cook (fetch, cut and cook what a recipe says), tidy (put things where they belong), unlock (find the key), or
    any of them, drawn by the seed.
    level: 1 to 3, the number of rooms and things.
    moves: commands of one match.
    split: the seed draws one of a million worlds of a skill; those of train, dev and test differ.
    menu: the possible commands are listed; otherwise the player writes one, and an impossible one does nothing.
    shown: the last commands that the player sees with their results; the recipe stays visible.
    """
    kind = t.stream.choice(texts.SKILLS) if skill == "any" else skill
    made = World(kind, level, SPLITS.index(split) * _WORLDS + t.stream.below(_WORLDS))
    now = scene(made, ())
    t.facts |= {"world": f"{kind}/{level}/{made.number}", "engine": f"textworld {version('textworld')}"}
    sent: list[str] = []
    steps: list[tuple[str, str]] = []
    _note(t, now, sent)
    while now.commands and len(steps) < moves:
        last, recipe = steps[-1][0] if steps else "", texts.recipe(steps)
        t.tell(SEAT, "", last=last, commands=now.commands, recipe=recipe, carried=now.carried)
        text = yield t.ask(
            SEAT,
            texts.described(now, steps, moves - len(steps), shown),
            phase=kind,
            options=now.commands if menu else None,
            examples=now.commands if menu else (*now.commands, "sing a song"),
        )
        command = text if menu else t.read(SEAT, text, _command(now.commands))
        if command is None:
            steps.append((quote(" ".join(text.split())[-60:])[1:-1], texts.NOT_POSSIBLE))
            continue
        sent.append(command)
        now = scene(made, tuple(sent))
        steps.append((command, now.happened))
        _note(t, now, sent)
    t.tell(SEAT, texts.described(now, steps, moves - len(steps), shown, over=True))
    t.end("you have won" if now.won else "you have lost" if now.lost else "you have no commands left")


def _note(t: Table, now: Scene, sent: list[str]) -> None:
    """Pays the share of the points of this world that the player has, and writes it into the facts."""
    t.pay(SEAT, now.score / now.points)
    t.outcome(SEAT, right=float(now.won))
    t.facts |= {"score": now.score, "points": now.points, "won": now.won, "lost": now.lost, "commands": list(sent)}


def _command(possible: tuple[str, ...]) -> Reader:
    """Returns a reader of a possible command."""
    return lambda text: Reading(texts.command(text, possible), "not a possible command")
