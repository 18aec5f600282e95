/** Range of rendered rows or columns, end exclusive. */
export interface Span {
  from: number;
  to: number;
}

export const ROW_HEIGHT = 34;
export const HEAD_HEIGHT = 36;
/** Column of row numbers, which does not scroll. */
export const GUTTER_WIDTH = 64;
const ROWS_AROUND = 8;
const COLUMNS_AROUND = 1;

export function rowsSeen(top: number, height: number, count: number): Span {
  const first = Math.floor(top / ROW_HEIGHT);
  return {
    from: Math.max(0, Math.min(first, count) - ROWS_AROUND),
    to: Math.min(count, first + Math.ceil(height / ROW_HEIGHT) + ROWS_AROUND),
  };
}

/** Indexes to render: the visible range, plus one that stays rendered out of view, such as an edited cell. */
export function drawn({ from, to }: Span, count: number, also: number | undefined): number[] {
  const seen = Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, offset) => from + offset);
  return also === undefined || also >= count || (also >= from && also < to)
    ? seen
    : also < from
      ? [also, ...seen]
      : [...seen, also];
}

/** Left edges of the columns, and the right edge of the last one. */
export function edgesOf(widths: readonly number[]): number[] {
  const edges = [0];
  for (const width of widths) {
    edges.push(edges.at(-1)! + width);
  }
  return edges;
}

export function columnsSeen(left: number, width: number, edges: readonly number[]): Span {
  const count = edges.length - 1;
  let from = 0;
  while (from < count && edges[from + 1]! <= left) {
    from++;
  }
  let to = from;
  while (to < count && edges[to]! < left + width) {
    to++;
  }
  return { from: Math.max(0, from - COLUMNS_AROUND), to: Math.min(count, to + COLUMNS_AROUND) };
}

export function scrolledTo(begin: number, end: number, scroll: number, size: number): number {
  return begin < scroll ? begin : end > scroll + size ? end - size : scroll;
}
