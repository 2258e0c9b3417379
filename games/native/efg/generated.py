"""Generated games: two players, up to four stages, chance, hidden moves and actions that end the game.

A game is a list of stages. At each stage a coin is tossed or a player chooses; each later player sees some of the
earlier stages. Words and the .efg text are both written from this list, so they describe the same game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import prod

from games.native.efg.kinds import Described
from games.native.efg.notation import chance, efg, end, move
from games.randomness import RandomStream

PLAYERS = ("Ann", "Bob")
_ACTIONS = (("left", "right"), ("up", "down"), ("red", "blue", "green"), ("north", "south"), ("raise", "hold", "fold"))
_COIN = ("heads", "tails")
_ODDS = (("1/2", "1/2"), ("1/3", "2/3"), ("1/4", "3/4"), ("2/5", "3/5"))
_LARGEST = 12
"""end nodes, at most"""
MOST_STRATEGIES = 8
"""strategies of a player, at most: the limit of `games.native.efg.check`"""


@dataclass(frozen=True)
class TreeStage:
    """One stage: who moves (None: a coin), the outcomes, the earlier stages it sees, the outcome that ends the game."""

    player: int | None
    outcomes: tuple[str, ...]
    odds: tuple[str, ...] = ()
    sees: frozenset[int] = frozenset()
    ends: str = ""


Path = tuple[str, ...]
"""the outcomes so far"""


@dataclass(frozen=True)
class TreePlan:
    """The stages and the payoffs at each end."""

    stages: tuple[TreeStage, ...]
    pay: dict[Path, tuple[int, int]]


def generated(stream: RandomStream, stages: int) -> Described:
    """Returns a game of this many stages, in words and as text.

    The wrong texts are the games that differ in a payoff, in what a player sees, or in both. Which of these games is
    described is drawn too, so that no text is more like the others.
    """
    plan, *others = stream.shuffled(list(_variants(_drawn(stream, stages))))
    return Described(words(plan), text(plan), tuple(dict.fromkeys(map(text, others))), {"plan": plan})


def _variants(plan: TreePlan) -> Iterator[TreePlan]:
    """Yields the plan, with its first payoff changed, with what a player sees changed, and with both."""
    for sees in (plan, *_seen_otherwise(plan)):
        yield from (sees, _repaid(sees))


def _drawn(stream: RandomStream, n: int) -> TreePlan:
    while True:
        listed: list[TreeStage] = []
        names = stream.shuffled(_ACTIONS)
        coin = stream.below(3) == 0
        for i in range(n):
            if i == 0 and coin:
                listed.append(TreeStage(None, _COIN, stream.choice(_ODDS)))
                continue
            player = stream.below(2) if i > coin else 0
            seen = _remembered(listed, i, player) | {j for j in range(i) if stream.below(2)}
            actions = names[i]
            last = i + 1 == n
            ends = actions[-1] if not last and stream.below(3) == 0 else ""
            listed.append(TreeStage(player, actions, (), frozenset(seen), ends))
        if not {s.player for s in listed} >= {0, 1} or len(ends_at := list(_ends(listed))) > _LARGEST:
            continue
        plan = TreePlan(tuple(listed), {path: (stream.below(19) - 9, stream.below(19) - 9) for path in ends_at})
        if all(_strategies(each) <= MOST_STRATEGIES for each in _variants(plan)):
            return plan


def _remembered(stages: Sequence[TreeStage], at: int, player: int | None) -> frozenset[int]:
    """Returns the stages that a player knows of at a stage because it moved in them or saw them when it moved."""
    own = [i for i in range(at) if stages[i].player == player]
    return frozenset(own).union(*(stages[i].sees for i in own))


def _strategies(plan: TreePlan) -> int:
    """Returns the number of strategies of the player with more of them: a choice at each information set."""
    sets: dict[tuple[int, Path], int] = {}
    for end_path in plan.pay:
        for at in range(len(end_path)):
            stage = plan.stages[at]
            sets[at, tuple(end_path[i] for i in sorted(stage.sees))] = len(stage.outcomes)
    return max(prod(n for (at, _), n in sets.items() if plan.stages[at].player == player) for player in (0, 1))


def _ends(stages: Sequence[TreeStage], path: Path = ()) -> Iterator[Path]:
    """Yields the paths to the end nodes, in prefix order."""
    stage = stages[len(path)]
    for outcome in stage.outcomes:
        after = (*path, outcome)
        if outcome == stage.ends or len(after) == len(stages):
            yield after
        else:
            yield from _ends(stages, after)


def text(plan: TreePlan) -> str:
    """Returns the game as .efg text."""
    number, sets = count(1), dict[tuple[int, int, tuple[str, ...]], int]()

    def nodes(path: Path) -> Iterator[str]:
        if path in plan.pay:
            yield end(next(number), *plan.pay[path])
            return
        at = len(path)
        stage = plan.stages[at]
        if stage.player is None:
            yield chance(stage.outcomes, stage.odds)
        else:
            key = stage.player, at, tuple(path[i] for i in sorted(stage.sees))
            same_player = [k for k in sets if k[0] == stage.player]
            infoset = sets.setdefault(key, len(same_player) + 1)
            yield move(stage.player + 1, infoset, stage.outcomes)
        for outcome in stage.outcomes:
            yield from nodes((*path, outcome))

    return efg("generated", PLAYERS, list(nodes(())))


def words(plan: TreePlan) -> str:
    """Returns the game in words."""
    said = [f"{PLAYERS[0]} and {PLAYERS[1]} play a game in {len(plan.stages)} stages."]
    for i, stage in enumerate(plan.stages):
        said.append(f"Stage {i + 1}: {_stage(plan.stages, i)}")
        if stage.ends:
            said.append(f"If {_who(stage)} chooses {stage.ends}, the game ends at once.")
    paid = "; ".join(f"after {', '.join(path)}: {a} and {b}" for path, (a, b) in plan.pay.items())
    return " ".join([*said, f"{PLAYERS[0]} and {PLAYERS[1]} then get: {paid}."])


def _who(stage: TreeStage) -> str:
    return "the coin" if stage.player is None else PLAYERS[stage.player]


def _stage(stages: Sequence[TreeStage], at: int) -> str:
    stage = stages[at]
    if stage.player is None:
        odds = " and ".join(f"{o} with probability {p}" for o, p in zip(stage.outcomes, stage.odds, strict=True))
        return f"a coin is tossed and shows {odds}."
    choice = f"{_who(stage)} chooses {', '.join(stage.outcomes[:-1])} or {stage.outcomes[-1]}"
    earlier = [i for i in range(at) if stages[i].player != stage.player]
    if not earlier:
        return f"{choice}."
    seen = [f"stage {i + 1}" for i in earlier if i in stage.sees]
    hidden = [f"stage {i + 1}" for i in earlier if i not in stage.sees]
    knows = [f"sees {' and '.join(seen)}"] * bool(seen) + [f"does not see {' or '.join(hidden)}"] * bool(hidden)
    return f"{choice}; {_who(stage)} {' and '.join(knows)}."


def _repaid(plan: TreePlan) -> TreePlan:
    """Returns the plan with another payoff."""
    path, (a, b) = next(iter(plan.pay.items()))
    return replace(plan, pay={**plan.pay, path: (a + 20, b)})


def _seen_otherwise(plan: TreePlan) -> Iterator[TreePlan]:
    """Yields the plan with what a player sees of an earlier stage in its last move changed; nothing if none can."""
    for at, stage in enumerate(plan.stages):
        if stage.player is None or stage.player in [later.player for later in plan.stages[at + 1 :]]:
            continue
        for i in set(range(at)) - _remembered(plan.stages, at, stage.player):
            if plan.stages[i].ends == "":  # after an action that ends the game nobody moves: it is seen in any case
                changed = replace(stage, sees=stage.sees ^ {i})
                yield replace(plan, stages=(*plan.stages[:at], changed, *plan.stages[at + 1 :]))
                return
