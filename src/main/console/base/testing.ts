/**
 * Assertions for tests of plain logic. The build runs the tests in a JavaScript engine without a browser:
 * ConsoleLogicTest reads the list and executes the tests one by one.
 */
interface Test {
  name: string;
  perform: () => void | Promise<void>;
}

declare global {
  // eslint-disable-next-line no-var
  var consoleTests: Test[] | undefined;
}

/** Declares a test by its behavior. A promise must settle without timers and other events of a browser. */
export function test(name: string, perform: () => void | Promise<void>): void {
  (globalThis.consoleTests ??= []).push({ name, perform });
}

/** Fails unless both values are deeply equal. */
export function equal(found: unknown, expected: unknown, about = ''): void {
  const [left, right] = [written(found), written(expected)];
  if (left !== right) {
    throw new Error(`${about ? about + ': ' : ''}expected ${right}, found ${left}`);
  }
}

export function holds(statement: boolean, about: string): void {
  if (!statement) {
    throw new Error(about);
  }
}

type Part<T> = T extends (infer Item)[] ? Part<Item>[] : T extends object ? { [Key in keyof T]?: Part<T[Key]> } : T;

/** Value with only the fields that a test needs; the compiler checks their names and types. */
export function part<T>(fields: Part<T>): T {
  return fields as T;
}

/** Ignores the order of fields; `undefined` counts as absent. */
function written(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    ) ?? 'undefined'
  );
}
