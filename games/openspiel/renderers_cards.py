"""Renders card, dice and bidding games from OpenSpiel's text for one player."""

from __future__ import annotations

import re

from games.openspiel.view_context import Renderer, ViewContext, fields

_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King")


def ranks(n: int) -> tuple[str, ...]:
    """Returns the names of the `n` highest cards below the ace, lowest first: 3 -> Jack, Queen, King."""
    return _RANKS[-n:]


def kuhn_poker(raw: str, view: ViewContext) -> str:
    """Returns the player's card, the betting so far and the pot."""
    names = ranks(view.players + 1)
    match = re.fullmatch(r"(\d+?)([pb]*)", raw) if view.players < 10 else re.fullmatch(r"(\d+)([pb]*)", raw)
    if match is None:
        return "No card yet."
    moves, pot, history = match[2], view.players + match[2].count("b"), []
    for turn, move in enumerate(moves):
        history.append(f"{view.name(turn % view.players)} {'bet' if move == 'b' else 'passed'}")
    so_far = ", ".join(history) or "none"
    return f"Your card: {names[int(match[1])]}. Actions so far: {so_far}. Pot: {pot}. {view.status}"


_SUITS = ("spades", "hearts")
_LEDUC = {"0": "fold", "1": "call", "2": "raise"}


def _leduc_card(number: str, view: ViewContext) -> str:
    names = ranks(view.players + 1)
    if view.params.get("suit_isomorphism"):
        return names[int(number)]
    return f"{names[int(number) // 2]} of {_SUITS[int(number) % 2]}"


def leduc_poker(raw: str, view: ViewContext) -> str:
    """Returns cards, chips and the betting of both rounds."""
    part = fields(raw)
    private = part.get("Private", "")
    if not private.isdigit():
        return "No card yet."
    public = part.get("Public", "")
    public_card = _leduc_card(public, view) if public.isdigit() else "not yet shown"
    rounds = [" ".join(_LEDUC.get(m, m) for m in part.get(f"Round{r}", "").split()) or "none" for r in (1, 2)]
    chips = [float(m) - 100 for m in part["Money"].split()]  # every player starts with 100
    each = ", ".join(f"{view.name(i)} {c if view.over else -c:g}" for i, c in enumerate(chips))
    money = f"{'Won' if view.over else 'Paid in'}: {each}. "
    return (
        f"Your card: {_leduc_card(private, view)}. Public card: {public_card}.\n"
        f"Round 1: {rounds[0]}. Round 2: {rounds[1]}.\nPot: {part['Pot']}. {money}{view.status}"
    )


def liars_dice(raw: str, view: ViewContext) -> str:
    """Returns the player's dice and the bids in order."""
    dice, *bids = raw.split()
    history = ", ".join(f"{view.name(i % view.players)} {bid}" for i, bid in enumerate(bids)) or "none"
    return f"Your dice: {' '.join(dice)}. Bids so far: {history}. {view.status}"


def _hands(lines: dict[str, str], view: ViewContext) -> list[str]:
    hands = []
    for i in range(view.players):
        if f"P{i} hand" in lines:
            owner = "Your hand" if i == view.player else f"Hand of player_{i}"
            hands.append(f"{owner}: {lines[f'P{i} hand'] or 'empty'}.")
    return hands


def _lines(raw: str) -> dict[str, str]:
    parted = (line.partition(":") for line in raw.split("\n") if ":" in line)
    return {key.strip(): value.strip() for key, _, value in parted}


def goofspiel(raw: str, view: ViewContext) -> str:
    """Returns point cards and their winners, hands, and points."""
    lines = _lines(raw)
    cards = lines["Point card sequence"].split()
    winners = [int(w) for w in lines["Win sequence"].split()]
    past = [f"{c} to {view.name(w) if w >= 0 else 'nobody'}" for c, w in zip(cards, winners, strict=False)]
    now = f"Point card now: {cards[-1]}. " if len(cards) > len(winners) and not view.over else ""
    points = ", ".join(f"{view.name(i)} {p}" for i, p in enumerate(lines["Points"].split()))
    bids = lines.get(f"P{view.player} action sequence")
    bid_line = "" if bids is None else f"\nYour bids so far: {_bids(bids)}."
    return (
        f"{now}Points: {points}. {view.status}\n{' '.join(_hands(lines, view))}{bid_line}\n"
        f"Point cards so far: {', '.join(past) or 'none'}."
    )


def _bids(numbers: str) -> str:
    """Returns card numbers for OpenSpiel's bid numbers, which start at 0."""
    return " ".join(str(int(n) + 1) for n in numbers.split()) or "none"


def oshi_zumo(raw: str, view: ViewContext) -> str:
    """Returns the coins and the field."""
    coins, _, field = raw.strip().partition(", Field: ")
    each = ", ".join(f"{view.name(i)} {c}" for i, c in enumerate(coins.split()[1:]))
    way = "right" if view.player == 0 else "left"
    return f"Coins: {each}. Field: {field} (W is the wrestler; you push it to the {way}). {view.status}"


def one_shot(raw: str, view: ViewContext) -> str:
    """Returns one simultaneous choice: nothing before it, all choices after it."""
    return view.status if not view.over else f"{view.status} {raw.rpartition('. ')[2]}".strip()


def tiny_hanabi(raw: str, view: ViewContext) -> str:
    """Returns the player's card and the earlier actions."""
    history, card = [], "none"
    for word in raw.split():
        who, _, what = word.partition(":")
        if what.startswith("d"):
            card = what[1:]
        else:
            history.append(f"{view.name(int(who[1:]))} {what}")
    return f"Your card: {card}. Actions so far: {', '.join(history) or 'none'}. {view.status}"


def universal_poker(raw: str, view: ViewContext) -> str:
    """Returns cards, chips and betting. It shows chips paid in, because OpenSpiel's pot includes calls not yet made."""
    part = fields(raw)
    stacks = str(view.params["stack"]).split()
    money = part.get("Money", "").split()
    paid = ", ".join(f"{view.name(i)} {int(s) - int(m)}" for i, (s, m) in enumerate(zip(stacks, money, strict=False)))
    left = ", ".join(f"{view.name(i)} {m}" for i, m in enumerate(money))
    round_number = next((key.split()[1] for key in part if key.startswith("Round ")), "0")
    return (
        f"Your cards: {part.get('Private', '') or 'none'}. Board: {part.get('Public', '') or 'none'}.\n"
        f"Round {int(round_number) + 1}. Paid in: {paid}. Chips left: {left}.\n"
        f"Betting so far (c call or check, f fold, rN raise to N, | next round): "
        f"{part.get('Sequences', '') or 'none'}. {view.status}"
    )


def go_fish(raw: str, view: ViewContext) -> str:
    """Returns the player's cards, all card and book counts, and the events since the player's last move."""
    lines = raw.strip().split("\n")
    cards = lines[2].partition(":")[2].split()
    held = ", ".join(f"{c[1:]} of {c[0]}" for c in cards) or "none"
    counts = []
    for i in range(view.players):
        words = lines[3 + i].split()
        counts.append(f"{view.name(i)} {words[3]} cards and {words[5]} books")
    since = [_event(line, view) for line in reversed(lines[3 + view.players :])]
    recent = f"\nSince your last move: {'; '.join(since)}." if since else ""
    return f"Your cards: {held}. {view.status}\nAll players: {', '.join(counts)}.{recent}"


def _event(line: str, view: ViewContext) -> str:
    """One event. OpenSpiel prints a draw as a question to player -3 with the drawn rank, which must stay hidden."""
    words = line.split()
    who = view.name(int(words[0]))
    booked = int(words[words.index("booked") + 1]) if "booked" in words else -1
    book = f" and made the book {chr(97 + booked)}" if booked >= 0 else ""
    if words[1] == "drew" or int(words[2]) < 0:
        return f"{who} drew a card{book}"
    got = f"got {words[words.index('recieved') + 1]}" if "recieved" in words else "got none"
    return f"{who} asked {view.name(int(words[2]))} for {chr(97 + int(words[4]))} and {got}{book}"


CARDS: dict[str, Renderer] = {
    "blotto": one_shot,
    "go_fish": go_fish,
    "goofspiel": goofspiel,
    "kuhn_poker": kuhn_poker,
    "leduc_poker": leduc_poker,
    "liars_dice": liars_dice,
    "matching_pennies_3p": one_shot,
    "oshi_zumo": oshi_zumo,
    "tiny_hanabi": tiny_hanabi,
    "universal_poker": universal_poker,
}
