"""The notebooks of docs/ run from the first cell to the last."""

import json
from importlib import import_module
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_prints_what_it_stores(path, monkeypatch, tmp_path):
    """If this fails, type: python scripts/docs/notebooks.py"""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "scripts" / "docs"))
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    kinds = [[output["output_type"] for output in cell["outputs"]] for cell in cells]
    import_module("notebooks").run(notebook)
    assert [[output["output_type"] for output in cell["outputs"]] for cell in cells] == kinds
    assert 8 <= len(notebook["cells"]) <= 12
    assert kinds[-1] == ["stream"]
