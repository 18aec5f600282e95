import { useLayoutEffect, useRef, type MutableRef } from 'preact/hooks';

const CONTROLS = 'input:not([tabindex="-1"]), textarea, select, [role="textbox"], [role="combobox"], [role="switch"]';

/**
 * Moves the focus to the first control of a row that the user has added.
 *
 * @param group element whose children `.pair` or `.item` are the rows
 * @return announces that the next row is added by the user
 */
export function useNewRow(group: MutableRef<HTMLElement | null>, count: number): () => void {
  const isAwaited = useRef(false);
  const last = useRef(count);
  useLayoutEffect(() => {
    if (isAwaited.current && count > last.current) {
      isAwaited.current = false;
      const rows = group.current?.querySelectorAll<HTMLElement>(':scope > .pair, :scope > .item') ?? [];
      rows[rows.length - 1]?.querySelector<HTMLElement>(CONTROLS)?.focus();
    }
    last.current = count;
  }, [count]);
  return () => {
    isAwaited.current = true;
  };
}
