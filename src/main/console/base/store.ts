import { useEffect, useState } from 'preact/hooks';

/** Observable value: plain records, replaced and never mutated. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  update(change: (value: T) => T): void;
  subscribe(listener: (value: T) => void): () => void;
}

export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<(value: T) => void>();
  const store: Store<T> = {
    get: () => value,
    set: (next) => {
      if (!Object.is(next, value)) {
        value = next;
        [...listeners].forEach((listener) => listener(next));
      }
    },
    update: (change) => store.set(change(value)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return store;
}

/** Renders again when the selected part changes. */
export function useStore<T>(store: Store<T>): T;
export function useStore<T, P>(store: Store<T>, part: (value: T) => P): P;
export function useStore<T, P>(store: Store<T>, part: (value: T) => T | P = (value) => value): T | P {
  const [seen, setSeen] = useState({ part: part(store.get()) });
  const now = part(store.get());
  useEffect(() => {
    const look = () =>
      setSeen((before) => {
        const next = part(store.get());
        return Object.is(before.part, next) ? before : { part: next };
      });
    look();
    return store.subscribe(look);
  }, [store]);
  return Object.is(seen.part, now) ? seen.part : now;
}
