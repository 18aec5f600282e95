/** Writes a number with the digits given; undefined in browsers before Chrome 114, Firefox 135 and Safari 18.4. */
const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

/** More digits than every double keeps. */
const LONG = /\d{16}/;
const INTEGER = /^-?\d+$/;

const isRounded = (value: number, literal: string): boolean =>
  !Number.isFinite(value) || BigInt(value) !== BigInt(literal);

const exact = (_: string, value: unknown, context?: { source?: string }): unknown => {
  const literal = context?.source ?? '';
  return typeof value === 'number' && !Number.isSafeInteger(value) && INTEGER.test(literal) && isRounded(value, literal)
    ? BigInt(literal)
    : value;
};

if (rawJson) {
  Object.defineProperty(BigInt.prototype, 'toJSON', {
    value(this: bigint) {
      return rawJson(this.toString());
    },
  });
}

export const keepsIntegers = rawJson !== undefined;

/** Parses JSON. Integers that a double would round become bigints, which JSON.stringify writes with all their digits. */
export const parseJson = (text: string): unknown =>
  rawJson && LONG.test(text) ? JSON.parse(text, exact as (key: string, value: unknown) => unknown) : JSON.parse(text);
