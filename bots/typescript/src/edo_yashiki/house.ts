/** A house of Edo Yashiki: where a card may lie, which lines it makes there, and which hopes it leaves. */

import type { EdoYashikiKind, EdoYashikiView } from "../../generated/referee/v1/edo_yashiki.js";

/** The cells of a card: top left, top right, middle left, middle right, bottom left, bottom right. */
export type Face = readonly EdoYashikiKind[];

/** A straight line of at least LINE equal cells. */
export interface Line {
  kind: EdoYashikiKind;
  length: number;
}

/** A way to lay a card, with x and y of its top left cell. */
export interface Placement {
  x: number;
  y: number;
  turned: boolean;
}

export const CARD_WIDTH = 2;
export const CARD_HEIGHT = 3;
const LINE = 3;
/** Points for a line, by its length. */
export const LINE_POINTS: readonly number[] = [0, 0, 0, 1, 2, 4];
const EMPTY = 0;
/** Empty cells round the house, enough for a card beside it and the ends of its lines. */
const MARGIN = CARD_HEIGHT + 1;

/** The cells of a card as it lies. */
export function lying(face: Face, turned: boolean): Face {
  return turned ? face.toReversed() : face;
}

export class House {
  private readonly cells: Uint8Array;
  private readonly width: number;
  private readonly left: number;
  private readonly top: number;
  private readonly anchors = new Set<number>();

  constructor(cards: readonly (Placement & { face: Face })[]) {
    const xs = cards.map((card) => card.x);
    const ys = cards.map((card) => card.y);
    this.left = Math.min(...xs) - MARGIN;
    this.top = Math.min(...ys) - MARGIN;
    this.width = Math.max(...xs) + CARD_WIDTH + MARGIN - this.left;
    const height = Math.max(...ys) + CARD_HEIGHT + MARGIN - this.top;
    this.cells = new Uint8Array(this.width * height);
    for (const { face, x, y, turned } of cards) {
      this.anchors.add(this.at(x, y));
      footprint(this.at(x, y), this.width).forEach((cell, i) => (this.cells[cell] = lying(face, turned)[i]!));
    }
  }

  /** The house of a seat, as a view shows it. */
  static of(view: EdoYashikiView, seat: number, faces: readonly Face[]): House {
    const first = view.houseSizes.slice(0, seat).reduce((sum, size) => sum + size, 0);
    const cards = Array.from({ length: view.houseSizes[seat]! }, (_, i) => ({
      face: faces[view.houseCards[first + i]!]!,
      x: view.houseX[first + i]!,
      y: view.houseY[first + i]!,
      turned: view.houseTurned[first + i]!,
    }));
    return new House(cards);
  }

  /** Every way to lay a card: beside or over the house, not over a line, not exactly on another card. */
  placements(): Placement[] {
    const found: Placement[] = [];
    const inLine = this.protectedCells();
    const height = this.cells.length / this.width;
    for (let row = 1; row + CARD_HEIGHT < height; row++) {
      for (let column = 1; column + CARD_WIDTH < this.width; column++) {
        const anchor = row * this.width + column;
        const under = footprint(anchor, this.width);
        if (!this.anchors.has(anchor) && this.touches(under) && !under.some((cell) => inLine[cell])) {
          const [x, y] = [this.left + column, this.top + row];
          found.push({ x, y, turned: false }, { x, y, turned: true });
        }
      }
    }
    return found;
  }

  /** Lays a card, calls `look`, takes the card away again, and returns what `look` found. */
  private with<T>(face: Face, { x, y, turned }: Placement, look: (card: number[]) => T): T {
    const card = footprint(this.at(x, y), this.width);
    const before = card.map((cell) => this.cells[cell]!);
    const after = lying(face, turned);
    card.forEach((cell, i) => (this.cells[cell] = after[i]!));
    const found = look(card);
    card.forEach((cell, i) => (this.cells[cell] = before[i]!));
    return found;
  }

  /** The lines that a card makes: those with at least one of its cells. And what hopes of lines the house then holds. */
  consider(face: Face, placement: Placement): { made: Line[]; hopes: number } {
    return this.with(face, placement, (card) => ({ made: this.made(card), hopes: this.hopes() }));
  }

  private made(card: number[]): Line[] {
    const lines: Line[] = [];
    for (const step of [1, this.width]) {
      const counted = new Set<number>();
      for (const cell of card) {
        const run = this.run(cell, step);
        if (run.length >= LINE && !counted.has(run.start)) {
          counted.add(run.start);
          lines.push({ kind: this.cells[cell]!, length: run.length });
        }
      }
    }
    return lines;
  }

  /** Every free end of a run, with the points of the line that one more cell there would make. */
  private hopes(): number {
    const inLine = this.protectedCells();
    let total = 0;
    for (const [start, length, step] of this.runs()) {
      const points = LINE_POINTS[length + 1] ?? 0;
      for (const end of points > 0 ? [start - step, start + length * step] : []) {
        total += inLine[end] ? 0 : points;
      }
    }
    return total;
  }

  /** For each cell, whether it belongs to a line. Such cells cannot be covered. */
  private protectedCells(): Uint8Array {
    const found = new Uint8Array(this.cells.length);
    for (const [start, length, step] of this.runs()) {
      for (let i = 0; length >= LINE && i < length; i++) {
        found[start + i * step] = 1;
      }
    }
    return found;
  }

  /** All runs of at least two equal cells: start, length, step. */
  private *runs(): Generator<[number, number, number]> {
    for (const step of [1, this.width]) {
      for (let start = 0; start < this.cells.length; start++) {
        const kind = this.cells[start];
        if (kind !== EMPTY && this.cells[start + step] === kind && this.cells[start - step] !== kind) {
          yield [start, this.run(start, step).length, step];
        }
      }
    }
  }

  private run(cell: number, step: number): { start: number; length: number } {
    const kind = this.cells[cell];
    let start = cell;
    let end = cell + step;
    while (this.cells[start - step] === kind) {
      start -= step;
    }
    while (this.cells[end] === kind) {
      end += step;
    }
    return { start, length: (end - start) / step };
  }

  private touches(under: number[]): boolean {
    const near = [0, 1, -1, this.width, -this.width];
    return under.some((cell) => near.some((step) => this.cells[cell + step] !== EMPTY));
  }

  private at(x: number, y: number): number {
    return (y - this.top) * this.width + (x - this.left);
  }
}

/** The cells that a card covers, in the order of its face. */
function footprint(anchor: number, width: number): number[] {
  return [0, 1, width, width + 1, 2 * width, 2 * width + 1].map((offset) => anchor + offset);
}
