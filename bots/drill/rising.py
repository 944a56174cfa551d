"""Attempts to rise above the rights of a bot: signals, system calls, limits, a child that stays."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

from bots.drill.trying import Denied, Target, call, each, read, tried, write

X32 = 0x40000000
"""Set in the numbers of the x32 convention."""


@tried
def signal_to_the_host(target: Target) -> object:
    os.kill(target.host, 0)
    return "it could be signalled"


@tried
def signal_to_the_first_process(target: Target) -> object:
    os.kill(1, signal.SIGKILL)
    raise Denied("it is still there" if os.path.exists("/proc/1") else "")


@tried
def ptrace_of_the_first_process(target: Target) -> object:
    return call(101, 117, 16, 1, 0, 0)


@tried
def ptrace_of_the_host(target: Target) -> object:
    return call(101, 117, 16, target.host, 0, 0)


@tried
def reading_another_process(target: Target) -> object:
    return call(310, 270, 1, 0, 0, 0, 0, 0)


@tried
def stealing_a_descriptor(target: Target) -> object:
    return call(438, 438, call(434, 434, 1, 0), 0, 0)


@tried
def io_uring(target: Target) -> object:
    return call(425, 425, 4, ctypes.create_string_buffer(256))


@tried
def keyring(target: Target) -> object:
    return call(250, 219, 0, -3, 1, 0, 0)


@tried
def adding_a_key(target: Target) -> object:
    return call(248, 217, ctypes.c_char_p(b"user"), ctypes.c_char_p(b"drill"), ctypes.c_char_p(b"x"), 1, -3)


@tried
def user_namespace(target: Target) -> object:
    return call(272, 97, 0x10000000)


@tried
def mount_namespace(target: Target) -> object:
    return call(272, 97, 0x00020000)


@tried
def time_namespace(target: Target) -> object:
    return call(272, 97, 0x80)


@tried
def cloned_namespace(target: Target) -> object:
    child = call(56, 220, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    return child


@tried
def clone3(target: Target) -> object:
    return call(435, 435, ctypes.create_string_buffer(88), 88)


@tried
def entering_a_namespace(target: Target) -> object:
    return each(("/proc/1/ns/mnt", "/proc/self/ns/net"), lambda path: call(308, 268, os.open(path, os.O_RDONLY), 0))


@tried
def mounting(target: Target) -> object:
    return call(165, 40, ctypes.c_char_p(b"none"), ctypes.c_char_p(b"/tmp"), ctypes.c_char_p(b"tmpfs"), 0, 0)


@tried
def remounting(target: Target) -> object:
    return call(165, 40, 0, ctypes.c_char_p(b"/usr"), 0, 0x20 | 0x1000, 0)


@tried
def mounting_the_new_way(target: Target) -> object:
    return call(430, 430, ctypes.c_char_p(b"tmpfs"), 0)


@tried
def open_tree(target: Target) -> object:
    return call(428, 428, -100, ctypes.c_char_p(b"/"), 1)


@tried
def unmounting(target: Target) -> object:
    return call(166, 39, ctypes.c_char_p(b"/tmp"), 2)


@tried
def changing_the_root(target: Target) -> object:
    return call(161, 51, ctypes.c_char_p(b"/tmp"))


@tried
def pivoting_the_root(target: Target) -> object:
    return call(155, 41, ctypes.c_char_p(b"/tmp"), ctypes.c_char_p(b"/tmp"))


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
    # A bot in a user namespace has an empty set but for the bound, which means nothing without the others.
    found = [line for line in found if not line.startswith("CapBnd")]
    if not found:
        raise Denied("none")
    return found


@tried
def bpf(target: Target) -> object:
    return call(321, 280, 0, ctypes.create_string_buffer(128), 128)


@tried
def performance_counters(target: Target) -> object:
    return call(298, 241, ctypes.create_string_buffer(128), 0, -1, -1, 0)


@tried
def userfaultfd(target: Target) -> object:
    return call(323, 282, 1)


@tried
def personality(target: Target) -> object:
    return call(135, 92, 0x0040000)


@tried
def file_handles(target: Target) -> object:
    handle = ctypes.create_string_buffer(b"\x08\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0", 136)
    return call(304, 265, 0, handle, 0)


@tried
def kernel_module(target: Target) -> object:
    return call(175, 105, 0, 0, ctypes.c_char_p(b""))


@tried
def kernel_log(target: Target) -> object:
    return call(103, 116, 3, ctypes.create_string_buffer(256), 256)


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
def host_name(target: Target) -> object:
    return call(170, 161, ctypes.c_char_p(b"drill"), 5)


@tried
def clock(target: Target) -> object:
    return call(227, 112, 0, ctypes.create_string_buffer(16))


@tried
def time_of_day(target: Target) -> object:
    return call(164, 170, ctypes.create_string_buffer(16), 0)


@tried
def reboot(target: Target) -> object:
    return call(169, 142, 0xFEE1DEAD, 672274793, 0, 0)


@tried
def swap(target: Target) -> object:
    return call(167, 224, ctypes.c_char_p(b"/tmp/swap"), 0)


@tried
def terminal_injection(target: Target) -> object:
    return call(16, 29, 0, 0x5412, ctypes.c_char_p(b"x"))


@tried
def calls_of_x32(target: Target) -> object:
    return call(X32 | 165, None, 0, 0, 0, 0, 0)


@tried
def unknown_calls(target: Target) -> object:
    return call(600, 600)


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
def outliving_the_host(target: Target) -> object:
    """The first process ends with the host by a signal that the kernel sends; a bot must not switch that off."""
    return call(157, 167, 1, 0, 0, 0, 0)


@tried
def child_that_stays(target: Target) -> object:
    """Leaves a process that has left its parent, its group and its session; the host has to find it at the end."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", "kumite-drill-child"])
        os._exit(0)
    raise Denied("it ends with the match")
