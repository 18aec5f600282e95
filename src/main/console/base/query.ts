import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { refused, failure, type Failure, type Result } from './api/failure';
import { renewals } from './renewal';

/** The previous value stays until the next one arrives. */
export interface Query<T> {
  value?: T;
  failure?: Failure;
  loading: boolean;
  reload: () => void;
  /** Replaces the value at once, before the server has confirmed it. */
  put: (change: (value: T) => T) => void;
}

/** Sends the request on mount and when the key changes; aborts it on unmount, and ignores its response. */
export function useQuery<T>(key: string, ask: (signal: AbortSignal) => Promise<Result<T>>): Query<T> {
  const [state, setState] = useState<{ key: string; value?: T; failure?: Failure; loading: boolean }>({
    key,
    loading: true,
  });
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => (before.key === key ? { ...before, loading: true } : { key, loading: true }));
    latest
      .current(stop.signal)
      .catch(() => refused<T>(failure('DEFECT')))
      .then((result) => {
        if (!stop.signal.aborted) {
          setState((before) =>
            result.ok
              ? { key, value: result.value, loading: false }
              : {
                  ...(before.value === undefined ? {} : { value: before.value }),
                  key,
                  failure: result.failure,
                  loading: false,
                },
          );
        }
      });
    return () => stop.abort();
  }, [key, turn]);
  const failed = useRef(false);
  failed.current = state.failure !== undefined;
  useEffect(() => renewals.subscribe(() => failed.current && setTurn((n) => n + 1)), []);
  const reload = useCallback(() => setTurn((n) => n + 1), []);
  const put = useCallback(
    (change: (value: T) => T) =>
      setState((before) => (before.value === undefined ? before : { ...before, value: change(before.value) })),
    [],
  );
  const current = state.key === key ? state : { loading: true };
  return { ...current, reload, put };
}

export interface Rows<T> extends Query<T[]> {
  /** Fetches the next page; absent after the last one. */
  more?: () => void;
  /** Sends the request of a further page again whose failure is shown; absent if it is that of the first page. */
  retry?: () => void;
}

interface Page<T> {
  data: T[];
  next: string | null;
}

export function useRows<T>(
  key: string,
  ask: (cursor: string | undefined, signal: AbortSignal) => Promise<Result<Page<T>>>,
): Rows<T> {
  const first = useQuery(key, (signal) => ask(undefined, signal));
  const [fetching, setFetching] = useState(false);
  const [refusal, setRefusal] = useState<{ key: string; failure: Failure }>();
  const latestKey = useRef(key);
  latestKey.current = key;
  const next = first.value?.next;
  const more =
    next == null || fetching
      ? undefined
      : () => {
          setFetching(true);
          setRefusal(undefined);
          ask(next, new AbortController().signal).then((result) => {
            setFetching(false);
            if (latestKey.current !== key) {
              return;
            }
            if (result.ok) {
              first.put((page) => ({ data: [...page.data, ...result.value.data], next: result.value.next }));
            } else {
              setRefusal({ key, failure: result.failure });
            }
          });
        };
  const { value, put, ...rest } = first;
  const reload = (): void => {
    setRefusal(undefined);
    first.reload();
  };
  const shown = first.failure || refusal?.key !== key ? undefined : refusal.failure;
  return {
    ...rest,
    ...(shown ? { failure: shown } : {}),
    reload,
    ...(shown && more ? { retry: more } : {}),
    loading: first.loading || fetching,
    ...(value ? { value: value.data } : {}),
    put: (change) => put((page) => ({ ...page, data: change(page.data) })),
    ...(more ? { more } : {}),
  };
}
