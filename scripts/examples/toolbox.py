"""An agent answers a question with tools whose calls it can take back; another one may have begun, and gone wrong.

    arena check toolbox --plugin scripts/examples/toolbox.py --shortcuts
    arena study scripts/examples/study_agent_r.toml       imitating answers that begin wrong and are revised
    arena study scripts/examples/study_spear.toml         self-imitation after a bonus for calls

After two seeds of this project whose abstracts were read. "Agent-R" cuts a failed trajectory at its first wrong step
and continues it with the right path from there: in `toolbox(handover=true)` a rookie acts until its first wrong call,
which the rules know, and the agent takes over. "Learn the Ropes, Then Trust the Wins" (SPEAR) pays tool calls first.
"""

from __future__ import annotations

from functools import reduce
from typing import Annotated, Any, TypeAlias

from annotated_types import Interval

from games import Table, role_game
from games.shortcuts import ScriptedTurn, Shortcut, ShortcutSuite, mixed, says

TOOLS = ("boss", "town", "hue")
UNDO, ANSWER = "undo", "answer"
ACTIONS = (*TOOLS, UNDO, ANSWER)
Path: TypeAlias = tuple[str, ...]


def right_action(path: Path, calls: Path) -> str:
    """Returns the action of the shortest right answer: take back what is wrong, call the next tool, or answer."""
    if calls != path[: len(calls)]:
        return UNDO
    return ANSWER if len(calls) == len(path) else path[len(calls)]


def _drawn(t: Table, count: int) -> Path:
    return tuple(t.stream.choice(TOOLS) for _ in range(count))


def _rules(hops: int, turns: int, slip: float, bonus: float, handover: bool) -> str:
    return (
        f"A question asks for {hops} relations of a thing, one after another. In each of {turns} turns the agent calls "
        f"{', '.join(TOOLS)} on the newest value, takes the last call back ({UNDO}), or gives the newest value as its "
        f"{ANSWER}, which ends the match. A right answer earns 1."
        + (f" In {slip:.0%} of the calls another tool is called." if slip else "")
        + (f" An answer also earns {bonus:g} for each tool that was called before it." if bonus else "")
        + (" A rookie acts until its first wrong action, then the agent takes over." if handover else "")
    )


def _competent(turn: ScriptedTurn) -> str:
    return right_action(turn.data["path"], turn.data["calls"])


def _forward(turn: ScriptedTurn) -> str:
    """Calls the tool that the number of calls asks for, right or wrong, and never takes one back."""
    path, calls = turn.data["path"], turn.data["calls"]
    return ANSWER if len(calls) >= len(path) else str(path[len(calls)])


def _suite() -> ShortcutSuite:
    return ShortcutSuite(
        honest={"agent": mixed(0.5, _competent, says(*ACTIONS))},
        competent={"agent": _competent},
        shortcuts=[Shortcut(f"always {action}", {"agent": says(action)}) for action in (*TOOLS, ANSWER)],
        references={"forward": {"agent": _forward}, "rookie": {"agent": mixed(0.6, _forward, says(*ACTIONS))}},
    )


@role_game(
    "toolbox-v1",
    seats=lambda handover: {"agent": "agent", "rookie": "agent"} if handover else {"agent": "agent"},
    payoff="cooperative",
    rules=_rules,
    returns_range=lambda bonus: (0.0, 1.0 + len(TOOLS) * bonus),
    max_turns=lambda turns: turns,
    rated=False,
    suite=_suite,
    problem=lambda hops, turns, late: (
        f"turns is {turns}; allow {least} for such questions and so many calls too late"
        if turns < (least := hops + 2 * late + 2)
        else ""
    ),
)
def toolbox(
    t: Table,
    hops: Annotated[int, Interval(ge=1, le=6)] = 2,
    turns: Annotated[int, Interval(ge=3, le=30)] = 8,
    slip: Annotated[float, Interval(ge=0, le=1)] = 0.0,
    handover: bool = False,
    late: Annotated[int, Interval(ge=0, le=6)] = 0,
    bonus: Annotated[float, Interval(ge=0, le=1)] = 0.0,
) -> Any:
    """An agent calls tools, takes calls back, and answers; tables are new in every match.

    hops: relations of a question.
    turns: actions at most, those of the rookie included.
    slip: the probability that a call is carried out as that of another tool.
    handover: whether a rookie acts until its first wrong action.
    late: further calls, drawn at random, before the agent takes over from a rookie.
    bonus: what an answer earns for each tool that was called before it, right or wrong.
    """
    tables = {name: [t.stream.below(10) for _ in range(10)] for name in TOOLS}
    path = _drawn(t, hops)
    start, called = t.stream.below(10), set[str]()
    calls: Path = ()
    acts, left, action = "rookie" if handover else "agent", turns, ""
    while left > 0 and action != ANSWER:
        left -= 1
        t.tell("all", "", path=path, calls=calls)
        action = yield t.ask(acts, f"{' '.join(path)}? {' '.join(calls)}.", options=ACTIONS)
        wrong = action != right_action(path, calls)
        if action in TOOLS:
            called.add(action)
            slips = slip > 0 and t.stream.random() < slip
            calls += (t.stream.choice([tool for tool in TOOLS if tool != action]) if slips else action,)
        elif action == UNDO:
            calls = calls[:-1]
        if wrong and acts == "rookie":
            acts, left, action, calls = "agent", left - late, "", calls + _drawn(t, late)
    answer, truth = (reduce(lambda value, name: tables[name][value], names, start) for names in (calls, path))
    right = float(action == ANSWER and answer == truth)
    for seat in t.seats:
        t.pay(seat, right + (bonus * len(called) if action == ANSWER else 0.0))
        t.outcome(seat, right=right)
    t.facts |= {"path": path, "calls": calls}
