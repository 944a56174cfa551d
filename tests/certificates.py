"""Certificates for the tests of TLS."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import trustme


class Certificate(NamedTuple):
    """The files of a server at localhost and of those who trust it."""

    roots: Path
    """What a client is to trust."""
    chain: Path
    key: Path


def certificate(folder: Path) -> Certificate:
    """A certificate for localhost by an authority that exists for this test alone."""
    files = Certificate(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    authority = trustme.CA()
    issued = authority.issue_cert("localhost")
    authority.cert_pem.write_to_path(files.roots)
    for part in issued.cert_chain_pems:
        part.write_to_path(files.chain, append=True)
    issued.private_key_pem.write_to_path(files.key)
    return files
