"""Less work for Numba: machine code of whole loops only, not of the parts that they are made of.

Numba optimises every function that it compiles and makes machine code of it, with wrappers for
calls from Python and from C; each caller then links the function in and optimises it once more.
Loops over games are made of a hundred small functions that only loops call, and are themselves the
innermost of three functions that Numba makes of a parallel loop. Here such parts are only
translated into the optimiser's language and optimised within the whole. Loops compile in half the
time.
"""

from copy import copy
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

ENVIRONMENT = "_ZN08NumbaEnv"  # the prefix of variables that hold Python's constants


class Fragment(JITCodeLibrary):
    """A translated function, to be linked into others. It is kept as bitcode, which needs a tenth
    of the memory.
    """

    def _optimize_functions(self, ll_module: llvm.ModuleRef) -> None:
        """Optimise definitions only; Numba does declarations too, and leaks 20 KB each time."""
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Do nothing: the function that this is linked into will be optimised."""

    def _finalize_final_module(self) -> None:
        """Make machine code of nothing but the variables that Numba sets after compiling."""
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
    parallel loop or of the wrappers around it.
    """

    def __init__(self, typingctx: Any, targetctx: Any, library: None, *rest: Any) -> None:
        codegen = targetctx.codegen()
        whole = codegen.create_library("whole")
        whole.enable_object_caching()
        super().__init__(typingctx, targetctx, whole, *rest)
        parts = copy(codegen)
        parts._library_class = Fragment
        self.state.targetctx._internal_codegen = parts  # this compilation has a context of its own
