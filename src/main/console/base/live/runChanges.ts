import { useEffect, useRef } from 'preact/hooks';
import { channel } from './channel';

/** Minimum time between two calls: the runs of a busy project change twice a second. */
const BETWEEN_MS = 5_000;

/**
 * Calls a listener when runs of the project have changed: at once, then at most every five seconds. A hidden page waits until
 * it is visible.
 */
export function useRunChanges(projectId: string, changed: () => void): void {
  const latest = useRef(changed);
  latest.current = changed;
  useEffect(() => {
    let timer = 0;
    let isDue = false;
    const look = (): void => {
      if (isDue && timer === 0 && !document.hidden) {
        isDue = false;
        timer = window.setTimeout(() => {
          timer = 0;
          look();
        }, BETWEEN_MS);
        latest.current();
      }
    };
    const notice = (): void => {
      isDue = true;
      look();
    };
    const watch = (): void => {
      channel.send('WATCH_RUNS', {});
      notice();
    };
    const stops = [channel.on('RUNS_CHANGED', notice), channel.on('CONNECTED', watch)];
    document.addEventListener('visibilitychange', look);
    channel.send('WATCH_RUNS', {});
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      stops.forEach((stop) => stop());
    };
  }, [projectId]);
}
