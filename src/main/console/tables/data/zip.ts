import { BadArchive, inflate } from './inflate';

const CENTRAL_HEADER = 0x02014b50;
const END_RECORD = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const ENTRIES_MAX = 10_000;

/** Entries of a zip archive by name in any case, each unpacked on demand; `bytesMax` limits their total size. */
export function entriesOf(file: Uint8Array, bytesMax: number): (name: string) => Uint8Array | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const places = new Map<string, number>();
  try {
    const end = endOf(view);
    const count = Math.min(view.getUint16(end + 10, true), ENTRIES_MAX);
    let at = view.getUint32(end + 16, true);
    for (let index = 0; index < count && view.getUint32(at, true) === CENTRAL_HEADER; index++) {
      const length = view.getUint16(at + 28, true);
      places.set(latin(file.subarray(at + 46, at + 46 + length)).toLowerCase(), at);
      at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
  } catch (failure) {
    throw failure instanceof RangeError ? new BadArchive('truncated') : failure;
  }
  let left = bytesMax;
  return (name) => {
    const at = places.get(name.replace(/^\//, '').toLowerCase());
    if (at === undefined) {
      return undefined;
    }
    const bytes = unpacked(file, view, at, left);
    left -= bytes.length;
    return bytes;
  };
}

function endOf(view: DataView): number {
  for (let at = view.byteLength - END_BYTES; at >= 0 && at >= view.byteLength - END_BYTES - COMMENT_BYTES_MAX; at--) {
    if (view.getUint32(at, true) === END_RECORD) {
      return at;
    }
  }
  throw new BadArchive('no archive');
}

function unpacked(file: Uint8Array, view: DataView, at: number, max: number): Uint8Array {
  const method = view.getUint16(at + 10, true);
  const packed = view.getUint32(at + 20, true);
  const size = view.getUint32(at + 24, true);
  const local = view.getUint32(at + 42, true);
  if (size > max || local + 30 > file.length) {
    throw new BadArchive('too large');
  }
  const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const data = file.subarray(from, from + packed);
  switch (method) {
    case 0:
      return data;
    case 8:
      return inflate(data, size, max);
    default:
      throw new BadArchive('method');
  }
}

/** Entry names of workbooks are ASCII. */
const latin = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
