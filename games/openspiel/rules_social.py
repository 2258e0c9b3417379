"""Rules of games of talk, trade and hidden grids as OpenSpiel 2.0.2 plays them, with the notation it prints."""

from __future__ import annotations

from typing import Any

from games.openspiel.rules_board import Rules


def bargaining(_game: Any, p: dict[str, Any]) -> str:
    """Bargaining."""
    chance = (
        f" After the second offer each further one ends the game with chance {p['prob_end']:g}."
        if p["prob_end"]
        else ""
    )
    cost = f" Each turn after the second multiplies the values by {p['discount']:g}." if p["discount"] < 1 else ""
    return (
        "Bargaining over a pool of books, hats and basketballs. Each player has private values per item; the whole "
        "pool is worth 10 to either. In turn, player_0 first, make an offer that names what YOU would keep (the other "
        "gets the rest), or agree to the last offer of the other. On agreement each gets the value of their items. "
        f"After {p['max_turns']} offers without agreement both get 0; the last of them can no longer be accepted."
        f"{chance}{cost}\n"
        "An action is Offer: Book: 1, Hat: 0, Basketball: 2 (what you keep), or Agree."
    )


def negotiation(_game: Any, p: dict[str, Any]) -> str:
    """Negotiation."""
    talk = (
        f"After each proposal that does not end the game the same player also sends a signal: {p['utterance_dim']} "
        f"numbers 0 to {p['num_symbols'] - 1} without fixed meaning. "
        if p["enable_utterances"]
        else ""
    )
    return (
        f"Negotiation over {p['num_items']} kinds of items; the pool holds 0 to 5 of each. Each player has private "
        "values of 0 to 10 per item of each kind. In turn, player_0 first, propose how many of each kind YOU take "
        "(the other gets the rest), or accept the last proposal, which ends the game: each gets the value of their "
        f"items. {talk}If the number of proposals reaches the shown limit without agreement, both get 0.\n"
        "An action is Proposal: [1, 0, 2] (your share), Proposal: Agreement reached!, or , Utterance: [0, 3, 1] "
        "(written with the comma)."
    )


def trade_comm(_game: Any, p: dict[str, Any]) -> str:
    """Trading and communication."""
    n = p["num_items"]
    return (
        f"Trade by signals. Each of two partners holds one private item, 0 to {n - 1}. First player_0, then player_1 "
        f"says one word, 0 to {n - 1}, that both hear and that has no fixed meaning. Then each, without seeing the "
        "other's choice, names a trade: give own item, get other item. If both name the trade that swaps the two "
        "items really held, both get 1, else 0.\nActions: Utter 0, then Trade 0:1 (give item 0, get item 1)."
    )


def social_deduction(game: Any, p: dict[str, Any]) -> str:
    """Social deduction."""
    n, noise = game.num_players(), p["observation_noise"]
    return (
        f"Social deduction for {n} players; {p['imposters']} secret imposter(s), drawn at random, who know each other. "
        "Each round everybody sees one signal about one living player, 'suspicious' or 'clear': an imposter looks "
        f"suspicious with chance {1 - noise:g}, an innocent with chance {noise:g}. Then every living player in order "
        "sends one message, seen by all, then every living player votes in order, seen by all, for another to be "
        "eliminated; the one with the most votes is out, a tie eliminates nobody. Innocents win when no imposter is "
        "left. Imposters win when they are at least as many as the living innocents, or after "
        f"{p['max_rounds']} rounds. Each winner gets 1, each loser -1, alive or not.\n"
        "Messages: SKIP, CLAIM_INNOCENT, ACCUSE_PLAYER_2, DEFEND_PLAYER_2. Votes: VOTE_PLAYER_2."
    )


def sheriff(_game: Any, p: dict[str, Any]) -> str:
    """Sheriff."""
    return (
        f"Sheriff. player_0, the smuggler, secretly loads 0 to {p['max_items']} illegal items. Then follow "
        f"{p['num_rounds']} rounds: the smuggler names a bribe of 0 to {p['max_bribe']}, and player_1, the sheriff, "
        "says whether they would inspect. Only the last round counts. Not inspected: the smuggler gets "
        f"{p['item_value']:g} per illegal item minus the bribe, the sheriff gets the bribe. Inspected with illegal "
        f"items: the smuggler loses {p['item_penalty']:g} per item and the sheriff gains it. Inspected without: the "
        f"sheriff pays {p['sheriff_penalty']:g} to the smuggler.\n"
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
        f"Battleship on grids of {p['board_height']} rows and {p['board_width']} columns. First both place their ships "
        f"in turn, unseen, in this order: {ships}. Ships do not overlap. Then each in turn, player_0 first, shoots at "
        f"one cell of the other's grid, {p['num_shots']} shots each; a cell {again} be shot at twice. A hit and "
        "a sunk ship are announced. The game ends when one fleet is sunk or the shots are used up. Your return is the "
        f"value of the ships you sank minus {loss}the value of your own sunk ships; a mere hit counts nothing.\n"
        "Actions: Pl0: place ship horizontally with top-left corner in (row, column), the same with vertically, and "
        "Pl0: shoot at (row, column), from (0, 0) at the top left, with your own number."
    )


def coin_game(game: Any, p: dict[str, Any]) -> str:
    """The coin game."""
    n = game.num_players()
    colours = n + p["num_extra_coin_colors"]
    return (
        f"The coin game for {n} players on {p['rows']}x{p['columns']}. Coins of {colours} colours (letters from a, "
        f"{p['num_coins_per_color']} each) lie on the board; each player, shown by number, has one colour of their "
        "own, known only to them. In turn, player_0 first, move one cell or stand; entering a coin's cell collects "
        "it; the edge and other players block. "
        f"The game ends after {p['episode_length']} moves in all. Everybody gets (coins of their own colour collected "
        "by anyone) squared, plus (coins of other players' colours) squared, minus (coins of nobody's colour) "
        "squared.\nActions: up, down, left, right, stand."
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
