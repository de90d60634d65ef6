"""`rule`, the one decorator that compiles: numba's `njit` with an on-disk cache that follows the sources.

Numba's own `cache=True` looks at the file of the decorated function only, and so runs stale code after an edit of a file
that the function *calls*. `rule` keys the cache by the defining file and by every project file which that imports,
directly or over others: an edit recompiles what can reach it, and nothing else. (`from package import module` counts as
the module alone, not as the package's `__init__.py`. What a module reads from a data file is not seen: hand it over as
an argument.)

The cache lies in `NUMBA_CACHE_DIR` if that is set, else in `__pycache__` beside the source, else in the user's cache
folder. `NUMBA_DISABLE_JIT=1` leaves plain Python.
"""

import contextlib
import functools
import os
import pickle
import sys
import tempfile
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
from numba.core import types
from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.core.types.misc import unliteral
from numba.misc.appdirs import AppDirs

from powergrid_env._sources import digest, sha256

F = TypeVar("F", bound=Callable[..., Any])

_said = False  # that a compilation takes its time


@overload
def rule(function: F) -> F: ...
@overload
def rule(*, inline: bool = False, parallel: bool = False, seconds: int = 0) -> Callable[[F], F]: ...
def rule(
    function: F | None = None, *, inline: bool = False, parallel: bool = False, seconds: int = 0
) -> F | Callable[[F], F]:
    """Compiles a function at its first call, or loads what an earlier process compiled.

    Args:
        function: The function; left out when options are given.
        inline: Makes it a part of what calls it, for what is asked row by row in a loop: a call would cost as much.
        parallel: Lets `numba.prange` use all threads.
        seconds: For an entry point: about how long a first compilation takes. When one really begins, stderr says so,
            once per process; `POWERGRID_QUIET=1` hides it.

    >>> @rule
    ... def income(cities):
    ...     return 10 + 10 * cities
    >>> int(income(2))
    30
    """
    if function is None:
        return functools.partial(rule, inline=inline, parallel=parallel, seconds=seconds)
    if numba.config.DISABLE_JIT:
        return function
    compiled = numba.njit(nogil=True, error_model="numpy", parallel=parallel, forceinline=inline)(function)
    compiled._cache = _RuleCache(function, parallel, seconds)
    compile_exactly = compiled.compile
    compiled.compile = lambda sig: compile_exactly(tuple(map(_widened, normalize_signature(sig)[0])))
    return compiled  # type: ignore[no-any-return]


def _widened(kind: Any) -> Any:
    """The type an argument is compiled for: one for small integers, enums and constants, not a program for each."""
    kind = unliteral(kind)
    is_small = isinstance(kind, types.Integer) and getattr(kind, "bitwidth", 0) < 64
    return types.int64 if is_small or isinstance(kind, types.IntEnumMember) else kind


class _RuleCache(FunctionCache):  # type: ignore[misc]  # numba has no types
    """One file per function, sources and signature: no index, so processes at once cannot mix up their files."""

    def __init__(self, function: Callable[..., Any], parallel: bool, seconds: int) -> None:
        self._py_func = function
        self._parallel = parallel
        self._seconds = seconds
        source = Path(function.__code__.co_filename).absolute()
        known = source.is_file()  # not when typed at a prompt
        self._cache_path = _cache_folder(source.parent) if known else None
        self._stem = f"{source.stem}.{function.__qualname__.replace('<', '').replace('>', '')}-"
        self._digest = digest(function.__module__, source)[:16] if self._cache_path else ""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled before for these argument types, or None."""
        target_context.refresh()  # as numba's own cache does
        key = self._key(sig, target_context.codegen())
        if self._cache_path:
            # Whatever is wrong with a file (torn, of another release, not ours): compile, and write it anew.
            with contextlib.suppress(Exception):
                found, payload = pickle.loads(self._path(key).read_bytes())
                if found == key:
                    return CompileResult._rebuild(target_context, *payload)
        if self._seconds:
            _say_compiling(self._seconds)
        return None

    def save_overload(self, sig: Any, result: Any) -> None:
        """Writes a file in one move, then removes what older sources and killed processes left of this function."""
        if not self._cache_path or result.library.has_dynamic_globals:
            return
        key = self._key(sig, result.codegen)
        path, content = self._path(key), dumps((key, result._reduce()))
        draft = path.with_suffix(f".{uuid.uuid4().hex[:12]}")
        with contextlib.suppress(OSError):  # disk full, folder gone: the next process compiles again
            try:
                draft.write_bytes(content)
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)
            for other in self._cache_path.glob(f"{self._stem}*"):
                is_old = not other.name.startswith(self._stem + self._digest)
                # A draft of the file just written: of a killed process, or of one that no longer need write.
                is_draft = other.stem == path.stem and other != path
                if is_old or is_draft:
                    other.unlink(missing_ok=True)

    def flush(self) -> None:
        """Forgets the function on disk."""
        for old in self._cache_path.glob(f"{self._stem}*") if self._cache_path else ():
            old.unlink(missing_ok=True)

    def _key(self, sig: Any, codegen: Any) -> Any:
        flags = (numba.config.OPT, numba.config.BOUNDSCHECK, numba.config.DEBUGINFO_DEFAULT, self._parallel)
        return numba.__version__, sys.implementation.cache_tag, flags, self._index_key(sig, codegen)

    def _path(self, key: Any) -> Path:
        assert self._cache_path
        return self._cache_path / f"{self._stem}{self._digest}-{sha256(repr(key).encode())[:16]}.nbc"


@functools.cache
def _cache_folder(sources: Path) -> Path | None:
    """The first folder of those in the module docstring that can be written."""
    name = f"{sources.name}_{sha256(str(sources).encode())[:16]}"
    places = [sources / "__pycache__", Path(AppDirs("powergrid_env", appauthor=False).user_cache_dir) / name]
    if numba.config.CACHE_DIR:
        places.insert(0, Path(numba.config.CACHE_DIR) / name)
    for place in places:
        with contextlib.suppress(OSError):
            place.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=place).close()
            return place
    _warn_no_cache()
    return None


@functools.cache
def _warn_no_cache() -> None:
    text = "no folder for compiled rules can be written, so every process compiles them; set NUMBA_CACHE_DIR"
    warnings.warn(f"powergrid_env: {text}", RuntimeWarning, stacklevel=5)


def _say_compiling(seconds: int) -> None:
    global _said
    if not _said and os.environ.get("POWERGRID_QUIET", "0") in ("", "0"):
        text = f"powergrid_env: compiling the rules, about {seconds} s, once per version ..."
        print(text, file=sys.stderr, flush=True)  # noqa: T201
    _said = True
