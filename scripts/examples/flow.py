"""A planner, an executor, a verifier and a generator answer a question with tools: one outcome pays every turn.

    arena check flow --plugin scripts/examples/flow.py --shortcuts
    arena study scripts/examples/study_flow.toml

After "In-the-Flow Agentic System Optimization" (AgentFlow), a seed of this project whose abstract was read: four
modules work on a memory that grows, only the planner is trained, and the outcome of the match is the reward of each of
its turns, compared within a group (Flow-GRPO: `advantage = "grpo"`, `group = 8`). The tools are tables that are drawn
for each match, so nothing can be learned by heart; the answer is checked exactly.
"""

from __future__ import annotations

from typing import Annotated, Any

from annotated_types import Interval

from games import Table, role_game
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, mixed, says

TOOLS = ("boss", "town", "hue", "pet")
DROP, MORE, ENOUGH = VERDICTS = ("drop", "more", "enough")


def _rules(tools: int, hops: int, turns: int, things: int) -> str:
    return (
        f"A question names a thing of 0 to {things - 1} and asks for {hops} relations of it, one after another. In each "
        f"of {turns} turns the planner calls a tool, {', '.join(TOOLS[:tools])}, on the newest value of the memory; the "
        "executor reads the table and notes the value; the verifier drops it, keeps it, or says that the memory is "
        "enough. Then the generator answers from the memory. All earn 1 if the answer is right, else 0."
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
    if data["noted"] != str(data["row"]) or data["tool"] != data["path"][len(data["memory"]) - 1]:
        return DROP
    return ENOUGH if len(data["memory"]) == len(data["path"]) else MORE


def _answers(turn: ScriptedTurn) -> str:
    return str(turn.data["memory"][-1])


def _guesses(turn: ScriptedTurn) -> str:
    return str(turn.stream.choice(turn.data["memory"]))


def _suite() -> ShortcutSuite:
    rest: dict[str, Scripted] = {"executor": _reads, "verifier": _verifies, "generator": _answers}
    slips = mixed(0.8, _reads, says("0"))
    return ShortcutSuite(
        honest={"planner": _any, "executor": slips, "verifier": _any, "generator": _guesses},
        competent={"planner": _plans, **rest},
        shortcuts=[Shortcut(f"always {tool}", {"planner": says(tool)}) for tool in TOOLS[:2]]
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
    tools: Annotated[int, Interval(ge=2, le=4)] = 3,
    hops: Annotated[int, Interval(ge=1, le=4)] = 2,
    turns: Annotated[int, Interval(ge=1, le=12)] = 3,
    things: Annotated[int, Interval(ge=3, le=10)] = 10,
) -> Any:
    """Four modules answer a question of several hops from tables that are new in every match.

    tools: how many there are.
    hops: relations of a question.
    turns: calls of the planner at most.
    things: how many things a table has.
    """
    names, numbers = TOOLS[:tools], tuple(map(str, range(things)))
    tables = {name: [t.stream.below(things) for _ in numbers] for name in names}
    path = [t.stream.choice(names) for _ in range(hops)]
    memory = [t.stream.below(things)]
    truth = memory[0]
    for name in path:
        truth = tables[name][truth]
    calls: list[str] = []
    t.tell("all", f"{' '.join(path)} of {memory[0]}?", path=tuple(path), memory=tuple(memory))
    for _ in range(turns):
        tool = yield t.ask("planner", f"Memory {' '.join(map(str, memory))}.", phase="plan", options=names)
        calls.append(tool)
        row = tables[tool][memory[-1]]
        t.tell(("executor", "verifier"), f"{tool} {memory[-1]} = {row}", row=row, tool=tool)
        noted = yield t.ask("executor", phase="execute", options=numbers)
        t.tell("verifier", f"Noted {noted}.", noted=noted)
        verdict = yield t.ask("verifier", phase="verify", options=VERDICTS)
        if verdict != DROP:
            memory.append(int(noted))
        t.tell("all", f"{tool}: {verdict}", memory=tuple(memory))
        if verdict == ENOUGH:
            break
    answer = yield t.ask("generator", f"Memory {' '.join(map(str, memory))}.", phase="answer", options=numbers)
    for seat in t.seats:
        t.pay(seat, float(answer == str(truth)))
        t.outcome(seat, right=float(answer == str(truth)))
    t.facts |= {"calls": calls, "path": path}
