"""Every second of a training is counted once, for what it was spent on."""

from league.training.clock import Clock


class Hands:
    """A clock that is told the time."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_seconds_shares_and_rates():
    hands = Hands()
    clock = Clock(hands)
    with clock.timed("rollout"):
        hands.now += 6.0
        with clock.timed("publish"):  # a second set of weights is brought up to date first
            hands.now += 1.0
    with clock.timed("learn"):
        hands.now += 2.0
        clock.add("publish", 0.5)
        clock.add("learn/forward", 1.25)
    hands.now += 1.0
    row = clock.row({"matches": 40})
    assert row == {
        "seconds": 10.0,
        "rollout": 6.0,
        "publish": 1.5,
        "learn": 1.5,
        "learn/forward": 1.25,
        "matches_per_second": 4.0,
        "share/rollout": 0.6,
        "share/publish": 0.15,
        "share/learn": 0.15,
    }
    with clock.timed("keep"):
        hands.now += 10.0
    row = clock.row({})
    assert row == {"seconds": 10.0, "keep": 10.0} | {
        "share/rollout": 0.3,
        "share/publish": 0.075,
        "share/learn": 0.075,
        "share/keep": 0.5,
    }
