import { useEffect, useState } from 'preact/hooks';
import { seeker, type Command } from '../commands';

/** How long after the last letter something is looked for. */
const TYPED_MS = 200;

/** What has a name that fits what is typed; what was found before stays until the next answer. */
export function useFound(typed: string): { found: Command[]; seeking: boolean } {
  const [state, set] = useState<{ found: Command[]; seeking: boolean }>({ found: [], seeking: false });
  useEffect(() => {
    const stop = new AbortController();
    set((before) => ({ found: typed === '' ? [] : before.found, seeking: typed !== '' }));
    const timer = setTimeout(() => {
      void seeker.get()(typed, stop.signal).then((found) => !stop.signal.aborted && set({ found, seeking: false }));
    }, TYPED_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [typed]);
  return state;
}
