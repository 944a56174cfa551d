"""The system calls that a hosted bot may not make: a seccomp filter, which is a classic BPF program that the kernel
runs at every system call of the bot and of everything that the bot starts.

The filter is a deny list, so that programs of any language run unchanged, with two catch-alls: calls by another
convention than the machine's own (32-bit, x32) and calls newer than this list fail with ENOSYS. A filter cannot read
memory behind a pointer. The calls that matter here pass their flags in registers, except clone3, which fails with
ENOSYS too, whereupon every C library uses clone.

    program("x86_64")      # bytes, an array of the kernel's struct sock_filter, as bubblewrap's --seccomp wants it
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Mapping
from typing import NamedTuple

from referee.kernel.errors import BadSetting

NEWEST = 469
"""The newest call that this list was checked against (file_setattr, Linux 6.17), on every architecture."""
UNIX = 1
"""AF_UNIX."""

CLONE_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, as clone reads its flags."""
UNSHARE_NAMESPACES = CLONE_NAMESPACES | 0x80
"""The same with CLONE_NEWTIME, whose bit is part of the exit signal in the flags of clone."""
TERMINAL_INJECTIONS = (0x5412, 0x541C, 0x5423)
"""TIOCSTI, TIOCLINUX, TIOCSETD."""
SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG, by which the first process behind the walls ends with its host; a bot of the same user could switch
that signal off."""
QUERY_PERSONALITY = 0xFFFFFFFF

REFUSED = {
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "userfaultfd": (323, 282),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "mount_setattr": (442, 442),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "setns": (308, 268),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "create_module": (174, None),
    "get_kernel_syms": (177, None),
    "query_module": (178, None),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "settimeofday": (164, 170),
    "adjtimex": (159, 171),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "acct": (163, 89),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "uselib": (134, None),
    "ustat": (136, None),
    "sysfs": (139, None),
    "_sysctl": (156, None),
    "vserver": (236, None),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "io_setup": (206, 0),
    "lsm_set_self_attr": (460, 460),
}
"""Calls that fail with EPERM: their numbers on x86-64 and arm64, None: the machine has no such call."""

ABSENT = {
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "memfd_secret": (447, 447),
}
"""Calls that fail with ENOSYS, as on an older kernel, for which programs have another way."""

UNCOUNTED = {
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
}
"""Calls that hold memory outside of any process: refused if no cgroup counts that memory."""

_JUDGED = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "unshare": (272, 97),
    "ioctl": (16, 29),
    "personality": (135, 92),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "prctl": (157, 167),
}
"""Calls that the filter judges by one of their arguments."""


class Architecture(NamedTuple):
    """A machine for which the filter has system call numbers."""

    audit: int
    """The kernel's number of the architecture: AUDIT_ARCH_*."""
    column: int
    """The machine's column in the tables above."""


ARCHITECTURES = {"x86_64": Architecture(0xC000003E, 0), "aarch64": Architecture(0xC00000B7, 1)}

# Classic BPF: load a 32-bit word, bitwise and, jump if equal / greater / any bit set, return.
_LOAD, _AND, _EQUAL, _GREATER, _BITS, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x45, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
ALLOW = 0x7FFF0000
ERRNO = 0x00050000


def number(call: str, machine: str) -> int | None:
    """The number of a call that the filter knows; None: the machine has no such call."""
    for table in (REFUSED, ABSENT, UNCOUNTED, _JUDGED):
        if call in table:
            return table[call][ARCHITECTURES[machine].column]
    raise KeyError(call)


def program(machine: str | None = None, *, counted: bool = True) -> bytes:
    """The filter for a machine, by default this one; raises BadSetting for another architecture than those above.

    `counted`: whether a cgroup counts the bot's memory; otherwise calls that hold memory outside of processes are
    refused.
    """
    name = machine or platform.machine()
    found = ARCHITECTURES.get(name)
    if found is None:
        raise BadSetting(f"there is no seccomp filter for {name}; hosted bots need {' or '.join(ARCHITECTURES)}")
    code: list[bytes] = [
        _load(_ARCH),
        *_unless_equal(found.audit, errno.ENOSYS),
        _load(_NUMBER),
        *_when(_GREATER, NEWEST, errno.ENOSYS),
    ]
    tables: list[tuple[Mapping[str, tuple[int, int | None]], int]] = [(REFUSED, errno.EPERM), (ABSENT, errno.ENOSYS)]
    if not counted:
        tables.append((UNCOUNTED, errno.EPERM))
    for table, error in tables:
        for numbers in table.values():
            call = numbers[found.column]
            if call is not None:
                code += _when(_EQUAL, call, error)
    for call_name, body in _judgements().items():
        call = _JUDGED[call_name][found.column]
        if call is not None:
            code += [_instruction(_EQUAL, call, 0, len(body)), *body]
    code.append(_instruction(_RETURN, ALLOW))
    return b"".join(code)


def _judgements() -> dict[str, list[bytes]]:
    """The instructions for each judged call; each list ends with a return."""
    allow = _instruction(_RETURN, ALLOW)
    local = [_argument(0), *_unless_equal(UNIX, errno.EAFNOSUPPORT), allow]
    personality = [
        _argument(0),
        _instruction(_EQUAL, 0, 2, 0),
        _instruction(_EQUAL, QUERY_PERSONALITY, 1, 0),
        _refuse(errno.EPERM),
        allow,
    ]
    ioctl = [_argument(1)]
    for request in TERMINAL_INJECTIONS:
        ioctl += _when(_EQUAL, request, errno.EPERM)
    return {
        "socket": local,
        "socketpair": local,
        "clone": [_argument(0), *_when(_BITS, CLONE_NAMESPACES, errno.EPERM), allow],
        "unshare": [_argument(0), *_when(_BITS, UNSHARE_NAMESPACES, errno.EPERM), allow],
        "ioctl": [*ioctl, allow],
        "personality": personality,
        "mknod": [_argument(1), *_devices(), allow],
        "mknodat": [_argument(2), *_devices(), allow],
        "prctl": [_argument(0), *_when(_EQUAL, SET_PARENT_DEATH_SIGNAL, errno.EPERM), allow],
    }


def _devices() -> list[bytes]:
    """Refuse a mode of a character or block device; allow pipes, sockets and files."""
    return [
        _instruction(_AND, 0o170000),
        *_when(_EQUAL, 0o020000, errno.EPERM),
        *_when(_EQUAL, 0o060000, errno.EPERM),
    ]


def _instruction(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("<HBBI", code, then, otherwise, value)


def _load(offset: int) -> bytes:
    return _instruction(_LOAD, offset)


def _argument(index: int) -> bytes:
    """Load the lower half of an argument, which is all that the kernel reads of the judged arguments."""
    return _load(_ARGUMENTS + 8 * index)


def _refuse(error: int) -> bytes:
    return _instruction(_RETURN, ERRNO | error)


def _when(test: int, value: int, error: int) -> list[bytes]:
    return [_instruction(test, value, 0, 1), _refuse(error)]


def _unless_equal(value: int, error: int) -> list[bytes]:
    return [_instruction(_EQUAL, value, 1, 0), _refuse(error)]
