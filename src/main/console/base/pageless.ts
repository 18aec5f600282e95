/**
 * Browser globals for tests of plain logic in an engine without a page. Import it first: other modules read the globals
 * when they are loaded. Timers do not run by themselves.
 */
const timers = new Map<number, () => void>();
let number = 0;

Object.assign(globalThis, {
  window: globalThis,
  document: { documentElement: { dataset: {} }, addEventListener: () => {} },
  location: { pathname: '/', search: '', origin: 'http://localhost' },
  addEventListener: () => {},
  URLSearchParams: class {},
  FormData: class {},
  DOMException: class extends Error {},
  crypto: { randomUUID: () => `id-${++number}` },
  setTimeout: (perform: () => void) => {
    timers.set(++number, perform);
    return number;
  },
  clearTimeout: (id: number) => timers.delete(id),
});

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) {
    await Promise.resolve();
  }
}

/** Performs all timers at once. */
export async function tick(): Promise<void> {
  const due = [...timers.values()];
  timers.clear();
  due.forEach((perform) => perform());
  await settle();
}
