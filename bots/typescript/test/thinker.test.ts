import assert from "node:assert/strict";
import { test } from "node:test";

import { Ask } from "../generated/referee/v1/play.js";
import { oneLine, Thinker } from "../src/thinker.js";
import type { Decision, Failed } from "../src/thinker.js";

test("a failure is one line of at most 500 whole letters", () => {
  assert.equal(oneLine(new RangeError("no such\n  card")), "RangeError: no such card");
  assert.equal(oneLine("no such card"), "no such card");
  assert.equal(oneLine({ card: 5 }), "{ card: 5 }");
  assert.equal(oneLine("🀄".repeat(501)), "🀄".repeat(500));
});

test("each failure is told before the next thought, and the ask after it is answered", async () => {
  const told: [Decision[], Failed[]][] = [];
  const asks = [0, 0, 1].map((optionCount, index) => Ask.create({ matchId: "a", ask: index + 1, seat: 2, optionCount }));
  let thinker: Thinker | undefined;
  await new Promise<void>((resolve) => {
    thinker = new Thinker({ bot: "random", seed: "7" }, (decisions, failures) => {
      told.push([decisions, failures]);
      if (decisions.length > 0) {
        resolve();
      }
    });
    thinker.ask(asks, 1);
  });
  await thinker?.end();

  const message = "RangeError: the bot chose 0, and there are the options 0 to -1";
  assert.deepEqual(told, [
    [[], [{ matchId: "a", ask: 1, seat: 2, message }]],
    [[], [{ matchId: "a", ask: 2, seat: 2, message }]],
    [[{ matchId: "a", ask: 3, seat: 2, option: 0 }], []],
  ]);
});
