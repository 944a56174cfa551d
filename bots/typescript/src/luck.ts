import { createHash } from "node:crypto";

/** Random numbers that follow from a text, by the generator sfc32. */
export class Luck {
  private readonly state: Uint32Array;

  constructor(source: string) {
    const digest = createHash("sha256").update(source).digest();
    this.state = Uint32Array.from([0, 4, 8, 12], (at) => digest.readUInt32LE(at));
  }

  /** A whole number from 0 to count - 1. */
  below(count: number): number {
    return Math.floor((this.next() / 2 ** 32) * count);
  }

  private next(): number {
    const [a, b, c, counter] = this.state as unknown as [number, number, number, number];
    const sum = (a + b + counter) >>> 0;
    this.state.set([b ^ (b >>> 9), c + (c << 3), ((c << 21) | (c >>> 11)) + sum, counter + 1]);
    return sum;
  }
}
