"""Turns OpenSpiel's text for one player into the observation of a seat.

It uses only the player's own observation or information string and public facts: whose turn it is and the game's
parameters. `str(state)` and the history contain all cards and are never shown to a seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from games.openspiel.renderers_board import BOARDS
from games.openspiel.renderers_cards import CARDS, one_shot
from games.openspiel.renderers_social import SOCIAL
from games.openspiel.view_context import Renderer, ViewContext

Source = Literal["obs", "info", "both", "log"]

RENDERERS: dict[str, Renderer] = {**BOARDS, **CARDS, **SOCIAL}

# Exceptions from the rule of `source_of`, with their reasons.
_SOURCES: dict[str, Source] = {
    "battleship": "both",  # the grids, and which shots sank a ship
    "blackjack": "obs",  # the information string contains card numbers
    "cribbage": "log",  # its information string reveals the other seat's discards
    "goofspiel": "info",  # only this one contains the order of point cards
    "kriegspiel": "both",  # the own board, and the umpire's messages
    "social_deduction": "obs",  # the same with one line fewer
    "solitaire": "obs",  # the information string contains action numbers
}

# The start of the line with what only its reader may know.
_SECRETS: dict[str, str] = {
    "bargaining": "Your values:",
    "battleship": "Your grid",
    "coin_game": "Your colour:",
    "go_fish": "Your cards:",
    "kuhn_poker": "Your card:",
    "leduc_poker": "Your card:",
    "liars_dice": "Your dice:",
    "negotiation": "Your values:",
    "sheriff": "Illegal items you loaded:",
    "social_deduction": "Imposters:",
    "tiny_hanabi": "Your card:",
    "trade_comm": "Your item:",
    "universal_poker": "Your cards:",
}

# Lines that only repeat whose turn it is; in a journal they would shift the lines below them.
_REPEATED: dict[str, tuple[str, ...]] = {
    "hanabi": ("Cur player",),
    "negotiation": ("Current player:", "Turn Type:"),
}

PHASES: dict[str, tuple[tuple[str, str], ...]] = {
    "battleship": (("Pl0: place", "place"), ("Pl1: place", "place"), ("Pl", "shoot")),
    "goofspiel": (("[", "bid"),),
    "liars_dice": (("", "bid"),),
    "negotiation": (("Proposal", "propose"), (", Utterance", "talk")),
    "oshi_zumo": (("[", "bid"),),
    "sheriff": (("Place", "load"), ("Bribe", "bribe"), ("Inspection", "inspect")),
    "social_deduction": (("VOTE", "vote"), ("", "talk")),
    "trade_comm": (("Utter", "talk"), ("Trade", "trade")),
}


def source_of(name: str, kind: Any) -> Source:
    """Returns the kind of string to use: the observation with perfect information, else one with perfect recall."""
    if name in _SOURCES:
        return _SOURCES[name]
    if kind.information.name == "IMPERFECT_INFORMATION" and not kind.provides_information_state_string:
        return "log"
    if kind.information.name == "IMPERFECT_INFORMATION" or not kind.provides_observation_string:
        return "info"
    return "obs"


RawText: TypeAlias = Callable[[Any, int], str]
RAW: dict[Source, RawText] = {
    "obs": lambda state, player: state.observation_string(player),
    "info": lambda state, player: state.information_state_string(player),
    "both": lambda state, player: f"{state.observation_string(player)}\n\n{state.information_state_string(player)}",
    "log": lambda state, player: state.observation_string(player),
}
"""OpenSpiel's own text for one player"""


def journal_text(name: str, raw: str) -> str:
    """Returns the present observation for a journal, without lines that only say whose turn it is."""
    repeated = _REPEATED.get(name)
    if repeated is None:
        return raw
    return "\n".join(line for line in raw.split("\n") if not line.startswith(repeated))


def renderer_of(name: str) -> Renderer:
    """Returns what writes the text of an observation."""
    return RENDERERS.get(name) or (one_shot if name.startswith("matrix_") else _plain)


def _plain(raw: str, view: ViewContext) -> str:
    return f"You are player_{view.player}. {view.status}\n" + raw.strip("\n")


def phase_of(name: str, first: str) -> str:
    """Returns the kind of turn, from the seat's first legal action."""
    rules = PHASES.get(name, ())
    return next((phase for start, phase in rules if first.startswith(start)), "play")


def secrets_of(name: str, texts: list[str], player: int) -> tuple[str, ...]:
    """Returns the secret line (of a grid, the block) of one player's text, unless another player's text has it."""
    start = _SECRETS.get(name)
    if start is None:
        return ()
    secret = _secret(texts[player], start)
    others = [text for i, text in enumerate(texts) if i != player]
    if not secret or any(secret in text for text in others):
        return ()
    return (secret,)


def _secret(text: str, start: str) -> str:
    block = next((b for b in text.split("\n\n") if b.startswith(start) or f"\n{start}" in b), "")
    at = block.find(start)
    if at < 0:
        return ""
    if start == "Your grid":
        return block[at:]
    line = block[at:].partition("\n")[0]
    stop = line.find(".")
    return line[: stop + 1] if stop >= 0 else line
