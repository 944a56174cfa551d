"""The form of a unix socket's address."""

UNIX = "unix:"
"""The beginning of a unix socket's address."""
LONGEST_PATH = 100
"""Most bytes of a unix socket's path; systems allow 104 or more."""
