/** Inflates raw deflate data (RFC 1951) up to a limit: a small file can describe gigabytes. */
export class BadArchive extends Error {}

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];
const DISTANCE_BITS = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const CODE_BITS_MAX = 15;

/** Canonical Huffman code: number of codes by length, and the symbols in order. */
interface Code {
  counts: Uint16Array;
  symbols: Uint16Array;
}

function codeOf(lengths: ArrayLike<number>): Code {
  const counts = new Uint16Array(CODE_BITS_MAX + 1);
  for (let at = 0; at < lengths.length; at++) {
    counts[lengths[at]!]!++;
  }
  const offsets = new Uint16Array(CODE_BITS_MAX + 1);
  for (let bits = 1; bits < CODE_BITS_MAX; bits++) {
    offsets[bits + 1] = offsets[bits]! + counts[bits]!;
  }
  const symbols = new Uint16Array(lengths.length);
  for (let at = 0; at < lengths.length; at++) {
    if (lengths[at] !== 0) {
      symbols[offsets[lengths[at]!]!++] = at;
    }
  }
  counts[0] = 0;
  return { counts, symbols };
}

const FIXED_LENGTHS = codeOf(Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8)));
const FIXED_DISTANCES = codeOf(new Array<number>(30).fill(5));

class Inflater {
  private at = 0;
  private buffer = 0;
  private held = 0;
  private output: Uint8Array;
  private size = 0;

  constructor(
    private readonly input: Uint8Array,
    expected: number,
    private readonly max: number,
  ) {
    this.output = new Uint8Array(Math.max(1, Math.min(expected, max)));
  }

  perform(): Uint8Array {
    for (let isLast = false; !isLast; ) {
      isLast = this.bits(1) === 1;
      switch (this.bits(2)) {
        case 0:
          this.stored();
          break;
        case 1:
          this.compressed(FIXED_LENGTHS, FIXED_DISTANCES);
          break;
        case 2:
          this.dynamic();
          break;
        default:
          throw new BadArchive('block type');
      }
    }
    return this.output.subarray(0, this.size);
  }

  private bits(count: number): number {
    while (this.held < count) {
      if (this.at >= this.input.length) {
        throw new BadArchive('truncated');
      }
      this.buffer |= this.input[this.at++]! << this.held;
      this.held += 8;
    }
    const value = this.buffer & ((1 << count) - 1);
    this.buffer >>>= count;
    this.held -= count;
    return value;
  }

  private symbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let bits = 1; bits <= CODE_BITS_MAX; bits++) {
      code |= this.bits(1);
      const count = counts[bits]!;
      if (code - count < first) {
        return symbols[index + code - first]!;
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new BadArchive('code');
  }

  private put(byte: number): void {
    if (this.size === this.output.length) {
      if (this.size >= this.max) {
        throw new BadArchive('too large');
      }
      const larger = new Uint8Array(Math.min(this.max, this.size * 2));
      larger.set(this.output);
      this.output = larger;
    }
    this.output[this.size++] = byte;
  }

  private stored(): void {
    this.buffer = 0;
    this.held = 0;
    const length = this.input[this.at]! | (this.input[this.at + 1]! << 8);
    this.at += 4;
    if (!(this.at + length <= this.input.length)) {
      throw new BadArchive('truncated');
    }
    for (let count = 0; count < length; count++) {
      this.put(this.input[this.at++]!);
    }
  }

  private dynamic(): void {
    const literals = this.bits(5) + 257;
    const distances = this.bits(5) + 1;
    const codes = this.bits(4) + 4;
    const lengths = new Uint8Array(19);
    for (let at = 0; at < codes; at++) {
      lengths[CODE_LENGTH_ORDER[at]!] = this.bits(3);
    }
    const code = codeOf(lengths);
    const all = new Uint8Array(literals + distances);
    for (let at = 0; at < all.length; ) {
      const symbol = this.symbol(code);
      if (symbol < 16) {
        all[at++] = symbol;
      } else {
        const value = symbol === 16 ? all[at - 1] : 0;
        const times = symbol === 16 ? 3 + this.bits(2) : symbol === 17 ? 3 + this.bits(3) : 11 + this.bits(7);
        if (value === undefined || at + times > all.length) {
          throw new BadArchive('code lengths');
        }
        all.fill(value, at, at + times);
        at += times;
      }
    }
    this.compressed(codeOf(all.subarray(0, literals)), codeOf(all.subarray(literals)));
  }

  private compressed(lengths: Code, distances: Code): void {
    for (let symbol = this.symbol(lengths); symbol !== 256; symbol = this.symbol(lengths)) {
      if (symbol < 256) {
        this.put(symbol);
        continue;
      }
      const at = symbol - 257;
      if (at >= LENGTH_BASE.length) {
        throw new BadArchive('length');
      }
      const length = LENGTH_BASE[at]! + this.bits(LENGTH_BITS[at]!);
      const far = this.symbol(distances);
      const distance = far < DISTANCE_BASE.length ? DISTANCE_BASE[far]! + this.bits(DISTANCE_BITS[far]!) : Infinity;
      if (distance > this.size) {
        throw new BadArchive('distance');
      }
      for (let count = 0; count < length; count++) {
        this.put(this.output[this.size - distance]!);
      }
    }
  }
}

/** @param expected size according to the archive; only a hint */
export const inflate = (input: Uint8Array, expected: number, max: number): Uint8Array =>
  new Inflater(input, expected, max).perform();
