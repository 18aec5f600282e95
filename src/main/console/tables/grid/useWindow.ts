import { useEffect, useRef, useState } from 'preact/hooks';
import { columnsSeen, GUTTER_WIDTH, HEAD_HEIGHT, ROW_HEIGHT, rowsSeen, scrolledTo, type Span } from './window';

interface Seen {
  rows: Span;
  columns: Span;
}

const same = (one: Span, other: Span): boolean => one.from === other.from && one.to === other.to;

/** Visible rows and columns of a scrolling element; renders only when they change. */
export function useWindow(count: number, edges: readonly number[]) {
  const element = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<Seen>({ rows: { from: 0, to: 0 }, columns: { from: 0, to: 0 } });
  const look = (): void => {
    const scroller = element.current;
    if (scroller) {
      const rows = rowsSeen(scroller.scrollTop, scroller.clientHeight - HEAD_HEIGHT, count);
      const columns = columnsSeen(scroller.scrollLeft, scroller.clientWidth - GUTTER_WIDTH, edges);
      setSeen((before) => {
        const [rowsStay, columnsStay] = [same(before.rows, rows), same(before.columns, columns)];
        return rowsStay && columnsStay
          ? before
          : { rows: rowsStay ? before.rows : rows, columns: columnsStay ? before.columns : columns };
      });
    }
  };
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    const sizes = new ResizeObserver(() => latest.current());
    sizes.observe(element.current!);
    return () => sizes.disconnect();
  }, []);
  useEffect(look, [count, edges]);
  const show = (row: number, column: number): void => {
    const scroller = element.current!;
    scroller.scrollTop = scrolledTo(
      row * ROW_HEIGHT,
      (row + 1) * ROW_HEIGHT,
      scroller.scrollTop,
      scroller.clientHeight - HEAD_HEIGHT,
    );
    scroller.scrollLeft = scrolledTo(
      edges[column] ?? 0,
      edges[column + 1] ?? 0,
      scroller.scrollLeft,
      scroller.clientWidth - GUTTER_WIDTH,
    );
    // The scroll event comes with the next frame; without this the next key would find no cell.
    look();
  };
  const page = (): number =>
    Math.max(1, Math.floor(((element.current?.clientHeight ?? 0) - HEAD_HEIGHT) / ROW_HEIGHT) - 1);
  return { element, seen, look, show, page };
}
