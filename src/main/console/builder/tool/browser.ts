/**
 * Browser globals that the edit queue needs, for Node.js: timers of `window`, a storage, and the server's address.
 * Import it first: other modules read the globals when they are loaded.
 */
export interface WriterPlan {
  /** Address of the server without path. */
  base: string;
  token: string;
  userId: string;
  projectId: string;
  flowId: string;
  /** Prefix of the writer's markers. */
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
    setItem: (key: string, value: string) => {
      storage.set(key, value);
    },
    removeItem: (key: string) => {
      storage.delete(key);
    },
  },
});
