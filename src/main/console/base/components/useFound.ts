import { useEffect, useState } from 'preact/hooks';
import { seeker, type Command } from '../commands';

/** Pause after the last key press before the search starts. */
const TYPED_MS = 200;

/** Search results for the query; previous results stay until the next response. */
export function useFound(typed: string): { found: Command[]; seeking: boolean } {
  const [state, setState] = useState<{ found: Command[]; seeking: boolean }>({ found: [], seeking: false });
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ found: typed === '' ? [] : before.found, seeking: typed !== '' }));
    const timer = setTimeout(() => {
      void seeker
        .get()(typed, stop.signal)
        .then((found) => !stop.signal.aborted && setState({ found, seeking: false }));
    }, TYPED_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [typed]);
  return state;
}
