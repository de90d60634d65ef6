"""Notebooks run from top to bottom, and are kept without outputs."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
FOLDER = Path(__file__).parents[1] / "notebooks"
BOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks():
    names = {path.stem for path in BOOKS}
    assert names >= {"quickstart", "train_a_bidder", "tournament", "analyse_an_auction", "write_your_own_bot"}


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_notebook_is_kept_without_outputs(path):
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert "pip install" in code[0].source
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


@pytest.mark.notebook
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        book, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
