/** What a form asks, as `GET /v1/human-input/form/{flowId}` says it. */
export interface Input {
  displayName: string;
  type: string;
  required: boolean;
  description: string;
}

/** A value of a field: text, on or off, or a file that was chosen. */
export type Value = string | boolean | File | undefined;
export type Values = Record<string, Value>;

/** The field that an input is sent in (contract flows-and-engine 24.2): small letters, words run together, no quotes. */
export const keyOf = (displayName: string): string =>
  displayName.toLowerCase()
    .replace(/\s+([a-z0-9_])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/[\\"'\n\r\t]/g, '');

/** What the fields hold at first; texts and toggles may be given by the address. */
export function initial(inputs: readonly Input[], given: (key: string) => string | null): Values {
  const values: Values = {};
  for (const input of inputs) {
    const key = keyOf(input.displayName);
    const text = given(key);
    values[key] = input.type === 'file' ? undefined : input.type === 'toggle' ? text === 'true' : text ?? '';
  }
  return values;
}

/** Keys of the fields that are required and empty. A toggle that is off is an answer. */
export const missing = (inputs: readonly Input[], values: Values): string[] =>
  inputs
    .filter((input) => input.required && input.type !== 'toggle')
    .map((input) => keyOf(input.displayName))
    .filter((key) => {
      const value = values[key];
      return value === undefined || (typeof value === 'string' && value.trim() === '');
    });

/** Whether it has to travel as a form with parts. */
export const hasFiles = (inputs: readonly Input[]): boolean => inputs.some((input) => input.type === 'file');

/** The values as JSON; files travel otherwise. */
export const asJson = (values: Values): Record<string, string | boolean> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string | boolean] =>
    typeof entry[1] === 'string' || typeof entry[1] === 'boolean'));

/** Where what is sent goes. */
export const webhookPath = (flowId: string, draft: boolean, waits: boolean): string =>
  `/api/v1/webhooks/${encodeURIComponent(flowId)}${draft ? '/draft' : ''}${waits ? '/sync' : ''}`;
