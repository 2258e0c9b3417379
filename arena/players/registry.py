"""Creates players from ids such as `mcts(simulations=100)`."""

from __future__ import annotations

from arena.players.player import Player, missing_method
from games.errors import InputError
from games.naming import parse_name
from games.plugins import Registry

PLAYERS = Registry(
    "player",
    "arena.players",
    Player,
    {
        "advised": "arena.players.advised:advised",
        "behaviour-tree": "arena.players.behaviour_tree:BehaviourTree",
        "best-of": "arena.players.planning.samples:BestOf",
        "by-role": "arena.players.by_role:by_role",
        "human": "arena.players.human:Human",
        "learned": "arena.players.learned:LearnedPlayer",
        "llm": "arena.players.llm:LLM",
        "lookahead": "arena.players.planning.lookahead:Lookahead",
        "mcts": "arena.players.bots.mcts:MCTS",
        "mirror-descent": "arena.players.planning.mirror_descent:MirrorDescentPlayer",
        "note-reader": "arena.players.bots.note_reader:NoteReader",
        "openai": "arena.players.endpoint.player:Endpoint",
        "policy": "arena.players.bots.policy:SuitePolicy",
        "random": "arena.players.bots.random:RandomPlayer",
        "revise": "arena.players.planning.revise:Revise",
        "solver": "arena.players.bots.solver:SolverPlayer",
    },
    listed_by="arena players",
)

ids = PLAYERS.ids
register = PLAYERS.register


def make(id: str, name: str | None = None) -> Player:
    """Create the player with this id and show it as `name`, by default the id. Raises InputError."""
    player = PLAYERS.make(id)
    if problem := missing_method(player):
        player.close()
        base = parse_name(id).base
        raise InputError(f"player {base!r} of {PLAYERS.entries()[base].origin} cannot play: {problem}")
    player.name = name or str(parse_name(id))
    return player
