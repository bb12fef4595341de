"""Less work for Numba: machine code of whole loops only, not of the parts that they are made of.

Whatever Numba compiles it optimises and turns into machine code, with wrappers for calls from
Python and from C; then each caller takes it in and optimises it once more. Loops over games are
made of a hundred small functions, called by loops alone, and are themselves the innermost of three
functions that Numba makes of a parallel loop. Here such parts are only translated into what the
optimiser reads, and left to it as a part of the whole. Loops so compile in half the time.
"""

from copy import copy
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of variables begin that stand for Python's constants


class Fragment(JITCodeLibrary):
    """A translated function, for others to take in. In between it is kept as bitcode, which needs
    a tenth of the memory.
    """

    def _optimize_functions(self, ll_module: llvm.ModuleRef) -> None:
        """Those that it has; Numba does this to declarations, too, and loses 20 KB each time."""
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """What takes it in will be optimised."""

    def _finalize_final_module(self) -> None:
        """Machine code holds nothing but the variables that Numba sets after compiling."""
        self._finalize_dynamic_globals()
        self._finalized = True
        module = super()._get_module_for_linking()
        self._bitcode = module.as_bitcode()
        self._shared_module = None
        names = (variable.name for variable in module.global_variables)
        declared = (f'@"{n}" = common global ptr null' for n in names if n.startswith(ENVIRONMENT))
        self._final_module = llvm.parse_assembly("\n".join(declared))
        super()._finalize_final_module()

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        return llvm.parse_bitcode(self._bitcode)

    def get_function(self, name: str) -> llvm.ValueRef:
        return self._get_module_for_linking().get_function(name)


class PartCompiler(Compiler):
    """Numba's compiler, stopping before machine code."""

    def __init__(self, typingctx: Any, targetctx: Any, library: None, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, Fragment(targetctx.codegen(), "part"), *rest)
        self.state.flags.no_cpython_wrapper = True
        self.state.flags.no_cfunc_wrapper = True


class WholeCompiler(Compiler):
    """Numba's compiler, making machine code of the whole function alone, not of the body of a
    parallel loop, nor of the wrappers around that.
    """

    def __init__(self, typingctx: Any, targetctx: Any, library: None, *rest: Any) -> None:
        codegen = targetctx.codegen()
        whole = codegen.create_library("whole")
        whole.enable_object_caching()
        super().__init__(typingctx, targetctx, whole, *rest)
        parts = copy(codegen)
        parts._library_class = Fragment
        self.state.targetctx._internal_codegen = parts  # this compilation has a context of its own
