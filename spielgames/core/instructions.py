"""The processor's bit instructions for compiled code, written against Numba's intrinsic API."""

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

HAS_PDEP = bool(llvm.get_host_cpu_features().get("bmi2", False))
_I64 = ir.IntType(64)
_FLAG = ir.Constant(ir.IntType(1), 0)


@intrinsic
def ctpop(context, cards):
    return types.int64(types.uint64), lambda c, b, sig, args: b.ctpop(args[0])


@intrinsic
def cttz(context, cards):
    return types.int64(types.uint64), lambda c, b, sig, args: b.cttz(args[0], _FLAG)


@intrinsic
def ctlz(context, cards):
    return types.int64(types.uint64), lambda c, b, sig, args: b.ctlz(args[0], _FLAG)


@intrinsic
def pdep(context, source, mask):
    def codegen(c, b, sig, args):
        kind = ir.FunctionType(_I64, [_I64, _I64])
        return b.call(b.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind), args)

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def pext(context, source, mask):
    def codegen(c, b, sig, args):
        kind = ir.FunctionType(_I64, [_I64, _I64])
        return b.call(b.module.declare_intrinsic("llvm.x86.bmi.pext.64", (), kind), args)

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def mulhi(context, left, right):
    def codegen(c, b, sig, args):
        wide = ir.IntType(128)
        product = b.mul(b.zext(args[0], wide), b.zext(args[1], wide))
        return b.trunc(b.lshr(product, ir.Constant(wide, 64)), _I64)

    return types.int64(types.uint64, types.uint64), codegen
