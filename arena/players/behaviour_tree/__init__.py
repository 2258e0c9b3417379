"""Behaviour trees as data: a small language of conditions and actions, read and run by the arena, never by Python."""

from arena.players.behaviour_tree.parser import BadTree, parse_tree
from arena.players.behaviour_tree.player import BehaviourTree

__all__ = ["BadTree", "BehaviourTree", "parse_tree"]
