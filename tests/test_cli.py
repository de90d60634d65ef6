"""The console command as a whole, its help, and `powergrid rules`."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.command import output, refusal, refusal_after_all, run
from tests.processes import printed
from training import rulebook
from training.cli import EXAMPLES

# ----------------------------------------------------------------------------------------- program


def test_without_a_command_the_commands_are_listed():
    listed = output()
    assert listed == output("--help")
    assert all(command.__name__ in listed for command in EXAMPLES)


def test_the_version_is_told_for_citations():
    assert output("--version") == f"powergrid-env {version('powergrid-env')}\n"


@pytest.mark.parametrize("command", EXAMPLES, ids=lambda command: command.__name__)
def test_every_command_has_help_with_an_example(command):
    text = output(command.__name__, "--help")
    assert f"Example: powergrid {command.__name__}" in " ".join(text.split())


@pytest.mark.parametrize("command", EXAMPLES, ids=lambda command: command.__name__)
def test_every_command_with_chance_has_a_seed(command):
    without_chance = {"rules", "replay", "bench", "plot", "export"}
    assert ("--seed" in output(command.__name__, "--help")) == (command.__name__ not in without_chance)


def test_help_loads_neither_torch_nor_numba():
    program = "import sys, training.cli; print(sorted({'torch', 'numba', 'pandas'} & set(sys.modules)))"
    assert printed("-c", program).strip() == "[]"


def test_an_unknown_command_or_option_is_refused():
    assert "No such command 'rulez'" in refusal("rulez")
    assert "--plaiers" in refusal("rules", "--plaiers", "3")
    assert "--players" in refusal("rules", "--players", "seven")


def test_input_that_ends_before_an_answer_is_one_line():
    reason = refusal_after_all("watch", "--bots", "human random", "--players", 2)
    assert reason == "the input ended where an answer was asked for"


def test_a_bot_with_a_wrong_parameter_is_not_taken_for_a_file():
    told = refusal("tournament", "keeper:keep=99", "random")
    assert told.startswith("keeper: keep is 99; allowed: 0 to 40 (")
    assert "file" not in told
    assert refusal("tournament", "nobody", "random").endswith("nor is there a model file nobody")


def test_ctrl_c_is_one_line(monkeypatch):
    def press(*words):
        raise KeyboardInterrupt

    monkeypatch.setattr(rulebook, "find", press)
    result = run("rules", "R2.3")
    assert (result.exit_code, result.stderr) == (130, "powergrid: stopped\n")


@pytest.mark.train
@pytest.mark.parametrize(
    "words",
    [
        ("train", "--opponents", "balanced human"),
        ("train", "--advisor", "human", "--kind", "entities"),
        ("imitate", "--teacher", "human", "--out", "unwritten.zip"),
    ],
    ids=lambda words: words[0] + words[1],
)
def test_nobody_is_asked_while_a_network_learns(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refusal(*words) == "agent is 'human', who answers at the terminal; allowed: bots and models"
    assert not list(tmp_path.iterdir())


def test_a_fault_of_the_program_keeps_its_traceback(monkeypatch):
    def fail(name):
        raise AssertionError("broken")

    monkeypatch.setattr(rulebook, "find", fail)
    assert isinstance(run("rules", "R2.9").exception, AssertionError)


# ------------------------------------------------------------------------------------------- rules


def test_rules_prints_a_rule_by_its_id():
    assert "No bid above the money owned" in output("rules", "R2.9")
    assert output("rules", "r2.9") == output("rules", "R2.9")


def test_rules_prints_a_ruling():
    assert "seat order, clockwise" in output("rules", "A5")
    assert "flag discount_check = each | first_only" in output("rules", "A9")


def test_every_id_of_the_rules_is_found():
    text = (Path(rulebook.__file__).parents[1] / "powergrid_env" / "RULES.md").read_text("utf-8")
    ids = re.findall(r"^\*\*(R[A-Z0-9]\.\d+)", text, re.MULTILINE) + re.findall(
        r"^\| (A\d+) \|", text, re.MULTILINE
    )
    assert len(ids) > 150
    assert list(rulebook.rules()) == list(dict.fromkeys(ids))
    assert all(rulebook.find(name).text for name in ids)


def test_a_rule_stops_where_the_next_begins():
    assert "R2.3" not in rulebook.find("R2.2").text
    assert rulebook.find("R2.4").text.count("\n") >= 2


def test_rules_says_which_ids_are_nearby():
    assert refusal("rules", "R2.99") == "no rule 'R2.99'; there are R2.1 to R2.33"
    assert "groups R0, R1" in refusal("rules", "R99.9")


def test_rules_lists_the_rulings_in_force():
    listed = output("rules", "--players", "2", "--edition", "2004", "--rulings", "fuel=pool")
    assert re.search(r"end_cities +21 +edition", listed)
    assert re.search(r"fuel +pool +yours", listed)
    assert re.search(r"bidding_order +seat +R2.7", listed)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--players", "7"), "players is 7; allowed: 2 to 6"),
        (("--board", "mars"), "board is 'mars'; allowed: germany, usa"),
        (("--edition", "1999"), "edition is '1999'; allowed: recharged, 2004"),
        (("--rulings", "fuel"), "rulings is 'fuel'; allowed: name=value"),
        (("--rulings", "fuel=water"), "rulings['fuel'] is 'water'"),
        (("--rulings", "luck=yes"), "rulings has no 'luck'"),
    ],
)
def test_a_wrong_game_is_refused(words, reason):
    assert refusal("rules", *words).startswith(reason)
