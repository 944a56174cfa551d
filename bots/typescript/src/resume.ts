/**
 * Keeps the resume token in a file, so that a program that was killed and is started again gets its tables back. While a
 * bot plays, the file is its own: a second bot under the same name does not steal the tables of the first.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

export class Memory {
  private constructor(
    private readonly file: string | undefined,
    /** What is remembered; empty: nothing. */
    public token: string,
  ) {}

  /** What an earlier run remembered for this referee and player; `folder` undefined: remember for this run only. */
  static async open(folder: string | undefined, address: string, player: string): Promise<Memory> {
    if (folder === undefined) {
      return new Memory(undefined, "");
    }
    const digest = createHash("sha256").update(`${address}\0${player}`).digest("hex").slice(0, 32);
    const file = join(folder, `resume-${digest}`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await lock(file);
      return new Memory(file, read(file));
    } catch (error) {
      console.error(`kumite: the resume token is not remembered: ${(error as Error).message}`);
      return new Memory(undefined, "");
    }
  }

  /** Remembers a token; an empty one: nothing. */
  keep(token: string): void {
    if (token === this.token) {
      return;
    }
    this.token = token;
    if (this.file === undefined) {
      return;
    }
    try {
      writeFileSync(`${this.file}.new`, token, { mode: 0o600 });
      renameSync(`${this.file}.new`, this.file); // whoever kills us finds the old token or the new one
    } catch (error) {
      console.error(`kumite: the resume token is not remembered: ${(error as Error).message}`);
    }
  }

  /** Nothing is left to resume. */
  forget(): void {
    if (this.file !== undefined) {
      rmSync(this.file, { force: true });
    }
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "ascii");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return "";
    }
    throw error;
  }
}

/**
 * Takes a file for this process alone, until it ends however it may. Node cannot lock files; on Linux a socket without
 * a place in the file system does the same. Elsewhere nothing is locked.
 */
async function lock(file: string): Promise<void> {
  if (process.platform !== "linux") {
    return;
  }
  const name = createHash("sha256").update(file).digest("hex");
  await new Promise<void>((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.on("error", () => reject(new Error(`another process uses ${file}`)));
    server.listen(`\0kumite-${name}`, resolve);
    server.unref();
  });
}
