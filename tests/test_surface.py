"""The public surface: what `__all__` names and nothing more, with docstrings that fit the code."""

import ast
import importlib
import inspect
import re
import textwrap
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = [
    ".".join(path.parent.relative_to(ROOT).parts)
    for top in ("powergrid_env", "agents", "training")
    for path in sorted((ROOT / top).rglob("__init__.py"))
]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for top in ("powergrid_env", "agents", "training")
    for path in sorted((ROOT / top).rglob("[!_]*.py"))
    if "\n__all__ = " in path.read_text(encoding="utf-8")
]
"""Modules that offer something themselves, such as `powergrid_env.layout`."""
NEEDS = {"powergrid_env.tables": "pyarrow", "agents.arena": "pandas", "agents.study": "pandas"}
SECTION = re.compile(r"^(Args|Returns|Raises|Attributes|Yields):$", re.MULTILINE)
ENTRY = re.compile(r"^    (\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: \([^)]*\))?: \S", re.MULTILINE)


def load(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    return importlib.import_module(name)


def offered(module):
    """Names a package lets one see, but for its modules."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_offers_what_all_names_and_nothing_more(name):
    module = load(name)
    assert module.__doc__
    assert offered(module) == set(getattr(module, "__all__", ()))


def test_the_names_of_the_core_are_those_of_the_contract():
    import powergrid_env

    assert set(powergrid_env.__all__) == {
        "Game", "GameBatch", "GameConfig", "IllegalAction", "env", "parallel_env", "raw_env",
    }  # fmt: skip


def surface():
    """Functions, classes and public methods of what needs no extra, and of that whose extra is here."""
    found = {}
    for package in (*PACKAGES, *MODULES):
        try:
            module = importlib.import_module(package)
        except ModuleNotFoundError:
            continue
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if inspect.isroutine(value) or inspect.isclass(value):
                found[f"{package}.{name}"] = value
            if inspect.isclass(value):
                for own, member in vars(value).items():
                    member = member.fget if isinstance(member, property) else member
                    member = getattr(member, "__func__", member)
                    if not own.startswith("_") and inspect.isfunction(member):
                        found[f"{package}.{name}.{own}"] = member
    return found


SURFACE = surface()


def sections(text):
    """Sections of a Google docstring by name."""
    parts = SECTION.split(text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", SURFACE)
def test_a_public_name_has_a_docstring_that_fits_it(name):
    value = SURFACE[name]
    text = inspect.getdoc(value) or ""
    assert value.__doc__, "no docstring of its own"
    assert re.search(r"[.?:;`]$", text.split("\n\n")[0]), "the first paragraph is no sentence"
    told = sections(text)
    parameters = [] if isinstance(value, type) and issubclass(value, Exception) else parameters_of(value)
    named = [word.lstrip("*") for entry in ENTRY.findall(told.get("Args", "")) for word in entry.split(", ")]
    assert not named or set(named) <= set(parameters_of(value, all_kinds=True)), (
        "Args names what is no parameter"
    )
    if "Args" in told or len(parameters) >= 3:
        untold = [word for word in parameters if not re.search(rf"\b{word}\b", text)]
        assert not untold, f"says nothing about {untold}"
    if raises_itself(value):
        assert "Raises" in told, "it raises, and does not say so"


def parameters_of(value, all_kinds=False):
    """Names of the parameters; `**fields` are told of in words, if at all."""
    found = inspect.signature(value).parameters.values()
    return [
        item.name
        for item in found
        if item.name not in ("self", "cls") and (all_kinds or item.kind is not item.VAR_KEYWORD)
    ]


def raises_itself(value):
    """Does its own body raise an error of ours (not only what it calls)?"""
    if isinstance(value, type):
        value = vars(value).get("__post_init__", vars(value).get("__init__"))
        if value is None or value.__module__ == "builtins" or "<string>" in value.__code__.co_filename:
            return False
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(value))).body
    raised = [
        node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    ]
    return any(
        getattr(error.func, "id", "") in ("ValueError", "IllegalAction", "RecordError") for error in raised
    )
