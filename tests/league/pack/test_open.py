"""A pack from elsewhere is untrusted: whatever is wrong with it is one line, and leaves nothing behind."""

import hashlib
import sqlite3
import stat
import warnings
import zipfile
from collections.abc import Callable
from contextlib import closing

import msgspec
import pytest

from arena.cli import main
from league.pack import open_pack
from league.pack.manifest import FORMAT, LOG, MANIFEST, Manifest, PackedFile, is_name
from league.store import Store
from tests import golden
from tests.league.pack.packs import pack_of, store_of

Entries = list[tuple[zipfile.ZipInfo, bytes]]
Edit = Callable[[Entries], object]


@pytest.fixture(autouse=True)
def _machine_that_saw_no_pack(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("ARENA_STATE", str(tmp_path_factory.mktemp("state")))


def manifest_of(entries):
    return msgspec.json.decode(next(data for info, data in entries if info.filename == MANIFEST))


def with_manifest(entries, manifest):
    """Replace the manifest."""
    entries[:] = [(info, data) for info, data in entries if info.filename != MANIFEST]
    entries.append((zipfile.ZipInfo(MANIFEST), msgspec.json.encode(manifest)))


def listed(name, data=b"x", mode=stat.S_IFREG | 0o644):
    """Add an entry that the manifest lists as it is."""

    def edit(entries):
        info = zipfile.ZipInfo(name)
        info.external_attr, info.compress_type = mode << 16, zipfile.ZIP_DEFLATED
        manifest = manifest_of(entries)
        manifest["files"][name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}  # type: ignore[index]
        with_manifest(entries, manifest)
        entries.append((info, data))

    return edit


def changed_manifest(**more):
    return lambda entries: with_manifest(entries, manifest_of(entries) | more)


def twice(entries):
    entries.append(entries[0])


def other_content(entries):
    info, data = entries[0]
    entries[0] = (info, data[:-1] + bytes([data[-1] ^ 1]))


EDITS: dict[str, tuple[Edit, str]] = {
    "parent": (listed("plugins/../../evil.py"), "no pack holds an entry like"),
    "absolute": (listed("/tmp/evil.py"), "no pack holds an entry like"),
    "elsewhere": (listed("typer.py"), "no pack holds an entry like"),
    "backslash": (listed("plugins\\..\\evil.py"), "no pack holds an entry like"),
    "no code": (listed("plugins/library.so"), "no pack holds an entry like"),
    "control": (listed("runs/a\x1b[2Jb"), "no pack holds an entry like"),
    "link": (listed("runs/t", b"/etc/passwd", stat.S_IFLNK | 0o777), "no pack holds an entry like"),
    "folder": (listed("runs/t/", b""), "no pack holds an entry like"),
    "twice": (twice, "twice"),
    "twice on another system": (listed("plugins/A.py"), ""),
    "bomb": (listed("runs/zeros", bytes(1 << 27)), "it would become"),
    "not listed": (lambda entries: entries.append((zipfile.ZipInfo("runs/x"), b"x")), "is not as the manifest says"),
    "missing": (lambda entries: entries.pop(0), "is missing"),
    "changed": (other_content, "is not what was packed"),
    "file in a file": (lambda entries: (listed("runs/a")(entries), listed("runs/a/b")(entries)), "cannot write"),
    "newer": (changed_manifest(format=FORMAT + 1, more=1), f"has format {FORMAT + 1}, this arena reads {FORMAT}"),
    "another run": (changed_manifest(run="other"), "run"),
    "no number": (changed_manifest(format="x"), "cannot be read"),
    "no manifest": (lambda entries: entries.pop(), "is not a pack"),
}


@pytest.mark.parametrize("name", [name for name, (_, text) in EDITS.items() if text])
def test_an_edited_pack_is_refused(tmp_path, capsys, name):
    pack = pack_of(tmp_path)
    with zipfile.ZipFile(pack) as archive:
        entries = [(info, archive.read(info)) for info in archive.infolist()]
    edit, text = EDITS[name]
    edit(entries)
    refused(tmp_path, rewritten(pack, entries), capsys, text)


def test_entries_that_claim_more_bytes_than_the_pack_has_make_no_room(tmp_path, capsys):
    """Entries may overlap in a file, and each says by itself how long it is."""
    pack = pack_of(tmp_path)
    with zipfile.ZipFile(pack) as archive:
        entries = [(info, archive.read(info)) for info in archive.infolist()]
    listed("runs/zeros", bytes(1 << 27))(entries)
    data = bytearray(rewritten(pack, entries).read_bytes())
    header = data.rindex(b"runs/zeros") - 46  # in the central directory, whose entries have their size at byte 20
    assert data[header : header + 4] == b"PK\x01\x02"
    data[header + 20 : header + 24] = (1 << 30).to_bytes(4, "little")
    pack.write_bytes(data)
    refused(tmp_path, pack, capsys, "it would become")


def test_names_that_are_one_on_other_systems_are_refused(tmp_path, capsys):
    pack = pack_of(tmp_path)
    with zipfile.ZipFile(pack) as archive:
        entries = [(info, archive.read(info)) for info in archive.infolist()]
    listed("plugins/A.py")(entries)
    listed("plugins/a.py")(entries)
    refused(tmp_path, rewritten(pack, entries), capsys, "twice")


def rewritten(pack, entries):
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(pack, "w") as archive:
        for info, data in entries:
            archive.writestr(info, data)
    return pack


def refused(folder, pack, capsys, text):
    """Opening the file ends with code 2 and one line, and makes nothing."""
    before = sorted(folder.iterdir())
    capsys.readouterr()
    assert main(["open", str(pack), str(folder / "new")]) == 2
    err = capsys.readouterr().err
    assert text in err
    assert len(err.splitlines()) == 1, err
    assert "\x1b" not in err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.99])
def test_a_part_of_a_pack_is_refused(tmp_path, capsys, share):
    pack = pack_of(tmp_path)
    pack.write_bytes(pack.read_bytes()[: int(pack.stat().st_size * share)])
    refused(tmp_path, pack, capsys, "is not a pack, or not a whole one")


def test_a_flipped_bit_anywhere_is_refused_or_without_effect(tmp_path):
    pack = pack_of(tmp_path)
    data = pack.read_bytes()
    for number, place in enumerate(range(0, len(data), max(1, len(data) // 60))):
        pack.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        assert main(["open", str(pack), str(tmp_path / f"new{number}")]) in (0, 2), place
    assert not list(tmp_path.glob(".new*"))


def test_what_is_no_pack_is_refused(tmp_path, capsys):
    refused(tmp_path, tmp_path / "gone", capsys, "No such file")
    refused(tmp_path, tmp_path, capsys, "Is a directory")
    (tmp_path / "text").write_text("no zip")
    refused(tmp_path, tmp_path / "text", capsys, "is not a pack")


def test_nothing_is_overwritten(tmp_path, capsys):
    pack, folder = pack_of(tmp_path), tmp_path / "new"
    folder.mkdir()
    refused(tmp_path, pack, capsys, "exists already; name another folder")
    folder.rmdir()
    folder.symlink_to(tmp_path / "gone")
    refused(tmp_path, pack, capsys, "exists already; name another folder")


def test_the_name_of_a_run_does_not_choose_the_place(tmp_path, monkeypatch):
    pack = pack_of(tmp_path, name="../../evil")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert main(["open", str(pack)]) == 0
    assert [path.name for path in (tmp_path / "here").iterdir()] == ["evil"]


def log_edited(folder, statement):
    """A pack whose manifest is right and whose log was edited."""
    pack = pack_of(folder)
    with zipfile.ZipFile(pack) as archive:
        entries = [(info, archive.read(info)) for info in archive.infolist()]
    (folder / "log.db").write_bytes(entries[0][1])
    with closing(sqlite3.connect(folder / "log.db")) as connection, connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(statement)
    connection.close()  # writes the write-ahead log back into the file
    data, manifest = (folder / "log.db").read_bytes(), manifest_of(entries)
    manifest["files"] = {LOG: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}}
    entries[0] = (entries[0][0], data)
    with_manifest(entries, manifest)
    return rewritten(pack, entries)


def test_a_log_that_was_changed_is_opened_and_reported(tmp_path, capsys):
    pack = log_edited(tmp_path, "UPDATE results SET seats = replace(seats, 'alice', 'bob')")
    assert main(["open", str(pack), str(tmp_path / "new")]) == 1
    assert "WRONG" in capsys.readouterr().out


def test_the_settings_file_names_no_folder_outside(tmp_path):
    (tmp_path / "mine").mkdir()
    folder = '{"folder":"store:mine","kind":"training","training":{},'
    pack = log_edited(tmp_path, f"UPDATE runs SET config = '{folder}' || substr(config, 2)")
    opened = open_pack(pack, tmp_path / "new")
    assert "mine" not in (opened.folder / opened.settings).read_text()


@pytest.mark.parametrize(("statement", "text"), golden.rows(__file__, "open_a_log_that_cannot_be_used_is_refused"))
def test_a_log_that_cannot_be_used_is_refused(tmp_path, capsys, statement, text):
    refused(tmp_path, log_edited(tmp_path, statement), capsys, text)


def test_a_run_that_does_not_exist_is_not_packed(tmp_path, capsys):
    db = store_of(tmp_path)
    assert main(["pack", "cub", "--db", str(db), "-o", str(tmp_path / "new.arena")]) == 2
    assert "cup" in capsys.readouterr().err
    assert main(["pack", "cup", "--db", str(db), "-o", str(tmp_path / "gone" / "new.arena")]) == 2
    assert main(["pack", "cup", "--db", str(tmp_path / "gone.db")]) == 2
    assert not list(tmp_path.glob("**/*new*"))


def test_the_secret_of_a_run_stays(tmp_path):
    with Store.open(str(store_of(tmp_path))) as store:
        secret = store.secret(store.run("cup")).hex()
    assert main(["pack", "cup", "--db", str(tmp_path / "runs/league.db"), "-o", str(tmp_path / "x")]) == 0
    assert main(["open", str(tmp_path / "x"), str(tmp_path / "new")]) == 0
    assert secret.encode() not in (tmp_path / "new" / LOG).read_bytes()


def test_a_manifest_reads_back():
    manifest = Manifest(FORMAT, "1", 8, "cup", {LOG: PackedFile(3, "x")})
    assert msgspec.json.decode(msgspec.json.encode(manifest), type=Manifest) == manifest
    assert is_name(LOG)
