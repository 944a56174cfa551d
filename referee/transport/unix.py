"""Unix sockets as addresses."""

UNIX = "unix:"
"""What the address of a unix socket begins with."""
LONGEST_PATH = 100
"""Bytes that the path of a unix socket may have; systems allow 104 or more."""
