import type { Gesture } from './changes';
import type { Progress } from './server';

export interface Work {
  done: number;
  total: number;
  stop: () => void;
}

/** Minimum number of parts for a progress bar. */
const WATCHED = 20;

export function progressOf(
  { writes, added, removed }: Gesture,
  stop: AbortController,
  show: (work: Work) => void,
): Progress & { watched: boolean } {
  const total = new Set(writes.map((write) => write.rowId)).size + added.length + removed.length;
  const watched = total >= WATCHED;
  let done = 0;
  const tell = (): void => {
    if (watched) {
      show({ done, total, stop: () => stop.abort() });
    }
  };
  tell();
  return {
    watched,
    signal: stop.signal,
    done: (more) => {
      done += more;
      tell();
    },
  };
}
