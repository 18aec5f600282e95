import { useEffect } from 'preact/hooks';

export function useTurn(turn: number, reload: () => void): void {
  useEffect(() => {
    if (turn > 0) {
      reload();
    }
  }, [turn]);
}
