"""An actor walks the same rooms again and again; between its attempts an adapter writes what it should change.

    arena check again --plugin scripts/examples/again.py --shortcuts      what adaptation by hand earns
    arena study scripts/examples/study_meta_ttl.toml

After "Learning to Learn-at-Test-Time" (Meta-TTL), a seed of this project whose abstract was read: an adaptation policy
turns the experience of an episode into the next policy of the actor (inner loop), and is itself optimised for how much
the actor improves over a sequence of episodes, on many tasks (outer loop). Here the adapter is a policy that is trained
by reinforcement; published is an evolutionary search over texts. The actor is scripted and does what it is told.
"""

from __future__ import annotations

from statistics import fmean
from typing import Annotated, Any

from annotated_types import Interval

from games import Table, role_game
from games.shortcuts import ScriptedTurn, Shortcut, ShortcutSuite, mixed, says

DOORS = ("oak", "pine", "elm", "ash", "yew", "fir", "box", "bay")
SAME, OTHER, NEW, ANY = ADVICE = ("same", "other", "new", "any")
LED_ON, FAILED, ONCE = "led on", "failed", "failed after it had led on"
Share = Annotated[float, Interval(ge=0, le=1)]


def _rules(rooms: int, doors: int, attempts: int, luck: float) -> str:
    return (
        f"There are {rooms} rooms, one after another, each with the same {doors} doors, of which one leads on; the "
        f"others end the attempt. An actor makes {attempts} attempts. After each one the adapter reads of every room "
        f"that the actor entered whether its door {LED_ON}, and says which to take next time: the {SAME} door, any "
        f"{OTHER} one, a {NEW} one, that was not tried yet, or {ANY}."
        + (f" In {luck:.0%} of the attempts a right door is locked." if luck else "")
        + " Both earn the share of rooms passed in the later attempts, as a mean, less that in the first one."
    )


def _obeys(turn: ScriptedTurn) -> str:
    """Takes a door as it was told, or any in a room without advice."""
    tried, advice, doors = turn.data["tried"], turn.data["advice"], turn.legal or DOORS
    if advice == SAME:
        return str(tried[-1])
    without = {OTHER: tried[-1:], NEW: tried}.get(advice, ())
    return turn.stream.choice([door for door in doors if door not in without] or doors)


def _competent(turn: ScriptedTurn) -> str:
    """Keeps a door that has ever led on, else has a new one tried."""
    return NEW if turn.data["result"] == FAILED else SAME


def _reflects(turn: ScriptedTurn) -> str:
    """Keeps a door that led on, else has another one tried: it reads the last attempt only."""
    return SAME if turn.data["result"] == LED_ON else OTHER


def _suite() -> ShortcutSuite:
    slips = mixed(0.8, _obeys, lambda turn: turn.stream.choice(turn.legal or DOORS))
    return ShortcutSuite(
        honest={"adapter": _reflects, "actor": slips},
        competent={"adapter": _competent, "actor": _obeys},
        shortcuts=[Shortcut(f"always {word}", {"adapter": says(word)}) for word in ADVICE],
        references={"slips": {"adapter": _competent, "actor": slips}},
    )


@role_game(
    "again-v1",
    seats={"adapter": "adapter", "actor": "actor"},
    payoff="cooperative",
    rules=_rules,
    returns_range=(-1.0, 1.0),
    max_turns=lambda rooms, attempts: rooms * (2 * attempts - 1),
    rated=False,
    suite=_suite,
)
def again(
    t: Table,
    rooms: Annotated[int, Interval(ge=1, le=9)] = 3,
    doors: Annotated[int, Interval(ge=2, le=8)] = 4,
    attempts: Annotated[int, Interval(ge=2, le=9)] = 5,
    luck: Share = 0.0,
    told: bool = True,
) -> Any:
    """An actor repeats a task as it is told; an adapter tells it. `right` is the share of the last attempt.

    rooms: how many there are.
    doors: doors of each room, drawn from eight names for each match.
    attempts: how often the actor begins.
    luck: the probability that a right door is locked in an attempt.
    told: whether the adapter reads which doors led on.
    """
    names = tuple(t.stream.shuffled(DOORS)[:doors])
    truth = [t.stream.choice(names) for _ in range(rooms)]
    tried: list[tuple[str, ...]] = [()] * rooms
    advice = [""] * rooms
    entered: set[int] = set()
    passed: list[float] = []
    for attempt in range(attempts):
        results: list[str] = []
        while len(results) < rooms and (not results or results[-1] == LED_ON):
            room = len(results)
            t.tell("actor", "", tried=tried[room], advice=advice[room])
            door = yield t.ask("actor", f"Take {advice[room] or ANY}.", phase="act", options=names)
            opens = door == truth[room] and not (luck > 0 and t.stream.random() < luck)
            results.append(LED_ON if opens else ONCE if door == truth[room] and room in entered else FAILED)
            tried[room] += (door,)
            entered |= {room} if opens else set()
        passed.append(results.count(LED_ON) / rooms)
        for room, result in enumerate(results if attempt < attempts - 1 else ()):
            t.tell("adapter", "", result=result)
            text = f"{result}." if told else "tried."
            advice[room] = yield t.ask("adapter", text, phase="adapt", options=ADVICE)
    for seat in t.seats:
        t.pay(seat, fmean(passed[1:]) - passed[0])
        t.outcome(seat, right=passed[-1])
    t.facts |= {"passed": passed}
