import { useEffect, type MutableRef } from 'preact/hooks';

/** Moves the focus to `home` when the focused element of a container is removed, so that keys still reach the container. */
export function useKeptFocus(container: MutableRef<HTMLElement | null>, home: () => HTMLElement | null): void {
  useEffect(() => {
    let last: Node | undefined;
    const remember = (event: Event): void => {
      const target = event.target as Node;
      last = container.current?.contains(target) ? target : undefined;
    };
    const observer = new MutationObserver(() => {
      if (last && !last.isConnected && document.activeElement === document.body) {
        home()?.focus({ preventScroll: true });
      }
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', remember, true);
    observer.observe(container.current!, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('pointerdown', remember, true);
      document.removeEventListener('focusin', remember);
    };
  }, []);
}
