/** Names are labels of the WHATWG Encoding Standard. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
] as const;

export type Encoding = (typeof ENCODINGS)[number];

const SAMPLE_BYTES = 4_096;

/** Encoding of a file: by byte order mark, by zero bytes, UTF-8 if all bytes are valid, otherwise Windows-1252. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return 'utf-16le';
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return 'utf-16be';
  }
  return withoutMark(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

/** Latin text in UTF-16 has a zero in every second byte, other encodings have none. */
function withoutMark(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0];
  const end = Math.min(bytes.length, SAMPLE_BYTES);
  for (let at = 0; at < end; at++) {
    if (bytes[at] === 0) {
      zeros[at % 2]!++;
    }
  }
  const most = Math.max(zeros[0]!, zeros[1]!);
  return end === 0 || most * 4 < end || bytes.length % 2 === 1
    ? undefined
    : zeros[0]! > zeros[1]!
      ? 'utf-16be'
      : 'utf-16le';
}

/** Strict UTF-8: no overlong form, no surrogate, nothing after U+10FFFF (RFC 3629). */
export function isUtf8(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at]!;
    const more =
      first < 0x80
        ? 0
        : first >= 0xc2 && first <= 0xdf
          ? 1
          : (first & 0xf0) === 0xe0
            ? 2
            : first >= 0xf0 && first <= 0xf4
              ? 3
              : -1;
    if (more < 0 || (at + more >= bytes.length && more > 0)) {
      return false;
    }
    for (let next = 1; next <= more; next++) {
      const low = next > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
      const high = next > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      const byte = bytes[at + next]!;
      if (byte < low || byte > high) {
        return false;
      }
    }
    at += more + 1;
  }
  return true;
}

export const decoded = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes);
