"""What the drill tries. An attempt returns what it got; a denial is an error of the system or a `Denied`.

Only the standard library is used, and system calls by their numbers: a wall must hold against any program.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_LIBC = ctypes.CDLL(None, use_errno=True)
_COLUMN = 1 if platform.machine() == "aarch64" else 0
_X32 = 0x40000000
ALLOWED_VARIABLES = ("PATH", "HOME", "TMPDIR", "LANG", "LC_CTYPE", "PWD", "PYTHONPATH")


class Denied(Exception):
    """The attempt got nothing."""


@dataclass(frozen=True)
class Target:
    """What of the host is tried."""

    home: str = "/root"
    host: int = 2**22 - 1
    """A process of the host; by default one that there is not."""
    files: tuple[str, ...] = ()
    """Files that no bot may read: a database, another bot's program, a token."""
    folders: tuple[str, ...] = ()
    """Folders that no bot may list or write to."""
    sockets: tuple[str, ...] = ()
    """Unix sockets of the host."""
    abstract: str = "kumite-drill"
    port: int = 22
    opponent: str = ""
    inherited: tuple[int, ...] = ()
    """The descriptors that were open when the bot began."""
    variables: tuple[str, ...] = ()
    """The names of its variables when it began."""


ATTEMPTS: dict[str, Callable[[Target], object]] = {}


def _tried(function: Callable[[Target], object]) -> Callable[[Target], object]:
    ATTEMPTS[function.__name__.strip("_")] = function
    return function


def attempt(name: str, target: Target) -> str:
    """Try one thing; `denied` and why, or `GOT` and what."""
    try:
        got = ATTEMPTS[name](target)
    except Denied as error:
        return f"denied {error}"
    except OSError as error:
        return f"denied {errno.errorcode.get(error.errno or 0, error)}"
    except (ValueError, subprocess.SubprocessError) as error:
        return f"denied {error}"
    return f"GOT {got!r}"


def _call(x86: int | None, arm: int | None, *arguments: object) -> int:
    number = arm if _COLUMN else x86
    if number is None:
        raise Denied("this machine has no such call")
    found = int(_LIBC.syscall(ctypes.c_long(number), *[_word(argument) for argument in arguments]))
    if found == -1:
        raise OSError(ctypes.get_errno(), "")
    return found


def _word(argument: object) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def _each(paths: tuple[str, ...], use: Callable[[str], object]) -> object:
    """What the first path that gives something gave; raises the last denial."""
    denial: Exception = Denied("nothing to try")
    for path in paths:
        try:
            return path, use(path)
        except OSError as error:
            denial = error
    raise denial


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(64)


def _write(path: str) -> str:
    with open(path, "ab") as file:
        file.write(b"drill")
    return "written"


@_tried
def shadow_file(target: Target) -> object:
    return _each(("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssh/ssh_host_ed25519_key"), _read)


@_tried
def home_folder(target: Target) -> object:
    return _each((target.home, "/root", "/home"), os.listdir)


@_tried
def files_of_the_host(target: Target) -> object:
    return _each(target.files, _read)


@_tried
def writing_to_files_of_the_host(target: Target) -> object:
    return _each(target.files, _write)


@_tried
def folders_of_the_host(target: Target) -> object:
    return _each(target.folders, os.listdir)


@_tried
def writing_to_folders_of_the_host(target: Target) -> object:
    return _each(target.folders, lambda path: _write(f"{path}/drill"))


@_tried
def writing_to_its_own_folder(target: Target) -> object:
    return _write("written")


@_tried
def writing_to_its_own_program(target: Target) -> object:
    return _each(("bot.py", "bot.toml", __file__), _write)


@_tried
def writing_to_the_runtime(target: Target) -> object:
    places = (sys.prefix, sys.base_prefix, "/usr", "/usr/lib", "/etc", "/", "/dev", "/run", "/var", "/proc/sys/kernel")
    return _each(places, lambda path: _write(f"{path}/drill"))


@_tried
def symlink_out_of_its_folder(target: Target) -> object:
    link = "/tmp/out"
    for path in ("/etc/shadow", *target.files):
        if not os.path.lexists(link):
            os.symlink(path, link)
        try:
            return _read(link)
        except OSError:
            os.unlink(link)
    return _read("out")


@_tried
def other_processes(target: Target) -> object:
    family = {os.getpid(), os.getppid(), 1}
    found = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in family]
    strangers = [pid for pid in found if not _descends(pid)]
    if not strangers:
        raise Denied("no other process is seen")
    return strangers


def _descends(pid: int) -> bool:
    try:
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return True
    return parent == os.getpid() or (parent > 1 and _descends(parent))


@_tried
def environment_of_others(target: Target) -> object:
    def use(path: str) -> bytes:
        found = Path(path).read_bytes()
        if not [part for part in found.split(b"\0") if part and not part.startswith(_ours())]:
            raise Denied("it holds nothing but this bot's own environment")
        return found

    return _each((f"/proc/{target.host}/environ", "/proc/1/environ", f"/proc/{os.getppid()}/environ"), use)


def _ours() -> tuple[bytes, ...]:
    return (b"KUMITE_", b"OLDPWD=", b"SHLVL=", b"_=", *(f"{key}=".encode() for key in ALLOWED_VARIABLES))


@_tried
def memory_of_the_host(target: Target) -> object:
    return _each((f"/proc/{target.host}/mem", f"/proc/{target.host}/maps", "/proc/kcore", "/dev/mem"), _read)


@_tried
def root_of_others(target: Target) -> object:
    return _each((f"/proc/{target.host}/root/etc/shadow", f"/proc/{target.host}/cwd", "/proc/1/root/etc/shadow"), _read)


@_tried
def foreign_variables(target: Target) -> object:
    found = [key for key in target.variables if not key.startswith("KUMITE_") and key not in ALLOWED_VARIABLES]
    if not found:
        raise Denied("none")
    return found


@_tried
def inherited_descriptors(target: Target) -> object:
    # The listing itself was a descriptor, the lowest that was free.
    if set(target.inherited) <= {0, 1, 2, 3}:
        raise Denied("none")
    return target.inherited


def _socket(family: int, kind: int, use: Callable[[socket.socket], object] = lambda opened: "a socket") -> object:
    with socket.socket(family, kind) as opened:
        opened.settimeout(2)
        return use(opened)


@_tried
def tcp(target: Target) -> object:
    return _socket(socket.AF_INET, socket.SOCK_STREAM, lambda opened: opened.connect(("127.0.0.1", target.port)))


@_tried
def tcp6(target: Target) -> object:
    return _socket(socket.AF_INET6, socket.SOCK_STREAM, lambda opened: opened.connect(("::1", target.port)))


@_tried
def udp(target: Target) -> object:
    return _socket(socket.AF_INET, socket.SOCK_DGRAM, lambda opened: opened.sendto(b"x", ("127.0.0.1", target.port)))


@_tried
def listening(target: Target) -> object:
    return _socket(socket.AF_INET, socket.SOCK_STREAM, lambda opened: opened.bind(("0.0.0.0", 0)))


@_tried
def raw_socket(target: Target) -> object:
    return _socket(socket.AF_INET, socket.SOCK_RAW)


@_tried
def packet_socket(target: Target) -> object:
    return _socket(17, socket.SOCK_RAW)


@_tried
def netlink_socket(target: Target) -> object:
    return _socket(16, socket.SOCK_RAW)


@_tried
def vsock(target: Target) -> object:
    return _socket(40, socket.SOCK_STREAM)


@_tried
def kernel_crypto_socket(target: Target) -> object:
    return _socket(38, 5)


@_tried
def abstract_socket(target: Target) -> object:
    return _socket(socket.AF_UNIX, socket.SOCK_STREAM, lambda opened: opened.connect("\0" + target.abstract))


@_tried
def path_socket(target: Target) -> object:
    places = (*target.sockets, "/run/dbus/system_bus_socket", "/run/systemd/private", "/var/run/docker.sock")
    return _each(places, lambda path: _socket(socket.AF_UNIX, socket.SOCK_STREAM, lambda opened: opened.connect(path)))


@_tried
def datagram_socket(target: Target) -> object:
    places = (*target.sockets, "/dev/log", "/run/systemd/notify")
    return _each(places, lambda path: _socket(socket.AF_UNIX, socket.SOCK_DGRAM, lambda opened: opened.connect(path)))


@_tried
def signal_to_the_host(target: Target) -> object:
    os.kill(target.host, 0)
    return "it could be signalled"


@_tried
def signal_to_the_first_process(target: Target) -> object:
    os.kill(1, signal.SIGKILL)
    raise Denied("it is still there" if os.path.exists("/proc/1") else "")


@_tried
def ptrace_of_the_first_process(target: Target) -> object:
    return _call(101, 117, 16, 1, 0, 0)


@_tried
def ptrace_of_the_host(target: Target) -> object:
    return _call(101, 117, 16, target.host, 0, 0)


@_tried
def reading_another_process(target: Target) -> object:
    return _call(310, 270, 1, 0, 0, 0, 0, 0)


@_tried
def stealing_a_descriptor(target: Target) -> object:
    return _call(438, 438, _call(434, 434, 1, 0), 0, 0)


@_tried
def io_uring(target: Target) -> object:
    return _call(425, 425, 4, ctypes.create_string_buffer(256))


@_tried
def keyring(target: Target) -> object:
    return _call(250, 219, 0, -3, 1, 0, 0)


@_tried
def adding_a_key(target: Target) -> object:
    return _call(248, 217, ctypes.c_char_p(b"user"), ctypes.c_char_p(b"drill"), ctypes.c_char_p(b"x"), 1, -3)


@_tried
def user_namespace(target: Target) -> object:
    return _call(272, 97, 0x10000000)


@_tried
def mount_namespace(target: Target) -> object:
    return _call(272, 97, 0x00020000)


@_tried
def time_namespace(target: Target) -> object:
    return _call(272, 97, 0x80)


@_tried
def cloned_namespace(target: Target) -> object:
    child = _call(56, 220, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    return child


@_tried
def clone3(target: Target) -> object:
    return _call(435, 435, ctypes.create_string_buffer(88), 88)


@_tried
def entering_a_namespace(target: Target) -> object:
    return _each(("/proc/1/ns/mnt", "/proc/self/ns/net"), lambda path: _call(308, 268, os.open(path, os.O_RDONLY), 0))


@_tried
def mounting(target: Target) -> object:
    return _call(165, 40, ctypes.c_char_p(b"none"), ctypes.c_char_p(b"/tmp"), ctypes.c_char_p(b"tmpfs"), 0, 0)


@_tried
def remounting(target: Target) -> object:
    return _call(165, 40, 0, ctypes.c_char_p(b"/usr"), 0, 0x20 | 0x1000, 0)


@_tried
def mounting_the_new_way(target: Target) -> object:
    return _call(430, 430, ctypes.c_char_p(b"tmpfs"), 0)


@_tried
def open_tree(target: Target) -> object:
    return _call(428, 428, -100, ctypes.c_char_p(b"/"), 1)


@_tried
def unmounting(target: Target) -> object:
    return _call(166, 39, ctypes.c_char_p(b"/tmp"), 2)


@_tried
def changing_the_root(target: Target) -> object:
    return _call(161, 51, ctypes.c_char_p(b"/tmp"))


@_tried
def pivoting_the_root(target: Target) -> object:
    return _call(155, 41, ctypes.c_char_p(b"/tmp"), ctypes.c_char_p(b"/tmp"))


@_tried
def device_node(target: Target) -> object:
    os.mknod("/tmp/null", 0o020666, os.makedev(1, 3))
    return "a device"


@_tried
def devices(target: Target) -> object:
    places = ("/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/tty", "/dev/ptmx", "/dev/fuse", "/dev/kvm")
    return _each(places, _read)


@_tried
def becoming_root(target: Target) -> object:
    os.setuid(0)
    return os.getuid()


@_tried
def another_group(target: Target) -> object:
    os.setgroups([0])
    return os.getgroups()


@_tried
def setuid_programs(target: Target) -> object:
    for program in ("/usr/bin/su", "/usr/bin/sudo", "/usr/bin/newgrp", "/usr/bin/pkexec"):
        if os.path.exists(program):
            done = subprocess.run([program, "-c", "id -u"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
            if done.returncode == 0:
                return program, done.stdout
    raise Denied("none of them helps")


@_tried
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


@_tried
def bpf(target: Target) -> object:
    return _call(321, 280, 0, ctypes.create_string_buffer(128), 128)


@_tried
def performance_counters(target: Target) -> object:
    return _call(298, 241, ctypes.create_string_buffer(128), 0, -1, -1, 0)


@_tried
def userfaultfd(target: Target) -> object:
    return _call(323, 282, 1)


@_tried
def personality(target: Target) -> object:
    return _call(135, 92, 0x0040000)


@_tried
def file_handles(target: Target) -> object:
    handle = ctypes.create_string_buffer(b"\x08\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0", 136)
    return _call(304, 265, 0, handle, 0)


@_tried
def kernel_module(target: Target) -> object:
    return _call(175, 105, 0, 0, ctypes.c_char_p(b""))


@_tried
def kernel_log(target: Target) -> object:
    return _call(103, 116, 3, ctypes.create_string_buffer(256), 256)


@_tried
def kernel_settings(target: Target) -> object:
    places = (
        "/proc/sys/kernel/core_pattern",
        "/proc/sysrq-trigger",
        "/proc/sys/kernel/hostname",
        "/proc/1/oom_score_adj",
    )
    return _each((*places, "/sys/fs/cgroup/cgroup.procs", "/sys/kernel/mm/transparent_hugepage/enabled"), _write)


@_tried
def cgroup_tree(target: Target) -> object:
    return _each(("/sys/fs/cgroup", "/sys"), os.listdir)


@_tried
def host_name(target: Target) -> object:
    return _call(170, 161, ctypes.c_char_p(b"drill"), 5)


@_tried
def clock(target: Target) -> object:
    return _call(227, 112, 0, ctypes.create_string_buffer(16))


@_tried
def time_of_day(target: Target) -> object:
    return _call(164, 170, ctypes.create_string_buffer(16), 0)


@_tried
def reboot(target: Target) -> object:
    return _call(169, 142, 0xFEE1DEAD, 672274793, 0, 0)


@_tried
def swap(target: Target) -> object:
    return _call(167, 224, ctypes.c_char_p(b"/tmp/swap"), 0)


@_tried
def terminal_injection(target: Target) -> object:
    return _call(16, 29, 0, 0x5412, ctypes.c_char_p(b"x"))


@_tried
def calls_of_x32(target: Target) -> object:
    return _call(_X32 | 165, None, 0, 0, 0, 0, 0)


@_tried
def unknown_calls(target: Target) -> object:
    return _call(600, 600)


@_tried
def core_files(target: Target) -> object:
    resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))
    return resource.getrlimit(resource.RLIMIT_CORE)


@_tried
def higher_limits(target: Target) -> object:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard + 1, hard + 1))
    return resource.getrlimit(resource.RLIMIT_NOFILE)


@_tried
def descriptor_flood(target: Target) -> object:
    opened: list[int] = []
    try:
        while len(opened) < 100_000:
            opened.append(os.open("/dev/null", os.O_RDONLY))
        return len(opened)
    finally:
        for descriptor in opened:
            os.close(descriptor)


@_tried
def priority(target: Target) -> object:
    return os.nice(-5)


@_tried
def real_time(target: Target) -> object:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return os.sched_getscheduler(0)


@_tried
def child_that_stays(target: Target) -> object:
    """Leaves a process that has left its parent, its group and its session; the host has to find it at the end."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", "kumite-drill-child"])
        os._exit(0)
    raise Denied("it ends with the match")
