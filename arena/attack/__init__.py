"""`arena attack GAME`: searches for policies that earn the reward of a role without doing its task.

`survey` finds what a game exposes, `grammar` makes policies of it (`games.attack`), `search` plays them by successive
halving and plays the best ones again on fresh seeds, and `report` says what they earn.
"""

from arena.attack.report import AttackReport, Attempt, RoleAttack, report_lines
from arena.attack.run import attack

__all__ = ["AttackReport", "Attempt", "RoleAttack", "attack", "report_lines"]
