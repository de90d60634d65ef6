"""The picture of CONTRIBUTING.md holds: each floor imports only from floors below it, and nothing goes round."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("powergrid_env", "agents", "training")

FLOORS: tuple[tuple[str, ...], ...] = (
    (
        "_jit",
        "_sources",
        "_prefetch",
        "_files",
        "arguments",
        "constants",
        "reasons",
        "rulings",
        "rng",
        "seeds",
        "maps",
        "config",
    ),
    ("state", "board", "plain"),
    ("actions",),
    ("rules",),
    ("engine",),
    (
        "batch game hidden invariants kernels layout notation observation pictures position record render rewards tables"
    ).split(),
    ("envs",),
)
"""Modules and packages of powergrid_env, by floor; above them stand agents, then training."""

RULES_BELOW_PHASES = {"facts", "plant_market", "steps", "order", "trust", "plant_limit", "setup"}
PHASES = {"auction", "resources", "building", "bureaucracy", "trust_setup", "start_cities"}


def modules():
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path):
    """Project modules a file imports at its top; what stands inside functions or TYPE_CHECKING is left out."""
    names = {name_of(module) for module in modules()}
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                f"{node.module}.{alias.name}" if f"{node.module}.{alias.name}" in names else node.module
                for alias in node.names
            }
    return {name for name in found if name.split(".")[0] in PACKAGES}


def floor_of(name):
    package, *rest = name.split(".")
    if package != "powergrid_env":
        return len(FLOORS) + 1 + PACKAGES.index(package)
    if not rest:
        return len(FLOORS)  # powergrid_env itself offers all of its floors
    for floor, names in enumerate(FLOORS):
        if (
            rest[0] in names or rest[0].split("_")[0] in names
        ):  # invariants_turn.py is a part of invariants.py
            return floor
    raise AssertionError(f"{name} stands on no floor: give it one here and in CONTRIBUTING.md")


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_go_down(path):
    name = name_of(path)
    for other in imports(path):
        if other == "powergrid_env" and name.startswith("powergrid_env"):
            raise AssertionError(f"{name} imports the package itself, which imports all of it")
        if other != name:
            assert floor_of(other) <= floor_of(name), f"{name} imports {other}, which stands above it"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "powergrid_env/rules").glob("*.py")), ids=lambda path: path.stem
)
def test_a_phase_imports_no_phase(path):
    if path.stem == "__init__":
        return
    assert path.stem in PHASES | RULES_BELOW_PHASES
    for other in imports(path):
        if other.startswith("powergrid_env.rules."):
            assert other.split(".")[2] not in PHASES, f"{path.stem} imports the phase {other}"


def test_nothing_goes_round():
    below = {name_of(path): imports(path) for path in modules()}
    done: set[str] = set()

    def visit(name, on_the_way):
        assert name not in on_the_way, " -> ".join([*on_the_way, name])
        if name not in done:
            for other in below.get(name, ()):
                visit(other, [*on_the_way, name])
            done.add(name)

    for name in below:
        visit(name, [])


def test_the_core_imports_no_agent_and_no_extra():
    core = {
        "numpy",
        "numba",
        "llvmlite",
        "gymnasium",
        "pettingzoo",
        "powergrid_env",
    }  # llvmlite is a part of numba
    optional = ("powergrid_env.tables", "powergrid_env.pictures")
    for path in modules():
        name = name_of(path)
        if not name.startswith("powergrid_env") or name.startswith(optional):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        tops = {
            alias.name.split(".")[0]
            for node in tree.body
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        tops |= {
            node.module.split(".")[0]
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module
        }
        foreign = {top for top in tops if top not in core and not _is_standard(top)}
        assert not foreign, f"{name} imports {foreign}"


def _is_standard(name):
    import sys

    return name in sys.stdlib_module_names
