/**
 * The parts of a browser that the edit queue needs, for a process of Node.js: timers of a window, a storage, and the address of the
 * server. Imported first, as other modules read them when they are loaded.
 */
export interface WriterPlan {
  /** Address of the server without path. */
  base: string;
  token: string;
  userId: string;
  projectId: string;
  flowId: string;
  /** Letters that begin each marker of the writer. */
  writer: string;
  seed: number;
}

declare const process: { argv: string[] };

export const plan = JSON.parse(process.argv[2] ?? '{}') as WriterPlan;

const storage = new Map<string, string>();

Object.assign(globalThis, {
  window: globalThis,
  location: new URL(`${plan.base}/`),
  addEventListener: () => {},
  document: { documentElement: { dataset: { prefix: plan.base } } },
  localStorage: {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => { storage.set(key, value); },
    removeItem: (key: string) => { storage.delete(key); },
  },
});
