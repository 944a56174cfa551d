"""Attempts to get more rights than a bot has: signals, system calls, limits, a child process that stays."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bots.drill.trying import ATTEMPTS, Denied, Target, call, each, read, tried, write

X32 = 0x40000000
"""The bit that marks system call numbers of the x32 convention."""
_text, _space = ctypes.c_char_p, ctypes.create_string_buffer


def _calls(x86: int | None, arm: int | None, *arguments: object) -> Callable[[Target], object]:
    """An attempt that is one system call, by its numbers on x86-64 and arm64."""
    return lambda target: call(x86, arm, *arguments)


ATTEMPTS.update(
    {
        "ptrace_of_the_first_process": _calls(101, 117, 16, 1, 0, 0),
        "reading_another_process": _calls(310, 270, 1, 0, 0, 0, 0, 0),
        "io_uring": _calls(425, 425, 4, _space(256)),
        "keyring": _calls(250, 219, 0, -3, 1, 0, 0),
        "adding_a_key": _calls(248, 217, _text(b"user"), _text(b"drill"), _text(b"x"), 1, -3),
        "user_namespace": _calls(272, 97, 0x10000000),
        "mount_namespace": _calls(272, 97, 0x00020000),
        "time_namespace": _calls(272, 97, 0x80),
        "clone3": _calls(435, 435, _space(88), 88),
        "mounting": _calls(165, 40, _text(b"none"), _text(b"/tmp"), _text(b"tmpfs"), 0, 0),
        "remounting": _calls(165, 40, 0, _text(b"/usr"), 0, 0x20 | 0x1000, 0),
        "mounting_the_new_way": _calls(430, 430, _text(b"tmpfs"), 0),
        "open_tree": _calls(428, 428, -100, _text(b"/"), 1),
        "unmounting": _calls(166, 39, _text(b"/tmp"), 2),
        "changing_the_root": _calls(161, 51, _text(b"/tmp")),
        "pivoting_the_root": _calls(155, 41, _text(b"/tmp"), _text(b"/tmp")),
        "bpf": _calls(321, 280, 0, _space(128), 128),
        "performance_counters": _calls(298, 241, _space(128), 0, -1, -1, 0),
        "userfaultfd": _calls(323, 282, 1),
        "personality": _calls(135, 92, 0x0040000),
        "kernel_module": _calls(175, 105, 0, 0, _text(b"")),
        "kernel_log": _calls(103, 116, 3, _space(256), 256),
        "host_name": _calls(170, 161, _text(b"drill"), 5),
        "clock": _calls(227, 112, 0, _space(16)),
        "time_of_day": _calls(164, 170, _space(16), 0),
        "reboot": _calls(169, 142, 0xFEE1DEAD, 672274793, 0, 0),
        "swap": _calls(167, 224, _text(b"/tmp/swap"), 0),
        "terminal_injection": _calls(16, 29, 0, 0x5412, _text(b"x")),
        "calls_of_x32": _calls(X32 | 165, None, 0, 0, 0, 0, 0),
        "unknown_calls": _calls(600, 600),
        "file_handles": _calls(304, 265, 0, _space(b"\x08\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0", 136), 0),
        # This call switches off the signal by which the kernel ends the bot's first process together with the host.
        "outliving_the_host": _calls(157, 167, 1, 0, 0, 0, 0),
    }
)


@tried
def signal_to_the_host(target: Target) -> object:
    os.kill(target.host, 0)
    return "it could be signalled"


@tried
def signal_to_the_first_process(target: Target) -> object:
    os.kill(1, signal.SIGKILL)
    raise Denied("it is still there" if os.path.exists("/proc/1") else "")


@tried
def ptrace_of_the_host(target: Target) -> object:
    return call(101, 117, 16, target.host, 0, 0)


@tried
def stealing_a_descriptor(target: Target) -> object:
    return call(438, 438, call(434, 434, 1, 0), 0, 0)


@tried
def cloned_namespace(target: Target) -> object:
    child = call(56, 220, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    return child


@tried
def entering_a_namespace(target: Target) -> object:
    return each(("/proc/1/ns/mnt", "/proc/self/ns/net"), lambda path: call(308, 268, os.open(path, os.O_RDONLY), 0))


@tried
def device_node(target: Target) -> object:
    os.mknod("/tmp/null", 0o020666, os.makedev(1, 3))
    return "a device"


@tried
def devices(target: Target) -> object:
    places = ("/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/tty", "/dev/ptmx", "/dev/fuse", "/dev/kvm")
    return each(places, read)


@tried
def becoming_root(target: Target) -> object:
    os.setuid(0)
    return os.getuid()


@tried
def another_group(target: Target) -> object:
    os.setgroups([0])
    return os.getgroups()


@tried
def setuid_programs(target: Target) -> object:
    for program in ("/usr/bin/su", "/usr/bin/sudo", "/usr/bin/newgrp", "/usr/bin/pkexec"):
        if os.path.exists(program):
            done = subprocess.run([program, "-c", "id -u"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
            if done.returncode == 0:
                return program, done.stdout
    raise Denied("none of them helps")


@tried
def capabilities(target: Target) -> object:
    lines = Path("/proc/self/status").read_text().splitlines()
    found = [line for line in lines if line.startswith("Cap") and int(line.split()[1], 16)]
    if "NoNewPrivs:\t1" not in lines:
        found.append("new privileges may be gained")
    # In a user namespace a bot has no capability but in the bounding set, which grants nothing by itself.
    found = [line for line in found if not line.startswith("CapBnd")]
    if not found:
        raise Denied("none")
    return found


@tried
def kernel_settings(target: Target) -> object:
    places = (
        "/proc/sys/kernel/core_pattern",
        "/proc/sysrq-trigger",
        "/proc/sys/kernel/hostname",
        "/proc/1/oom_score_adj",
    )
    return each((*places, "/sys/fs/cgroup/cgroup.procs", "/sys/kernel/mm/transparent_hugepage/enabled"), write)


@tried
def cgroup_tree(target: Target) -> object:
    return each(("/sys/fs/cgroup", "/sys"), os.listdir)


@tried
def core_files(target: Target) -> object:
    resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))
    return resource.getrlimit(resource.RLIMIT_CORE)


@tried
def higher_limits(target: Target) -> object:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard + 1, hard + 1))
    return resource.getrlimit(resource.RLIMIT_NOFILE)


@tried
def descriptor_flood(target: Target) -> object:
    opened: list[int] = []
    try:
        while len(opened) < 100_000:
            opened.append(os.open("/dev/null", os.O_RDONLY))
        return len(opened)
    finally:
        for descriptor in opened:
            os.close(descriptor)


@tried
def priority(target: Target) -> object:
    return os.nice(-5)


@tried
def real_time(target: Target) -> object:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return os.sched_getscheduler(0)


@tried
def child_that_stays(target: Target) -> object:
    """Starts a process outside the bot's parent, group and session, which the host has to end with the bot."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", "kumite-drill-child"])
        os._exit(0)
    raise Denied("it ends with the match")
