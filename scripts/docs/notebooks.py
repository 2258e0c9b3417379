"""Runs the notebooks of docs/notebooks and stores their outputs; makes pages of them.

python scripts/docs/notebooks.py
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import tempfile
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"


def main() -> None:
    """Run every notebook, in its order of cells, and write its outputs into it."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = json.loads(path.read_text())
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            run(notebook)
        path.write_text(json.dumps(notebook, indent=1) + "\n")


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """Run the code cells in one namespace, keep what each prints and its last value; returns the namespace."""
    space: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate((c for c in notebook["cells"] if c["cell_type"] == "code"), 1):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            value = _run_cell("".join(cell["source"]), space)
        cell["execution_count"], cell["outputs"] = number, list(_outputs(printed.getvalue(), value, number))
    return space


def page(path: Path) -> str:
    """Returns a notebook as Markdown: texts, code, and the outputs as text."""
    parts = []
    for cell in json.loads(path.read_text())["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            text = "".join(output.get("text") or output["data"]["text/plain"])
            parts.append(f"~~~text\n{text.rstrip()}\n~~~")
    return "\n\n".join(parts) + "\n"


def _run_cell(source: str, space: dict[str, Any]) -> object:
    """Run a cell; returns the value of its last line if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), space)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), space)


def _outputs(printed: str, value: object, number: int) -> list[dict[str, Any]]:
    outputs: list[dict[str, Any]] = []
    if printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": str(value).splitlines(keepends=True)}
        html = getattr(value, "_repr_html_", lambda: None)()
        data |= {"text/html": html.splitlines(keepends=True)} if html else {}
        result = {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}
        outputs.append(result)
    return outputs


if __name__ == "__main__":
    main()
