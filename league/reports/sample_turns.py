"""The turns of a sample match: what the seat read, what it answered, and what was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import games
from arena.match import Decision, Episode
from games import TextGame
from league.store import Run, Store
from league.trust import allow_game
from league.views.chat import ChatReader, is_model

CHARACTERS = 4000
"""the longest text of a sample match; more is cut"""
READ = 60_000
"""characters of a match that its seats read; what they read later is left out"""


@dataclass(frozen=True)
class ReadText:
    """What a seat read before a turn."""

    text: str
    prompt: bool
    """whether this is the prompt of a model, not the observation"""


@dataclass(frozen=True)
class SampleTurn:
    """One turn of a sample match."""

    seat: str
    player: str
    reading: ReadText | None
    """None if the game cannot be played here, or where the match has more text than is shown"""
    failed: tuple[Decision, ...]
    """the attempts that failed"""
    text: str
    """what the player wrote, if it differs from the action"""
    action: str


def readings(store: Store, run: Run, episode: Episode, trust: bool) -> list[ReadText]:
    """Returns what the acting seat read before each turn and a forfeit: a model its prompt, others the observation.

    Plays the match again by its game. Raises any error of the game.
    """
    allow_game(store, run.spec, episode.game, trust)
    game = games.make(episode.game)
    texts = list(_observed(game, episode))
    models = {seat for seat, role in episode.roles.items() if is_model(run.spec, episode.seats[seat], role)}
    chats = ChatReader(store, run, trust=trust).messages(episode) if models else [None] * len(texts)
    seats = [turn.seat for turn in episode.turns] + [episode.forfeited_by]
    return [
        ReadText(text, False)
        if chat is None or seat not in models
        else ReadText("\n\n".join(f"[{message['role']}]\n{message['content']}" for message in chat[:-1]), True)
        for text, chat, seat in zip(texts, chats, seats, strict=False)
    ]


def _observed(game: TextGame, episode: Episode) -> Iterator[str]:
    """Yields what the acting seat observes before each turn, and before a forfeit."""
    game.load_task(episode.task)
    game.reset(episode.seed)
    turns = iter(episode.turns)
    count = 0
    while count < len(episode.turns):
        together = [turn for _, turn in zip(game.acting, turns, strict=False)]
        yield from (game.observe(turn.seat).text for turn in together)
        count += len(together)
        if not together:
            return
        game.apply({turn.seat: turn.action for turn in together})
    if episode.forfeited_by:
        yield game.observe(episode.forfeited_by).text


def sample_turns(episode: Episode, read: Sequence[ReadText]) -> Iterator[SampleTurn]:
    """Yields the turns of an episode, and the turn of a forfeit. `read` may be shorter than the match."""
    parts = list(_within(read))
    for i, turn in enumerate(episode.turns):
        last = turn.attempts[-1] if turn.attempts else None
        wrote = last.text if last is not None and last.text not in (None, turn.action) and not turn.substituted else ""
        yield SampleTurn(
            seat=turn.seat,
            player=turn.player or "random opening",
            reading=parts[i] if i < len(parts) else None,
            failed=tuple(a for a in turn.attempts if a.category != "ok"),
            text=_cut(wrote or ""),
            action=_cut(turn.action),
        )
    if seat := episode.forfeited_by:
        last_read = parts[len(episode.turns)] if len(parts) > len(episode.turns) else None
        yield SampleTurn(seat, episode.seats[seat], last_read, episode.failure, "", "")


def _within(read: Sequence[ReadText]) -> Iterator[ReadText | None]:
    """Yields each reading, cut to CHARACTERS; None for those after the first READ characters of the match."""
    left = READ
    for one in read:
        text = _cut(one.text)
        left -= len(text)
        yield ReadText(text, one.prompt) if left >= 0 else None


def _cut(text: str) -> str:
    """Returns the start and the end of a long text: a prompt ends with what the seat is asked."""
    half = CHARACTERS // 2
    if len(text) <= CHARACTERS:
        return text
    return f"{text[:half]}\n... ({len(text) - 2 * half:,} characters left out) ...\n{text[-half:]}"
