"""What `arena info` tells of a game, role, player, pairing, rating method, advantage estimator or loss."""

from league.info.find import find_items, names_by_kind
from league.info.lines import GameFacts, ItemInfo, item_lines

__all__ = ["GameFacts", "ItemInfo", "find_items", "item_lines", "names_by_kind"]
