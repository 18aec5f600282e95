import type { FormInput } from '#api';
import type { Failure } from '../../base/api/failure';

export type Value = string | boolean | File | undefined;

export interface Input {
  /** Key in the request (contract flows-and-engine 24.2). */
  key: string;
  label: string;
  help: string;
  required: boolean;
  type: 'text' | 'text_area' | 'file' | 'toggle';
}

export interface Wiring {
  id: string;
  disabled: boolean;
  'aria-required': boolean;
  'aria-invalid': 'true' | undefined;
  'aria-describedby': string | undefined;
}

/** Key of an input from its name: lower case, words joined, without quotes. */
export function keyOf(displayName: string): string {
  return displayName
    .toLowerCase()
    .replace(/\s+([a-z0-9_])/g, (_, next: string) => next.toUpperCase())
    .replace(/[\\"'\n\r\t]/g, '');
}

/** Unknown types of newer pieces become a text line. */
export function inputsOf(given: readonly FormInput[]): Input[] {
  return given.map(({ displayName = '', required = false, description, type }) => ({
    key: keyOf(displayName),
    label: displayName,
    help: description ?? '',
    required,
    type: type === 'text_area' || type === 'file' || type === 'toggle' ? type : 'text',
  }));
}

/** Initial values from the address, by key regardless of case. */
export function beginningsOf(inputs: readonly Input[], defaults: Record<string, string>): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const { key, type } of inputs) {
    const given = defaults[key.toLowerCase()] ?? '';
    values[key] = type === 'file' ? undefined : type === 'toggle' ? /^(true|1|yes|on)$/i.test(given) : given;
  }
  return values;
}

/** A toggle is never empty: off is a value. */
export const missingOf = (inputs: readonly Input[], values: Record<string, Value>): string[] =>
  inputs.filter(({ key, required }) => required && isEmpty(values[key])).map(({ key }) => key);

const isEmpty = (value: Value): boolean => value === undefined || (typeof value === 'string' && value.trim() === '');

/** Fields of the request: JSON, or multipart once there is a file. */
export function parcelOf(
  inputs: readonly Input[],
  values: Record<string, Value>,
): { files: boolean; fields: Array<[string, string | boolean | File]> } {
  const fields = inputs.flatMap(({ key }): Array<[string, string | boolean | File]> => {
    const value = values[key];
    return value === undefined ? [] : [[key, value]];
  });
  return { files: fields.some(([, value]) => typeof value === 'object'), fields };
}

/** Problems of the server by field; others are left to the page. */
export function problemsOf(
  failure: Failure,
  inputs: readonly Input[],
  tooLarge: string,
  values: Record<string, Value>,
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { key, type } of inputs) {
    const said = failure.fields[key] ?? failure.fields[`body.${key}`];
    if (said) {
      problems[key] = said;
    } else if (failure.status === 413 && type === 'file' && values[key] !== undefined) {
      problems[key] = tooLarge;
    }
  }
  return problems;
}
