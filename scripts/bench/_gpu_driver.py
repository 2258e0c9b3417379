"""Runs one kernel with a known answer through the driver alone, where a machine has a GPU and no torch.

The kernel is PTX, which the driver compiles for its GPU. ptxas accepts it; it was never run: no GPU was at hand.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

N, THREADS = 1 << 20, 256
PTX = b"""
.version 7.0
.target sm_80
.address_size 64
.visible .entry axpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
    .reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<6>; .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.f32 %f1, [a]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra DONE;
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r5, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
    ld.global.f32 %f2, [%rd1]; ld.global.f32 %f3, [%rd2];
    fma.rn.f32 %f3, %f1, %f2, %f3;
    st.global.f32 [%rd2], %f3;
DONE:
    ret;
}
"""


def driver(size: str) -> Iterator[dict[str, Any]]:
    """y + 2 x of a million numbers on the GPU, against the answer."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        yield {"what": "driver", "error": "libcuda.so.1 is absent: no NVIDIA driver is installed"}
        return

    def call(name: str, *arguments: Any) -> None:
        if code := getattr(cuda, name)(*arguments):
            raise RuntimeError(f"{name} returned {code}")

    device, context, module, kernel = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    x, y, name = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.create_string_buffer(100)
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDeviceGetName", name, 100, device)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(PTX))
    call("cuModuleGetFunction", ctypes.byref(kernel), module, b"axpy")
    numbers = (ctypes.c_float * N)(*range(N))
    size_of = ctypes.c_size_t(4 * N)
    for pointer in (x, y):
        call("cuMemAlloc_v2", ctypes.byref(pointer), size_of)
        call("cuMemcpyHtoD_v2", pointer, numbers, size_of)
    given = (x, y, ctypes.c_float(2.0), ctypes.c_uint(N))
    pointers = (ctypes.c_void_p * len(given))(*(ctypes.addressof(each) for each in given))
    call("cuLaunchKernel", kernel, -(-N // THREADS), 1, 1, THREADS, 1, 1, 0, None, pointers, None)
    call("cuCtxSynchronize")
    call("cuMemcpyDtoH_v2", numbers, y, size_of)
    wrong = sum(value != 3.0 * i for i, value in enumerate(numbers))  # exact: 3 N is below 2**24
    yield {"what": f"{name.value.decode()}: y + 2 x of {N:,} numbers by libcuda", "wrong": wrong}
