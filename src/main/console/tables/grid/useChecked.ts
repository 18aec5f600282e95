import { useCallback, useRef, useState } from 'preact/hooks';
import type { Row } from '../model';

const NONE: ReadonlySet<string> = new Set();

/** Rows that leave the view are deselected; Shift selects all rows from the last one on. */
export function useChecked(rows: readonly Row[]) {
  const [ids, setIds] = useState(NONE);
  const last = useRef('');
  const latest = useRef(rows);
  latest.current = rows;
  const check = useCallback((touched: readonly Row[], range: boolean): void => {
    const all = latest.current;
    const to = touched.at(-1)!;
    const [from, end] = [all.findIndex((row) => row.id === last.current), all.indexOf(to)];
    const meant = range && from >= 0 ? all.slice(Math.min(from, end), Math.max(from, end) + 1) : touched;
    last.current = to.id;
    setIds((before) => {
      const after = new Set(before);
      const on = !before.has(to.id);
      meant.forEach((row) => (on ? after.add(row.id) : after.delete(row.id)));
      return after;
    });
  }, []);
  const clear = useCallback(() => setIds(NONE), []);
  return { checked: ids, check, clear, chosen: ids.size === 0 ? [] : rows.filter((row) => ids.has(row.id)) };
}
