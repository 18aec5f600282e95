import { useEffect, useState } from 'preact/hooks';

const TICK_MS = 250;

export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = ticking ? setInterval(() => setNow(Date.now()), TICK_MS) : 0;
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
