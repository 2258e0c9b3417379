"""Players that several test modules share; importing this module registers them."""

from arena import Decision, Player, View, players


@players.register("perfect")
class Perfect(Player):
    """Leaves a multiple of three behind."""

    name = "perfect"

    def act(self, view: View) -> Decision:
        pile = int(view.observation.text.split()[0])
        return Decision("2" if pile % 3 == 2 and pile > 1 else "1")
