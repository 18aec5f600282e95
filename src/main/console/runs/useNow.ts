import { useEffect, useState } from 'preact/hooks';

const TICK_MS = 250;

/** Current time, updated while `ticking`. */
export function useNow(ticking: boolean): number {
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    tick(Date.now());
    const timer = ticking ? setInterval(() => tick(Date.now()), TICK_MS) : 0;
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
