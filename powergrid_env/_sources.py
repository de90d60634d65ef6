"""Which project files a module can reach by its imports, and one hash over them all (the cache key of `_jit.py`)."""

import ast
import functools
import hashlib
import importlib.util
from pathlib import Path

PROJECT = ("powergrid_env", "agents", "training")  # followed from anywhere, as is the module's own package


@functools.cache
def digest(module: str, source: Path) -> str:
    """One hash over a module and all it can reach, as they are when the module is imported."""
    return sha256(repr(sorted(reachable(module, source).items())).encode())


def reachable(module: str, source: Path) -> dict[str, str]:
    """Names of a module and of all project modules it imports, directly or over others, each with its hash."""
    packages = {*PROJECT, module.partition(".")[0]}
    hashes: dict[str, str] = {}
    todo = [(module, source)]
    while todo:
        name, path = todo.pop()
        if name not in hashes:
            hashes[name], imports = _read(name, path)
            ours = [dotted for dotted in imports if dotted.partition(".")[0] in packages]
            todo += [module_and_file for dotted in ours for module_and_file in _find(dotted)]
    return hashes


@functools.cache
def _read(module: str, source: Path) -> tuple[str, list[str]]:
    """Hash of a source file, and what it imports in full dotted names."""
    content = source.read_bytes()
    package = module if source.name == "__init__.py" else module.rpartition(".")[0]
    imports = []
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Import):
            imports += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            imports += [f"{base}.{alias.name}" for alias in node.names]
    return sha256(content), imports


@functools.cache
def _find(dotted: str) -> list[tuple[str, Path]]:
    """The module a dotted name lies in, with its file; looked up without importing anything."""
    top, *rest = dotted.split(".")
    spec = importlib.util.find_spec(top)
    for depth in range(len(rest), -1, -1):
        for folder in (spec and spec.submodule_search_locations) or ():
            place = Path(folder, *rest[:depth])
            for path in (place / "__init__.py", place.with_name(f"{place.name}.py")):
                if path.is_file():
                    return [(".".join([top, *rest[:depth]]), path)]
    return []


def sha256(content: bytes) -> str:
    """The SHA-256 of some bytes, in hex."""
    return hashlib.sha256(content).hexdigest()
