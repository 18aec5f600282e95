/**
 * What a test of plain logic needs. The tests run in a JavaScript engine without a browser, as part of the build: the
 * Java side reads the list and executes one after the other (ConsoleLogicTest).
 */
interface Test {
  name: string;
  perform: () => void;
}

declare global {
  // eslint-disable-next-line no-var
  var consoleTests: Test[] | undefined;
}

/** A test by what it shows. */
export function test(name: string, perform: () => void): void {
  (globalThis.consoleTests ??= []).push({ name, perform });
}

/** Fails unless both are the same value, part by part. */
export function equal(found: unknown, expected: unknown, about = ''): void {
  const [left, right] = [written(found), written(expected)];
  if (left !== right) {
    throw new Error(`${about ? about + ': ' : ''}expected ${right}, found ${left}`);
  }
}

/** Fails unless it holds. */
export function holds(statement: boolean, about: string): void {
  if (!statement) {
    throw new Error(about);
  }
}

/** Order of the fields does not count; `undefined` counts as absent. */
function written(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => part !== null && typeof part === 'object' && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
    : part) ?? 'undefined';
}
