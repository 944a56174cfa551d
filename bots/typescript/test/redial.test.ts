import assert from "node:assert/strict";
import { test } from "node:test";

import { Fault, FaultCode } from "../generated/referee/v1/play.js";
import { FIRST_PAUSE, GUEST_PATIENCE, LONGEST_PAUSE, LONGEST_WAIT, Redial, STRANGER_PATIENCE } from "../src/redial.js";
import { closingOf } from "../src/session.js";
import type { Closing } from "../src/session.js";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const UNKNOWN_CODE = 4711 as FaultCode;

function closed(code: FaultCode, more: Partial<Fault> = {}): Closing {
  return closingOf(Fault.create({ code, closesStream: true, ...more }));
}

/** Lets every attempt fail from `start` on; returns after how long the bot gave up. */
function outage(redial: Redial, start: number): number {
  for (let now = start; ; ) {
    const wait = redial.next(now, now, false, undefined);
    if (wait === undefined) {
      return now - start;
    }
    assert.ok(wait >= FIRST_PAUSE / 2 && wait <= LONGEST_PAUSE);
    now += wait;
  }
}

test("a bot that was never welcomed gives up after half a minute", () => {
  const lasted = outage(new Redial("first:1", 0), 0);

  assert.ok(lasted >= STRANGER_PATIENCE && lasted <= STRANGER_PATIENCE + LONGEST_PAUSE, `${lasted}`);
});

test("a bot that was welcomed dials for ten minutes", () => {
  for (const closing of [closed(FaultCode.RESTARTING), closed(UNKNOWN_CODE), undefined]) {
    const redial = new Redial("first:1", 0);
    assert.notEqual(redial.next(0, HOUR, true, closing), undefined);
    const lasted = outage(redial, HOUR);
    assert.ok(lasted >= GUEST_PATIENCE && lasted <= GUEST_PATIENCE + LONGEST_PAUSE, `${lasted}`);
  }
});

test("a redirection leads to the other address, and a failure there back", () => {
  const redial = new Redial("first:1", 0);
  redial.next(0, 0, true, closed(FaultCode.REDIRECTED, { address: "second:2" }));
  assert.equal(redial.address, "second:2");
  redial.next(0, 0, true, undefined);
  assert.equal(redial.address, "second:2");
  redial.next(0, 0, false, undefined);
  assert.equal(redial.address, "first:1");
});

test("the referee's own pause is kept and not held against it", () => {
  const redial = new Redial("first:1", 0);
  const wait = redial.next(0, 0, false, closed(FaultCode.FULL, { retryAfterUs: 60_000_000n }));
  assert.ok(wait !== undefined && wait >= MINUTE);
  assert.notEqual(redial.next(MINUTE + 1000, MINUTE + 1000, false, undefined), undefined);
  const endless = closed(FaultCode.FULL, { retryAfterUs: 2n ** 62n });
  assert.equal(redial.next(MINUTE + 1000, MINUTE + 1000, false, endless), LONGEST_WAIT);
});

test("streams that are closed at once are opened less and less often", () => {
  const redial = new Redial("first:1", 0);
  for (let i = 0; i < 10; i++) {
    redial.next(0, 0, true, undefined);
  }
  assert.ok(redial.next(0, 0, true, undefined)! >= LONGEST_PAUSE / 2);
  assert.ok(redial.next(0, MINUTE, true, undefined)! <= FIRST_PAUSE);
});

test("every closing code says what to do", () => {
  const after: [FaultCode, Closing["then"]][] = [
    [FaultCode.SHUTDOWN, "leave"],
    [FaultCode.TAKEN_OVER, "leave"],
    [FaultCode.REVOKED, "give up"],
    [FaultCode.KICKED, "give up"],
    [FaultCode.NO_GAME, "give up"],
    [FaultCode.BAD_HELLO, "give up"],
    [FaultCode.RESTARTING, "await restart"],
    [FaultCode.REDIRECTED, "resume"],
    [FaultCode.RATE, "resume"],
    [UNKNOWN_CODE, "resume"],
  ];
  for (const [code, then] of after) {
    assert.equal(closed(code).then, then, FaultCode[code]);
  }
});
