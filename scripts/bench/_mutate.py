"""Metamath databases with one change, and the verdict of Debian's `metamath` on them."""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
from pathlib import Path

from games.proofs.database import BadDatabase, Database
from games.proofs.kernel import BadProof, check

FOLDER = Path("/usr/share/metamath/databases")
_COMMENT = re.compile(r"(?<!\S)\$\((?=\s).*?(?<=\s)\$\)(?!\S)", re.DOTALL)

# Disjoint variables: in a block, in a proof only, through a theorem.
APART = """
$c |- set wff A. E. = ( ) -> $. $v x y z ph ps $.
vx $f set x $. vy $f set y $. vz $f set z $. wph $f wff ph $. wps $f wff ps $.
weq $a wff x = y $. wal $a wff A. x ph $. wi $a wff ( ph -> ps ) $.
${ mp.1 $e |- ph $. mp.2 $e |- ( ph -> ps ) $. mp $a |- ps $. $}
${ $d x y $. ax $a |- A. x x = y $. $}
${ $d x ph $. ax5 $a |- ( ph -> A. x ph ) $. $}
${ $d x y $. t1 $p |- A. x x = y $= vx vy ax $. $}
${ $d x z $. t2 $p |- A. x x = z $= ( ax ) ABC $. $}
${ $d x y z $. t3.1 $e |- ph $. $d x ph $. t3 $p |- A. x ph $= wph vx wph wal t3.1 vx wph ax5 mp $. $}
${ $d x y z $. t4 $p |- A. z A. x x = y $= ( weq wal ax t3 ) CAABDEABFG $. $}
${ $d x y z $. t5 $p |- A. z A. x x = y $= vz vx vx vy weq wal vx vy ax t3 $. $}
"""


def sources() -> dict[str, str]:
    """Return the databases to mutate, without comments."""
    texts = {"apart": APART}
    for name in ("demo0", "hol", "ql", "miu"):
        texts[name] = _COMMENT.sub(" ", (FOLDER / f"{name}.mm").read_text(encoding="ascii"))
    return texts


def mutated(text: str, rng: random.Random) -> str:
    """Return the database up to one of its theorems, with a change in it or in something it uses."""
    tokens = text.split()
    ends = [i for i, t in enumerate(tokens) if t == "$="]
    start = rng.choice(ends)
    end = tokens.index("$.", start)
    begin = max(i for i in range(start) if tokens[i] == "$p")
    kept = tokens[: end + 1]
    kind = rng.random()
    if kind < 0.6:
        kept = kept[: start + 1] + _proof(kept[start + 1 : end], tokens, rng) + kept[end:]
    elif kind < 0.75:
        kept = kept[: begin + 1] + _change(kept[begin + 1 : start], rng) + kept[start:]
    elif kind < 0.95:
        kept = _foundations(kept, begin, rng)
    # One statement per line: metamath reports the line of an error, slowly.
    text = " ".join(kept).replace(" $. ", " $.\n")
    return text + " $}" * (kept.count("${") - kept.count("$}")) + "\n"


def _proof(proof: list[str], tokens: list[str], rng: random.Random) -> list[str]:
    if proof and proof[0] == "(" and rng.random() < 0.7:
        close = proof.index(")")
        letters = list("".join(proof[close + 1 :]))
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            at = rng.randrange(len(letters) + 1)
            new = rng.choice("AABBCCDDEEFFGGHHIJKLMNOPQRSTUVWXYZZ?")
            how = rng.random()
            if how < 0.5 and at < len(letters):
                letters[at] = new
            elif how < 0.75 and at < len(letters):
                del letters[at]
            else:
                letters.insert(at, new)
        return [*proof[: close + 1], "".join(letters)]
    labels = [tokens[i - 1] for i, t in enumerate(tokens[:-1]) if t in ("$a", "$p", "$f", "$e") and i]
    return _change(proof, rng, labels)


def _change(words: list[str], rng: random.Random, more: list[str] | None = None) -> list[str]:
    words = list(words)
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(words)) if words else 0
        how = rng.random()
        if how < 0.25 and words:
            del words[at]
        elif how < 0.5 and len(words) > 1:
            other = rng.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        elif how < 0.75:
            words.insert(at, rng.choice(more or words or ["?"]))
        elif words:
            words[at] = rng.choice(more or words)
    return words


def _foundations(tokens: list[str], before: int, rng: random.Random) -> list[str]:
    """Change something before the theorem: remove or invert a restriction, a hypothesis or an axiom."""
    starts = [i for i in range(before) if tokens[i] in ("$d", "$e", "$f", "$a", "$v", "$c", "${", "$}")]
    near = [i for i in starts if i > before - 60 or tokens[i] == "$d"] or starts
    at = rng.choice(near)
    if tokens[at] in ("${", "$}"):
        return tokens[:at] + tokens[at + 1 :]
    end = tokens.index("$.", at)
    first = at if tokens[at] in ("$d", "$v", "$c") else at - 1
    if rng.random() < 0.5:
        return tokens[:first] + tokens[end + 1 :]
    return tokens[: at + 1] + _change(tokens[at + 1 : end], rng) + tokens[end:]


def ours(text: str) -> str:
    """Return "" if the kernel accepts every proof of a database, else the reason."""
    try:
        database = Database(text)
        for assertion in database.assertions.values():
            if assertion.proof is not None:
                check(database, assertion)
    except (BadDatabase, BadProof) as error:
        return str(error)
    return ""


def metamath(text: str) -> str:
    """Return "" if `metamath` accepts every proof of a database, else its first error."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "x.mm").write_text(text, encoding="ascii")
        done = subprocess.run(
            ["metamath", 'read "x.mm"', "verify proof *", "exit"],
            cwd=folder,
            stdin=subprocess.DEVNULL,  # it may ask a question
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=60,
        )
    said = done.stdout
    for line in said.splitlines():
        if line.startswith("?Error") or "?Error" in line or "incomplete" in line.lower() or "not proved" in line:
            return line
    return "" if "All proofs in the database were verified" in said or "no proofs" in said.lower() else said[-300:]
