"""Run notebook cells without Jupyter: `python tests/helpers/notebook_util.py` writes the outputs in docs/ again."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "docs").glob("*.ipynb"))


def outputs_of(value: object, number: int) -> list[dict[str, Any]]:
    """What Jupyter would show for the value of a cell."""
    if value is None:
        return []
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return [{"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}]


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its code cells, which run in one namespace from the first to the last."""
    names: dict[str, Any] = {}
    cells: list[dict[str, Any]] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number = 1 + sum(other["cell_type"] == "code" for other in cells)
            body = ast.parse("".join(cell["source"])).body
            last: ast.expr = ast.Constant(None)
            if body and isinstance(body[-1], ast.Expr):
                last, body = body[-1].value, body[:-1]
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            value = eval(compile(ast.fix_missing_locations(ast.Expression(last)), "cell", "eval"), names)
            cell = {**cell, "execution_count": number, "outputs": outputs_of(value, number)}
        cells.append(cell)
    return {**notebook, "cells": cells}


if __name__ == "__main__":
    for path in NOTEBOOKS:
        done = executed(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(done, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
