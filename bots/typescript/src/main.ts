#!/usr/bin/env node
/** A bot for the Kumite referee: reads the command line and the environment, then plays. */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { bots, makeBot } from "./bots.js";
import { play } from "./client.js";
import type { Config } from "./client.js";

/** Part of what the bot tells the referee: on a ladder a changed version is a new build, rated apart. */
const VERSION = (JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string })
  .version;
const USAGE = `usage: node dist/src/main.js [option...]

  --address WHERE  the referee: host:port or unix:/path (else KUMITE_ADDRESS, localhost:7400)
  --name NAME      name at the referee (else KUMITE_NAME, typescript-random and the like; with a token none: the token
                   is the name)
  --token TOKEN    bearer token, if the referee wants one (else KUMITE_TOKEN)
  --tls-ca FILE    use TLS and trust the certificate authority in this PEM file
  --bot NAME       who plays: ${[...bots.keys()].join(" or ")} (else random)
  --tables N       tables to play at a time (else 1)
  --seed N         number from which all luck of the bot grows (else a random one)
  --state DIR      folder for the resume token (else KUMITE_STATE, $XDG_STATE_HOME/kumite, ~/.local/state/kumite)
  --help           this text
`;

/** The command line and the environment; undefined: only help was wanted. */
function configure(): Config | undefined {
  const text = { type: "string" } as const;
  const { values: given } = parseArgs({
    options: {
      address: text,
      name: text,
      token: text,
      "tls-ca": text,
      bot: { type: "string", default: "random" },
      tables: { type: "string", default: "1" },
      seed: text,
      state: text,
      help: { type: "boolean" },
    },
  });
  if (given.help) {
    return undefined;
  }
  makeBot(given.bot);
  const tables = Number(given.tables);
  if (!Number.isInteger(tables) || tables < 1 || tables > 65_536) {
    throw new Error(`--tables must be a whole number from 1 to 65536, not ${given.tables}`);
  }
  if (given.seed !== undefined && !/^\d+$/.test(given.seed)) {
    throw new Error(`--seed must be a whole number, not ${given.seed}`);
  }
  const environment = process.env;
  const token = given.token || environment["KUMITE_TOKEN"] || "";
  // With a token the referee knows the name.
  const usual = token === "" ? environment["KUMITE_NAME"] || `typescript-${given.bot}` : "";
  return {
    address: given.address || environment["KUMITE_ADDRESS"] || "localhost:7400",
    name: given.name || usual,
    token,
    tlsCa: given["tls-ca"],
    state: given.state || stateFolder(),
    software: `kumite-typescript ${given.bot} ${VERSION.split(".", 2).join(".")}`,
    bot: given.bot,
    tables,
    seed: given.seed ?? randomBytes(8).toString("hex"),
  };
}

/** Where programs keep what they need to remember for this user. */
function stateFolder(): string {
  const { KUMITE_STATE: given, XDG_STATE_HOME: base } = process.env;
  return given || join(base || join(homedir(), ".local", "state"), "kumite");
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => stop.abort()); // a second one ends the program the hard way
}
try {
  const config = configure();
  if (config === undefined) {
    console.log(USAGE);
  } else {
    await play(config, stop.signal);
  }
} catch (error) {
  console.error(`kumite: ${(error as Error).message}`);
  process.exitCode = 2;
}
