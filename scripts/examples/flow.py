"""A planner, an executor, a verifier and a generator answer a question with tools: one outcome pays every turn.

    arena check flow --plugin scripts/examples/flow.py --shortcuts
    arena study scripts/examples/study_flow.toml

After "In-the-Flow Agentic System Optimization" (AgentFlow), a seed of this project whose abstract was read: four
modules work on a memory that grows, only the planner is trained, and the outcome of the match is the reward of each of
its turns, compared within a group (Flow-GRPO: `advantage = "grpo"`, `group = 8`). The tools are tables that are drawn
for each match, so nothing can be learned by heart; the answer is checked exactly.
"""

from __future__ import annotations

from functools import reduce
from typing import Annotated, Any

from annotated_types import Interval

from games import Table, role_game
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, mixed, says

TOOLS = ("boss", "town", "hue")
THINGS = tuple("0123456789")
DROP, MORE, ENOUGH = VERDICTS = ("drop", "more", "enough")


def _rules(hops: int, turns: int) -> str:
    return (
        f"A question names a thing of 0 to 9 and asks for {hops} relations of it, one after another. In each of "
        f"{turns} turns the planner calls a tool, {', '.join(TOOLS)}, on the newest value of the memory; the executor "
        "reads the table and notes the value; the verifier drops it, keeps it, or says that the memory is enough. Then "
        "the generator answers from the memory. All earn 1 if the answer is right, else 0."
    )


def _plans(turn: ScriptedTurn) -> str:
    """Calls the next relation of the question."""
    path, memory = turn.data["path"], turn.data["memory"]
    return str(path[min(len(memory), len(path)) - 1])


def _any(turn: ScriptedTurn) -> str:
    return turn.stream.choice(turn.legal or (TOOLS[0],))


def _reads(turn: ScriptedTurn) -> str:
    return str(turn.data["row"])


def _verifies(turn: ScriptedTurn) -> str:
    """Keeps a value that the table has and the question asks for."""
    data = turn.data
    if data["noted"] != str(data["row"]) or data["tool"] not in data["path"][len(data["memory"]) - 1 :][:1]:
        return DROP
    return ENOUGH if len(data["memory"]) == len(data["path"]) else MORE


def _suite() -> ShortcutSuite:
    rest: dict[str, Scripted] = {"executor": _reads, "verifier": _verifies}
    rest["generator"] = lambda turn: str(turn.data["memory"][-1])
    slips = mixed(0.8, _reads, says("0"))
    return ShortcutSuite(
        honest={"planner": _any, "executor": slips, "verifier": _any, "generator": says(*THINGS)},
        competent={"planner": _plans, **rest},
        shortcuts=[Shortcut(f"always {tool}", {"planner": says(tool)}) for tool in TOOLS]
        + [Shortcut(f"always {word}", {"verifier": says(word)}) for word in (DROP, ENOUGH)]
        + [Shortcut("always 0", {"generator": says("0")})],
        references={"slips": {"planner": _plans, **rest, "executor": slips}},
    )


@role_game(
    "flow-v1",
    seats={"planner": "planner", "executor": "executor", "verifier": "verifier", "generator": "generator"},
    payoff="cooperative",
    rules=_rules,
    returns_range=(0.0, 1.0),
    max_turns=lambda turns: 3 * turns + 1,
    rated=False,
    suite=_suite,
    problem=lambda hops, turns: f"hops is {hops} and turns is {turns}; allow as many turns" if turns < hops else "",
)
def flow(
    t: Table,
    hops: Annotated[int, Interval(ge=1, le=4)] = 2,
    turns: Annotated[int, Interval(ge=1, le=12)] = 3,
) -> Any:
    """Four modules answer a question of several hops from tables that are new in every match.

    hops: relations of a question.
    turns: calls of the planner at most.
    """
    tables = {name: [t.stream.below(10) for _ in THINGS] for name in TOOLS}
    path = [t.stream.choice(TOOLS) for _ in range(hops)]
    memory = [t.stream.below(10)]
    truth = reduce(lambda value, name: tables[name][value], path, memory[0])
    calls: list[str] = []
    t.tell("all", f"{' '.join(path)} of {memory[0]}?", path=tuple(path), memory=tuple(memory))
    for _ in range(turns):
        tool = yield t.ask("planner", f"Memory {' '.join(map(str, memory))}.", phase="plan", options=TOOLS)
        calls.append(tool)
        row = tables[tool][memory[-1]]
        t.tell(("executor", "verifier"), f"{tool} {memory[-1]} = {row}", row=row, tool=tool)
        noted = yield t.ask("executor", phase="execute", options=THINGS)
        t.tell("verifier", f"Noted {noted}.", noted=noted)
        verdict = yield t.ask("verifier", phase="verify", options=VERDICTS)
        if verdict != DROP:
            memory.append(int(noted))
        t.tell("all", f"{tool}: {verdict}", memory=tuple(memory))
        if verdict == ENOUGH:
            break
    answer = yield t.ask("generator", f"Memory {' '.join(map(str, memory))}.", phase="answer", options=THINGS)
    right = float(answer == str(truth))
    for seat in t.seats:
        t.pay(seat, right)
        t.outcome(seat, right=right)
    t.facts |= {"calls": calls, "path": path}
