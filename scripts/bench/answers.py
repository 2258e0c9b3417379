"""How many answers of a language model the role games can read: shares read, truncated and malformed.

    python scripts/bench/answers.py [--model smollm2-135m] [--seconds 300] [--matches 4] [--demonstrations 2 0]
        [--tokens N]

The model plays all seats of every game with free text, all games at once, with the default limit of tokens (or
`--tokens`) and temperature 1; no match starts after `--seconds`. `starling(menu=false)` needs an extra: name it with
--games.
An answer is one attempt of a turn. Truncated: the limit of tokens ended it. Malformed: the game could not read what was
due (a verdict, a vote, a step, a typed message), or a message was empty; it may be truncated too. Read: the others.

SmolLM2-135M without training: one-word answers and free messages can be read; formats of several parts (a program and
its input, three labels, a game tree, a proof) cannot. Only taboo, bargain, conjecture and the sneaky player lose many
answers to the limit of tokens. `starling(menu=false)` takes more than 20 minutes a match unless --tokens is 24.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from _bench import cpu_seconds, machine_line, table

import games
from arena.match import Episode, MatchPlan
from arena.players.llm import LLM
from arena.runner.local import LocalRunner

GAMES = (
    "psj(solvers=2)",
    "math-duel(solvers=2)",
    "code-io(kind=deduction,solvers=2)",
    "taboo(turns=2)",
    "redteam(referee=seat)",
    "spy(players=3,rounds=1)",
    "critic",
    "debate(rounds=1)",
    "forum(agents=1,rounds=1)",
    "bargain(coach=seller,games=2,rounds=2)",
    "conjecture(provers=2)",
    "efg(tries=1)",
    "search(solvers=2)",
    "pragmatic",
    "tax(workers=2,years=2,terms=1)",
    "prefer",
    "refine",
    "ask",
    "solve",
    "evolve(solvers=2)",
    "evolve(solvers=2,start=concepts)",
)
AT_ONCE = 48


def main() -> None:
    """Play and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--model", default="smollm2-135m")
    options.add_argument("--seconds", type=float, default=300.0)
    options.add_argument("--matches", type=int, default=4)
    options.add_argument("--demonstrations", type=int, nargs="+", default=[2, 0])
    options.add_argument("--tokens", type=int, help="of an answer, at most")
    options.add_argument("--games", nargs="+", default=list(GAMES))
    given = options.parse_args()
    print(machine_line())
    started = time.perf_counter(), cpu_seconds()
    for shown in given.demonstrations:
        player = LLM(given.model, demonstrations=shown, max_tokens=given.tokens)
        player.name = "model"
        played = play(player, given.games, given.matches, given.seconds)
        rows = [row for game, episodes in played.items() for row in summary(game, episodes)]
        player.close()
        print(f"\n{given.model}, {shown} demonstrations, at most {player.max_tokens} tokens\n")
        print(table(["game", "role", "answers", "read", "truncated", "malformed", "tokens", "first reason"], rows))
    wall, cpu = (now - then for now, then in zip((time.perf_counter(), cpu_seconds()), started, strict=True))
    print(f"\n{wall:.0f} s, {cpu:.0f} s of processor time")


def play(player: LLM, names: Sequence[str], matches: int, seconds: float) -> dict[str, list[Episode]]:
    """Self-play matches of all games at once; none starts after `seconds`."""
    specs = {name: games.make(name).spec for name in names}
    plans = [
        MatchPlan(f"{name} {seed}", spec.id, seed, dict.fromkeys(spec.seats, player.name))
        for seed in range(matches)
        for name, spec in specs.items()
    ][::-1]
    stop = time.perf_counter() + seconds

    def more(room: int) -> list[MatchPlan]:
        return [plans.pop() for _ in range(min(room, len(plans)))] if time.perf_counter() < stop else []

    found: dict[str, list[Episode]] = {name: [] for name in names}

    def keep(episodes: Sequence[Episode]) -> None:
        for episode in episodes:
            found[episode.match.rpartition(" ")[0]].append(episode)
            print(f"{episode.match}: {episode.status} {episode.seconds:.0f} s", file=sys.stderr)

    asyncio.run(LocalRunner({player.name: player}, concurrency=AT_ONCE).run(more, keep))
    return found


def summary(game: str, episodes: Sequence[Episode]) -> list[list[str]]:
    """A row for each role."""
    counts: dict[str, Counter[str]] = {}
    reasons: dict[str, str] = {}
    for episode in episodes:
        for role, count, reason in counted(episode):
            counts.setdefault(role, Counter()).update(count)
            if reason:
                reasons.setdefault(role, reason)
    rows = []
    for role, count in counts.items():
        n = count["answers"]
        bad = min(n, count["malformed"])
        shares = [f"{share / n:.0%}" for share in (n - bad, count["truncated"], bad)]
        rows.append([game, role, str(n), *shares, f"{count['tokens'] / n:.0f}", reasons.get(role, "")[:60]])
    return rows


def counted(episode: Episode) -> list[tuple[str, Counter[str], str]]:
    """(role, counts, a reason) for each seat that answered."""
    out = []
    unread: Mapping[str, Sequence[str]] = episode.facts.get("unread", {})
    invalid = verdicts(episode.facts)
    for seat, role in episode.roles.items():
        attempts = [a for turn in episode.turns if turn.seat == seat for a in turn.attempts]
        attempts += episode.failure if episode.forfeited_by == seat else ()
        if not attempts:
            continue
        failed = [a for a in attempts if a.category != "ok"]
        empty = [a for a in attempts if a.category == "ok" and not (a.action or "").strip()]
        missed = [*unread.get(seat, ()), *invalid.get(seat, ())]
        reasons = [*missed, *(a.reason for a in failed), *("the message is empty" for _ in empty)]
        count = Counter(answers=len(attempts), malformed=max(len(missed), len(empty)) + len(failed))
        for attempt in attempts:
            if attempt.sample is not None:
                count["truncated"] += attempt.sample.truncated
                count["tokens"] += len(attempt.sample.completion_ids)
        out.append((role, count, reasons[0] if reasons else ""))
    return out


def verdicts(facts: Mapping[str, Any]) -> dict[str, list[str]]:
    """Seat -> the reasons of what verifiers found unreadable, beside `unread`."""
    found: dict[str, list[str]] = {}
    if "true" in facts and facts["verdict"] == "invalid":
        found["sneaky"] = ["not a step"]
    if "attempts" in facts:  # conjecture
        if facts["verdict"] == "invalid":
            found["conjecturer"] = [str(facts.get("reason", "not a formula"))]
        for tried in (facts["attempts"], facts["target_attempts"]):
            for seat, attempt in (tried or {}).items():
                if attempt["kind"] == "invalid":
                    found.setdefault(seat, []).append("not a proof")
    if "equilibria" in facts:  # efg
        bad = [r for k, r in zip(facts["verdicts"], facts["reasons"], strict=True) if k == "invalid"]
        found["translator"] = bad
    if "outputs" in facts:  # code-io
        if facts["verdict"] == "invalid":
            found["proposer"] = [facts["reason"]]
        for seat, verdict in facts["verdicts"].items():
            if verdict["kind"] == "invalid" and seat not in facts["unread"]:
                found[seat] = [verdict["reason"]]
    return found


if __name__ == "__main__":
    main()
