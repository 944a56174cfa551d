"""Attempts to reach files, other processes and sockets of the host."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from bots.drill.trying import ATTEMPTS, Denied, Target, each, read, tried, write

ALLOWED_VARIABLES = ("PATH", "HOME", "TMPDIR", "LANG", "LC_CTYPE", "PWD", "PYTHONPATH", "PYTHONUNBUFFERED")


@tried
def shadow_file(target: Target) -> object:
    return each(("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssh/ssh_host_ed25519_key"), read)


@tried
def home_folder(target: Target) -> object:
    return each((target.home, "/root", "/home"), os.listdir)


@tried
def files_of_the_host(target: Target) -> object:
    return each(target.files, read)


@tried
def writing_to_files_of_the_host(target: Target) -> object:
    return each(target.files, write)


@tried
def folders_of_the_host(target: Target) -> object:
    return each(target.folders, os.listdir)


@tried
def writing_to_folders_of_the_host(target: Target) -> object:
    return each(target.folders, lambda path: write(f"{path}/drill"))


@tried
def writing_to_its_own_folder(target: Target) -> object:
    return write("written")


@tried
def writing_to_its_own_program(target: Target) -> object:
    return each(("bot.py", "bot.toml", __file__), write)


@tried
def writing_to_the_runtime(target: Target) -> object:
    places = (sys.prefix, sys.base_prefix, "/usr", "/usr/lib", "/etc", "/", "/dev", "/run", "/var", "/proc/sys/kernel")
    return each(places, lambda path: write(f"{path}/drill"))


@tried
def symlink_out_of_its_folder(target: Target) -> object:
    link = "/tmp/out"
    for path in ("/etc/shadow", *target.files):
        if not os.path.lexists(link):
            os.symlink(path, link)
        try:
            return read(link)
        except OSError:
            os.unlink(link)
    return read("out")


@tried
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


@tried
def environment_of_others(target: Target) -> object:
    def use(path: str) -> bytes:
        found = Path(path).read_bytes()
        if not [part for part in found.split(b"\0") if part and not part.startswith(_ours())]:
            raise Denied("it holds nothing but this bot's own environment")
        return found

    return each((f"/proc/{target.host}/environ", "/proc/1/environ", f"/proc/{os.getppid()}/environ"), use)


def _ours() -> tuple[bytes, ...]:
    return (b"KUMITE_", b"OLDPWD=", b"SHLVL=", b"_=", *(f"{key}=".encode() for key in ALLOWED_VARIABLES))


@tried
def memory_of_the_host(target: Target) -> object:
    return each((f"/proc/{target.host}/mem", f"/proc/{target.host}/maps", "/proc/kcore", "/dev/mem"), read)


@tried
def root_of_others(target: Target) -> object:
    return each((f"/proc/{target.host}/root/etc/shadow", f"/proc/{target.host}/cwd", "/proc/1/root/etc/shadow"), read)


@tried
def foreign_variables(target: Target) -> object:
    found = [key for key in target.variables if not key.startswith("KUMITE_") and key not in ALLOWED_VARIABLES]
    if not found:
        raise Denied("none")
    return found


@tried
def inherited_descriptors(target: Target) -> object:
    # Listing the descriptors opened one itself, with the lowest free number.
    if set(target.inherited) <= {0, 1, 2, 3}:
        raise Denied("none")
    return target.inherited


def _socket(family: int, kind: int, use: Callable[[socket.socket], object] = lambda opened: "a socket") -> object:
    with socket.socket(family, kind) as opened:
        opened.settimeout(2)
        return use(opened)


@tried
def tcp(target: Target) -> object:
    return _socket(socket.AF_INET, socket.SOCK_STREAM, lambda opened: opened.connect(("127.0.0.1", target.port)))


@tried
def tcp6(target: Target) -> object:
    return _socket(socket.AF_INET6, socket.SOCK_STREAM, lambda opened: opened.connect(("::1", target.port)))


@tried
def udp(target: Target) -> object:
    return _socket(socket.AF_INET, socket.SOCK_DGRAM, lambda opened: opened.sendto(b"x", ("127.0.0.1", target.port)))


@tried
def listening(target: Target) -> object:
    return _socket(socket.AF_INET, socket.SOCK_STREAM, lambda opened: opened.bind(("0.0.0.0", 0)))


ATTEMPTS.update(
    {
        "raw_socket": lambda target: _socket(socket.AF_INET, socket.SOCK_RAW),
        "packet_socket": lambda target: _socket(17, socket.SOCK_RAW),
        "netlink_socket": lambda target: _socket(16, socket.SOCK_RAW),
        "vsock": lambda target: _socket(40, socket.SOCK_STREAM),
        "kernel_crypto_socket": lambda target: _socket(38, 5),
    }
)


@tried
def abstract_socket(target: Target) -> object:
    return _socket(socket.AF_UNIX, socket.SOCK_STREAM, lambda opened: opened.connect("\0" + target.abstract))


@tried
def path_socket(target: Target) -> object:
    places = (*target.sockets, "/run/dbus/system_bus_socket", "/run/systemd/private", "/var/run/docker.sock")
    return each(places, lambda path: _socket(socket.AF_UNIX, socket.SOCK_STREAM, lambda opened: opened.connect(path)))


@tried
def datagram_socket(target: Target) -> object:
    places = (*target.sockets, "/dev/log", "/run/systemd/notify")
    return each(places, lambda path: _socket(socket.AF_UNIX, socket.SOCK_DGRAM, lambda opened: opened.connect(path)))
