"""Marks for tests that need policies of the kernel's scheduler."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest


def _may_batch() -> bool:
    """Whether a thread of this process has the usual policy and may change it."""
    try:
        if os.sched_getscheduler(0) != os.SCHED_OTHER:
            return False
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    except (AttributeError, OSError):
        return False
    return True


def _in_a_thread() -> bool:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_may_batch).result(60)


linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these policies")
batch = pytest.mark.skipif(not _in_a_thread(), reason="batch scheduling cannot be had here")
