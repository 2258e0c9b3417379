"""The kernel of proofs and its databases."""

import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from games.proofs import BadDatabase, BadProof, Database, check, judge
from games.proofs.formula import parse
from games.proofs.theory import PROPOSITIONAL
from tests import golden
from tests.games.verifiers import needs

BASE = golden.text(__file__, "kernel_base.txt")


def verdict(more, base=BASE):
    """The fault of the first wrong proof of a database; "" if all hold."""
    database = Database(base + more)
    for assertion in database.assertions.values():
        if assertion.proof is not None:
            try:
                check(database, assertion)
            except BadProof as error:
                return str(error)
    return ""


@pytest.mark.parametrize("proof", golden.rows(__file__, "kernel_right_proofs_are_accepted"))
def test_right_proofs_are_accepted(proof):
    assert verdict(proof) == ""


@pytest.mark.parametrize(("proof", "why"), golden.rows(__file__, "kernel_wrong_proofs_are_refused"))
def test_wrong_proofs_are_refused(proof, why):
    assert why in verdict(proof)


@pytest.mark.parametrize(
    ("text", "why"),
    golden.rows(__file__, "kernel_what_is_no_database_is_refused"),
)  # fmt: skip
def test_what_is_no_database_is_refused(text, why):
    with pytest.raises(BadDatabase) as error:
        Database(text)
    assert why in str(error.value)


def test_there_may_be_more_symbols_than_characters_before_the_surrogates():
    names = " ".join(f"c{i}" for i in range(60_000))
    assert verdict(f"$c {names} $. ax $a c59999 c55040 $. th $p c59999 c55040 $= ax $.", base="") == ""


def test_reading_takes_time_linear_in_hostile_texts():
    for text in ("$( " * 100_000, "$( x $) " * 100_000, "${ " * 100_000, "$c a $. " + "a $a a $. " * 100_000):
        with pytest.raises(BadDatabase):
            Database(text + "$}")


def many(n):
    """The names of some variables."""
    return " ".join(f"v{i}" for i in range(n))


def test_short_texts_that_declare_much_are_refused():
    with pytest.raises(BadDatabase, match="pairs of variables"):
        Database(f"$v {many(5_000)} $. $d {many(5_000)} $.")  # 25 million pairs
    with pytest.raises(BadDatabase, match="symbols"):
        Database(f"$v {many(1_000_001)} $.")


def test_the_work_of_the_disjoint_variable_rule_is_bounded():
    names = many(400)
    floats = " ".join(f"f{i} $f w v{i} $." for i in range(400))
    wide = f"$c w o $. $v {names} $. {floats} $d {names} $. oo $a w o $. big $a w {names} $. "
    proof = "oo " * 400 + "big "
    assert verdict(f"{wide}th $p w {'o ' * 400} $= {proof} $.", base="") == ""
    assert "too large" in verdict(f"{wide}th $p w o $= {proof * 70} $.", base="")  # 80,000 pairs at each step


@pytest.mark.parametrize("pairs", ["$d a b c d $.", "$d d b $. $d c a $.", "$d a b c d x y z $."])
def test_pairs_are_found_alike_among_few_and_many_variables(pairs):
    text = "$c w $. $v a b c d x y z $. " + " ".join(f"{v}f $f w {v} $." for v in "dcba") + f" {pairs} "
    found = Database(text + "few $a w a b $. all $a w a b c d $.").assertions
    places = {label: [h.variable for h in made.hypotheses] for label, made in found.items()}
    for label, made in found.items():
        names = places[label]
        apart = [(i, j) for j in range(len(names)) for i in range(j) if (names[i], names[j]) in made.allowed]
        assert list(made.distinct) == apart


def test_a_variable_may_change_its_type_from_block_to_block():
    text = "$c a b $. ${ $v x $. fx $f a x $. p $a a x $. $} ${ $v x $. gx $f b x $. q $p b x $= gx $. $}"
    assert verdict(text, base="") == ""
    assert "is not in scope here" in verdict(text.replace("q $p b x $= gx", "q $p b x $= fx"), base="")


def test_hole_12_an_unrelated_restriction_does_not_stand_for_the_needed_one():
    """metamath-py accepts any strict superset of the pairs: dv2.mm passes there."""
    unrelated = "${ $d x z $. $d y z $. $d ph ps $. th $p |- A. x x = y $= vx vy ax.d $. $}"
    assert "to be disjoint" in verdict(unrelated)


def test_hole_12_nothing_rests_on_assert():
    """metamath-py's checks are asserts: `python -O` removes them, and false theorems pass."""
    bad = BASE + "th $p |- A. x x = y $= vx vy ax.d $. th2 $p |- ph $= wph wps ax1 $."
    script = f"""
from games.proofs import BadProof, Database, check
database = Database({bad!r})
for label in ("th", "th2"):
    try:
        check(database, database.assertions[label])
        print("accepted")
    except BadProof:
        print("refused")
"""
    done = subprocess.run([sys.executable, "-O", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", "refused"]


def test_expressions_that_double_are_stopped():
    letters = "A" + "".join(f"Z{_letter(2 + i)}B" for i in range(40))
    assert "an expression of more than" in verdict(f"th $p wff ph $= ( wi ) {letters} $.")


def test_a_short_proof_that_doubles_and_copies_is_stopped_before_it_fills_the_memory():
    """1,959 characters: a formula of 2^17 symbols is negated 450 times, each time one more copy on the stack."""
    doubled = "".join(f"Z{_letter(3 + i)}B" for i in range(15))
    big = _letter(3 + 15)
    proof = f"( wi wn ) AAB{doubled}Z{f'{big}C' * 450}"
    tracemalloc.start()
    told = judge(parse("p -> p"), proof).verdict
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert str(told).startswith("fail: it is too large: more than")
    assert most < 50 << 20


def test_what_is_written_is_measured_before_it_is_there():
    """One step of a rule that writes its variable a thousand times, over an expression of 32,767 symbols."""
    base = f"{BASE} big $a |- {'ph ' * 1000} $.\n"
    doubled = "".join(f"Z{_letter(3 + i)}B" for i in range(12))
    assert "more than 1000000 symbols" in verdict(f"th $p |- ph $= ( wi big ) AAB{doubled}C $.", base)


def test_a_proof_of_many_characters_is_not_read():
    told = judge(parse("p -> p"), "wph " * 60_000).verdict
    assert str(told) == "invalid: it is too large: more than 200000 bytes"


def _letter(number):
    out = chr(ord("A") + number % 20)
    number //= 20
    while number:
        out = chr(ord("U") + (number - 1) % 5) + out
        number = (number - 1) // 5
    return out


FOLDER = Path("/usr/share/metamath/databases")


def verified(path):
    """Proofs of a database, each checked by our kernel; a wrong one raises."""
    database = Database(path.read_text(encoding="ascii"))
    return sum(check(database, a) > 0 for a in database.assertions.values() if a.proof is not None)


@pytest.mark.skipif(
    not (FOLDER / "ql.mm").exists(), reason="no databases here; type: apt-get install metamath-databases"
)
@pytest.mark.parametrize(
    ("name", "proofs"),
    [
        ("demo0", 1),
        ("miu", 1),
        ("big-unifier", 2),
        ("hol", 138),
        ("ql", 1138),
        pytest.param("nf", 6001, marks=pytest.mark.long),
        pytest.param("iset", 8990, marks=pytest.mark.long),
        pytest.param("set", 37759, marks=pytest.mark.long),
    ],
)
def test_every_proof_of_the_databases_is_accepted(name, proofs):
    assert verified(FOLDER / f"{name}.mm") == proofs


@needs.metamath
def test_the_shipped_theory_is_accepted_by_metamath_too():
    assert verified(PROPOSITIONAL) == 18
    words = ["metamath", f'read "{PROPOSITIONAL}"', "verify proof *", "exit"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=240)
    assert "All proofs in the database were verified" in done.stdout
    assert "Error" not in done.stdout
