"""The task sources facts and vocabulary: their tables, splits and grading."""

import pytest

from games import InputError, tasks
from games.tasks.facts.source import FACTS
from games.tasks.tables import plain, rows
from games.tasks.vocabulary.source import CATEGORIES, COMMON, VocabularySource, entries


@pytest.mark.parametrize("name", ["facts", "vocabulary"])
def test_every_kind_has_tasks_in_every_split(name):
    for split in tasks.SPLITS:
        source = tasks.make(f"{name}(split={split})")
        for kind in source.kinds:
            task = source.draw(1, kind)
            assert source.grade(task, f" {task.answer.upper()}. ").ok
            assert source.load(task.id) == task
            assert source.grade(task, "").kind == "invalid"
            assert source.grade(task, "xyzzy").kind == "fail"


def test_known_facts():
    source = tasks.make("facts(family=capital)")
    (kind,) = source.kinds
    france = next(n for n, row in enumerate(rows("games.tasks.facts", "countries.tsv")) if row[0] == "France")
    assert source.make(kind, france) == ("What is the capital of France?", "Paris")
    elements = {row[1]: (row[0], row[2]) for row in rows("games.tasks.facts", "elements.tsv")}
    assert len(elements) == 118
    assert elements["Au"] == ("79", "Gold")


def test_a_country_belongs_to_one_split_whatever_is_asked():
    found = {}
    for split in tasks.SPLITS:
        source = tasks.make(f"facts(split={split})")
        for seed in range(300):
            task = source.draw(seed)
            row = FACTS[task.kind.family]
            table = rows("games.tasks.facts", row.table)
            subject = next(r for r in table if row.wording.format(r[row.asked]) == task.question)
            found.setdefault((row.table, subject[2 if row.table == "elements.tsv" else 0]), set()).add(split)
    assert len(found) > 200
    assert all(len(splits) == 1 for splits in found.values())


def test_the_vocabulary_is_large_and_well_formed():
    found = entries()
    assert len(found) > 2500
    assert sum(bool(entry.near) for entry in found.values()) > 2000
    for entry in found.values():
        assert entry.word.isalpha()
        assert entry.word.islower()
        assert entry.category in CATEGORIES
        assert len(entry.hints) >= 3
        assert entry.word not in entry.hints
        assert entry.word not in entry.definition.lower()
        assert all(word in found for word in entry.near)
    assert COMMON > 1


def test_pairs_are_different_words_of_one_split():
    source = VocabularySource()
    pairs = [source.pair(seed) for seed in range(300)]
    assert len({(a.word, b.word) for a, b in pairs}) > 200
    for a, b in pairs:
        assert a.word != b.word
        assert tasks.split_of(f"{a.definition}?") == tasks.split_of(f"{b.definition}?") == "train"
    assert source.pair(5) == VocabularySource().pair(5)


def test_a_synonym_is_right_if_it_fits_the_question():
    entry = next(e for e in entries().values() if any(len(s) == len(e.word) and s[0] == e.word[0] for s in e.synonyms))
    fits = next(s for s in entry.synonyms if len(s) == len(entry.word) and s[0] == entry.word[0])
    source = VocabularySource()
    task = tasks.SourceTask("x", tasks.TaskKind(entry.category, entry.frequency), "", entry.word)
    assert source.grade(task, fits).ok
    assert source.grade(task, "xyzzy").kind == "fail"


def test_words_are_compared_plainly():
    assert plain(" The  Hague. ") == plain("the hague")
    assert plain("Bogotá") == plain("bogota")
    with pytest.raises(InputError, match="category must be"):
        tasks.make("vocabulary(category=verbs)")
