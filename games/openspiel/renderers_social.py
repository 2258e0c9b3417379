"""Readable talk, trade and hidden-grid games, each from the player's own OpenSpiel text."""

from __future__ import annotations

import re

from games.openspiel.looking import Look, Renderer, grid


def bargaining(raw: str, look: Look) -> str:
    """Pool, own values and the offers so far."""
    lines = raw.strip().split("\n")
    if len(lines) < 3:
        return raw.strip()
    values = lines[1].partition(":")[2].strip()
    offers = []
    for line in lines[3:]:
        who, _, what = line.partition(" offers: Offer: ")
        offers.append(f"- {look.name(int(who[1:]))} would keep {what}")
    agreed = " The last offer was accepted." if lines[2].endswith("1") else ""
    told = "\n".join(offers) or "- none"
    return f"{lines[0]}.\nYour values: {values}.\nOffers so far:\n{told}\n{look.status}{agreed}"


def trade_comm(raw: str, look: Look) -> str:
    """The own item, what was said, and the own trade."""
    parted = (line.partition(":") for line in raw.split("\n"))
    part = {key.strip(): value.strip() for key, _, value in parted if key}
    said = part.get("Comm history", "").split()
    talk = ", ".join(f"{look.name(i)} said {word}" for i, word in enumerate(said)) or "nothing said yet"
    offer = part.get("Observer's trade offer")
    mine = f" Your trade: give {offer.replace(':', ', get ')}." if offer else ""
    phase = {"comm": "talk", "trade": "trade"}.get(part.get("Phase", ""), "")
    return f"Your item: {part.get('My item', '?')}. Phase: {phase}. {talk.capitalize()}.{mine} {look.status}"


def sheriff(raw: str, look: Look) -> str:
    """What was loaded (the smuggler's own secret), and the bribes and answers so far."""
    _, _, rest = raw.partition(" ")
    told, lines = [], []
    for item in rest.split("/"):
        key, _, value = item.partition(":")
        if key == "num_illegal_items":
            lines.append(f"Illegal items you loaded: {value}.")
        elif key == "bribe":
            told.append(f"bribe {value}")
        elif key == "feedback":
            told.append("would inspect" if value == "1" else "would let pass")
    rounds = int(look.params["num_rounds"])
    done = sum(word.startswith("would") for word in told)
    lines.append(f"So far: {', '.join(told) or 'nothing'}. Rounds finished: {done} of {rounds}. {look.status}")
    return "\n".join(lines)


def social_deduction(raw: str, look: Look) -> str:
    """The own role and the public history."""
    lines = raw.strip().split("\n")
    role = lines[1].partition(": ")[2]
    out = [f"You are player {look.player}. Role: {role}. {look.status}"]
    for line in lines[2:]:
        if line.startswith("ImposterTeam"):
            out.append(f"Imposters: {line.partition(': ')[2]}.")
        elif not line.startswith("InformationState") and line not in ("Messages:", "Votes:"):
            out.append(line)
    return "\n".join(out)


_GRID = re.compile(r"\+-*\+\n((?:\|.*\|\n)+)\+-*\+")


_SHOT = re.compile(r"/shot_(\d+)_(\d+):(.)")
_OUTCOME = {"W": "missed", "H": "hit", "S": "sank a ship"}


def battleship(raw: str, look: Look) -> str:
    """Both grids with coordinates; the own one names ships by letters."""
    own, shots = ([line[1:-1] for line in m.strip().split("\n")] for m in _GRID.findall(raw)[:2])
    columns = [str(i % 10) for i in range(len(own[0]))]
    labels = [str(i) for i in range(len(own))]
    mine = grid([row.replace(" ", ".") for row in own], columns, labels)
    theirs = grid([row.replace(" ", ".") for row in shots], columns, labels)
    told = ", ".join(f"({r}, {c}) {_OUTCOME[how]}" for r, c, how in _SHOT.findall(raw)) or "none"
    return (
        f"{look.status}\nYour grid (a-z ships, A-Z hit, * missed):\n{mine}\n\n"
        f"Your shots (# hit, @ missed):\n{theirs}\nIn order: {told}."
    )


_LONE_NUMBER = re.compile(r"^\d$", re.MULTILINE)


def coin_game(raw: str, look: Look) -> str:
    """The engine's board with the preferred colour as a letter."""
    text = _LONE_NUMBER.sub(lambda m: f"Your colour: {chr(97 + int(m[0]))}.", raw)
    return f"You are {look.player} on the board. {look.status}\n{text}"


def negotiation(raw: str, look: Look) -> str:
    """The engine's lines, which are readable, for a seat that knows its number."""
    text = raw.replace(f"Agent {look.player} util vec:", "Your values:")
    return f"You are player {look.player}. {look.status}\n{text.rstrip()}"


SOCIAL: dict[str, Renderer] = {
    "bargaining": bargaining,
    "battleship": battleship,
    "coin_game": coin_game,
    "negotiation": negotiation,
    "sheriff": sheriff,
    "social_deduction": social_deduction,
    "trade_comm": trade_comm,
}
