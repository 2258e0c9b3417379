"""Rules of card, dice and bidding games as OpenSpiel 2.0.2 implements them, with its notation."""

from __future__ import annotations

from typing import Any

from games.openspiel.renderers_cards import ranks
from games.openspiel.rules_board import Rules


def kuhn_poker(game: Any, _p: dict[str, Any]) -> str:
    """Kuhn poker, also for more than two players."""
    n = game.num_players()
    deck = " < ".join(ranks(n + 1))
    return (
        f"Kuhn poker for {n} players. The deck has one card of each rank: {deck}. Each player pays 1 chip into the "
        "pot and gets one private card. Starting with player_0, the players act in order: Pass, or Bet 1 chip. After "
        "a bet, each other player acts once more: Bet means call with 1 chip, Pass means fold. If all players pass, "
        "or after all have answered the bet, the highest card among the players who have not folded wins the pot. "
        "Your return is the number of chips you win or lose.\nActions: Pass, Bet."
    )


def leduc_poker(game: Any, p: dict[str, Any]) -> str:
    """Leduc poker."""
    n = game.num_players()
    deck = ", ".join(ranks(n + 1))
    first = f" player_{p['starting_player']} acts first." if p.get("starting_player") else " player_0 acts first."
    return (
        f"Leduc poker for {n} players. The deck has two cards of each rank: {deck} (the last is the highest). "
        "Each player pays 1 chip and gets one private card. A first round of betting follows, then one public card is "
        f"shown, then a second round.{first} A raise adds 2 chips in round 1 and 4 chips in round 2 to the bet, with "
        "at most two raises per round. Call matches the bet (it is a check if there is nothing to pay). Fold gives up "
        "the hand; it is legal only if there is something to pay. At the end a private card that pairs the public "
        "card wins; otherwise the higher rank wins; equal hands split the pot. Your return is the number of chips you "
        "win or lose.\n"
        "Actions: Fold, Call, Raise."
    )


def liars_dice(_game: Any, p: dict[str, Any]) -> str:
    """Liar's dice."""
    sides, dice = p["dice_sides"], p["numdice"]
    higher = (
        "a higher quantity (any face), or the same quantity with a higher face"
        if p["bidding_rule"] == "reset-face"
        else "a higher face (any quantity), or the same face with a higher quantity"
    )
    return (
        f"Liar's dice for two. Each player secretly rolls {dice} {'die' if dice == 1 else 'dice'} with faces 1 to "
        f"{sides}. player_0 bids first. A bid quantity-face claims that at least that many of all dice, of "
        f"both players together, show that face; {sides} is wild and counts as every face. Each bid must be {higher}. "
        "Instead of bidding, you can call Liar on the last bid: if the claim is true the bidder wins, else the "
        "caller.\n"
        "Actions: quantity-face such as 2-5, or Liar."
    )


def goofspiel(game: Any, p: dict[str, Any]) -> str:
    """Goofspiel."""
    n, cards = game.num_players(), p["num_cards"]
    turns = cards if p["num_turns"] == -1 else p["num_turns"]
    order = {"random": "in random order", "descending": "from high to low", "ascending": "from low to high"}
    goal = {
        "win_loss": "The highest total wins (return 1, shared if tied), the others share -1; if all tie, all get 0.",
        "point_difference": "Your return is your points minus the average of all players.",
        "total_points": "Your return is your points.",
    }[p["returns_type"]]
    last = " The last card is bid automatically." if turns == cards else ""
    visibility = (
        "Bids stay hidden; only the winner of each card is announced." if p["imp_info"] else "All hands are visible."
    )
    return (
        f"Goofspiel for {n} players. Each player holds the cards 1 to {cards}. Point cards 1 to {cards} are turned up "
        f"one by one {order[p['points_order']]}, {turns} in all. For each, all players bid one card of their hand at "
        "the same time; the single highest bid wins the points of the card, and a tie for the highest bid discards "
        f"it. Bid cards are removed.{last} {visibility} {goal}\nAn action is [P0]Bid: 3, with your own number."
    )


def oshi_zumo(_game: Any, p: dict[str, Any]) -> str:
    """Oshi-Zumo."""
    size = p["size"]
    end = (
        "it is a draw"
        if p["alesia"]
        else "player_0 wins if the wrestler is right of the middle, player_1 if left of it; in the middle it is a draw"
    )
    return (
        f"Oshi-Zumo. A wrestler W stands in the middle of {2 * size + 1} squares between two edges #. Both players "
        f"start with {p['coins']} coins and bid at the same time, at least {p['min_bid']} and at most what they have. "
        "Both bids are spent. The higher bid pushes the wrestler one square: player_0 to the right, player_1 to the "
        "left; equal bids leave it in place. Pushing it onto the far edge wins at once. When both have no coins, or "
        f"after {p['horizon']} rounds, the game ends: {end}.\nAn action is [P0]Bid: 7, with your own number."
    )


def blotto(game: Any, p: dict[str, Any]) -> str:
    """Colonel Blotto."""
    n = game.num_players()
    return (
        f"Colonel Blotto for {n} players, one round. Each player distributes {p['coins']} coins over {p['fields']} "
        "fields, all at the same time. The player with the most coins on a field wins it; a tied field has no winner. "
        "The player with the most fields wins the game (return 1, shared if tied), the others lose; if all players "
        "tie, all get 0.\nAn action is the coins on each field: "
        f"[{','.join(['1'] * (p['fields'] - 1) + [str(p['coins'] - p['fields'] + 1)])}]."
    )


def matrix(game: Any, _p: dict[str, Any]) -> str:
    """Returns any two-player matrix game; its payoffs are read from the game."""
    rows = [game.row_action_name(r) for r in range(game.num_rows())]
    cols = [game.col_action_name(c) for c in range(game.num_cols())]
    table = []
    for r, row in enumerate(rows):
        cells = (f"{col}: {game.row_utility(r, c):g}, {game.col_utility(r, c):g}" for c, col in enumerate(cols))
        table.append(f"- player_0 {row}, player_1 " + "; ".join(cells))
    return (
        f"{game.get_type().long_name}: one round; both players choose at the same time. Returns of player_0, "
        "player_1:\n"
        + "\n".join(table)
        + f"\nActions of player_0: {', '.join(rows)}. Actions of player_1: {', '.join(cols)}."
    )


def tiny_hanabi(game: Any, p: dict[str, Any]) -> str:
    """Tiny Hanabi; the payoff table is read from the parameters."""
    n, cards, acts = game.num_players(), p["num_chance"], p["num_actions"]
    payoff = str(p["payoff"]).split(";")
    lines, at = [], 0
    block = acts**n
    for deal in range(cards**n):
        hands = [deal // cards ** (n - 1 - i) % cards for i in range(n)]
        lines.append(f"- cards {', '.join(map(str, hands))}: {' '.join(payoff[at : at + block])}")
        at += block
    return (
        f"Tiny Hanabi for {n} partners who get the same payoff. Each gets a private card from 0 to {cards - 1}. Then "
        f"each chooses one action from 0 to {acts - 1}, player_0 first; all players see it. The payoff depends on all "
        "cards and actions. It is listed for each deal (player_0's card first), with the actions in the order "
        f"{_order(n, acts)}:\n" + "\n".join(lines) + "\nAn action is p0a1: player 0 plays action 1."
    )


def _order(n: int, acts: int) -> str:
    actions = []
    for k in range(min(3, acts**n)):
        actions.append("".join(str(k // acts ** (n - 1 - i) % acts) for i in range(n)))
    return ", ".join(actions) + ", ..., " + str(acts - 1) * n


def go_fish(game: Any, p: dict[str, Any]) -> str:
    """Go Fish."""
    n, ranks_, suits = game.num_players(), p["ranks"], p["suits"]
    hand = p["initial_cards"] if p["initial_cards"] != -1 else (7 if n == 2 else 5)
    last = chr(96 + ranks_)
    end = (
        "The game ends when a player runs out of cards by making a book"
        if p["end_on_first_out"]
        else "The game ends when all cards are in books"
    )
    goal = "the player with the most books wins" if p["most_books_wins"] else "the player who went out wins"
    again = "and may then ask" if p["ask_after_empty_draw"] else "and the turn passes"
    return (
        f"Go Fish for {n} players. The deck has {suits} cards of each of {ranks_} ranks, a to {last}; each player "
        f"starts with {hand}. player_0 moves first. On your turn, ask one player for a rank you hold. If they have "
        "cards of it, you get all of them and ask again. If not, you draw one card from the pool; if it has the rank "
        f"you asked for, you ask again, otherwise the turn passes. All {suits} cards of a rank form a book and are "
        f"laid down. A player without cards draws one at the start of their turn, {again}. {end}; {goal} (return 1, "
        "shared if tied; the others share -1; if all tie, all get 0).\n"
        "An action is the number of the asked player and the rank: 1c asks player_1 for rank c."
    )


def hanabi(game: Any, p: dict[str, Any]) -> str:
    """Hanabi."""
    n = game.num_players()
    colors, top = p["colors"] or 5, p["ranks"] or 5
    hints, lives = p["max_information_tokens"] or 8, p["max_life_tokens"] or 3
    copies = ", ".join(f"{3 if r == 1 else 1 if r == top else 2} of rank {r}" for r in range(1, top + 1))
    return (
        f"Hanabi for {n} partners. Build one firework per colour ({', '.join('RYGWB'[:colors])}), ranks 1 to {top} in "
        f"order; each colour has {copies}. You see all cards except your own. On your turn, do one of these:\n"
        "- (Play i): play your card i (from 0). The next rank of its firework is built; anything else is discarded "
        "and costs a life token. Completing a firework returns an information token.\n"
        "- (Discard i): discard your card i and gain an information token (only if one is missing).\n"
        "- (Reveal player +k color C) or (Reveal player +k rank R): spend an information token to show the "
        "k-th player after you all their cards of that colour or rank.\n"
        f"Played and discarded cards are replaced from the deck; newer cards have higher numbers. There are {hints} "
        f"information tokens and {lives} life tokens. The game ends when all lives are lost (all players score 0), "
        "when all fireworks are complete, or one round after the deck is empty. Otherwise all players score the number "
        "of cards built.\n"
        "In an observation, the hands are listed in order, starting with yours. XX is a card you cannot see. The text "
        "after || is what hints have revealed about the card (XX: nothing), and the text after | lists the colours "
        "and ranks it can still have."
    )


def universal_poker(game: Any, p: dict[str, Any]) -> str:
    """Universal poker."""
    n, limit = game.num_players(), p["betting"] == "limit"
    bets = {
        "fcpa": "Bet raises by the size of the pot, AllIn puts in all your chips",
        "fc": "Only Fold and Call exist",
    }.get(p["bettingAbstraction"], "BetN raises so that your chips in the pot are N")
    if limit:
        bets = f"Bet raises by the fixed amount of the round ({p.get('raiseSize', '')})"
    return (
        f"Poker for {n} players with the ranks {' '.join('23456789TJQKA'[: p['numRanks']])} in {p['numSuits']} suits; "
        f"a card is written as rank and suit, such as 3d. Each player gets {p['numHoleCards']} private card(s). There "
        f"are {p['numRounds']} betting rounds; before them {p['numBoardCards']} public cards are dealt. Stacks: "
        f"{p['stack']}; blinds: {p['blind']}. First to act in each round (players from 1): {p['firstPlayer']}. "
        f"{bets}. Call matches the bet, or checks; Fold gives up the hand. At the end the best poker hand of private "
        "and public cards wins the pot. Your return is the number of chips you win or lose.\n"
        "An action is player=0 move=Call, with your own number."
    )


CARD_RULES: dict[str, Rules] = {
    "blotto": blotto,
    "go_fish": go_fish,
    "goofspiel": goofspiel,
    "hanabi": hanabi,
    "kuhn_poker": kuhn_poker,
    "leduc_poker": leduc_poker,
    "liars_dice": liars_dice,
    "oshi_zumo": oshi_zumo,
    "tiny_hanabi": tiny_hanabi,
    "universal_poker": universal_poker,
}
