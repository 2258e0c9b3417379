"""The games of OpenSpiel 2.0.2, listed without importing OpenSpiel."""

from __future__ import annotations

# Games that work without parameters.
PLAYABLE = (
    "2048", "amazons", "antichess", "backgammon", "banqi", "bargaining", "battleship", "blackjack", "blotto",
    "breakthrough", "bridge", "bridge_uncontested_bidding", "capture_the_flag", "catch", "chat_game", "checkers",
    "chess", "chinese_checkers", "cliff_walking", "clobber", "coin_game", "colored_trails", "connect_four",
    "coop_box_pushing", "coop_to_1p", "coordinated_mp", "crazy_eights", "crazyhouse", "cribbage", "cursor_go",
    "dark_chess", "dark_hex", "dark_hex_ir", "deep_sea", "dots_and_boxes", "dou_dizhu", "einstein_wurfelt_nicht",
    "euchre", "first_sealed_auction", "gin_rummy", "go", "go_fish", "gomoku", "goofspiel", "hanabi", "havannah",
    "hearts", "hex", "hive", "kriegspiel", "kuhn_poker", "laser_tag", "latent_ttt", "leduc_poker", "lewis_signaling",
    "liars_dice", "liars_dice_ir", "lines_of_action", "maedn", "mancala", "markov_soccer", "matching_pennies_3p",
    "matrix_bos", "matrix_brps", "matrix_cd", "matrix_coordination", "matrix_mp", "matrix_pd", "matrix_rps",
    "matrix_rpsw", "matrix_sh", "matrix_shapleys_game", "mnk", "morpion_solitaire", "negotiation", "nim",
    "nine_mens_morris", "oh_hell", "oshi_zumo", "othello", "oware", "pathfinding", "pentago", "phantom_go",
    "phantom_ttt", "phantom_ttt_ir", "pig", "python_ant_foraging", "python_block_dominoes", "python_dynamic_routing",
    "python_hangman", "python_iterated_prisoners_dilemma", "python_kuhn_poker", "python_liars_poker",
    "python_team_dominoes", "python_tic_tac_toe", "quoridor", "rbc", "repeated_leduc_poker", "sheriff", "shogi",
    "skat", "snake", "social_deduction", "solitaire", "spades", "stones_and_gems", "tarok", "tic_tac_toe",
    "tiny_bridge_2p", "tiny_bridge_4p", "tiny_hanabi", "trade_comm", "twixt", "ultimate_tic_tac_toe",
    "universal_poker", "xiangqi", "y", "yacht",
)  # fmt: skip

# Games that need parameters: name -> an example to type.
WITH_PARAMETERS: dict[str, str] = {
    "add_noise": "add_noise(game=kuhn_poker(),epsilon=0.1)",
    "cached_tree": "cached_tree(game=kuhn_poker())",
    "efg_game": "efg_game(filename=game.efg)",
    "misere": "misere(game=tic_tac_toe())",
    "nfg_game": "nfg_game(filename=game.nfg)",
    "normal_form_extensive_game": "normal_form_extensive_game(game=kuhn_poker())",
    "repeated_game": "repeated_game(stage_game=matrix_pd(),num_repetitions=10)",
    "repeated_poker": "repeated_poker(universal_poker_game_string=universal_poker(),max_num_hands=4)",
    "restricted_nash_response": "restricted_nash_response(game=kuhn_poker())",
    "start_at": "start_at(game=tic_tac_toe(),history=4)",
    "turn_based_simultaneous_game": "turn_based_simultaneous_game(game=oshi_zumo())",
    "zerosum": "zerosum(game=matrix_pd())",
}

# Games that cannot be played here: name -> reason.
UNPLAYABLE: dict[str, str] = {
    "crossword": "its actions are structures, not a list of legal actions",
    "mfg_crowd_modelling": "a mean-field game: a population plays it, not seats",
    "mfg_crowd_modelling_2d": "a mean-field game: a population plays it, not seats",
    "mfg_dynamic_routing": "a mean-field game: a population plays it, not seats",
    "mfg_garnet": "a mean-field game: a population plays it, not seats",
}

# Games whose action texts depend on the position, not only on the seat and the number of the action.
CONTEXTUAL = frozenset((
    "amazons", "antichess", "backgammon", "banqi", "chess", "chinese_checkers", "coop_to_1p", "crazyhouse",
    "dark_chess", "einstein_wurfelt_nicht", "kriegspiel", "quoridor", "rbc", "social_deduction", "tarok",
    "ultimate_tic_tac_toe", "xiangqi",
))  # fmt: skip
