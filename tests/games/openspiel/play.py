"""Random matches for the tests of the OpenSpiel games."""

from games import RandomStream, TextGame


def random_match(game: TextGame, seed: int, limit: int = 100_000, look: bool = False) -> list[object]:
    """The transcript of one random match: each turn's acting seats, legal actions and actions; then the returns."""
    rng = RandomStream(seed + 17)
    game.reset(seed)
    told: list[object] = []
    while game.acting and len(told) < limit:
        acting = game.acting
        legal = {seat: game.legal(seat) for seat in acting}
        seen = [game.observe(seat) for seat in game.spec.seats] if look else []
        actions = {seat: rng.choice(texts) for seat, texts in legal.items()}
        told.append((acting, legal, seen, actions))
        game.apply(actions)
    if look:
        told.append([game.observe(seat) for seat in game.spec.seats])
    told.append(dict(game.returns()))
    return told
