"""Every rule, ruling and case has a test named after it: R2.5 `test_r2_5_...`, A9 `test_a9_...`, C28 `test_c28_...`.

`python -m tests.test_every_rule_has_a_test` prints how many tests each id has.
"""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import powergrid_env

TESTS = Path(__file__).parent
RULES = (Path(powergrid_env.__file__).parent / "RULES.md").read_text(encoding="utf-8")
SECTIONS = ["RC", "R0", "RI", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "RT", "RS", "RM"]
CASES = [f"C{number:02}" for number in range(1, 85)]


def rule_ids(text: str) -> list[str]:
    """Ids that begin a paragraph of the rules in bold: `**R2.5 Minimum bid**`."""
    return re.findall(r"^\*\*(R[0-7CISTM]\.\d+)\b", text, re.MULTILINE)


def ruling_ids(text: str) -> list[str]:
    """Numbers of the rows of section 14: `| A9 | ...`."""
    return re.findall(r"^\| (A\d+) \|", text, re.MULTILINE)


def names_of_tests(folder: Path) -> list[str]:
    """Names of all tests below a folder."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("test_*.py"))]
    functions = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [function.name for function in functions if function.name.startswith("test_")]


def count_tests(ids: Iterable[str], names: list[str]) -> dict[str, int]:
    """How many tests are named after each id."""
    prefixes = {rule: f"test_{rule.replace('.', '_').lower()}_" for rule in ids}
    return {rule: sum(name.startswith(prefix) for name in names) for rule, prefix in prefixes.items()}


def without_a_test(ids: Iterable[str], names: list[str]) -> list[str]:
    """Ids that no test is named after."""
    return [rule for rule, count in count_tests(ids, names).items() if count == 0]


def test_all_sections_are_read():
    ids = rule_ids(RULES)
    assert len(ids) == len(set(ids))
    assert list(dict.fromkeys(rule.split(".")[0] for rule in ids)) == SECTIONS
    assert {"RC.10", "R0.11", "R2.33", "R6.27", "R7.4", "RI.4", "RT.27", "RS.4", "RM.21"} <= set(ids)
    assert ruling_ids(RULES) == [f"A{number}" for number in range(1, 37)]


def test_every_row_of_a_table_has_as_many_cells_as_its_header():
    """`|` ends a cell wherever it stands in a row, also between backticks, unless it is written `\\|`."""
    for table in re.findall(r"(?:^\|.*\n)+", RULES, re.MULTILINE):
        header, *rows = [re.split(r"(?<!\\)\|", line) for line in table.splitlines()]
        assert rows
        assert [row for row in rows if len(row) != len(header)] == []


def test_every_rule_has_a_test():
    assert without_a_test(rule_ids(RULES), names_of_tests(TESTS / "rules")) == []


def test_every_ruling_has_a_test():
    assert without_a_test(ruling_ids(RULES), names_of_tests(TESTS / "rules")) == []


def test_every_case_has_a_test():
    assert without_a_test(CASES, names_of_tests(TESTS / "cases")) == []


def test_no_test_is_named_after_a_rule_that_does_not_exist():
    cited = {
        re.match(r"test_(r[0-7]|r[cistm]|a\d+|c\d+)(?:_(\d+))?_", name)
        for name in names_of_tests(TESTS / "rules")
    }
    found = {
        f"{match[1]}.{match[2]}".upper()
        for match in cited
        if match and match[1][:2] in {s.lower() for s in SECTIONS}
    }
    assert found <= set(rule_ids(RULES))


def test_a_rule_without_a_test_is_found():
    """The list can be non-empty: a rule added to the text, and a test taken away."""
    text, names = (
        RULES + "\n**R2.99 Haggling** is forbidden.\n| A99 | may one haggle | silent | no |\n",
        names_of_tests(TESTS),
    )
    assert without_a_test(rule_ids(text), names) == ["R2.99"]
    assert without_a_test(ruling_ids(text), names) == ["A99"]
    fewer = [name for name in names if not name.startswith("test_rt_4_")]
    assert without_a_test(rule_ids(RULES), fewer) == ["RT.4"]
    assert without_a_test(["C28", "C85"], names) == ["C85"]


@pytest.mark.parametrize("rule", ["R2.1", "R4.1", "RT.1", "RM.1"])
def test_a_longer_id_is_no_test_of_a_shorter_one(rule):
    longer = f"test_{rule.replace('.', '_').lower()}0_of_another_rule"
    assert without_a_test([rule], [longer]) == [rule]


if __name__ == "__main__":
    all_names = names_of_tests(TESTS)
    for each, count in count_tests([*rule_ids(RULES), *ruling_ids(RULES), *CASES], all_names).items():
        print(f"{each:6} {count}")
