"""The system calls denied to sandboxed programs, as a classic BPF program for `bwrap --seccomp`.

A second barrier behind the namespaces. It denies sockets, access to other processes, new namespaces, kernel interfaces
with a history of vulnerabilities, and memory outside the address-space limit (System V segments, memfd).
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct

from games.errors import InputError

_ARCH = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""machine -> AUDIT_ARCH value (linux/audit.h), column of the tables below"""

# name: (x86_64, aarch64), from the kernel's syscall tables.
REFUSED = {
    "socket": (41, 198), "shmget": (29, 194), "shmat": (30, 196), "semget": (64, 190), "msgget": (68, 186),
    "mq_open": (240, 180), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "pidfd_getfd": (438, 438), "kcmp": (312, 272),
    "unshare": (272, 97), "setns": (308, 268), "chroot": (161, 51), "pivot_root": (155, 41),
    "mount": (165, 40), "umount2": (166, 39), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "fanotify_init": (300, 262),
    "kexec_load": (246, 104), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "syslog": (103, 116), "personality": (135, 92), "quotactl": (179, 60), "reboot": (169, 142), "acct": (163, 89),
    "swapon": (167, 224), "swapoff": (168, 225), "settimeofday": (164, 170), "clock_settime": (227, 112),
}  # fmt: skip
_CLONE, _CLONE3 = (56, 220), (435, 435)
_FORKS: tuple[tuple[int, ...], tuple[int, ...]] = ((57, 58), ())
"""fork and vfork, which aarch64 does not have"""
_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET

_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_EPERM, _ENOSYS = 0x00050000 | 1, 0x00050000 | 38
_NR, _ARCH_AT, _ARG0 = 0, 4, 16  # offsets in struct seccomp_data
_X32 = 0x40000000
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _SECCOMP_MODE_FILTER = 1, 22, 38, 2  # linux/prctl.h


def filter_program(machine: str = "", *, alone: bool = False) -> bytes:
    """Returns the filter as an array of `struct sock_filter`; `alone` also denies new processes and threads.

    Raises InputError on an unknown machine type.
    """
    machine = machine or platform.machine()
    if machine not in _ARCH:
        raise InputError(f"the sandbox knows the system calls of {' and '.join(_ARCH)}, not of {machine!r}")
    arch, column = _ARCH[machine]
    code = [
        (_LOAD, 0, 0, _ARCH_AT),
        (_EQUAL, 1, 0, arch),  # system calls of another architecture have other numbers
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NR),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _KILL),
    ]
    for numbers in REFUSED.values():
        code += [(_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _EPERM)]
    # The flags of clone3 are in memory, which a filter cannot read; libc falls back to clone.
    code += [(_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, _ENOSYS)]
    for number in (*_FORKS[column], _CLONE[column]) if alone else ():
        code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _EPERM)]
    code += [(_EQUAL, 0, 4, _CLONE[column]), (_LOAD, 0, 0, _ARG0), (_AND, 0, 0, _NAMESPACES), (_EQUAL, 1, 0, 0)]
    code += [(_RETURN, 0, 0, _EPERM), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("<HBBI", *line) for line in code)


class _FilterProgram(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def confine() -> None:
    """Apply the filter to this process and its children, for good, and end with the parent. Raises OSError."""
    code = filter_program()
    data = ctypes.create_string_buffer(code, len(code))
    program = _FilterProgram(len(code) // 8, ctypes.cast(data, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    for call in (
        (_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0),
        (_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        (_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0),
    ):
        if libc.prctl(*call) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
