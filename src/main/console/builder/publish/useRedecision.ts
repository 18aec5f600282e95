import { useEffect, useState } from 'preact/hooks';
import { postForEvents } from '../../base/live/post';
import { may } from '../../base/permissions';
import { after, type Comparison } from './redecision';

const RUNS = 10_000;
const TRIES_MAX = 4;
const BUSY_WAIT_MS = 1_000;

/** The comparison is undefined without permission. */
export function useRedecision(flowId: string): { comparison: Comparison | undefined; again: () => void } {
  const [comparison, setComparison] = useState<Comparison | undefined>(() =>
    may('READ_RUN') ? { state: 'running' } : undefined,
  );
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!may('READ_RUN')) {
      return undefined;
    }
    const stop = new AbortController();
    setComparison({ state: 'running' });
    void compare(flowId, stop.signal, (change) => {
      if (!stop.signal.aborted) {
        setComparison((now) => change(now ?? { state: 'running' }));
      }
    });
    return () => stop.abort();
  }, [flowId, turn]);
  return { comparison, again: () => setTurn((n) => n + 1) };
}

/** A comparison that was just closed may still hold the place of its project; a server may allow fewer runs. */
async function compare(
  flowId: string,
  signal: AbortSignal,
  put: (change: (now: Comparison) => Comparison) => void,
): Promise<void> {
  let sample: number | undefined = RUNS;
  for (let tries = 1; !signal.aborted; tries++) {
    const answer = await postForEvents(
      '/v1/flows/{id}/redecide',
      { id: flowId },
      { version: 'draft', ...(sample === undefined ? {} : { sample }) },
      signal,
      (event) => put((now) => after(now, event)),
    );
    if (answer.ok) {
      put((now) => (now.state === 'running' ? { state: 'failed' } : now));
      return;
    }
    const isTooMany = answer.failure.status === 429;
    if (tries === TRIES_MAX || !(isTooMany || (sample !== undefined && 'sample' in answer.failure.fields))) {
      put(() => ({ state: 'failed', failure: answer.failure }));
      return;
    }
    if (isTooMany) {
      await new Promise((resolve) => setTimeout(resolve, BUSY_WAIT_MS));
    } else {
      sample = undefined;
    }
  }
}
