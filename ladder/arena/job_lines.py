"""Jobs and records as bytes of JSON lines: what travels to the workers of a cluster and back.

The first line of a job says what is played; each further line is a bundle. What comes back is the record of the match,
and if bots were processes of the worker's host a line with what they printed; or one line with the reason why the match
could not be played. The receiving side reads plain data and checks it; no object is
rebuilt from what a worker sent.

Where the environment has KUMITE_CLUSTER_SECRET, on both sides the same, the lines begin with their HMAC under it. A
worker then plays no job without it, and no record without it is taken.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os

from ladder.arena.bundles import Bundle
from ladder.arena.jobs import Job
from ladder.store.records import BotLog, Played
from referee.kernel.errors import BadSetting, KumiteError
from referee.match.clock import TimeControl
from referee.match.plan import MatchPlan
from referee.match.policy import Policy
from referee.match.record import check_chain, from_lines
from referee.match.supervision import DECISION_SECONDS

FORMAT = 1
"""Version of the lines."""
SECRET = "KUMITE_CLUSTER_SECRET"
"""Variable with the secret that driver and workers share."""
_PROBLEM = "problem"
_LOGS = "logs"
_SIGNED = b"hmac-sha256 "
JOB, RECORD = b"job", b"record"
"""What a signature is for: a job cannot be sent back as a record."""


def signed(lines: bytes, purpose: bytes) -> bytes:
    """The lines, headed by their signature if this process has a secret for it."""
    secret = os.environ.get(SECRET, "")
    return b"%s%s\n%s" % (_SIGNED, _signature(secret, purpose, lines), lines) if secret else lines


def opened(payload: bytes, purpose: bytes) -> bytes:
    """The lines of a payload; raises BadSetting unless they are signed exactly where this process has a secret."""
    secret = os.environ.get(SECRET, "")
    head, _, lines = payload.partition(b"\n")
    if payload.startswith(_SIGNED):
        if not secret:
            raise BadSetting(f"the {purpose.decode()} is signed, and this side has no {SECRET}")
        if hmac.compare_digest(head.removeprefix(_SIGNED), _signature(secret, purpose, lines)):
            return lines
        raise BadSetting(f"the {purpose.decode()} is signed with another {SECRET}")
    if secret:
        raise BadSetting(f"the {purpose.decode()} is not signed: set {SECRET} on every worker and where jobs come from")
    return payload


def _signature(secret: str, purpose: bytes, lines: bytes) -> bytes:
    return hmac.new(secret.encode(), purpose + b"\n" + lines, hashlib.sha256).hexdigest().encode()


def job_to_lines(job: Job) -> bytes:
    """A job as lines."""
    plan = job.plan
    head = {
        "format": FORMAT,
        "match": plan.match,
        "game": plan.game,
        "variant": dict(plan.variant),
        "names": plan.players,
        "specs": job.specs,
        "secret": plan.secret.hex(),
        "clock": str(plan.clock),
        "policy": plan.policy.to_plain(),
        "dice": job.dice,
        "limit": job.limit,
    }
    bundles = [
        {"module": bundle.module, "digest": bundle.digest, "data": base64.b64encode(bundle.data).decode()}
        for bundle in job.bundles
    ]
    return b"".join(json.dumps(part).encode() + b"\n" for part in (head, *bundles))


def job_from_lines(lines: bytes) -> Job:
    """What `job_to_lines` wrote; raises BadSetting for anything else."""
    try:
        head, *bundles = [json.loads(line) for line in lines.splitlines()]
        if head["format"] != FORMAT:
            raise BadSetting(
                f"the job is of format {head['format']}, and this worker reads {FORMAT}: "
                f"run the same version of Kumite on the workers as where the jobs come from"
            )
        plan = MatchPlan(
            game=head["game"],
            players=tuple(head["names"]),
            match=head["match"],
            secret=bytes.fromhex(head["secret"]),
            variant=head["variant"],
            clock=TimeControl.parse(head["clock"]),
            policy=Policy(**head["policy"]),
        )
        return Job(
            plan,
            specs=tuple(head["specs"]),
            bundles=tuple(
                Bundle(each["module"], each["digest"], base64.b64decode(each["data"], validate=True))
                for each in bundles
            ),
            dice=head["dice"],
            limit=head.get("limit", DECISION_SECONDS),
        )
    except (ValueError, KeyError, TypeError, binascii.Error) as error:
        raise BadSetting(f"that is no job: {error}") from None


def played_to_lines(played: Played) -> bytes:
    """The record of a match as it is stored, and what bots printed."""
    logs = [None if log is None else base64.b64encode(log.pack()).decode() for log in played.logs]
    line = json.dumps({_LOGS: logs}) + "\n" if logs else ""
    return f"{played.first}{played.steps}{played.last}{line}".encode()


def problem_to_line(problem: KumiteError) -> bytes:
    """Why a job cannot be played."""
    return json.dumps({_PROBLEM: str(problem)}).encode() + b"\n"


def played_from_lines(job: Job, lines: bytes) -> Played:
    """The record that a worker sent for a job; raises BadSetting with the worker's reason, or if it does not fit."""
    if lines.startswith(b'{"' + _PROBLEM.encode()):
        raise BadSetting(str(json.loads(lines)[_PROBLEM]))
    try:
        *first, last = lines.splitlines(keepends=True)
        logs = _logs(job, last)
        record = from_lines(first if logs else [*first, last])
        check_chain(record)
        header, plan = record.header, job.plan
        found = (header.match, header.game, header.players, record.final and record.final.secret)
        if found != (plan.match, plan.game, plan.players, plan.secret.hex()):
            raise BadSetting("it is not the whole record of that match")
        return Played.of(record, logs=logs)
    except (KumiteError, ValueError) as error:
        raise BadSetting(f"the worker's record of match {job.plan.match} cannot be used: {error}") from None


def _logs(job: Job, line: bytes) -> list[BotLog | None]:
    """What the bots of a job printed; empty: the line belongs to the record. Raises BadSetting or ValueError."""
    if not line.startswith(b'{"' + _LOGS.encode()):
        return []
    found = json.loads(line)[_LOGS]
    if not isinstance(found, list) or len(found) != len(job.plan.players):
        raise BadSetting("it has not one log for each seat")
    return [None if log is None else BotLog.unpack(base64.b64decode(str(log), validate=True)) for log in found]
