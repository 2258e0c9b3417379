"""spy-v2: all players but one get the same word, the spy gets a similar one; they give clues, then vote on the spy.

After Vision-Zero (Wang et al. 2025, arXiv 2509.25541). README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, TypeAlias

from annotated_types import Interval

from games import KnownOutcome
from games.dialogue import Reader, Reading, RoleGame, Script, Stage, Table, read, role_game
from games.dialogue.answers import NOBODY
from games.dialogue.answers import players as numbered
from games.dialogue.messages import shown, tokens
from games.game import Seat
from games.native.common.held_out import gives_away
from games.native.common.rewards import spy_vote
from games.native.common.seats import seats_of
from games.native.common.words import Word, mentions, vocabulary, word_list, word_of
from games.native.spy.policies import SUITE
from games.native.spy.texts import (
    CIVILIAN,
    CLUE,
    DEMONSTRATIONS,
    GAME_WORDS,
    SMALL_WORDS,
    SPY,
    VAGUE,
    rules,
    word_pairs,
)

REPETITION, MECHANICS = 0.8, 0.5
"""what a repeated clue and a clue about the game cost in credit (Vision-Zero's clue score)"""
Faults: TypeAlias = dict[Seat, list[str]]
"""seat -> the rules that its clues broke"""


def _problem(tasks: str, pairs: int, vague: int, closed: bool) -> str:
    if tasks:
        vocabulary(tasks)
    if vague < len(VAGUE) and not closed:
        return "vague is for a closed game; write closed=true too, or leave it out"
    return "tasks draws from a vocabulary; leave out pairs" if pairs and tasks else ""


def _known(game: RoleGame) -> tuple[KnownOutcome, ...]:
    words = iter(("Old.", "Large.", "Heavy.", "Loud.", "Useful.", "Common.", "Pretty.", "Costly."))
    at = {seat: f"player {game.data(seat)['number']}" for seat in game.spec.seats}
    clues = tuple({seat: next(words)} for seat in sorted(at, key=at.__getitem__) * 2)
    civilians = game.spec.teams[1]
    right = dict.fromkeys(civilians, at[SPY]) | {SPY: at[civilians[0]]}
    level = right | {civilians[1]: at[civilians[0]], civilians[2]: NOBODY}
    win = {SPY: 1.0} | dict.fromkeys(civilians, -1 / 3)
    return (
        KnownOutcome(0, (*clues, right), {seat: -value for seat, value in win.items()}),
        KnownOutcome(0, (*clues, level), win),
        KnownOutcome(0, (*clues, dict.fromkeys(at, NOBODY)), win),
    )


@role_game(
    "spy-v2",
    seats=lambda players: {SPY: SPY} | dict.fromkeys(seats_of(CIVILIAN, players - 1), CIVILIAN),
    payoff="zero_sum",
    rules=rules,
    max_turns=lambda players, rounds: players * (rounds + 1),
    teams=lambda players: ((SPY,), seats_of(CIVILIAN, players - 1)),
    demonstrations=DEMONSTRATIONS,
    strangers=True,
    source=lambda tasks: tasks,
    closed=True,
    problem=_problem,
    suite=lambda tasks: None if tasks else SUITE,
    known=_known,
)
def spy(
    t: Table,
    players: Annotated[int, Interval(ge=3, le=8)] = 4,
    rounds: Annotated[int, Interval(ge=1, le=10)] = 2,
    tasks: str = "",
    pairs: Annotated[int, Interval(ge=0, le=40)] = 0,
    vague: Annotated[int, Interval(ge=0, le=len(VAGUE))] = len(VAGUE),
) -> Script:
    """Players describe a word; one of them, the spy, has another one; then they vote (Vision-Zero in words).

    players: how many, the spy included. rounds: clues of each player. closed: clues and votes are listed, and the rules
    for clues do not hold, because so few clues must repeat. tasks: the id of a vocabulary (`games.tasks`), from which
    the two words are drawn instead. pairs: above 0, the words are drawn from so many pairs, for tiny models. vague: how
    many clues of a closed game fit every word.
    """
    both = _vocabulary_pair(t, tasks) if tasks else t.stream.choice(word_pairs()[: pairs or None])
    common, other = t.stream.shuffled(both)
    words = {seat: other if seat == SPY else common for seat in t.seats}
    order = t.stream.shuffled(list(t.seats))
    for seat, word in words.items():
        number = order.index(seat) + 1
        side = "You are the spy." if seat == SPY else "You are not the spy."
        secret = f"Your word is {word.text}."
        t.tell(seat, f"You are player {number}. {side} {secret}", secret=secret, number=number, word=word)
    broken = yield from _give_clues(t, order, words, rounds, vague)
    targets = yield from _vote(t, order, set() if t.closed else broken.keys())
    t.facts |= {"broken": [*broken], "words": {seat: words[seat].text for seat in (SPY, f"{CIVILIAN}_0")}}
    for seat in t.seats:
        right = None if seat == SPY else float(targets[seat] == SPY)
        t.outcome(seat, right=right, broke=seat in broken, secret_told="said its word" in broken.get(seat, ()))


def _give_clues(t: Table, order: list[Seat], words: Mapping[Seat, Word], rounds: int, vague: int) -> Stage[Faults]:
    """Asks for all clues. Returns which rules each seat broke, in the order of the first fault."""
    broken: Faults = {}
    costs: dict[Seat, float] = {}
    clues: list[str] = []
    lines: list[tuple[int, str]] = []
    for left in range(rounds * len(order), 0, -1):
        seat = order[-left % len(order)]
        number, word = order.index(seat) + 1, words[seat]
        examples = (*(f"It has to do with {hint}." for hint in word.hints), *VAGUE[:vague])
        prompt = "1 clue is left." if left == 1 else f"{left} clues are left."
        text = yield t.ask(seat, prompt, phase="clue", examples=examples, waiting=prompt)
        clue = shown(text, CLUE)
        fault = _said_word(clue, word) if t.closed else _fault(clue, word, clues)
        cost = REPETITION * bool(fault) + MECHANICS * (not GAME_WORDS.isdisjoint(tokens(clue)))
        costs[seat] = costs.get(seat, 0.0) + cost / rounds
        if fault:
            broken.setdefault(seat, []).append(fault)
            lines.append((number, f"{fault}, which is against the rules; the clue is not shown"))
            t.tell("all", f"[player {number}] {lines[-1][1]}", lines=lines)
        else:
            clues.append(clue)
            lines.append((number, clue))
            t.say(seat, text, limit=CLUE, name=f"player {number}", lines=lines)
    t.facts |= {} if t.closed else {"clue_costs": costs}
    return broken


def _vote(t: Table, order: list[Seat], barred: Collection[Seat]) -> Stage[dict[Seat, Seat | None]]:
    """Asks for the votes, shows them and pays both sides. Returns for whom each seat voted."""
    names = [f"player {n}" for n in range(1, len(order) + 1)]
    others = {seat: [name for name in names if name != names[i]] for i, seat in enumerate(order)}
    messages = yield t.ask(
        "all",
        {s: f"All clues have been given. Who is the spy: {', '.join(others[s])} or {NOBODY}?" for s in t.seats},
        phase="vote",
        examples={seat: (*others[seat], NOBODY) for seat in t.seats},
    )
    votes = {
        seat: None if seat in barred else t.read(seat, messages[seat], _reader(order.index(seat) + 1, len(order)))
        for seat in t.seats
    }
    targets = {seat: None if vote in (None, NOBODY) else order[int(vote) - 1] for seat, vote in votes.items()}
    for seat, name in zip(order, names, strict=True):
        target = targets[seat]
        text = names[order.index(target)] if target else "nobody, which counts as a vote against itself"
        text = "nobody and has a vote against it: it broke a rule" if seat in barred else text
        t.tell("all", f"[{name}] votes for {text}")
    t.facts |= {"votes": targets, "readable": {seat: vote is not None for seat, vote in votes.items()}}
    _pay(t, targets, names[order.index(SPY)])
    return targets


def _pay(t: Table, targets: Mapping[Seat, Seat | None], name: str) -> None:
    """Pays both sides. A seat without a vote, or with a vote for nobody, has one against it."""
    cast, others = list(targets.values()), len(targets) - 1
    tally = {seat: cast.count(seat) + (targets[seat] is None) for seat in t.seats}
    caught = all(tally[SPY] > n for seat, n in tally.items() if seat != SPY)
    blind = (spy_vote(True, True) + (others - 1) * spy_vote(False, True)) / others
    t.facts |= {"tally": tally, "caught": caught, "blind_vote": blind}
    for seat in t.seats:
        t.pay(seat, (1.0 if seat == SPY else -1.0 / others) * (-1.0 if caught else 1.0))
    t.end(f"the spy, {name}, {'is caught' if caught else 'gets away'}")


def _vocabulary_pair(t: Table, tasks: str) -> tuple[Word, Word]:
    first, second = vocabulary(tasks).pair(t.seed)
    return word_of(first), word_of(second)


def _said_word(clue: str, word: Word) -> str:
    return "said its word" if mentions(clue, word) else ""


def _fault(clue: str, word: Word, earlier: Sequence[str]) -> str:
    """Returns which rule a clue breaks, in the past tense, or "". `earlier`: the clues shown so far.

    Without these rules a code beats the game: players with the same word spell it, write a number for it, repeat a
    clue, or break a rule on purpose, and vote for whoever does not.
    """
    if mentions(clue, word) or gives_away(clue, word.forms, others=[other.text for other in word_list()]):
        return "said its word"
    if any(c.isdigit() for c in clue):
        return "used a number"
    content = _content(clue)
    if not tokens(clue):
        return "said nothing"
    repeated = any(2 * len(content & _content(one)) >= max(1, len(content)) or clue == one for one in earlier)
    return "repeated a clue" if repeated else ""


def _content(clue: str) -> set[str]:
    """Returns the words of a clue that mean something."""
    return set(tokens(clue)) - SMALL_WORDS


def _reader(own: int, players: int) -> Reader:
    """Returns a reader of votes: for one other player, or for nobody."""

    def reader(text: str) -> Reading:
        vote = read(text, numbered(players))
        return Reading(None, "it is a vote for itself") if vote.value == str(own) else vote

    return reader
