import { keepsIntegers } from './json';

/** Significant digits that every double keeps. */
const DIGITS_MAX = 15;

/** True if a number in decimal digits is the same after it was a double. */
function isKept(literal: string): boolean {
  const [mantissa = '', exponent] = literal.split(/e/i);
  const digits = mantissa.replace(/[^\d]/g, '').replace(/^0+/, '');
  if (digits.length <= DIGITS_MAX && exponent === undefined) {
    return true;
  }
  const value = Number(literal);
  return (
    Number.isFinite(value) &&
    (/^-?\d+$/.test(literal) ? BigInt(value) === BigInt(literal) : digits.replace(/0+$/, '').length <= DIGITS_MAX)
  );
}

/** Numbers of a JSON text outside of its strings. */
const numbersOf = (json: string): string[] =>
  (json.match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? []).filter((token) => !token.startsWith('"'));

/** True if all numbers of a JSON text outside of its strings are the same after JSON.parse. */
export const keepsDigits = (json: string): boolean => numbersOf(json).every(isKept);

/** True if all numbers of a JSON text outside of its strings are the same after parseJson. */
export const keepsNumbers = (json: string): boolean =>
  numbersOf(json).every((literal) => (keepsIntegers && /^-?\d+$/.test(literal)) || isKept(literal));
