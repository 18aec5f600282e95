import { useEffect } from 'preact/hooks';

/** Reloads when the number grows. */
export function useTurn(turn: number, reload: () => void): void {
  useEffect(() => {
    if (turn > 0) {
      reload();
    }
  }, [turn]);
}
