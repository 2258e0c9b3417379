"""Gates of candidates whose strength is known."""

import numpy as np

from league.config.tournament import GateConfig
from league.sprt import Gate
from league.sprt import pentanomial as five

NELO1 = 50.0


def tilted(nelo, base=(1.0, 4.0, 8.0, 4.0, 1.0)):
    """Probabilities of the five categories with a given strength, a tilt of `base`."""
    scores, want, low, high = np.array(five.SCORES), five.per_pair(nelo), -20.0, 20.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        p = np.array(base) * np.exp(middle * scores)
        p /= p.sum()
        mean, variance = five.moments(p)
        low, high = (middle, high) if (mean - 0.5) / variance**0.5 < want else (low, middle)
    return p


def trial(rng, p, nelo1=NELO1):
    """A gate that has decided, or seen 4,000 pairs."""
    gate = Gate(GateConfig(nelo1=nelo1, max_pairs=10**9))
    for place in rng.choice(5, 4_000, p=p):
        if gate.update(int(place)) is not None:
            break
    return gate
