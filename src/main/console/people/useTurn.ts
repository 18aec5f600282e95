import { useEffect } from 'preact/hooks';

/** Looks again whenever the number grows. */
export function useTurn(turn: number, reload: () => void): void {
  useEffect(() => {
    if (turn > 0) {
      reload();
    }
  }, [turn]);
}
