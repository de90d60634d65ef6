"""Pages for people: printed tables are those of the code, and the Python of the pages runs."""

import re
from pathlib import Path

import pytest

from training.pages import PAGES, TABLE, printed

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_printed_tables_are_those_of_the_code(page):
    text = page.read_text(encoding="utf-8")
    assert TABLE.search(text)
    assert printed(text) == text, "run `make docs`"


@pytest.mark.parametrize("page", ["README.md", "powergrid_env/README.md"])
def test_python_blocks_of_a_page_run_from_top_to_bottom(page, tmp_path, monkeypatch):
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
