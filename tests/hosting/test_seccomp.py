"""The seccomp filter, run by an interpreter of its own: what each machine's system calls come to."""

from __future__ import annotations

import errno
import json
import platform
import struct
import sys

import pytest

from referee.hosting import seccomp, walls
from referee.hosting.seccomp import ABSENT, ARCHITECTURES, REFUSED, UNCOUNTED, number, program
from referee.kernel.errors import BadSetting
from tests.hosting import walled

MACHINES = list(ARCHITECTURES)
ORDINARY = {
    "x86_64": {"read": 0, "write": 1, "mmap": 9, "mprotect": 10, "futex": 202, "execve": 59, "openat": 257, "wait4": 61,
               "epoll_wait": 232, "getrandom": 318, "statx": 332, "rseq": 334, "pidfd_open": 434, "prlimit64": 302,
               "sched_getaffinity": 204, "set_robust_list": 273, "eventfd2": 290, "memfd_create": 319, "connect": 42,
               "setresuid": 117, "setgroups": 116, "capset": 126, "prctl": 157, "madvise": 28, "membarrier": 324,
               "get_mempolicy": 239, "landlock_create_ruleset": 444, "close_range": 436, "faccessat2": 439},
    "aarch64": {"read": 63, "write": 64, "mmap": 222, "mprotect": 226, "futex": 98, "execve": 221, "openat": 56,
                "wait4": 260, "epoll_pwait": 22, "getrandom": 278, "statx": 291, "rseq": 293, "pidfd_open": 434,
                "prlimit64": 261, "sched_getaffinity": 123, "set_robust_list": 99, "eventfd2": 19, "connect": 203,
                "memfd_create": 279, "setresuid": 147, "setgroups": 159, "capset": 91, "prctl": 167, "madvise": 233,
                "membarrier": 283, "get_mempolicy": 236, "landlock_create_ruleset": 444, "close_range": 436},
}  # fmt: skip
"""Calls that programs of every language make."""


def verdict(code: bytes, call: int, *arguments: int, arch: int) -> int:
    """What the filter returns for a call: 0 if it is allowed, otherwise the error."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", call & 0xFFFFFFFF, arch, 0, *(value & (2**64 - 1) for value in padded))
    instructions = list(struct.iter_unpack("<HBBI", code))
    accumulator, place = 0, 0
    for _ in range(len(instructions)):
        operation, then, otherwise, value = instructions[place]
        place += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif operation == 0x54:
            accumulator &= value
        elif operation == 0x06:
            if value == seccomp.ALLOW:
                return 0
            assert value & 0xFFFF0000 == seccomp.ERRNO
            return int(value & 0xFFFF)
        else:
            met = {0x15: accumulator == value, 0x25: accumulator > value, 0x45: bool(accumulator & value)}[operation]
            place += then if met else otherwise
    raise AssertionError("the filter does not return")


def judged(machine: str, call: str, *arguments: int, counted: bool = True) -> int | None:
    """What becomes of a named call; None: the machine has no such call."""
    found = number(call, machine)
    if found is None:
        return None
    return verdict(program(machine, counted=counted), found, *arguments, arch=ARCHITECTURES[machine].audit)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("call", REFUSED)
def test_a_refused_call_is_not_permitted(machine: str, call: str) -> None:
    """Every call of the list fails with EPERM, whatever its arguments are."""
    assert judged(machine, call) in (errno.EPERM, None)
    assert judged(machine, call, *[2**64 - 1] * 6) in (errno.EPERM, None)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("call", ABSENT)
def test_an_absent_call_looks_like_that_of_an_old_kernel(machine: str, call: str) -> None:
    """Programs that have another way take it."""
    assert judged(machine, call) == errno.ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_ordinary_calls_pass(machine: str) -> None:
    """What runtimes of every language do is not touched."""
    code, arch = program(machine), ARCHITECTURES[machine].audit

    assert {name for name, call in ORDINARY[machine].items() if verdict(code, call, arch=arch)} == set()


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("call", UNCOUNTED)
def test_memory_outside_of_processes_is_for_bots_whose_memory_a_cgroup_counts(machine: str, call: str) -> None:
    """A watchdog that adds up the memory of processes would not see it."""
    assert judged(machine, call) == 0
    assert judged(machine, call, counted=False) == errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("call", ["socket", "socketpair"])
def test_only_unix_sockets_exist(machine: str, call: str) -> None:
    """Every other family is said not to be supported, also if the upper half of the argument is set."""
    assert judged(machine, call, 1) == 0
    assert {judged(machine, call, family) for family in range(64) if family != 1} == {errno.EAFNOSUPPORT}
    assert judged(machine, call, 2 | 1 << 32) == errno.EAFNOSUPPORT


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("flag", [1 << bit for bit in (17, 25, 26, 27, 28, 29, 30)])
def test_no_namespace_is_made(machine: str, flag: int) -> None:
    """Neither by clone nor by unshare, alone or with other flags."""
    assert judged(machine, "clone", flag) == errno.EPERM
    assert judged(machine, "clone", flag | 0x11) == errno.EPERM
    assert judged(machine, "unshare", flag) == errno.EPERM
    assert judged(machine, "unshare", flag | 0x400) == errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_threads_and_processes_are_made(machine: str) -> None:
    """The flags of fork, of a thread and of vfork pass; the time namespace's bit is a signal's only to clone."""
    for flags in (0x11, 0x3D0F00, 0x4111, 0x80):
        assert judged(machine, "clone", flags) == 0
    assert judged(machine, "unshare", 0x400) == 0
    assert judged(machine, "unshare", 0x80) == errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_is_typed_into_a_terminal(machine: str) -> None:
    """TIOCSTI, TIOCLINUX and TIOCSETD are refused; TCGETS and FIONBIO pass."""
    assert [judged(machine, "ioctl", 0, request) for request in (0x5412, 0x541C, 0x5423)] == [errno.EPERM] * 3
    assert judged(machine, "ioctl", 0, 0x5412 | 1 << 32) == errno.EPERM
    assert [judged(machine, "ioctl", 0, request) for request in (0x5401, 0x5421)] == [0, 0]


@pytest.mark.parametrize("machine", MACHINES)
def test_no_process_is_made_to_forget_its_host(machine: str) -> None:
    """The signal at a parent's death cannot be changed; other settings of a process can."""
    assert judged(machine, "prctl", 1) == errno.EPERM
    assert [judged(machine, "prctl", option) for option in (4, 15, 22, 38)] == [0] * 4


@pytest.mark.parametrize("machine", MACHINES)
def test_devices_are_not_made_and_pipes_are(machine: str) -> None:
    """By the kind in the mode."""
    for call, before in (("mknod", [0]), ("mknodat", [0, 0])):
        assert judged(machine, call, *before, 0o020666) in (errno.EPERM, None)
        assert judged(machine, call, *before, 0o060600) in (errno.EPERM, None)
        assert judged(machine, call, *before, 0o010600) in (0, None)
        assert judged(machine, call, *before, 0o100600) in (0, None)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_personality_can_be_asked_and_not_changed(machine: str) -> None:
    """ASLR stays on."""
    assert [judged(machine, "personality", value) for value in (0xFFFFFFFF, 0)] == [0, 0]
    assert judged(machine, "personality", 0x0040000) == errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_other_conventions_and_newer_calls_do_not_exist(machine: str) -> None:
    """32-bit calls, x32 and whatever a later kernel brings fail with ENOSYS, harmless numbers too."""
    code, arch = program(machine), ARCHITECTURES[machine].audit
    foreign = (0x40000003, 0x40000028, *(found.audit for found in ARCHITECTURES.values() if found.audit != arch))

    assert {verdict(code, call, arch=other) for other in foreign for call in (0, 1, 11, 165)} == {errno.ENOSYS}
    assert {verdict(code, 0x40000000 | call, arch=arch) for call in range(600)} == {errno.ENOSYS}
    assert {verdict(code, call, arch=arch) for call in (seccomp.NEWEST + 1, 600, 0xFFFFFFFF)} == {errno.ENOSYS}


def test_another_machine_is_one_clear_line() -> None:
    """No filter, no hosting."""
    with pytest.raises(BadSetting, match="no seccomp filter for riscv64"):
        program("riscv64")


CALLS = """
import ctypes, json, sys
libc = ctypes.CDLL(None, use_errno=True)
found = {}
for name, call in json.loads(sys.argv[1]).items():
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(call), *[ctypes.c_long(0)] * 6)
    found[name] = ctypes.get_errno() if result == -1 else -1
print(json.dumps(found))
"""


@pytest.mark.processes
def test_every_denied_call_is_denied_on_this_machine() -> None:
    """Each is made for real behind the walls, by a program that has nothing else to lose."""
    walled.needed()
    machine = platform.machine()
    calls = {name: number(name, machine) for table in (REFUSED, ABSENT, UNCOUNTED) for name in table}
    calls = {name: call for name, call in calls.items() if call is not None}
    done = walls.probe((sys.executable, "-c", CALLS, json.dumps(calls)))
    found = json.loads(done.stdout)

    expected = dict.fromkeys(calls, errno.EPERM) | {name: errno.ENOSYS for name in ABSENT if name in calls}
    assert found == expected
