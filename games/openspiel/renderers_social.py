"""Renders games of talk, trade and hidden grids from OpenSpiel's text for one player."""

from __future__ import annotations

import re

from games.openspiel.rules_extensive import InformationSet
from games.openspiel.view_context import Renderer, ViewContext, grid


def bargaining(raw: str, view: ViewContext) -> str:
    """Returns the pool, the player's values and the offers so far."""
    lines = raw.strip().split("\n")
    if len(lines) < 3:
        return raw.strip()
    values = lines[1].partition(":")[2].strip()
    offers = []
    for line in lines[3:]:
        who, _, what = line.partition(" offers: Offer: ")
        offers.append(f"- {view.name(int(who[1:]))} would keep {what}")
    agreed = " The last offer was accepted." if lines[2].endswith("1") else ""
    history = "\n".join(offers) or "- none"
    return f"{lines[0]}.\nYour values: {values}.\nOffers so far:\n{history}\n{view.status}{agreed}"


def trade_comm(raw: str, view: ViewContext) -> str:
    """Returns the player's item, all messages, and the player's trade."""
    parted = (line.partition(":") for line in raw.split("\n"))
    part = {key.strip(): value.strip() for key, _, value in parted if key}
    messages = part.get("Comm history", "").split()
    talk = ", ".join(f"{view.name(i)} said {word}" for i, word in enumerate(messages)) or "no messages yet"
    offer = part.get("Observer's trade offer")
    trade = f" Your trade: give {offer.replace(':', ', get ')}." if offer else ""
    phase = {"comm": "talk", "trade": "trade"}.get(part.get("Phase", ""), "")
    return f"Your item: {part.get('My item', '?')}. Phase: {phase}. {talk.capitalize()}.{trade} {view.status}"


def sheriff(raw: str, view: ViewContext) -> str:
    """Returns the loaded items (only for the smuggler), and the bribes and answers so far."""
    _, _, rest = raw.partition(" ")
    history, lines = [], []
    for item in rest.split("/"):
        key, _, value = item.partition(":")
        if key == "num_illegal_items":
            lines.append(f"Illegal items you loaded: {value}.")
        elif key == "bribe":
            history.append(f"bribe {value}")
        elif key == "feedback":
            history.append("would inspect" if value == "1" else "would let pass")
    rounds = int(view.params["num_rounds"])
    done = sum(word.startswith("would") for word in history)
    lines.append(f"So far: {', '.join(history) or 'nothing'}. Rounds finished: {done} of {rounds}. {view.status}")
    return "\n".join(lines)


def social_deduction(raw: str, view: ViewContext) -> str:
    """Returns the player's role and the public history."""
    lines = raw.strip().split("\n")
    role = lines[1].partition(": ")[2]
    out = [f"You are player {view.player}. Role: {role}. {view.status}"]
    for line in lines[2:]:
        if line.startswith("ImposterTeam"):
            out.append(f"Imposters: {line.partition(': ')[2]}.")
        elif not line.startswith("InformationState") and line not in ("Messages:", "Votes:"):
            out.append(line)
    return "\n".join(out)


_GRID = re.compile(r"\+-*\+\n((?:\|.*\|\n)+)\+-*\+")


_SHOT = re.compile(r"/shot_(\d+)_(\d+):(.)")
_OUTCOME = {"W": "missed", "H": "hit", "S": "sank a ship"}


def battleship(raw: str, view: ViewContext) -> str:
    """Returns both grids with coordinates; letters mark the player's ships."""
    fleet, shots = ([line[1:-1] for line in m.strip().split("\n")] for m in _GRID.findall(raw)[:2])
    columns = [str(i % 10) for i in range(len(fleet[0]))]
    labels = [str(i) for i in range(len(fleet))]
    fleet_grid = grid([row.replace(" ", ".") for row in fleet], columns, labels)
    theirs = grid([row.replace(" ", ".") for row in shots], columns, labels)
    history = ", ".join(f"({r}, {c}) {_OUTCOME[how]}" for r, c, how in _SHOT.findall(raw)) or "none"
    return (
        f"{view.status}\nYour grid (a-z ships, A-Z hit, * missed):\n{fleet_grid}\n\n"
        f"Your shots (# hit, @ missed):\n{theirs}\nIn order: {history}."
    )


_LONE_NUMBER = re.compile(r"^\d$", re.MULTILINE)


def coin_game(raw: str, view: ViewContext) -> str:
    """Returns OpenSpiel's board, and the preferred colour as a letter."""
    text = _LONE_NUMBER.sub(lambda m: f"Your colour: {chr(97 + int(m[0]))}.", raw)
    return f"You are {view.player} on the board. {view.status}\n{text}"


def negotiation(raw: str, view: ViewContext) -> str:
    """Returns OpenSpiel's lines, which are readable, with the number of the player."""
    text = raw.replace(f"Agent {view.player} util vec:", "Your values:")
    return f"You are player {view.player}. {view.status}\n{text.rstrip()}"


def efg_game(raw: str, view: ViewContext) -> str:
    """Returns the information set of the acting player; OpenSpiel's text for another player names the same set."""
    at = f" You are at {InformationSet.read(raw)}." if view.turn == view.player else ""
    return f"You are player_{view.player}. {view.status}{at}"


SOCIAL: dict[str, Renderer] = {
    "bargaining": bargaining,
    "battleship": battleship,
    "coin_game": coin_game,
    "efg_game": efg_game,
    "negotiation": negotiation,
    "sheriff": sheriff,
    "social_deduction": social_deduction,
    "trade_comm": trade_comm,
}
