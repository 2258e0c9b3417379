"""The plugin scripts/examples/again.py: what an adapter reads, and that only advice that follows from it earns."""

from statistics import mean

import arena
import games
from arena import players


def improved(adapter, game="again", actor="competent", matches=100):
    """Returns the mean return of an adapter with an actor."""
    seated = [players.make(f"policy(name='{name}')") for name in (adapter, actor)]
    return mean(arena.play(game, seated, seed=seed).returns["adapter"] for seed in range(matches))


def test_advice_that_follows_from_the_results_improves_the_actor_and_fixed_advice_does_not():
    assert improved("competent") > improved("honest") + 0.03 > 0.3
    assert all(abs(improved(f"always {word}")) < 0.1 for word in ("same", "other", "new", "any"))
    assert improved("competent", actor="slips") < improved("competent") - 0.05


def test_a_door_that_has_led_on_is_kept_though_it_was_locked():
    lucky = "again(luck=0.3, attempts=9)"
    assert improved("competent", lucky) > improved("honest", lucky) + 0.03


def texts(game, doors):
    """Returns what the adapter reads of a match of one room in which the actor takes these doors."""
    match = games.make(game)
    match.reset(2)
    out = []
    for door in doors:
        match.apply({"actor": match.legal("actor")[door]})
        out.append(match.observe("adapter").text)
        match.apply({"adapter": "any"})
    return out


def test_the_adapter_reads_which_doors_led_on_and_nothing_else():
    read = [texts("again(rooms=1, doors=2)", [door]) for door in (0, 1)]
    assert sorted(read) == [["failed."], ["led on."]]
    assert texts("again(rooms=1, doors=2, told=false)", [0, 1]) == ["tried.", "tried."]
    right = [door for door in (0, 1) if texts("again(rooms=1, doors=2)", [door]) == ["led on."]]
    results = texts("again(rooms=1, doors=2, attempts=9, luck=0.5)", right * 8)
    assert set(results[: results.index("led on.")]) <= {"failed."}
    assert set(results[results.index("led on.") :]) == {"led on.", "failed after it had led on."}
