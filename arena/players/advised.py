"""The player `advised`: one player gives advice, another plays with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from arena.players.composite import Composite, ask, made, reseeded
from arena.players.player import Player, View
from arena.records import Decision
from games import InputError, TextGame
from games.sanitize import clean

LABEL = "Advice: "
LONGEST = 500
"""characters of an advice"""


def advised(player: str = "random", adviser: str = "random", advice: str = "") -> Advised:
    """Returns a player that another player advises at each turn, as in EPO (arXiv 2502.12486).

    There a small policy gives strategies to a model that stays fixed, and is trained by the outcome. In a training,
    `[policy] advises = "PLAYER"` makes the trained policy the adviser. The tokens in the record are the adviser's;
    those of the player count as spent.

    player: plays, with the advice among its notes.
    adviser: sees the player's turn and chooses an advice, or writes one.
    advice: what the adviser chooses from, with | between; default: it writes freely.
    """
    parts = made(player=player, adviser=adviser)
    try:
        return Advised(parts["player"], parts["adviser"], split_advice(advice))
    except InputError:
        for part in parts.values():
            part.close()
        raise


def split_advice(text: str) -> tuple[str, ...]:
    """Returns the advice in a parameter such as 'bold | careful'. Raises InputError for one alone."""
    choices = tuple(dict.fromkeys(one.strip() for one in text.split("|") if one.strip()))
    if len(choices) == 1:
        raise InputError(f"advice={text!r} is not a choice; write at least two, such as 'bold | careful'")
    return choices


def noted(advice: str) -> str:
    """Returns advice in one line: a longer text could pass itself off as other notes or as lines of the game."""
    return " ".join(clean(advice).split())[:LONGEST]


class Advised(Composite):
    """Asks the adviser, then the player."""

    def __init__(self, player: Player, adviser: Player, advice: Sequence[str] = ()) -> None:
        super().__init__({"player": player, "adviser": adviser})
        self.player, self.adviser, self.advice = player, adviser, tuple(advice)

    def advising(self, view: View) -> View:
        """Returns the turn as the adviser sees it: the advice instead of the legal actions."""
        return replace(view, legal=self.advice or None, rejected=())

    async def decide(self, view: View) -> Decision:
        """Returns the player's decision after the adviser's advice; the player's own if the advice cannot be used."""
        answer = await ask(self.adviser, self.advising(reseeded(view, "advice") if view.rejected else view))
        usable = not self.advice or answer.action in self.advice
        advice = noted(answer.action) if answer.action is not None and usable else None
        notes = view.notes if advice is None else (*view.notes, f"{LABEL}{advice}")
        played = await ask(self.player, replace(view, notes=notes))
        text = f"{LABEL}{'none' if advice is None else advice}\n{played.text or played.action or ''}"
        spent, prompt_tokens = played.written + answer.spent, played.read + answer.prompt_tokens
        return replace(played, text=text, sample=answer.sample, spent=spent, prompt_tokens=prompt_tokens)

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """Returns the mixture over all advice, if both players know their probabilities."""
        shares = await self.adviser.probabilities(self.advising(view)) if self.advice else None
        if shares is None:
            return None
        mixed: dict[str, float] = {}
        for advice, share in shares.items():
            advised_view = replace(view, notes=(*view.notes, f"{LABEL}{noted(advice)}"))
            policy = await self.player.probabilities(advised_view)
            if policy is None:
                return None
            for action, p in policy.items():
                mixed[action] = mixed.get(action, 0.0) + share * p
        return mixed

    def supports(self, game: TextGame) -> str | None:
        """Supports what the player supports. An adviser that is a bot for certain games must support the game too."""
        if why := self.player.supports(game):
            return why
        return None if self.advice else self.adviser.supports(game)
