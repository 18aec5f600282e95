import { createStore } from './store';

/** Number of actions whose result is pending. */
export const working = createStore(0);

/** Shows the progress line until the work has ended. */
export function track<T>(work: Promise<T>): Promise<T> {
  working.update((count) => count + 1);
  return work.finally(() => working.update((count) => count - 1));
}

export function trackResult(result: unknown): void {
  if (result instanceof Promise) {
    void track(result);
  }
}
