"""Rules of games of talk, trade and hidden grids as OpenSpiel 2.0.2 implements them, with its notation."""

from __future__ import annotations

from typing import Any

from games.openspiel.rules_board import Rules


def bargaining(_game: Any, p: dict[str, Any]) -> str:
    """Bargaining."""
    chance = (
        f" After the second offer, each further offer ends the game with probability {p['prob_end']:g}."
        if p["prob_end"]
        else ""
    )
    cost = f" Each turn after the second multiplies all values by {p['discount']:g}." if p["discount"] < 1 else ""
    return (
        "Bargaining over a pool of books, hats and basketballs. Each player has private values per item; the whole "
        "pool is worth 10 to each player. Players take turns, player_0 first: make an offer that names what YOU would "
        "keep (the other player gets the rest), or agree to the other player's last offer. On agreement each player "
        f"gets the value of their items. After {p['max_turns']} offers without agreement both get 0; the last offer "
        "cannot be accepted."
        f"{chance}{cost}\n"
        "An action is Offer: Book: 1, Hat: 0, Basketball: 2 (what you keep), or Agree."
    )


def negotiation(_game: Any, p: dict[str, Any]) -> str:
    """Negotiation."""
    talk = (
        f"After each proposal that does not end the game, the same player also sends a signal: {p['utterance_dim']} "
        f"numbers from 0 to {p['num_symbols'] - 1} without fixed meaning. "
        if p["enable_utterances"]
        else ""
    )
    return (
        f"Negotiation over {p['num_items']} kinds of items; the pool holds 0 to 5 of each. Each player has private "
        "values from 0 to 10 per item of each kind. Players take turns, player_0 first: propose how many of each kind "
        "YOU take (the other player gets the rest), or accept the last proposal, which ends the game; each player gets "
        f"the value of their items. {talk}If the number of proposals reaches the limit shown without agreement, both "
        "get 0.\n"
        "An action is Proposal: [1, 0, 2] (your share), Proposal: Agreement reached!, or , Utterance: [0, 3, 1] "
        "(written with the comma)."
    )


def trade_comm(_game: Any, p: dict[str, Any]) -> str:
    """Trading and communication."""
    n = p["num_items"]
    return (
        f"Trading by signals. Each of two partners holds one private item, 0 to {n - 1}. First player_0, then "
        f"player_1 says one word, 0 to {n - 1}, which both hear and which has no fixed meaning. Then each names a "
        "trade without seeing the other's choice: the item to give and the item to get. If both trades together swap "
        "the two items that the partners really hold, both get 1, else 0.\n"
        "Actions: Utter 0, then Trade 0:1 (give item 0, get item 1)."
    )


def social_deduction(game: Any, p: dict[str, Any]) -> str:
    """Social deduction."""
    n, noise = game.num_players(), p["observation_noise"]
    return (
        f"Social deduction for {n} players; {p['imposters']} of them, drawn at random, secretly are imposters and know "
        "each other. Each round, all players see one signal about one living player, 'suspicious' or 'clear': an "
        f"imposter looks suspicious with probability {1 - noise:g}, an innocent with probability {noise:g}. Then every "
        "living player in order sends one public message. Then every living player in order publicly votes to "
        "eliminate another player; the player with the most votes is eliminated, a tie eliminates no one. Innocents "
        "win when no imposter is left. Imposters win when they are at least as many as the living innocents, or after "
        f"{p['max_rounds']} rounds. Each winner gets 1 and each loser -1, whether alive or not.\n"
        "Messages: SKIP, CLAIM_INNOCENT, ACCUSE_PLAYER_2, DEFEND_PLAYER_2. Votes: VOTE_PLAYER_2."
    )


def sheriff(_game: Any, p: dict[str, Any]) -> str:
    """Sheriff."""
    return (
        f"Sheriff. player_0, the smuggler, secretly loads 0 to {p['max_items']} illegal items. Then there are "
        f"{p['num_rounds']} rounds: the smuggler offers a bribe of 0 to {p['max_bribe']}, and player_1, the sheriff, "
        "says whether they would inspect. Only the last round counts. Without an inspection, the smuggler gets "
        f"{p['item_value']:g} per illegal item minus the bribe, and the sheriff gets the bribe. If the sheriff "
        f"inspects and finds illegal items, the smuggler pays {p['item_penalty']:g} per item to the sheriff. If the "
        f"sheriff inspects and finds none, the sheriff pays {p['sheriff_penalty']:g} to the smuggler.\n"
        "Actions: PlaceIllegalItems(num=2), Bribe(amount=1), InspectionFeedback(will_inspect=True) or "
        "InspectionFeedback(will_inspect=False)."
    )


def battleship(_game: Any, p: dict[str, Any]) -> str:
    """Battleship."""
    sizes, values = (str(p[key]).strip("[]").split(";") for key in ("ship_sizes", "ship_values"))
    ships = ", ".join(f"length {s} worth {float(v):g}" for s, v in zip(sizes, values, strict=True))
    again = "may" if p["allow_repeated_shots"] else "may not"
    loss = "" if p["loss_multiplier"] == 1 else f"{p['loss_multiplier']:g} times "
    return (
        f"Battleship on grids of {p['board_height']} rows and {p['board_width']} columns. First both players take "
        f"turns placing their ships, hidden from each other, in this order: {ships}. Ships do not overlap. Then they "
        f"take turns, player_0 first, shooting at one cell of the opponent's grid, {p['num_shots']} shots each; a cell "
        f"{again} be shot at twice. Hits and sunk ships are announced. The game ends when one fleet is sunk or the "
        f"shots are used up. Your return is the value of the ships you sank minus {loss}the value of your own sunk "
        "ships; a hit alone is worth nothing.\n"
        "Actions: Pl0: place ship horizontally with top-left corner in (row, column), the same with vertically, and "
        "Pl0: shoot at (row, column), counted from (0, 0) at the top left, with your own number."
    )


def coin_game(game: Any, p: dict[str, Any]) -> str:
    """Returns the coin game."""
    n = game.num_players()
    colours = n + p["num_extra_coin_colors"]
    return (
        f"The coin game for {n} players on {p['rows']}x{p['columns']}. Coins of {colours} colours (letters from a, "
        f"{p['num_coins_per_color']} each) are on the board; each player, shown as a number, has one private "
        "colour. Players take turns, player_0 first; on your turn, move one cell or stand still. Entering the cell of "
        "a coin collects it; the edge and other players block the way. "
        f"The game ends after {p['episode_length']} moves in all. The return of a player is the square of the number "
        "of coins of their own colour collected by anyone, plus the square of the number of coins of other players' "
        "colours, minus the square of the number of coins of no player's colour.\nActions: up, down, left, right, "
        "stand."
    )


SOCIAL_RULES: dict[str, Rules] = {
    "bargaining": bargaining,
    "battleship": battleship,
    "coin_game": coin_game,
    "negotiation": negotiation,
    "sheriff": sheriff,
    "social_deduction": social_deduction,
    "trade_comm": trade_comm,
}
