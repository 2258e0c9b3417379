"""What the best constant choice earns in a closed game: a training whose reward ends there has learned nothing else.

    python scripts/bench/constant_choices.py [FILE.toml | GAME ...] [--matches 200] [--seed 0]

Without arguments it reads the games of all training files in scripts/examples. Each role in turn chooses in every match
the same text, or the same place of its list, and a random action where the text is not in the list. The other roles
choose at random. The best of many constants is taken on one half of the matches and reported on the other half, because
the best of many is high by luck.
"""

from __future__ import annotations

import argparse
import asyncio
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev

from _bench import machine_line, table

import games
from arena.evaluation.shortcuts import rewards_of
from arena.match import Episode, MatchPlan
from arena.players.bots.scripted import ScriptedPlayer
from arena.runner.local import LocalRunner
from games import InputError, TextGame
from games.randomness import derive
from games.shortcuts import Scripted, ScriptedTurn

EXAMPLES = Path(__file__).parents[1] / "examples"
HEAD = ("game", "role", "reward", "random", "best constant", "earns", "error")
TEXTS, PLACES = 24, 4
"""the constants that are tried: the texts that are offered most often, and the first and last places of the list"""


def main() -> None:
    """Print a row for each reward of each role."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("of", nargs="*", help="training files or game ids")
    options.add_argument("--matches", type=int, default=200)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    ids = dict.fromkeys(
        id for one in given.of or sorted(map(str, EXAMPLES.glob("*train*.toml"))) for id in games_of(one)
    )
    rows = [row for id in ids for row in rows_of(id, given.matches, given.seed)]
    print(machine_line())
    print(table(HEAD, rows))


def games_of(of: str) -> list[str]:
    """The games of a training file, or the id itself."""
    if not of.endswith(".toml"):
        return [of]
    listed = tomllib.loads(Path(of).read_text()).get("games", [])
    return [one if isinstance(one, str) else one["id"] for one in listed]


def rows_of(id: str, matches: int, seed: int) -> Iterator[Sequence[object]]:
    """The rewards of the roles of a game; nothing for a game in which some role writes free text."""
    try:
        game = games.make(id)
    except InputError:
        return
    offered = {role: Counter[str]() for role in dict.fromkeys(game.spec.seats.values())}
    played(game, dict.fromkeys(offered, watching(offered)), matches, seed)
    if not all(offered.values()):
        return
    anything = dict.fromkeys(offered, at_random)
    for role, texts in offered.items():
        constants = dict(constants_of(texts))
        rewards = {
            name: halves(game, {**anything, role: policy}, role, matches, seed) for name, policy in constants.items()
        }
        plain = halves(game, anything, role, matches, seed)
        for reward in plain[0]:
            best = max(rewards, key=lambda name: fmean(rewards[name][0].get(reward, [-1e9])))
            mine = rewards[best][1][reward]
            yield (
                id, role, reward, f"{fmean(plain[1][reward]):.3f}", best[:40], f"{fmean(mine):.3f}",
                f"{stdev(mine) / len(mine) ** 0.5:.3f}",
            )  # fmt: skip


def watching(offered: Mapping[str, Counter[str]]) -> Scripted:
    """Random choices that count what was offered."""

    def choose(turn: ScriptedTurn) -> str:
        offered[turn.role].update(turn.legal or ())
        return at_random(turn)

    return choose


def at_random(turn: ScriptedTurn) -> str:
    """A random action; nothing in free text."""
    return turn.stream.choice(turn.legal) if turn.legal else ""


def constants_of(texts: Counter[str]) -> Iterator[tuple[str, Scripted]]:
    """Names and policies of constant choices."""
    for text, _ in texts.most_common(TEXTS):
        yield text, lambda turn, text=text: text if text in (turn.legal or ()) else at_random(turn)
    for place in (*range(PLACES), *range(-PLACES, 0)):
        yield f"place {place}", lambda turn, place=place: (turn.legal or ("",))[place % len(turn.legal or ("",))]


def halves(
    game: TextGame, policies: Mapping[str, Scripted], role: str, matches: int, seed: int
) -> list[Mapping[str, Sequence[float]]]:
    """The rewards of a role by name, in the first and in the second half of the matches."""
    episodes = played(game, policies, matches, seed)
    parts = (episodes[: matches // 2], episodes[matches // 2 :])
    return [{name: values for (of, name), values in rewards_of(part, role).items() if of == role} for part in parts]


def played(game: TextGame, policies: Mapping[str, Scripted], matches: int, seed: int) -> list[Episode]:
    """Matches in which a policy plays all seats of its role. Players are named after their roles."""
    runner = LocalRunner({role: ScriptedPlayer(role, policy) for role, policy in policies.items()})
    seeds = [derive(seed, "constant", n) for n in range(matches)]
    queue = [MatchPlan(f"{n}", game.spec.id, one, dict(game.spec.seats)) for n, one in enumerate(seeds)][::-1]
    episodes: list[Episode] = []
    asyncio.run(runner.run(lambda room: [queue.pop() for _ in range(min(room, len(queue)))], episodes.extend))
    return sorted(episodes, key=lambda episode: int(episode.match))


if __name__ == "__main__":
    main()
