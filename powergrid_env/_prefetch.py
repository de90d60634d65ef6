"""`prefetch`: asks the processor for memory that is needed soon, so that it comes while other work is done.

Thousands of games do not fit into its caches, and which parts of a state are read depends on its phase, which the
processor cannot foresee. It changes no result; uncompiled it does nothing.
"""

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

READ, KEEP, DATA = 0, 3, 1  # arguments of LLVM's intrinsic: for reading, into all caches, no code


def _prefetch(context: Any, records: Any, index: Any, offset: Any) -> Any:
    """Ask for the cache line that holds byte `offset` of `records[index]`, a structured array `(N,)`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        (stride,) = cgutils.unpack_tuple(builder, array.strides, 1)
        start = builder.bitcast(array.data, ir.IntType(8).as_pointer())
        line = builder.gep(start, [builder.add(builder.mul(arguments[1], stride), arguments[2])])
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [line.type, number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [line.type], kind)
        builder.call(ask, [line, number(READ), number(KEEP), number(DATA)])
        return context.get_dummy_value()

    return types.void(records, index, offset), generate


def _nothing(records: Any, index: int, offset: int) -> None:
    """Uncompiled."""


prefetch = _nothing if numba.config.DISABLE_JIT else intrinsic(_prefetch)
